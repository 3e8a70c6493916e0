//! How an agent's program is started with a prompt, in a session that goes on, and which options
//! its command line has around one.

use std::ffi::OsString;

/// Where the program takes the prompt, which is one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptArgument {
    /// Nowhere, or nobody has looked.
    Nowhere,
    /// Behind `--`, so that it is never taken for an option or a command.
    Last,
    /// As the value of this option, behind `=`.
    Option(&'static str),
    /// As a plain argument. It must not begin with one of these signs, which mean something else; a
    /// line end before it is no part of what the person said.
    Plain(&'static [char]),
}

impl PromptArgument {
    /// The arguments with this prompt; `None` if the program takes none.
    pub fn of(self, prompt: &str) -> Option<Vec<OsString>> {
        Some(match self {
            Self::Nowhere => return None,
            Self::Last => vec!["--".into(), prompt.into()],
            Self::Option(name) => vec![format!("{name}={prompt}").into()],
            Self::Plain(signs) if prompt.starts_with(signs) => vec![format!("\n{prompt}").into()],
            Self::Plain(_) => vec![prompt.into()],
        })
    }
}

/// The options of an agent's command line around a prompt that a person writes there. The word
/// after any other option is taken for its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineOptions {
    /// Those without a value.
    pub switches: &'static [&'static str],
    /// Those whose value is the prompt.
    pub prompts: &'static [&'static str],
}

impl LineOptions {
    pub(super) const NONE: Self = Self { switches: &[], prompts: &[] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_one_argument_that_is_no_option() {
        let of = |form: PromptArgument, prompt: &str| form.of(prompt).unwrap();
        let prompt = "--help; `touch x` $(y)\n\"z\"";
        assert_eq!(of(PromptArgument::Last, prompt), ["--", prompt]);
        assert_eq!(
            of(PromptArgument::Option("--ask"), prompt),
            [format!("--ask={prompt}").as_str()]
        );
        let plain = PromptArgument::Plain(&['-', '@']);
        assert_eq!(of(plain, prompt), [format!("\n{prompt}").as_str()]);
        assert_eq!(of(plain, "fine"), ["fine"]);
        assert_eq!(PromptArgument::Nowhere.of("x"), None);
    }
}
