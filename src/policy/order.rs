//! The order of evaluation as data: how claims that contradict each other are settled.

use super::Layer;

/// Which of several matching claims decides.
///
/// These three are enough for the hosts we know. *Highest priority* (Gemini) is [`Order::FirstMatch`] over claims that
/// the host's reader has sorted by priority; a *union* of off lists (Gemini, Qwen) is [`Order::Strictest`].
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

    /// The index of the claim that decides, among those that match, in the order in which they are written.
    ///
    /// `claims` are ordered by strictness: a greater one is the stricter. Nothing only if there are no claims.
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
    /// This layer is not the person's own. Its claims are heard after the others have decided, and count only where
    /// they are stricter, or where the others left the question open; its `allow` never counts. So a cloned
    /// repository grants itself nothing (contract, X1).
    TightenOnly(Layer),
}

/// Everything about a host's order of evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Among permission rules.
    pub rules: Order,
    /// Among switches.
    pub switches: Order,
    /// Whether, within one layer, a switch by path beats one by name.
    pub path_beats_name: bool,
    /// What the layers are to each other.
    pub layers: Layers,
}

impl Evaluation {
    /// The plain standard with our own settings (D15): deny > ask > allow > default; a switch by path beats one by
    /// name; a project file may only tighten.
    pub const AGENTS: Self = Self {
        rules: Order::Strictest,
        switches: Order::Strictest,
        path_beats_name: true,
        layers: Layers::TightenOnly(Layer::Project),
    };

    /// Whether this layer may only tighten.
    pub fn tighten_only(self, layer: Layer) -> bool {
        self.layers == Layers::TightenOnly(layer)
    }
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
