//! The order of evaluation as data: how claims that contradict each other are settled.

use super::{Layer, Pattern, PatternError};
use crate::catalog::{Check, Severity, Skill};
use std::borrow::Cow;
use std::path::Path;

/// Which of several matching claims decides.
///
/// These three are enough for the hosts we know. *Highest priority* (Gemini) is
/// [`Order::FirstMatch`] over claims that the host's reader has sorted by priority; a *union* of
/// off lists (Gemini, Qwen) is [`Order::Strictest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The strictest: deny over ask over allow, off over on; among equals the first.
    Strictest,
    /// The first that matches (Amp).
    FirstMatch,
    /// The last that matches (opencode, Codex).
    LastMatch,
}

impl Order {
    /// The order in a few words: the top line of the rules screen.
    pub fn words(self) -> &'static str {
        match self {
            Self::Strictest => "deny > ask > allow",
            Self::FirstMatch => "first match wins",
            Self::LastMatch => "last match wins",
        }
    }

    /// The index of the claim that decides, among those that match, in the order in which they are
    /// written.
    ///
    /// `claims` are ordered by strictness: a greater one is the stricter. Nothing only if there are
    /// no claims.
    pub fn evaluate<T: Ord>(self, claims: &[T]) -> Option<usize> {
        match self {
            Self::FirstMatch => (!claims.is_empty()).then_some(0),
            Self::LastMatch => claims.len().checked_sub(1),
            Self::Strictest => claims
                .iter()
                .enumerate()
                .reduce(|best, next| if next.1 > best.1 { next } else { best })
                .map(|(index, _)| index),
        }
    }
}

/// What the layers are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// All claims stand in one list, lower layers first.
    Pooled,
    /// This layer is not the person's own. Its claims are heard after the others have decided, and
    /// count only where they are stricter, or where the others left the question open; its `allow`
    /// never counts. So a cloned repository grants itself nothing (X1).
    TightenOnly(Layer),
}

/// What a host takes for a skill's name: in its settings, for duplicates, and where a person calls
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    Name,
    /// The name of the directory in which it was found (Claude Code).
    Directory,
    /// The frontmatter's name, after that of the plugin whose skill it is: below
    /// `plugins/org@repo/skills` a skill `x` is `org/repo/x` (Kodelet).
    Plugin,
    /// The frontmatter's name, with a hyphen in the place of each of these signs (Gemini CLI,
    /// Copilot CLI).
    Hyphened(&'static [char]),
}

/// Where a host disregards upper and lower case in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Nowhere.
    Never,
    /// In its settings: two skills whose names differ in case are two, and one switch is about
    /// both.
    Switches,
    /// Everywhere: they have one name.
    Names,
}

/// What becomes of a skill that the model may not load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The model is not told of it.
    Hidden,
    /// It stays in the model's list, and the load is refused; only where a rule denies the whole
    /// tool is the list gone.
    Listed,
    /// It stays in the model's list whatever rule denies it, and the load is refused (Codelia).
    Kept,
}

/// Which of the skill's own words about its invocation a host heeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heeds {
    /// `disable-model-invocation`.
    pub model: bool,
    /// `user-invocable`.
    pub user: bool,
    /// `policy.allow_implicit_invocation` in `agents/openai.yaml`.
    pub implicit: bool,
}

/// Which skills a host does not take, by the codes of their diagnostics (D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Warnings for which it refuses a skill all the same.
    pub refuses: &'static [&'static str],
    /// Errors in spite of which it takes a skill.
    pub takes: &'static [&'static str],
}

impl Profile {
    /// The plain standard: what is an error is refused.
    pub const STANDARD: Self = Self { refuses: &[], takes: &[] };

    /// Whether a finding of this kind keeps a skill out.
    pub fn refuses(&self, check: &Check) -> bool {
        match check.severity {
            Severity::Error => !self.takes.contains(&check.code),
            Severity::Warning => self.refuses.contains(&check.code),
        }
    }

    /// The first finding for which the host does not take this skill.
    pub fn refusal(&self, skill: &Skill) -> Option<&'static Check> {
        skill
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.check)
            .find(|check| self.refuses(check))
    }
}

/// What the patterns of a host's rules can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// A name, or a beginning and `*`.
    Prefix,
    /// A name, or a glob with `*` and `?`.
    Glob,
    /// A name, or `*` for all.
    Exact,
}

/// Everything about how a host judges a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    pub rules: Order,
    pub switches: Order,
    /// Whether, within one layer, a switch by path beats one by name.
    pub path_beats_name: bool,
    /// What the layers are to each other.
    pub layers: Layers,
    /// What it takes for a skill's name.
    pub identity: Identity,
    /// Where it disregards upper and lower case in names.
    pub fold: Fold,
    /// What becomes of a denied skill.
    pub denied: Denied,
    /// Which of the skill's own words it heeds.
    pub heeds: Heeds,
    /// Which skills it does not take.
    pub profile: Profile,
    /// Findings for which the model is not told of a skill that it may load and a person may call,
    /// by their codes.
    pub unlisted: &'static [&'static str],
    /// Whether it asks, where no rule speaks, before a skill is loaded that has `allowed-tools`
    /// (Claude Code).
    pub asks_for_tools: bool,
    /// What its rules can say of names.
    pub patterns: Patterns,
    /// Whether its allow rules can be bound to one skill. Those that are not allow nothing that a
    /// repository brings.
    pub bound: bool,
}

