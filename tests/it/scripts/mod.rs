//! Update scripts.
