//! To whom a server tells something. The owner of the settings is told everything; a client over
//! the network is told what is refused and which kind of rule decided, and not what is set where.

use super::{Cure, Origin, Refusal};
use crate::catalog::{LAST_READ, Root, Scope};
use crate::text::SafeText;
use std::path::{Path, PathBuf};

/// The cure that somebody else gets.
const OWNER: &str = "Tell the user: only the owner of this server can change that";

/// The same where a rule asks. A client that can put the question to a person needs no owner.
const OWNER_OR_QUESTION: &str = "This client cannot ask for it. Tell the user; only the owner of \
                                 this server can allow it permanently";

/// How a person who is not the owner allows something; the end of a sentence.
pub const NO_COMMAND: &str = "only the owner of this server can";

/// Who reads what is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// The person whose settings these are, or an agent that runs as this person.
    #[default]
    Owner,
    /// Somebody else.
    Other(Signs),
}

/// The owner's folders, the longest first, and what stands for their paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signs(Vec<(PathBuf, &'static str)>);

impl Reader {
    /// Somebody who is not the owner of this working directory and home directory.
    pub fn other(cwd: &Path, home: Option<&Path>) -> Self {
        let folders = [(Some(cwd), "."), (home, "~")].into_iter();
        // A `/` is in every path.
        let named = folders.filter_map(|(folder, sign)| {
            folder.filter(|folder| folder.parent().is_some()).map(|folder| (folder.into(), sign))
        });
        let mut signs: Vec<(PathBuf, &str)> = named.collect();
        signs.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.as_os_str().len()));
        Self::Other(Signs(signs))
    }

    fn signs(&self) -> &[(PathBuf, &'static str)] {
        match self {
            Self::Owner => &[],
            Self::Other(Signs(signs)) => signs,
        }
    }

    pub fn is_owner(&self) -> bool {
        *self == Self::Owner
    }

    /// A path for this reader. [`Reader::meant`] takes it back.
    pub fn path(&self, path: &Path) -> PathBuf {
        let short = |(folder, sign): &(PathBuf, &'static str)| {
            let rest = path.strip_prefix(folder).ok()?;
            Some(Path::new(sign).components().chain(rest.components()).collect())
        };
        self.signs().iter().find_map(short).unwrap_or_else(|| path.to_owned())
    }

    /// A root's path for this reader. Nobody but the owner is told where the store is.
    pub fn root(&self, root: &Root) -> PathBuf {
        let path = root.path.to_string_lossy();
        match path.rsplit_once('#') {
            Some((_, project)) if !self.knows(root) => format!("store#{project}").into(),
            _ => self.path(&root.path),
        }
    }

    /// Why a root cannot be read. What a database says may name its host and user.
    pub fn fault(&self, root: &Root, why: &str) -> String {
        let used = why.rfind(LAST_READ).map_or("", |at| &why[at..]);
        if self.knows(root) { why.to_owned() } else { format!("it is away{used}") }
    }

    fn knows(&self, root: &Root) -> bool {
        self.is_owner() || root.scope != Scope::Project
    }

    /// A text of ours for this reader. Texts of skills are never changed.
    pub fn text(&self, text: &str) -> String {
        self.signs().iter().fold(text.to_owned(), |text, (folder, sign)| {
            text.replace(SafeText::path(folder).as_str(), sign)
        })
    }

    /// What a reader means who has written a path as it was told.
    pub fn meant(&self, argument: &str) -> Option<PathBuf> {
        let (home, _) = self.signs().iter().find(|(_, sign)| *sign == "~")?;
        Some(home.join(argument.strip_prefix("~/")?))
    }

    /// A refusal for this reader. Its paths are shortened with the text.
    pub fn refusal(&self, refusal: Refusal) -> Refusal {
        if self.is_owner() {
            return refusal;
        }
        let cure = if refusal.code == "needs_consent" { OWNER_OR_QUESTION } else { OWNER };
        Refusal {
            decided_by: refusal.decided_by.map(kind),
            shortfall: None,
            cure: refusal.cure.map(|_| Cure::tell(SafeText::fixed(cure))),
            ..refusal
        }
    }
}

