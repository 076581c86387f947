//! Files written whole or not at all.
//!
//! A file is written under a temporary name in its own folder, flushed to the disk, then renamed over the target.
//! Whatever goes wrong before the rename, the target keeps its old content and the temporary file is removed.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::File;
use crate::error::{Error, Kind, Result};

/// Writes `bytes` to `path`.
///
/// # Errors
/// [`Kind::Io`] if the system refuses: a missing folder, no right to write, a full disk.
pub fn save_file(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.is_dir() {
        return Err(io_error(path, "is a folder, where a file was expected"));
    }
    Temporary::write(path, bytes)?.rename()
}

/// Writes `files` into the folder `path`, which is made if it does not exist (its parent must).
///
/// Every file is on the disk under its temporary name before the first is renamed.
///
/// # Errors
/// [`Kind::Io`] if the system refuses. A folder made here is removed again.
pub fn save_folder(path: &Path, files: &[File]) -> Result<()> {
    if path.exists() && !path.is_dir() {
        return Err(io_error(path, "is a file, where a folder was expected"));
    }
    let made = !path.exists();
    if made {
        fs::create_dir(path).map_err(|error| refused(path, "making the folder", &error))?;
    }
    let result = write_all(path, files);
    if made && result.is_err() {
        // The folder may hold files of somebody else by now: only an empty one goes.
        let _ = fs::remove_dir(path);
    }
    result
}

fn write_all(folder: &Path, files: &[File]) -> Result<()> {
    let inner = inner_folders(folder, files);
    let mut made = Vec::new();
    let result = write_into(folder, files, &inner, &mut made);
    if result.is_err() {
        // As above: what holds something by now stays.
        made.iter().for_each(|path| drop(fs::remove_dir(path)));
    }
    result
}

fn write_into(folder: &Path, files: &[File], inner: &[PathBuf], made: &mut Vec<PathBuf>) -> Result<()> {
    for path in inner.iter().filter(|path| !path.is_dir()) {
        fs::create_dir(path).map_err(|error| refused(path, "making the folder", &error))?;
        made.push(path.clone());
    }
    let written: Vec<Temporary> =
        files.iter().map(|file| Temporary::write(&folder.join(&file.name), &file.bytes)).collect::<Result<_>>()?;
    written.into_iter().try_for_each(Temporary::rename)
}

/// The folders inside `folder` that files lie in.
fn inner_folders(folder: &Path, files: &[File]) -> Vec<PathBuf> {
    let mut names: Vec<&str> = files.iter().filter_map(|file| Some(file.name.split_once('/')?.0)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// A file under its temporary name; removed when dropped before the rename.
struct Temporary {
    path: PathBuf,
    target: PathBuf,
    renamed: bool,
}

impl Temporary {
    fn write(target: &Path, bytes: &[u8]) -> Result<Self> {
        let path = temporary_name(target)?;
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(|error| refused(target, "making a temporary file beside it", &error))?;
        let temporary = Temporary { path, target: target.to_owned(), renamed: false };
        file.write_all(bytes)
            .and_then(|()| file.sync_all())
            .map_err(|error| refused(target, &format!("writing {} bytes", bytes.len()), &error))?;
        Ok(temporary)
    }

    fn rename(mut self) -> Result<()> {
        fs::rename(&self.path, &self.target).map_err(|error| refused(&self.target, "renaming", &error))?;
        self.renamed = true;
        sync_folder(&self.target);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // Nothing can be done about a failure here, and the first error is the one to report.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The same folder, so that the rename stays within one file system; process and counter, so that names never meet.
fn temporary_name(target: &Path) -> Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let Some(name) = target.file_name() else {
        return Err(io_error(target, "does not name a file"));
    };
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    Ok(target.with_file_name(format!(".{}.{}-{count}.tmp", name.to_string_lossy(), std::process::id())))
}

/// Makes the rename itself survive a power cut. Some file systems refuse; the content is safe in any case.
fn sync_folder(target: &Path) {
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}

pub(crate) fn refused(path: &Path, action: &str, error: &io::Error) -> Error {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space or choose another disk",
        io::ErrorKind::NotFound => "; the folder does not exist, make it first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "; choose a folder you may write to",
        _ => "",
    };
    io_error(path, &format!("was not written: {action}: {error}{remedy}"))
}

fn io_error(path: &Path, message: &str) -> Error {
    Error::new(Kind::Io, format!("{} {message}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh folder, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("bukva-save-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).unwrap();
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let mut names: Vec<String> =
                fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn two_files() -> Vec<File> {
        let file = |name: &str, bytes: &[u8]| File { name: name.to_owned(), bytes: bytes.to_vec() };
        vec![file("a.json", b"{}"), file("b.txt", b"b")]
    }

    #[test]
    fn a_file_replaces_the_old_one_and_leaves_nothing_else() {
        let folder = Folder::new("file");
        let path = folder.0.join("x.bukva");
        save_file(&path, b"old").unwrap();
        save_file(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.names(), ["x.bukva"]);
    }

    #[test]
    fn a_folder_is_made_and_filled() {
        let folder = Folder::new("folder");
        save_folder(&folder.0.join("tok"), &two_files()).unwrap();
        assert_eq!(fs::read(folder.0.join("tok/a.json")).unwrap(), b"{}");
        assert_eq!(folder.names(), ["tok"]);
    }

    #[test]
    fn a_missing_parent_is_an_io_error_with_the_remedy() {
        let folder = Folder::new("parent");
        let error = save_file(&folder.0.join("no/x.bukva"), b"x").unwrap_err();
        assert_eq!(error.kind, Kind::Io);
        assert!(error.message.contains("the folder does not exist"), "{error}");
        assert_eq!(save_folder(&folder.0.join("no/tok"), &two_files()).unwrap_err().kind, Kind::Io);
    }

    #[test]
    fn a_folder_in_the_place_of_a_file_stays() {
        let folder = Folder::new("kind");
        assert_eq!(save_file(&folder.0, b"x").unwrap_err().kind, Kind::Io);
        let file = folder.0.join("f");
        save_file(&file, b"x").unwrap();
        assert_eq!(save_folder(&file, &two_files()).unwrap_err().kind, Kind::Io);
        assert_eq!(fs::read(&file).unwrap(), b"x");
    }

    #[test]
    fn a_failure_before_the_first_rename_leaves_every_target_as_it_was() {
        let folder = Folder::new("all");
        fs::write(folder.0.join("a.json"), b"old").unwrap();
        let mut files = two_files();
        files.push(File { name: "n".repeat(300), bytes: vec![] });
        assert_eq!(save_folder(&folder.0, &files).unwrap_err().kind, Kind::Io);
        assert_eq!(folder.names(), ["a.json"]);
        assert_eq!(fs::read(folder.0.join("a.json")).unwrap(), b"old");
    }

    #[test]
    fn a_full_disk_names_the_size_and_the_remedy() {
        let error = refused(Path::new("x"), "writing 7 bytes", &io::Error::from(io::ErrorKind::StorageFull));
        assert!(error.message.contains("writing 7 bytes") && error.message.contains("free some space"), "{error}");
    }
}
