//! The terminal UI: a pure model ([`app`]), its keys ([`keymap`]), how it is drawn ([`view`]), and
//! the impure loop around them ([`shell`]).

pub mod app;
pub mod keymap;
pub mod shell;
pub mod view;
