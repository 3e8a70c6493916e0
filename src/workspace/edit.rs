//! Changes of settings: plan, apply, undo.
