//! A project beside files.
