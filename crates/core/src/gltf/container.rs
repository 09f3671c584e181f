//! GLB: a header of twelve bytes, then chunks, of which the first is the document.

use super::document::Document;
use crate::file::ReadError;
use crate::file::fault::{Fault, Place, Source, Warnings};
use crate::text;

/// The parts of a file.
pub(super) struct Container<'a> {
    pub(super) document: Document,
    /// What a buffer without an address holds.
    pub(super) data: Option<&'a [u8]>,
}

/// Takes a file apart, be it a container or a bare document.
pub(super) fn open<'a>(
    source: &Source<'a>,
    warnings: &mut Warnings,
) -> Result<Container<'a>, ReadError> {
    let bytes = source.bytes;
    if !bytes.starts_with(b"glTF") {
        let text = &bytes[text::start(bytes)..];
        let document = serde_json::from_slice(text).map_err(|error| ReadError::Syntax {
            file: source.name.into(),
            line: error.line().max(1),
            column: error.column().max(1),
            message: words_of(&error),
        })?;
        return Ok(Container { document, data: None });
    }
    let (json, data) = chunks(bytes, warnings).map_err(|fault| source.error(fault))?;
    let document = serde_json::from_slice(json).map_err(|error| {
        let place = format!("line {}, column {}", error.line().max(1), error.column().max(1));
        let message = format!("{place}: {}", words_of(&error));
        source.error(Fault::new(Place::Part("the JSON chunk".into()), message))
    })?;
    Ok(Container { document, data })
}

/// What a JSON error says, without the place.
fn words_of(error: &serde_json::Error) -> String {
    let told = error.to_string();
    match told.rfind(" at line ") {
        Some(end) => told[..end].to_owned(),
        None => told,
    }
}

/// The document's chunk, and that of the data where there is one.
fn chunks<'a>(
    bytes: &'a [u8],
    warnings: &mut Warnings,
) -> Result<(&'a [u8], Option<&'a [u8]>), Fault> {
    let fault = |at: usize, message: String| Err(Fault::new(Place::Byte(at), message));
    let word = |at: usize| -> Result<u32, Fault> {
        let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
        let ended = || Fault::new(Place::Byte(bytes.len()), "the file ends within a header");
        word.copied().map(u32::from_le_bytes).ok_or_else(ended)
    };
    let version = word(4)?;
    if version != 2 {
        return fault(4, format!("version {version} of GLB is not supported, only 2"));
    }
    let length = word(8)? as usize;
    if length > bytes.len() {
        let message = format!("the file should have {length} bytes, but has {}", bytes.len());
        return fault(8, message);
    }
    if length < bytes.len() {
        let message = || format!("{} bytes follow the container", bytes.len() - length);
        warnings.add(Place::Byte(length), message)?;
    }
    let (mut json, mut data) = (None, None);
    let mut at = 12;
    while at < length {
        let chunk_length = word(at)? as usize;
        let kind = word(at + 4)?.to_le_bytes();
        let start = at + 8;
        let Some(chunk) = bytes[..length].get(start..).and_then(|rest| rest.get(..chunk_length))
        else {
            return fault(at, format!("a chunk of {chunk_length} bytes goes beyond the file"));
        };
        match (&kind, json.is_none()) {
            (b"JSON", true) => json = Some(chunk),
            (_, true) => return fault(at + 4, "the first chunk must be JSON".into()),
            (b"BIN\0", false) if data.is_none() => data = Some(chunk),
            // Others may be there, and mean nothing.
            _ => {}
        }
        at = start + chunk_length;
    }
    match json {
        Some(json) => Ok((json, data)),
        None => fault(12.min(bytes.len()), "there is no chunk of JSON".into()),
    }
}
