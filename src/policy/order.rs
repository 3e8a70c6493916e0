//! How a host judges, as data: which of several contradicting rules decides, and what else differs
//! between hosts.

use super::{Fold, Identity, Layer, RuleForms};
use crate::catalog::{CallReader, Calls, Check, Compared, HeadReader, Severity, Skill, checks};
use crate::text::is_plain_label;

/// Which of several matching rules or switches decides.
///
/// These three are enough for the hosts we know. *Highest priority* (Gemini) is
/// [`Order::FirstMatch`] over rules that the host's reader has sorted by priority. A *union* of off
/// lists (Gemini, Qwen) is [`Order::Strictest`].
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
    /// The order in a few words, for the top line of the rules screen.
    pub fn words(self) -> &'static str {
        match self {
            Self::Strictest => "deny > ask > allow",
            Self::FirstMatch => "first match wins",
            Self::LastMatch => "last match wins",
        }
    }

    /// The index of the value that decides among those that match, given in the order in which they
    /// are written. A greater value is stricter. `None` only if there are none.
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

/// How the layers relate to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// All rules are one list, lower layers first.
    Pooled,
    /// This layer is not the person's own. After the others have decided, it counts only if it is
    /// stricter, or if the others did not decide. Its `allow` never counts, so that a cloned
    /// repository grants itself nothing.
    TightenOnly(Layer),
}

/// What happens to a skill that the model may not load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The model is not told of it.
    Hidden,
    /// It stays in the model's list, and loading is refused. If a rule denies the whole tool, the
    /// list is gone.
    Listed,
    /// It stays in the model's list whatever rule denies it, and loading is refused. Codelia does
    /// so.
    Kept,
}

/// Which of the skill's own fields about its invocation a host reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvocationFields {
    /// `disable-model-invocation`.
    pub model: bool,
    /// `user-invocable`.
    pub user: bool,
    /// `policy.allow_implicit_invocation` in `agents/openai.yaml`.
    pub implicit: bool,
    /// `policy.products` there, for which Codex leaves out a skill.
    pub products: bool,
}

impl InvocationFields {
    /// None of them.
    pub const NONE: Self = Self { model: false, user: false, implicit: false, products: false };
}

/// Which skills a host refuses, by the codes of their diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Warnings for which it refuses a skill.
    pub refuses: &'static [&'static str],
    /// Errors for which it does not refuse a skill.
    pub takes: &'static [&'static str],
}

impl Profile {
    /// The plain standard: errors are refused, warnings are not.
    pub const STANDARD: Self = Self { refuses: &[], takes: &[] };
    /// Our own host, which takes no other file for a `SKILL.md`.
    pub const OWN: Self = Self { refuses: &["link-name"], takes: &[] };

    /// Whether a skill is refused for such a finding.
    pub fn refuses(&self, check: &Check) -> bool {
        match check.severity {
            Severity::Error => !self.takes.contains(&check.code),
            Severity::Warning => self.refuses.contains(&check.code),
        }
    }

    /// The first finding for which the host refuses this skill.
    pub fn refusal(&self, skill: &Skill) -> Option<&'static Check> {
        skill
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.check)
            .find(|check| self.refuses(check))
    }
}

/// Everything about how a host judges a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    pub rules: Order,
    pub switches: Order,
    /// Whether, within one layer, a switch by path beats one by name.
    pub path_beats_name: bool,
    pub layers: Layers,
    pub identity: Identity,
    pub fold: Fold,
    pub denied: Denied,
    pub reads: InvocationFields,
    /// Which skills it refuses.
    pub profile: Profile,
    /// Its own parser, which decides about the name, the description and whether it shows the
    /// skill, where files are not plain.
    pub head: Option<&'static HeadReader>,
    /// Its own reader of the fields about invocation, where files are not plain.
    pub calls: Option<&'static CallReader>,
    /// Whether a skill that is refused still shadows later ones of its name (Droid). That is for
    /// plain files; of others its own parser says whether they do.
    pub refused_blocks_name: bool,
    /// Codes of findings for which a skill is not listed to the model, though the model may load
    /// it and a person may call it.
    pub unlisted: &'static [&'static str],
    /// Names of directories that it keeps for itself, in any case. It refuses a skill in one.
    pub reserved: &'static [&'static str],
    /// The most bytes of a `SKILL.md` that it takes.
    pub most_bytes: u64,
    /// Whether it asks before it loads a skill with `allowed-tools`, if no rule applies. Claude
    /// Code does so.
    pub asks_for_tools: bool,
    /// Whether a skill that is off leaves its name to others (pi).
    pub off_leaves_name: bool,
    /// Whether skills of one name from several plugins are all listed, each with its plugin's name
    /// before it (`tools:pdf`), and a plugin's skill is switched by either name (Copilot CLI).
    pub plugin_names: bool,
    /// Which rules it can have.
    pub forms: RuleForms,
    /// Whether its allow rules can be bound to one skill. Then a rule that is not bound allows no
    /// skill that a repository brings.
    pub bound: bool,
}

impl Evaluation {
    /// The plain standard with our own settings: deny > ask > allow > default; a switch by path
    /// beats one by name; a project file may only tighten.
    pub const AGENTS: Self = Self {
        rules: Order::Strictest,
        switches: Order::Strictest,
        path_beats_name: true,
        layers: Layers::TightenOnly(Layer::Project),
        identity: Identity::Name,
        fold: Fold::Never,
        denied: Denied::Hidden,
        reads: InvocationFields::NONE,
        profile: Profile::OWN,
        head: None,
        calls: None,
        refused_blocks_name: false,
        unlisted: &[],
        reserved: &[],
        most_bytes: u64::MAX,
        asks_for_tools: false,
        off_leaves_name: false,
        plugin_names: false,
        forms: RuleForms::STANDARD,
        bound: true,
    };

