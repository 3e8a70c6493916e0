# skillpick in fish: skillpick init fish | source
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
function _skillpick_line
    set -l said (mktemp); or return
    set -l parts (command skillpick line $argv[1] --shell fish \
        --before=(commandline --cut-at-cursor | string collect --no-trim-newlines) \
        --line=(commandline | string collect --no-trim-newlines) 2>$said | string split0)
    if test -s $said
        # Below the line that is edited. fish draws the prompt so many lines above as it has.
        echo >&2
        cat $said >&2
        string repeat --count (math (count (fish_prompt)) + (commandline --line) - 2) \n >&2
    end
    rm -f $said
    if test (count $parts) -eq 2
        commandline --replace -- $parts[1]
        commandline --append -- $parts[2]
    end
    commandline --function repaint
end
# keys
if status is-interactive
    bind --mode default @key@ '_skillpick_line mention'
    bind --mode insert @key@ '_skillpick_line mention'
    bind --mode default @compose-key@ '_skillpick_line compose'
    bind --mode insert @compose-key@ '_skillpick_line compose'
end
