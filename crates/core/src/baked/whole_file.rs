//! A file that is whole or not there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file under a name of its own until [`WholeFile::finish`] gives it the right one; dropped
/// before, it is removed, and what bore the name stays.
#[derive(Debug)]
pub(super) struct WholeFile {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
}

impl WholeFile {
    /// Begins a file that will be `target`.
    pub(super) fn create(target: &Path) -> io::Result<Self> {
        /// Two files of one process may be on their way to the same name.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = target.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.{number}.part", std::process::id()));
        // Beside the target, because a rename does not cross file systems.
        let temporary = target.with_file_name(hidden);
        let file = File::create_new(&temporary)?;
        Ok(Self { file, temporary, target: target.into() })
    }

    /// Gives the file its name, once its bytes are where they survive the loss of power.
    pub(super) fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        // The name too; not every system can, and the file is whole in any case.
        #[cfg(unix)]
        if let Some(folder) = self.target.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        // After a rename there is nothing under this name any more.
        let _ = fs::remove_file(&self.temporary);
    }
}
