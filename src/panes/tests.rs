use super::processes::{callers, read};
use super::*;

#[test]
fn only_what_runs_in_the_foreground_of_a_terminal_is_read() {
    let ps = b"pts/3  10 12 -zsh\npts/3 12 12 node /x/claude\n? 1 -1 /sbin/init\n";
    let found = read(ps);
    assert_eq!(found.len(), 1);
    assert!(found[0].is_in("/dev/pts/3") && !found[0].is_in("/dev/pts/33") && !found[0].is_in(""));
}

#[test]
fn the_programs_above_a_process_are_read_from_its_parent_on() {
    let ps =
        b"  1 0 /sbin/init\n 7 1 -zsh\n 8 7 node /x/claude\n 9 8 /bin/sh e f\n10 9 us\n11 11 x y\n";
    assert_eq!(callers(ps, 10), ["/bin/sh e f", "node /x/claude", "-zsh", "/sbin/init"]);
    assert_eq!(callers(ps, 11), Vec::<String>::new());
    assert_eq!(callers(ps, 12), Vec::<String>::new());
}

#[test]
fn the_list_of_each_multiplexer_is_read_and_another_form_is_no_list() {
    let tmux = b"%0\t/dev/pts/1\t\t0\tsh\n%3\t/dev/pts/2\t1\t1\tnode\n";
    let listed = Multiplexer::Tmux.listed(tmux).unwrap();
    assert_eq!((listed[0].id.as_str(), listed[0].bracketed), ("%3", Some(true)));
    assert_eq!((listed[1].id.as_str(), listed[1].bracketed), ("%0", None));
    let kitty = br#"[{"tabs":[{"windows":[{"id":7,"foreground_processes":
        [{"cmdline":["node","/x/codex"],"pid":1}]}]}]}]"#;
    let listed = Multiplexer::Kitty.listed(kitty).unwrap();
    assert_eq!((&*listed[0].id, &*listed[0].commands[0]), ("7", "node /x/codex"));
    let zellij = br#"[{"id":1,"is_plugin":false,"pane_command":"claude"},{"id":1,"is_plugin":true},
        {"id":2,"is_plugin":false,"exited":false,"terminal_command":"codex"}]"#;
    let listed = Multiplexer::Zellij.listed(zellij).unwrap();
    assert_eq!((listed.len(), &*listed[0].commands[0]), (2, "claude"));
    assert_eq!(listed[1].commands, [""], "what was started there has ended");
    let wezterm = br#"[{"pane_id":4,"tty_name":"/dev/pts/9"}]"#;
    assert_eq!(Multiplexer::Wezterm.listed(wezterm).unwrap()[0].tty, "/dev/pts/9");
    for of in Multiplexer::ALL {
        assert_eq!(of.listed(b"no list"), None);
    }
}

#[test]
fn nothing_in_a_text_ends_the_paste_or_presses_a_key() {
    let text = without_controls("a\x1b[201~\rrm -rf /\x03\x08\u{9b}201~\tb\r\nc");
    assert_eq!(text, "a[201~\nrm -rf /201~\tb\nc");
    for of in Multiplexer::ALL {
        let steps = of.paste("7", "a\nb");
        let all: String = steps
            .iter()
            .map(|step| step.arguments.join(" ") + &String::from_utf8_lossy(&step.input))
            .collect();
        assert_eq!(all.matches("a\nb").count(), 1, "{of:?}");
        assert!(!all.contains('\r'), "{of:?}: Enter is a step of its own");
    }
}

#[test]
fn a_long_text_is_given_in_parts_that_lose_nothing() {
    let text = "é".repeat(200_000);
    let steps = Multiplexer::Zellij.paste("1", &text);
    let parts: String = steps.iter().map(|step| step.arguments.last().unwrap().as_str()).collect();
    assert_eq!(parts, format!("\x1b[200~{text}\x1b[201~"));
    assert!(steps.iter().all(|step| step.arguments.iter().all(|word| word.len() <= 64 << 10)));
}

#[test]
fn the_innermost_multiplexer_is_meant_and_none_is_said() {
    let innermost = |environment: &BTreeMap<String, OsString>, lines: &[&str]| {
        let callers = lines.iter().map(|line| (*line).to_owned()).collect();
        super::innermost(&around(environment), || callers)
    };
    let environment = |names: &[&str]| {
        names.iter().map(|name| ((*name).to_owned(), "1".into())).collect::<BTreeMap<_, _>>()
    };
    let two = environment(&["KITTY_WINDOW_ID", "TMUX_PANE"]);
    assert_eq!(innermost(&two, &["-zsh", "sshd"]), Some(Multiplexer::Tmux));
    assert_eq!(innermost(&environment(&["WEZTERM_PANE"]), &[]), Some(Multiplexer::Wezterm));
    let two = environment(&["TMUX_PANE", "ZELLIJ"]);
    for (lines, inner) in [
        (["-zsh", "/usr/bin/zellij --server /run/z", "tmux: server"], Multiplexer::Zellij),
        (["-zsh", "tmux new -s a", "/usr/bin/zellij --server /run/z"], Multiplexer::Tmux),
        (["vim tmux", "kitty", "zellij"], Multiplexer::Zellij),
    ] {
        assert_eq!(innermost(&two, &lines), Some(inner), "{lines:?}");
    }
    let two = environment(&["WEZTERM_PANE", "KITTY_WINDOW_ID"]);
    let inner = innermost(&two, &["sh", "/usr/bin/wezterm-gui"]);
    assert_eq!(inner, Some(Multiplexer::Wezterm));
    let none = Panes::open(&environment(&["PATH"]), PathBuf::new());
    assert!(matches!(none, Err(PaneError::NoMultiplexer)));
}
