//! The `inert!` macro: our sentences with other people's words in them.

use super::SafeText;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// The arguments of [`inert!`](crate::inert): text that is clean already, our own words, and
/// numbers. A raw `String` is not allowed.
pub trait Inert: sealed::Sealed {
    /// # Errors
    /// Only those of the formatter.
    fn show(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

macro_rules! inert_by_display {
    ($($kind:ty),*) => {$(
        impl sealed::Sealed for $kind {}
        impl Inert for $kind {
            fn show(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, formatter)
            }
        }
    )*};
}
inert_by_display!(SafeText, &'static str, u8, u16, u32, u64, usize, i32, i64, isize, f64);

impl<T: Inert> sealed::Sealed for &T {}
impl<T: Inert> Inert for &T {
    fn show(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self).show(formatter)
    }
}

/// Displays an [`Inert`] value; only the `inert!` macro needs it.
#[derive(Debug)]
pub struct Shown<'a, T: Inert>(pub &'a T);

impl<T: Inert> fmt::Display for Shown<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(formatter)
    }
}

/// A [`SafeText`] from a format string and [`Inert`] arguments.
///
/// ```
/// use skillpick::text::{SafeText, inert};
/// let name = SafeText::line("pdf\u{1b}[31m");
/// assert_eq!(inert!("{} of {}: {}", 1, 2_usize, name).as_str(), "1 of 2: pdf^[[31m");
/// ```
///
/// Raw text does not compile, neither as an argument nor by its name in the braces:
///
/// ```compile_fail,E0277
/// let raw = String::from("\u{1b}[31m");
/// skillpick::inert!("{}", raw);
/// ```
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
            ::std::concat!($format) $(, $crate::text::Shown(&$argument))*
        ))
    };
}