impl Evaluation {
    /// The plain standard with our own settings (D15): deny > ask > allow > default; a switch by
    /// path beats one by name; a project file may only tighten.
    pub const AGENTS: Self = Self {
        rules: Order::Strictest,
        switches: Order::Strictest,
        path_beats_name: true,
        layers: Layers::TightenOnly(Layer::Project),
        identity: Identity::Name,
        fold: Fold::Never,
        denied: Denied::Hidden,
        heeds: Heeds { model: false, user: false, implicit: false },
        profile: Profile::STANDARD,
        unlisted: &[],
        asks_for_tools: false,
        patterns: Patterns::Prefix,
        bound: true,
    };

    /// What most agents do, for their rows to depart from: what is written last in the highest
    /// layer decides, every layer alike; a denied skill stays listed.
    pub const HOST: Self = Self {
        rules: Order::LastMatch,
        switches: Order::LastMatch,
        path_beats_name: false,
        layers: Layers::Pooled,
        denied: Denied::Listed,
        patterns: Patterns::Exact,
        bound: false,
        ..Self::AGENTS
    };

    /// Reads what a person writes as the pattern of a rule; `*` alone is the whole tool.
    ///
    /// # Errors
    /// [`PatternError`] where the host's rules cannot say it.
    pub fn pattern(self, text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        match self.patterns {
            Patterns::Glob if text != "*" && text.contains(['*', '?']) => {
                Ok(Pattern::Glob(text.to_owned()))
            }
            Patterns::Exact | Patterns::Glob if text != "*" && !text.is_empty() => {
                if text.contains('*') {
                    Err(PatternError::Exact)
                } else {
                    Ok(Pattern::Exact(text.to_owned()))
                }
            }
            _ => Pattern::read(text),
        }
    }

    /// The skill's name as the host takes it, trimmed.
    pub fn name_of(self, skill: &Skill) -> Cow<'_, str> {
        let directory = || {
            skill
                .locations
                .first()
                .and_then(|place| place.file_name())
                .and_then(|name| name.to_str())
        };
        match self.identity {
            Identity::Name => skill.name.trim().into(),
            Identity::Directory => directory().unwrap_or(&skill.name).trim().into(),
            Identity::Hyphened(signs) => match skill.name.trim() {
                name if name.contains(signs) => name.replace(signs, "-").into(),
                name => name.into(),
            },
            Identity::Plugin => match plugin(&skill.root) {
                Some(plugin) => {
                    format!("{}/{}", plugin.replacen('@', "/", 1), skill.name.trim()).into()
                }
                None => skill.name.trim().into(),
            },
        }
    }

    /// Whether two names are one to the host's switches.
    pub fn same(self, one: &str, other: &str) -> bool {
        self.folded(one) == self.folded(other)
    }

    /// A name so that those which are one to the host's switches are equal.
    pub fn folded(self, name: &str) -> String {
        if self.fold != Fold::Never { name.trim().to_lowercase() } else { name.trim().to_owned() }
    }

    /// Whether this layer may only tighten.
    pub fn tighten_only(self, layer: Layer) -> bool {
        self.layers == Layers::TightenOnly(layer)
    }
}

/// The name of the plugin whose folder of skills this is: `plugins/NAME/skills`.
fn plugin(root: &Path) -> Option<&str> {
    let folder = root.parent()?;
    let beneath = root.file_name()? == "skills" && folder.parent()?.file_name()? == "plugins";
    if beneath { folder.file_name()?.to_str() } else { None }
}

#[cfg(test)]
mod tests {
    use super::Order;
    use crate::catalog::Permission;
    use proptest::prelude::*;

    /// What the words mean, said as slowly as possible.
    fn naive(order: Order, claims: &[Permission]) -> Option<usize> {
        let mut decided = None;
        for (index, claim) in claims.iter().enumerate() {
            match order {
                Order::FirstMatch if decided.is_none() => decided = Some(index),
                Order::FirstMatch => {}
                Order::LastMatch => decided = Some(index),
                Order::Strictest => {
                    let earlier_as_strict = claims[..index].iter().any(|other| other >= claim);
                    let later_stricter = claims[index..].iter().any(|other| other > claim);
                    if !earlier_as_strict && !later_stricter {
                        decided = Some(index);
                    }
                }
            }
        }
        decided
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn every_order_equals_its_naive_model(claims in proptest::collection::vec(
            prop_oneof![Just(Permission::Allow), Just(Permission::Ask), Just(Permission::Deny)], 0..8)) {
            for order in [Order::Strictest, Order::FirstMatch, Order::LastMatch] {
                prop_assert_eq!(order.evaluate(&claims), naive(order, &claims), "{:?}", order);
            }
        }
    }
}
