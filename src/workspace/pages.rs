//! Pages of our own that are written for other programs to show.

use crate::files::write::{self, WriteError};
use std::path::Path;

/// Puts a page at exactly this path: no link is followed there.
///
/// # Errors
/// [`WriteError`]. Then what was there is there.
pub fn put_page(path: &Path, page: &[u8]) -> Result<(), WriteError> {
    write::put(path, page)
}