/// What kind of rule has decided.
fn kind(origin: Origin) -> Origin {
    let kind = match origin {
        Origin::Rule { .. } => "a rule of the server's owner",
        Origin::Alarm { .. } => "a settings file of the server's owner cannot be read whole",
        Origin::Session(_) => "an option of the server's owner",
        Origin::Default | Origin::Host(_) | Origin::Skill(_) | Origin::Shadowed(_) => {
            return origin;
        }
    };
    Origin::Session(kind.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(cwd: &str, home: &str) -> Reader {
        Reader::other(Path::new(cwd), Some(Path::new(home)))
    }

    #[test]
    fn a_path_is_short_for_somebody_else_and_is_taken_back() {
        let reader = other("/home/a/repo", "/home/a");
        for (path, told) in [
            ("/home/a/repo", "."),
            ("/home/a/repo/.agents/x", "./.agents/x"),
            ("/home/a/x/SKILL.md", "~/x/SKILL.md"),
            ("/home/ab/x", "/home/ab/x"),
            ("/opt/x", "/opt/x"),
        ] {
            let short = reader.path(Path::new(path));
            assert_eq!(short.as_os_str(), told);
            assert_eq!(Reader::Owner.path(Path::new(path)).as_os_str(), path);
            let back = reader.meant(told).filter(|_| told.starts_with('~'));
            assert!(back.is_none_or(|back| back == Path::new(path)), "{told}");
        }
        assert_eq!(reader.text("no /home/a/repo/x: /home/a/y"), "no ./x: ~/y");
        assert_eq!(Reader::Owner.text("/home/a"), "/home/a");
        assert_eq!(Reader::Owner.meant("~/x"), None);
        // Of a folder around the home directory nothing of the home directory is left.
        assert_eq!(other("/home", "/home/a").text("/home/a/x, /home/b"), "~/x, ./b");
        assert_eq!(other("/", "/").text("/a/b"), "/a/b");
    }

    #[test]
    fn somebody_else_learns_the_project_and_not_where_its_store_is() {
        let walk = crate::catalog::Walk::STANDARD;
        let host = crate::catalog::HostId::AGENTS;
        let root = |path: &str, scope| Root::new(path.into(), scope, host, walk);
        let store = root("postgres://me@db:5433/team#shop", Scope::Project);
        let folder = root("/home/a/x", Scope::User);
        let (owner, other) = (Reader::Owner, other("/home/a/repo", "/home/a"));
        assert_eq!(other.root(&store).as_os_str(), "store#shop");
        assert_eq!(other.root(&folder).as_os_str(), "~/x");
        assert_eq!(owner.root(&store), store.path);
        let why = format!("no host db{LAST_READ}just now");
        assert_eq!(other.fault(&store, &why), format!("it is away{LAST_READ}just now"));
        assert_eq!(other.fault(&store, "no host db"), "it is away");
        assert_eq!((owner.fault(&store, &why), other.fault(&folder, &why)), (why.clone(), why));
    }

    #[test]
    fn somebody_else_learns_the_kind_of_rule_and_a_cure_in_words() {
        let rule =
            Origin::Rule { file: Path::new("/etc/s.toml").into(), line: 7, text: "r".into() };
        let refusal = |code| {
            let refusal = Refusal::new(code, SafeText::fixed("pdf: denied")).decided_by(&rule);
            let refusal = Refusal { shortfall: Some(SafeText::fixed("/etc/s.toml:9")), ..refusal };
            refusal.cure(Cure::tell(SafeText::fixed("skillpick permit allow /home/a/x")))
        };
        let told = other("/home/a/repo", "/home/a").refusal(refusal("denied")).for_model();
        assert_eq!(told, format!("pdf: denied (a rule of the server's owner). {OWNER}"));
        let asks = other("/home/a/repo", "/home/a").refusal(refusal("needs_consent")).for_model();
        assert!(asks.ends_with(OWNER_OR_QUESTION), "{asks}");
        assert_eq!(Reader::Owner.refusal(refusal("denied")), refusal("denied"));
    }
}
