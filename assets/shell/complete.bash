# Completions of skillpick for bash 4 and later: eval "$(skillpick completions bash)"
_skillpick_complete() {
    local value
    COMPREPLY=()
    while IFS= read -r value; do
        COMPREPLY+=("$value")
    done < <(command skillpick complete --shell bash \
        --before="${COMP_LINE:0:COMP_POINT}" --word="$2" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=] ]]; then
        # Not in the bash 3.2 of macOS.
        compopt -o nospace 2>/dev/null || true
    fi
}
complete -F _skillpick_complete skillpick
