//! The `inert!` macro: our sentences with other people's words in them.

use super::SafeText;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An argument of [`inert!`](crate::inert).
pub trait Inert {
    /// What is shown of it: numbers and clean text as they are, any other text as
    /// [`SafeText::line`] cleans it, paths as [`SafeText::path`] does.
    fn inert(&self) -> Cow<'_, SafeText>;
}

impl Inert for SafeText {
    fn inert(&self) -> Cow<'_, SafeText> {
        Cow::Borrowed(self)
    }
}

impl<T: Inert + ?Sized> Inert for &T {
    fn inert(&self) -> Cow<'_, SafeText> {
        (**self).inert()
    }
}

macro_rules! inert_when_cleaned {
    ($($($kind:ty),+: |$value:ident| $clean:expr;)+) => {$($(
        impl Inert for $kind {
            fn inert(&self) -> Cow<'_, SafeText> {
                let $value = self;
                Cow::Owned($clean)
            }
        }
    )+)+};
}
inert_when_cleaned! {
    str, String, Cow<'_, str>, Arc<str>: |text| SafeText::line(text);
    Path, PathBuf, Arc<Path>: |path| SafeText::path(path);
    u8, u16, u32, u64, usize, i32, i64, f64: |number| SafeText::line(&number.to_string());
}

/// A [`SafeText`] from a format string and [`Inert`] arguments. Raw text is cleaned on its way.
///
/// ```
/// use skillpick::inert;
/// let name = String::from("pdf\u{1b}[31m");
/// assert_eq!(inert!("{} of {}: {}", 1, 2_usize, name).as_str(), "1 of 2: pdf^[[31m");
/// ```
///
/// A name in the braces does not compile, since it would go around the trait:
///
/// ```compile_fail
/// let raw = String::from("\u{1b}[31m");
/// skillpick::inert!("{raw}");
/// ```
#[macro_export]
macro_rules! inert {
    // `concat!` prevents the implicit capture of `{name}`, which would bypass the trait.
    ($format:literal $(, $argument:expr)* $(,)?) => {
        $crate::text::SafeText::assembled(::std::format_args!(
            ::std::concat!($format) $(, $crate::text::Inert::inert(&$argument))*
        ))
    };
}
