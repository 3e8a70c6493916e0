//! Random edits: every scan sees the same with and without the index.

use super::*;

/// A change of a collection.
#[derive(Clone, Debug)]
enum Edit {
    /// Writes the skill of this number, with text of this kind.
    Put(u8, u8),
    /// The same, in another file that takes its place with the times of the old one.
    Swap(u8, u8),
    Remove(u8),
    Rename(u8, u8),
    /// A link to the folder of a skill.
    Link(u8, u8),
    /// `agents/openai.yaml`
    Sidecar(u8),
    /// A skill in a folder of a skill.
    Inner(u8, u8),
    /// Takes only the file of a skill away, or gives it another name.
    Lose(u8, bool),
    /// Puts a link to another skill's file in its place.
    LinkFile(u8, u8),
}

fn edit() -> impl Strategy<Value = Edit> {
    let skill = || 0_u8..5;
    prop_oneof![
        4 => (skill(), 0_u8..8).prop_map(|(skill, kind)| Edit::Put(skill, kind)),
        2 => (skill(), 0_u8..8).prop_map(|(skill, kind)| Edit::Swap(skill, kind)),
        1 => skill().prop_map(Edit::Remove),
        1 => (skill(), skill()).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => (skill(), skill()).prop_map(|(from, to)| Edit::Link(from, to)),
        1 => skill().prop_map(Edit::Sidecar),
        2 => (skill(), skill()).prop_map(|(outer, inner)| Edit::Inner(outer, inner)),
        1 => (skill(), any::<bool>()).prop_map(|(skill, renames)| Edit::Lose(skill, renames)),
        1 => (skill(), skill()).prop_map(|(from, to)| Edit::LinkFile(from, to)),
    ]
}

fn kind_of_text(kind: u8) -> String {
    match kind {
        0 => text("skill-0", "one"),
        1 => text("skill-0", "two"),
        2 => text("skill-1", "a\u{202e}b"),
        3 => "---\nname: x\n---\n".to_owned(),
        4 => text("Ünï Cödé", "odd: \u{fffd}") + &"body\n".repeat(4_000),
        5 => "---\nname: skill-2\ndescription: |\n  long\n  lines\nlicense: MIT\nmetadata:\n  a: b\nallowed-tools: Bash Read\nuser-invocable: false\n---\n".to_owned(),
        6 => String::new(),
        _ => text("skill-3", "end") + &"x\n".repeat(9_000) + "\u{202e}\n",
    }
}

impl Collection {
    fn make(&self, edit: &Edit) {
        let at = |number: &u8| self.at(&format!("skill-{number}"));
        match edit {
            Edit::Put(number, kind) => {
                let _ = fs::create_dir(at(number));
                let _ = fs::write(at(number).join("SKILL.md"), kind_of_text(*kind));
            }
            Edit::Swap(number, kind) => {
                let file = at(number).join("SKILL.md");
                let Ok(meta) = fs::metadata(&file) else { return };
                let other = at(number).join("other");
                fs::write(&other, kind_of_text(*kind)).unwrap();
                with_times_of(&other, &meta);
                fs::rename(other, file).unwrap();
            }
            Edit::Remove(number) => {
                let _ = fs::remove_dir_all(at(number)).or_else(|_| fs::remove_file(at(number)));
            }
            Edit::Rename(from, to) => drop(fs::rename(at(from), at(to))),
            Edit::Link(from, to) => drop(symlink(at(from), at(to))),
            Edit::Sidecar(number) => {
                let folder = at(number).join("agents");
                let _ = fs::create_dir(&folder);
                let text = "policy:\n  allow_implicit_invocation: false\n";
                let _ = fs::write(folder.join("openai.yaml"), text);
            }
            Edit::Inner(outer, inner) => {
                let folder = at(outer).join(format!("more/skill-{inner}"));
                let _ = fs::create_dir_all(&folder);
                let _ = fs::write(folder.join("SKILL.md"), text("inner", "in another one"));
            }
            Edit::Lose(number, renames) => {
                let (file, other) = (at(number).join("SKILL.md"), at(number).join("skill.md"));
                let _ = if *renames { fs::rename(file, other) } else { fs::remove_file(file) };
            }
            Edit::LinkFile(from, to) => {
                let file = at(to).join("SKILL.md");
                let _ = fs::remove_file(&file);
                let _ = symlink(at(from).join("SKILL.md"), file);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn with_and_without_the_index_every_scan_sees_the_same(
        rounds in prop::collection::vec(
            (prop::collection::vec(edit(), 0..5), any::<bool>()), 1..9,
        ),
    ) {
        let one = Collection::of(&["skill-0", "skill-1"]);
        for (edits, bodies) in rounds {
            one.tick();
            edits.iter().for_each(|edit| one.make(edit));
            let root = one.root();
            let look = |index: Option<Index>| {
                let options = Options { index, bodies, ..Options::default() };
                scan(std::slice::from_ref(&root), &options, |_| {})
            };
            let now = SystemTime::now() + Duration::from_secs(10);
            let folder = one.cache.path().to_owned();
            prop_assert_eq!(look(Some(Index { folder, now })), look(None));
        }
    }
}
