# skillpick in zsh: eval "$(skillpick init zsh)"
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
_skillpick_line() {
    emulate -L zsh
    local before out what=${WIDGET#skillpick-}
    if out=$(command skillpick line "$what" --shell zsh \
        --before="$PREBUFFER$LBUFFER" --line="$PREBUFFER$BUFFER" --above="$PREBUFFER" \
        </dev/tty); then
        before=${out%%$'\037'*}
        out=${out#*$'\037'}
        LBUFFER=${before#"$PREBUFFER"}
        RBUFFER=${out%$'\037'*}
    fi
    zle reset-prompt
}
if [[ -o zle ]]; then
    zle -N skillpick-mention _skillpick_line
    zle -N skillpick-compose _skillpick_line
fi
# keys
if [[ -o zle ]]; then
    for _skillpick_map in emacs viins vicmd; do
        bindkey -M $_skillpick_map '@key@' skillpick-mention
        bindkey -M $_skillpick_map '@compose-key@' skillpick-compose
    done
    unset _skillpick_map
fi
