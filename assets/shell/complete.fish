# Completions of skillpick for fish: skillpick completions fish | source
function _skillpick_complete
    command skillpick complete --shell fish \
        --before=(commandline --current-process --cut-at-cursor | string collect) 2>/dev/null
end
complete --command skillpick --no-files --keep-order --arguments '(_skillpick_complete)'
