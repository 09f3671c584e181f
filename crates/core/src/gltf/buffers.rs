//! The bytes of buffers: in the container, in the document as base64, or in files beside it.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::document::{Buffer, Document};
use crate::file::ReadError;
use crate::file::fault::{Fault, Place, Source};

/// The buffers of a file, read when they are asked for: those of pictures never are.
pub(super) struct Buffers<'a> {
    pub(super) source: &'a Source<'a>,
    document: &'a Document,
    /// The container's own data.
    data: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    cells: Vec<OnceCell<Cow<'a, [u8]>>>,
    /// For each buffer the first one of the same address, so that no file is read twice.
    first: Vec<usize>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        source: &'a Source<'a>,
        document: &'a Document,
        data: Option<&'a [u8]>,
        folder: Option<&'a Path>,
    ) -> Self {
        let cells = document.buffers.iter().map(|_| OnceCell::new()).collect();
        let mut of_address = HashMap::new();
        let first = |(index, buffer): (usize, &'a Buffer)| match buffer.uri.as_deref() {
            Some(uri) => *of_address.entry(uri).or_insert(index),
            None => index,
        };
        let first = document.buffers.iter().enumerate().map(first).collect();
        Self { source, document, data, folder, cells, first }
    }

    /// The bytes that the document and its container take: a measure for what is plausible.
    pub(super) fn file_length(&self) -> usize {
        self.source.bytes.len()
    }

    pub(super) fn error(&self, part: impl Into<String>, message: impl Into<String>) -> ReadError {
        self.source.error(Fault::new(Place::Part(part.into()), message))
    }

    /// The bytes of a view.
    pub(super) fn view(&self, index: usize, user: &str) -> Result<&[u8], ReadError> {
        let Some(view) = self.document.buffer_views.get(index) else {
            return Err(self.error(user, format!("there is no bufferViews[{index}]")));
        };
        let bytes = self.buffer(view.buffer, index)?;
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| bytes.get(view.byte_offset..end)).ok_or_else(|| {
            let message = format!("it goes beyond the {} bytes of its buffer", bytes.len());
            self.error(format!("bufferViews[{index}]"), message)
        })
    }

    fn buffer(&self, index: usize, view: usize) -> Result<&[u8], ReadError> {
        let Some(buffer) = self.document.buffers.get(index) else {
            let message = format!("there is no buffers[{index}]");
            return Err(self.error(format!("bufferViews[{view}]"), message));
        };
        let cell = &self.cells[self.first[index]];
        let bytes = match cell.get() {
            Some(bytes) => bytes,
            None => {
                let bytes = self.load(index, buffer.uri.as_deref())?;
                cell.get_or_init(|| bytes)
            }
        };
        bytes.get(..buffer.byte_length).ok_or_else(|| {
            let (found, length) = (bytes.len(), buffer.byte_length);
            let message = format!("it should have {length} bytes, but has {found}");
            self.error(format!("buffers[{index}]"), message)
        })
    }

    fn load(&self, index: usize, uri: Option<&str>) -> Result<Cow<'a, [u8]>, ReadError> {
        let part = || format!("buffers[{index}].uri");
        match (uri, self.data) {
            (None, Some(data)) if index == 0 => Ok(data.into()),
            (None, _) => Err(self.error(format!("buffers[{index}]"), "it has no data")),
            (Some(uri), _) if uri.starts_with("data:") => match decode_data(uri) {
                Ok(bytes) => Ok(bytes.into()),
                Err(message) => Err(self.error(part(), message)),
            },
            (Some(uri), _) => {
                let path = self.path(uri).map_err(|message| self.error(part(), message))?;
                let failed = |source| ReadError::Io { path: path.clone(), source };
                if !std::fs::metadata(&path).map_err(failed)?.is_file() {
                    return Err(failed(std::io::ErrorKind::InvalidInput.into()));
                }
                Ok(std::fs::read(&path).map_err(failed)?.into())
            }
        }
    }

    /// The file at a relative address, which must not lead out of the document's folder.
    fn path(&self, uri: &str) -> Result<PathBuf, String> {
        let Some(folder) = self.folder else {
            return Err(format!("the data are in another file: `{}`", shortened(uri)));
        };
        let name = decode_percents(uri).ok_or("it is no address")?;
        let outside = name.contains([':', '\\', '\0'])
            || name.starts_with('/')
            || name.split('/').any(|part| part == "..");
        if outside {
            let name = shortened(&name);
            return Err(format!("`{name}` does not lie in the folder of the document"));
        }
        Ok(folder.join(name))
    }
}

/// A text for a message, cut where it is long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// The bytes of an address that holds them itself.
fn decode_data(uri: &str) -> Result<Vec<u8>, &'static str> {
    let (kind, text) = uri.split_once(',').ok_or("it has no comma before its data")?;
    if !kind.ends_with(";base64") {
        return Err("its data are not base64");
    }
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for &digit in group {
            bits = bits << 6 | decode_digit(digit).ok_or("its data are not base64")?;
        }
        bits <<= 6 * (4 - group.len());
        let [_, decoded @ ..] = bits.to_be_bytes();
        match group.len() {
            1 => return Err("its base64 is cut off"),
            digits => bytes.extend_from_slice(&decoded[..digits - 1]),
        }
    }
    Ok(bytes)
}

fn decode_digit(digit: u8) -> Option<u32> {
    Some(u32::from(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

/// An address with its `%20` and the like replaced by what they stand for.
fn decode_percents(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_first_chunk::<2>()?;
        let digit = |i: usize| char::from(digits[i]).to_digit(16);
        bytes.push((digit(0)? << 4 | digit(1)?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
