//! Output that is whole or not there: a file under a temporary name, renamed at the end; or stdout.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::interrupt;

/// A file that takes its name only when [`WholeFile::finish`] is called; dropped before, it is
/// removed and what bore the name stays.
#[derive(Debug)]
pub(crate) struct WholeFile {
    writer: Option<BufWriter<File>>,
    temporary: PathBuf,
    target: PathBuf,
}

impl WholeFile {
    /// Begins a file that will be `target`.
    pub(crate) fn create(target: &Path) -> anyhow::Result<Self> {
        let told = || format!("{}: cannot be written", target.display());
        let name = target.file_name().with_context(told)?;
        if target.is_dir() {
            return Err(anyhow::anyhow!("it is a folder").context(told()));
        }
        // Beside the target, because a rename does not cross file systems.
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.part", std::process::id()));
        let temporary = target.with_file_name(hidden);
        let file =
            interrupt::begin_file(&temporary, |path| File::create(path)).with_context(told)?;
        let writer = Some(BufWriter::with_capacity(1 << 20, file));
        Ok(Self { writer, temporary, target: target.into() })
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        let told = || format!("{}: cannot be written", self.target.display());
        if let Some(mut writer) = self.writer.take() {
            writer.flush().with_context(told)?;
        }
        let rename = |temporary: &Path| std::fs::rename(temporary, &self.target);
        interrupt::end_file(&self.temporary, rename).with_context(told)
    }

    /// As [`Self::finish`], once the bytes are where they survive the loss of power.
    pub(crate) fn finish_for_good(mut self) -> anyhow::Result<()> {
        let sync = |writer: &mut BufWriter<File>| {
            writer.flush()?;
            writer.get_ref().sync_all()
        };
        let told = || format!("{}: cannot be written", self.target.display());
        self.writer.as_mut().map_or(Ok(()), sync).with_context(told)?;
        self.finish()
    }

    fn writer(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.writer.as_mut().ok_or_else(|| io::Error::other("the file is closed"))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer()?.flush()
    }
}

impl io::Seek for WholeFile {
    fn seek(&mut self, position: io::SeekFrom) -> io::Result<u64> {
        self.writer()?.seek(position)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        self.writer = None;
        // After a rename there is nothing under this name any more.
        let _ = interrupt::end_file(&self.temporary, |path| std::fs::remove_file(path));
    }
}

/// Where text goes: a whole file, or stdout.
#[derive(Debug)]
pub(crate) enum TextOutput {
    /// A file.
    File(WholeFile),
    /// stdout, one large write at a time.
    Stdout(io::Stdout),
}

impl TextOutput {
    /// A file, or stdout for `None`.
    pub(crate) fn create(target: Option<&Path>) -> anyhow::Result<Self> {
        Ok(match target {
            Some(target) => Self::File(WholeFile::create(target)?),
            None => Self::Stdout(io::stdout()),
        })
    }

    /// Ends the output; a file takes its name.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Stdout(mut stdout) => stdout.flush().context("stdout"),
        }
    }
}

impl Write for TextOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}
