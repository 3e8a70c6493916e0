#compdef skillpick
# Completions of skillpick for zsh: eval "$(skillpick completions zsh)", after compinit
_skillpick() {
    local line value before=$PREBUFFER$LBUFFER
    # The editor has left out the sign of a quote that is open.
    [[ -n $QIPREFIX ]] && before=${before%"$PREFIX"}$QIPREFIX$PREFIX
    local -a values shown open
    while IFS= read -r line; do
        value=${line%%$'\t'*}
        if [[ $value == *[/=] ]]; then
            open+=("$value")
        else
            values+=("$value")
            shown+=("$value  ${line#*$'\t'}")
        fi
    done < <(command skillpick complete --shell zsh --before="$before" 2>/dev/null)
    local found=1
    (( $#values )) && compadd -l -d shown -a values && found=0
    (( $#open )) && compadd -S '' -a open && found=0
    # A backslash at the end of what the values share would hold the next key.
    if [[ ${compstate[unambiguous]//\\\\/} == *\\ ]]; then
        compstate[insert]= compstate[list]='list force'
    fi
    return found
}
if [[ ${funcstack[1]-} == _skillpick ]]; then
    _skillpick "$@"
elif (( $+functions[compdef] )); then
    compdef _skillpick skillpick
fi
