//! The operating system's words for an error. Rust's own for a kind of error ("entity not found")
//! are known to nobody else.

use std::io;

/// The reason in the operating system's words, without the number of the error.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None if text == error.kind().to_string() => reason_of(error.kind()),
        None => text,
    }
}

/// The reason, where only the kind of the error is known.
pub fn reason_of(kind: io::ErrorKind) -> String {
    match kind {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::AlreadyExists => "file exists".to_owned(),
        io::ErrorKind::StorageFull => "no space is left".to_owned(),
        kind => kind.to_string(),
    }
}

/// Why a thread or a program could not be started, with what to do where there are too many.
pub fn not_started(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock => {
            "the system starts no more threads or processes: end some programs, or raise the limit \
             (`ulimit -u`)"
                .to_owned()
        }
        _ => reason(error),
    }
}

/// Whether there is nothing at the path that was looked at: no such file, or a file in place of a
/// folder above it, as `/dev/null` is for those who have no home.
pub fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_below_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for place in [file.path().join("below/it"), file.path().with_extension("none")] {
            assert!(is_nothing(&place.symlink_metadata().unwrap_err()), "{place:?}");
        }
        assert!(!is_nothing(&io::ErrorKind::PermissionDenied.into()));
    }

    #[test]
    fn a_reason_has_the_words_that_a_person_knows_and_no_number() {
        let missing = std::fs::File::open("/no/such/file").unwrap_err();
        for error in [missing, io::ErrorKind::NotFound.into()] {
            assert_eq!(reason(&error), "no such file or directory");
        }
        assert_eq!(reason(&io::ErrorKind::AlreadyExists.into()), "file exists");
        assert_eq!(reason(&io::ErrorKind::StorageFull.into()), "no space is left");
        assert_eq!(reason(&io::ErrorKind::PermissionDenied.into()), "permission denied");
        let own = io::Error::other("SKILL.md is no file");
        assert_eq!(reason(&own), "SKILL.md is no file");
    }
}
