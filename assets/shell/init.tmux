# skillpick in tmux: skillpick init tmux >> ~/.tmux.conf
# The picker over the pane. It types the mention into the pane below, for the agent that runs there.
# keys
bind-key -n @key@ display-popup -E -w 90% -h 80% -d "#{pane_current_path}" "skillpick pane"
