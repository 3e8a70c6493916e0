# skillpick in bash 4 and later: eval "$(skillpick init bash)"
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
_skillpick_line() {
    local before=${READLINE_LINE:0:READLINE_POINT} out
    out=$(command skillpick line "$1" --shell bash --before="$before" --line="$READLINE_LINE") ||
        return 0
    before=${out%%$'\037'*}
    out=${out#*$'\037'}
    READLINE_LINE=$before${out%$'\037'*}
    READLINE_POINT=${#before}
}
# keys
if [[ $- == *i* && ${BASH_VERSINFO[0]} -ge 4 ]]; then
    for _skillpick_map in emacs-standard vi-insert vi-command; do
        bind -m "$_skillpick_map" -x '"@key@": _skillpick_line mention' 2>/dev/null || true
        bind -m "$_skillpick_map" -x '"@compose-key@": _skillpick_line compose' 2>/dev/null || true
    done
    unset _skillpick_map
elif [[ $- == *i* ]]; then
    echo "skillpick: its keys need bash 4 or later; this is $BASH_VERSION" >&2
fi