    /// What most agents do; a host's own row says only what differs. The last rule of the highest
    /// layer decides, no layer is special, and a denied skill stays listed.
    pub const HOST: Self = Self {
        rules: Order::LastMatch,
        switches: Order::LastMatch,
        path_beats_name: false,
        layers: Layers::Pooled,
        denied: Denied::Listed,
        forms: RuleForms::NONE,
        bound: false,
        ..Self::AGENTS
    };

    /// Who may call this skill, by the fields that the host reads.
    pub fn calls(self, skill: &Skill) -> Calls {
        let (reads, said) = (self.reads, skill.invocation);
        let ours = Calls {
            by_model: !(reads.model && said.not_by_model),
            by_person: !(reads.user && said.not_by_user),
            later: false,
        };
        let theirs = self.calls.zip(skill.head.as_ref()).map(|(reader, head)| head.calls(reader));
        theirs.unwrap_or(ours)
    }

    /// Whether the host refuses the name of the skill's directory.
    fn refuses_directory(self, skill: &Skill) -> bool {
        let is_refused = |name: &str| {
            let is_reserved = self.reserved.iter().any(|kept| kept.eq_ignore_ascii_case(name));
            is_reserved || !is_plain_label(name)
        };
        let name = || skill.location().file_name().map(|name| name.to_string_lossy());
        self.profile.refuses(&checks::DIRECTORY_NAME)
            && skill.root.plugin.is_none()
            && name().is_some_and(|name| is_refused(&name))
    }

    /// The finding for which the host refuses this skill. Its own parser decides, except about what
    /// is wrong with the file itself, such as its size or its folder's name.
    pub fn refusal(self, skill: &Skill) -> Option<&'static Check> {
        self.refusal_of_place(skill).or_else(|| self.refusal_of_text(skill))
    }

    /// Whether the host refuses this skill, and this finding is a reason: the one that it names, or
    /// one for which it refuses skills. Its own parser is asked only for findings that it may name.
    pub fn refuses_for(self, skill: &Skill, check: &Check) -> bool {
        let is_reason = || {
            let named = self.refusal_of_text(skill);
            named.is_some_and(|named| named == check || self.profile.refuses(check))
        };
        self.refusal_of_place(skill) == Some(check) || self.may_name(check) && is_reason()
    }

    /// Whether this finding may be given as the reason when the host refuses the text.
    fn may_name(self, check: &Check) -> bool {
        PARSER_CHECKS.contains(&check)
            || check.severity == Severity::Error
            || self.profile.refuses(check)
    }

    /// The finding for which the host refuses the skill whatever its text says.
    fn refusal_of_place(self, skill: &Skill) -> Option<&'static Check> {
        if self.reads.products && skill.invocation.other_products {
            return Some(&checks::OTHER_PRODUCTS);
        }
        if self.refuses_directory(skill) {
            return Some(&checks::DIRECTORY_NAME);
        }
        if skill.bytes > self.most_bytes {
            return Some(&checks::FILE_LARGE);
        }
        None
    }

    fn refusal_of_text(self, skill: &Skill) -> Option<&'static Check> {
        let Some(head) = skill.read_by(self.head) else { return self.profile.refusal(skill) };
        let found = || skill.diagnostics.iter().map(|diagnostic| diagnostic.check);
        let of_file = |check: &&Check| FILE_CHECKS.contains(check) && self.profile.refuses(check);
        match (found().find(of_file), head) {
            (Some(check), _) => Some(check),
            (None, Compared::Other { .. } | Compared::Same) => None,
            (None, Compared::Refused | Compared::BlocksName { .. }) => {
                // What we found ourselves says more.
                let ours = |check: &&Check| *check != &checks::HOST_PARSER && self.may_name(check);
                Some(found().find(ours).unwrap_or(&checks::HOST_PARSER))
            }
        }
    }

    /// Whether this skill, which the host refuses, still shadows others of its name.
    pub fn blocks_name(self, skill: &Skill) -> bool {
        let mut found = skill.diagnostics.iter().map(|diagnostic| diagnostic.check);
        let is_kept = match skill.read_by(self.head) {
            Some(head) => matches!(head, Compared::BlocksName { .. }),
            None => self.refused_blocks_name,
        };
        is_kept
            && !found.any(|check| FILE_CHECKS.contains(&check) && self.profile.refuses(check))
            && !self.key_of(skill).is_empty()
    }

    /// Whether this layer may only tighten.
    pub fn tighten_only(self, layer: Layer) -> bool {
        self.layers == Layers::TightenOnly(layer)
    }
}

/// Findings about a file, whatever is in it.
const FILE_CHECKS: [&Check; 10] = [
    &checks::FILE_KIND,
    &checks::FILE_UNREADABLE,
    &checks::FILE_SIZE,
    &checks::LINK_DANGLING,
    &checks::LINK_FILE,
    &checks::LINK_NAME,
    &checks::FILE_NAME,
    &checks::FILE_CASE,
    &checks::PATH_ENCODING,
    &checks::ENCODING,
];

/// Findings that say why a parser refuses a file.
const PARSER_CHECKS: [&Check; 10] = [
    &checks::BOM,
    &checks::YAML_REPAIRED,
    &checks::YAML_DUPLICATE_KEY,
    &checks::METADATA_TYPE,
    &checks::COMPAT_TYPE,
    &checks::NAME_EMPTY,
    &checks::NAME_MISSING,
    &checks::NAME_LENGTH,
    &checks::DESC_LENGTH,
    &checks::HOST_PARSER,
];

#[cfg(test)]
mod tests {
    use super::Order;
    use crate::catalog::Permission;
    use proptest::prelude::*;

    /// What the variants mean, in the plainest code.
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
