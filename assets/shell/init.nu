# skillpick in Nushell (make the folder first):
# skillpick init nu | save -f ~/.config/nushell/autoload/skillpick.nu
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
def --env _skillpick_line [what: string] {
    let line = (commandline)
    let letters = ($line | split chars --grapheme-clusters)
    let before = ($letters | take (commandline get-cursor) | str join)
    let out = (^skillpick line $what --shell nu $"--before=($before)" $"--line=($line)" | complete)
    if $out.exit_code == 0 {
        let parts = ($out.stdout | split row (char --integer 31))
        commandline edit --replace $parts.0
        commandline edit --append $parts.1
    }
}
# keys
$env.config.keybindings = ($env.config.keybindings
    | where {|key| not ($key.name? | default '' | str starts-with 'skillpick_') }
    | append [
        {
            name: skillpick_mention modifier: @modifier@ keycode: @key@
            mode: [emacs vi_insert vi_normal]
            event: { send: executehostcommand cmd: '_skillpick_line mention' }
        }
        {
            name: skillpick_compose modifier: @compose-modifier@ keycode: @compose-key@
            mode: [emacs vi_insert vi_normal]
            event: { send: executehostcommand cmd: '_skillpick_line compose' }
        }
    ])
