//! The calls that differ between operating systems.

#[cfg(unix)]
use crate::files::removal::move_to_free;
use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;
use tempfile::{PathPersistError, TempPath};

/// Opens a regular file for reading: no link is followed, a fifo does not block; anything else is
/// an error.
pub(super) fn open_plain(path: &Path) -> io::Result<File> {
    regular(safely(OpenOptions::new().read(true)).open(path)?)
}

/// The same for writing in place.
pub(super) fn open_for_writing(path: &Path) -> io::Result<File> {
    regular(safely(OpenOptions::new().write(true)).open(path)?)
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::IsADirectory.into()) }
}

/// Follows no link, and does not block at a fifo.
#[cfg(unix)]
pub(in crate::files) fn safely(options: &mut OpenOptions) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0))
}

#[cfg(not(unix))]
pub(in crate::files) fn safely(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// How many names the file has.
#[cfg(unix)]
pub(super) fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
pub(super) fn names(_metadata: &Metadata) -> u64 {
    1
}

/// Permissions of a Unix mode; on other systems their default.
#[cfg(unix)]
pub(super) fn permissions(mode: u32) -> Option<Permissions> {
    Some(std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
pub(super) fn permissions(_mode: u32) -> Option<Permissions> {
    None
}

/// Who may read, write and execute a file.
#[cfg(unix)]
pub(super) fn mode(metadata: &Metadata) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::mode(metadata) & 0o777)
}

#[cfg(not(unix))]
pub(super) fn mode(_metadata: &Metadata) -> Option<u32> {
    None
}

/// Folders are made with mode 700.
#[cfg(unix)]
pub(super) fn private_folders(folders: &mut DirBuilder) {
    std::os::unix::fs::DirBuilderExt::mode(folders, 0o700);
}

#[cfg(not(unix))]
pub(super) fn private_folders(_folders: &mut DirBuilder) {}

/// Whether the file system or the kernel cannot do what was asked. Apple has two numbers for it.
#[cfg(unix)]
pub(in crate::files) fn is_unsupported(errno: rustix::io::Errno) -> bool {
    use rustix::io::Errno;
    [Errno::NOSYS, Errno::INVAL, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&errno)
}

#[cfg(unix)]
fn was_unsupported(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error).is_some_and(is_unsupported)
}

/// Flushes a file or directory. Apple's own way to the medium is not there on file systems of other
/// machines; these take the plain one.
///
/// # Errors
/// Those of the system.
pub fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        #[cfg(unix)]
        Err(error) if was_unsupported(&error) => Ok(rustix::fs::fsync(file)?),
        done => done,
    }
}

/// Gives the file this name if it is free, in one step where the file system can.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if it is taken; others of the system.
pub fn persist_at_free(temp: TempPath, path: &Path) -> Result<(), PathPersistError> {
    match temp.persist_noclobber(path) {
        #[cfg(unix)]
        Err(PathPersistError { error, path: temp }) if was_unsupported(&error) => {
            move_to_free(&temp, path).map_err(|error| PathPersistError { error, path: temp })
        }
        done => done,
    }
}

/// Flushes a directory, so that its entries survive a power failure.
#[cfg(unix)]
pub(super) fn sync_directory(directory: &Path) -> io::Result<()> {
    match sync(&File::open(directory)?) {
        // Some network file systems cannot. The rename was made anyway.
        Err(error) if was_unsupported(&error) => Ok(()),
        other => other,
    }
}

#[cfg(not(unix))]
pub(super) fn sync_directory(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// Exchanges two files in one step. `false` if the file system or the kernel cannot.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(errno) if is_unsupported(errno) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_one: &Path, _other: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Gives `copy` the owner, the extended attributes and the mode of `original`, as far as our rights
/// reach. Returns whether it has the owner.
#[cfg(unix)]
pub(super) fn copy_metadata(original: &File, metadata: &Metadata, copy: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let now = copy.metadata()?;
    if (now.uid(), now.gid()) != (metadata.uid(), metadata.gid()) {
        // Owner and group are set separately: a person may give a file to another of their groups,
        // but not to another person.
        let _ = std::os::unix::fs::fchown(copy, None, Some(metadata.gid()));
        let _ = std::os::unix::fs::fchown(copy, Some(metadata.uid()), None);
    }
    copy_attributes(original, copy);
    // The mode comes last, since a change of owner clears some of its bits.
    copy.set_permissions(metadata.permissions())?;
    let now = copy.metadata()?;
    Ok((now.uid(), now.gid()) == (metadata.uid(), metadata.gid()))
}

#[cfg(not(unix))]
pub(super) fn copy_metadata(
    _original: &File,
    metadata: &Metadata,
    copy: &File,
) -> io::Result<bool> {
    copy.set_permissions(metadata.permissions()).map(|()| true)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn copy_attributes(original: &File, copy: &File) {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    let mut names = vec![0_u8; 64 << 10];
    let Ok(length) = flistxattr(original, &mut names[..]) else { return };
    let mut value = vec![0_u8; 64 << 10];
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        if let Ok(length) = fgetxattr(original, name, &mut value[..]) {
            let _ = fsetxattr(copy, name, &value[..length], XattrFlags::empty());
        }
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
fn copy_attributes(_original: &File, _copy: &File) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn another_way_is_tried_only_where_the_first_is_not_there() {
        for errno in [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL, Errno::NOSYS] {
            assert!(was_unsupported(&errno.into()), "{errno:?}");
        }
        // After an error of the disk, a second flush would say that all is well.
        for errno in [Errno::IO, Errno::NOSPC, Errno::EXIST, Errno::ACCESS] {
            assert!(!was_unsupported(&errno.into()), "{errno:?}");
        }
        assert!(!was_unsupported(&io::ErrorKind::AlreadyExists.into()));
    }
}
