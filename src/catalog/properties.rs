//! The optional frontmatter fields of a skill in one block of memory, since every skill of a
//! catalog keeps them and few are read.

use serde::{Deserialize, Serialize};

/// The optional frontmatter fields of the standard, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Properties(
    /// For each text its kind, its length, a colon, and the text: `l3:MIT`.
    Box<str>,
);

const LICENSE: char = 'l';
const COMPATIBILITY: char = 'c';
const KEY: char = 'k';
const VALUE: char = 'v';
const TOOL: char = 't';
const WHEN: char = 'w';

impl Properties {
    pub fn new(
        license: Option<&str>,
        compatibility: Option<&str>,
        metadata: &[(String, String)],
        allowed_tools: &[String],
    ) -> Self {
        let license = license.map(|text| (LICENSE, text));
        let compatibility = compatibility.map(|text| (COMPATIBILITY, text));
        let metadata = metadata.iter().flat_map(|(key, value)| [(KEY, &**key), (VALUE, &**value)]);
        let tools = allowed_tools.iter().map(|tool| (TOOL, &**tool));
        let texts = license.into_iter().chain(compatibility).chain(metadata).chain(tools);
        let mut packed = String::new();
        for (kind, text) in texts {
            push(&mut packed, kind, text);
        }
        Self(packed.into())
    }

    /// These, with `when_to_use`, which Claude Code adds to the description.
    #[must_use]
    pub fn with_when_to_use(self, when: Option<&str>) -> Self {
        match when {
            Some(text) => {
                let mut packed = self.0.into_string();
                push(&mut packed, WHEN, text);
                Self(packed.into())
            }
            None => self,
        }
    }

    fn texts(&self) -> impl Iterator<Item = (char, &str)> {
        let mut rest = &*self.0;
        std::iter::from_fn(move || {
            let (length, after) = rest.get(1..)?.split_once(':')?;
            let (text, next) = after.split_at_checked(length.parse().ok()?)?;
            let kind = rest.chars().next()?;
            rest = next;
            Some((kind, text))
        })
    }

    fn of_kind(&self, wanted: char) -> impl Iterator<Item = &str> {
        self.texts().filter(move |(kind, _)| *kind == wanted).map(|(_, text)| text)
    }

    /// `license`.
    pub fn license(&self) -> Option<&str> {
        self.of_kind(LICENSE).next()
    }

    /// `compatibility`.
    pub fn compatibility(&self) -> Option<&str> {
        self.of_kind(COMPATIBILITY).next()
    }

    /// `metadata`, in file order; nested values in YAML flow notation.
    pub fn metadata(&self) -> impl Iterator<Item = (&str, &str)> {
        self.of_kind(KEY).zip(self.of_kind(VALUE))
    }

    /// `allowed-tools`, split into its tools; shown, never acted on.
    pub fn allowed_tools(&self) -> impl Iterator<Item = &str> {
        self.of_kind(TOOL)
    }

    /// `when_to_use`, a field of Claude Code's.
    pub fn when_to_use(&self) -> Option<&str> {
        self.of_kind(WHEN).next()
    }

    pub fn has_tools(&self) -> bool {
        self.allowed_tools().next().is_some()
    }
}

fn push(packed: &mut String, kind: char, text: &str) {
    packed.push(kind);
    packed.push_str(&text.len().to_string());
    packed.push(':');
    packed.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn whatever_the_texts_are_they_come_back(
            license in prop::option::of(any::<String>()),
            compatibility in prop::option::of(any::<String>()),
            metadata in prop::collection::vec(any::<(String, String)>(), 0..4),
            tools in prop::collection::vec(any::<String>(), 0..4),
            when in prop::option::of(any::<String>()),
        ) {
            let packed =
                Properties::new(license.as_deref(), compatibility.as_deref(), &metadata, &tools)
                    .with_when_to_use(when.as_deref());
            prop_assert_eq!(packed.when_to_use(), when.as_deref());
            prop_assert_eq!(packed.license(), license.as_deref());
            prop_assert_eq!(packed.compatibility(), compatibility.as_deref());
            let pairs = metadata.iter().map(|(key, value)| (key.as_str(), value.as_str()));
            prop_assert!(packed.metadata().eq(pairs));
            prop_assert!(packed.allowed_tools().eq(tools.iter().map(String::as_str)));
            prop_assert_eq!(packed.has_tools(), !tools.is_empty());
        }

        #[test]
        fn what_no_skill_has_written_is_read_without_a_panic(packed in "[lcktvw0-9:é]{0,40}") {
            let packed = Properties(packed.into());
            prop_assert!(packed.texts().count() <= 40);
        }
    }

    #[test]
    fn a_skill_without_them_takes_no_memory_for_them() {
        assert!(Properties::new(None, None, &[], &[]).0.is_empty());
    }
}
