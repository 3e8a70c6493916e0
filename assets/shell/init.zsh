# skillpick in zsh: eval "$(skillpick init zsh)"
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
_skillpick_line() {
    emulate -L zsh
    local before out said ended what=${WIDGET#skillpick-} tty=/dev/tty
    # macOS cannot wait for keys of /dev/tty. After su the other one is not ours to open.
    [[ -r $TTY ]] && tty=$TTY
    # What it says stands behind its answer, so that it is not written into the line.
    if out=$({
        said=$(command skillpick line "$what" --shell zsh \
            --before="$PREBUFFER$LBUFFER" --line="$PREBUFFER$BUFFER" --above="$PREBUFFER" \
            <"$tty" 2>&1 >&3)
        ended=$?
        print -rn -- "$said"
        exit $ended
    } 3>&1); then
        before=${out%%$'\037'*}
        out=${out#*$'\037'}
        LBUFFER=${before#"$PREBUFFER"}
        RBUFFER=${out%%$'\037'*}
        out=${out#*$'\037'}
    fi
    if [[ -z $out ]]; then
        zle reset-prompt
        return
    fi
    # zsh draws the prompt anew below it.
    zle -I
    print -r -- "$out" >&2
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
