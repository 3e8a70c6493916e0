# skillpick in fish: skillpick init fish | source
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
function _skillpick_line
    set -l parts (command skillpick line $argv[1] --shell fish \
        --before=(commandline --cut-at-cursor | string collect --no-trim-newlines) \
        --line=(commandline | string collect --no-trim-newlines) | string split0)
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
