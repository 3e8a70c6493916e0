//! The real program in a real terminal (reliability.md L1–L6, rows 2 and 25–30).

mod house;
mod picking;
mod terminal;
