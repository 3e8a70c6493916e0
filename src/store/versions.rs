//! Versions and their files: added once, and never changed.

use super::bundle::BundleFile;
use super::database::{Connection, Value};
use super::error::StoreError;
use super::model::Draft;
use crate::files::digest::sha256_hex;

/// Adds a version with its files, unless it is known. In the order of the digests, so that two
/// writers never wait for each other in a circle.
pub(super) fn keep_version(
    connection: &mut dyn Connection,
    version: &str,
    draft: &Draft<'_>,
    files: &[BundleFile],
) -> Result<(), StoreError> {
    let mut blobs: Vec<(String, &[u8])> =
        files.iter().map(|file| (sha256_hex(&file.bytes), file.bytes.as_slice())).collect();
    let digests: Vec<String> = blobs.iter().map(|(digest, _)| digest.clone()).collect();
    blobs.sort_unstable();
    blobs.dedup();
    for (digest, bytes) in blobs {
        connection.run(
            "INSERT INTO blobs (digest, bytes) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING",
            &[Value::Text(digest), bytes.into()],
        )?;
    }
    let made = connection.run(
        "INSERT INTO skill_versions (digest, name, description, content, bundled)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (digest) DO NOTHING",
        &[
            version.into(),
            draft.name.trim().into(),
            draft.description.into(),
            draft.content.into(),
            (!files.is_empty()).into(),
        ],
    )?;
    if made == 0 {
        return Ok(());
    }
    for (file, digest) in files.iter().zip(digests) {
        let values: [Value; 4] =
            [version.into(), (&file.path).into(), Value::Text(digest), file.executable.into()];
        connection.run(
            "INSERT INTO version_files (version, path, blob, executable) VALUES ($1, $2, $3, $4)",
            &values,
        )?;
    }
    Ok(())
}
