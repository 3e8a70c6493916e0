//! The `words!` macro: the words of an enum in settings, tables and JSON.

/// Gives each variant of an enum its word: `ALL`, `word` and `from_word`.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Light { On, Off }
/// skillpick::words!(Light, On = "on", Off = "off");
/// assert_eq!(Light::ALL.map(Light::word), ["on", "off"]);
/// assert_eq!(Light::from_word("off"), Some(Light::Off));
/// ```
#[macro_export]
macro_rules! words {
    ($kind:ty, $($variant:ident = $word:literal),+ $(,)?) => {
        impl $kind {
            /// Every variant, in the order of its words.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word used in settings, tables and JSON.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// The variant that `word` names exactly.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.word() == word)
            }
        }
    };
}
