//! Object, group and material names, from statements to runs of triangles.

use std::collections::HashMap;

use super::piece::{NameKind, Piece};
use crate::mesh::Part;
use crate::text;

/// The runs of triangles with the same names, and the names they index.
pub(super) fn runs(
    bytes: &[u8],
    pieces: &[Piece],
    first_triangle: &[usize],
) -> (Vec<Part>, Vec<String>) {
    let mut list = NameList::default();
    let mut runs: Vec<Part> = Vec::new();
    let mut now = Part { first_prim: 0, object: None, group: None, material: None };
    let triangles = first_triangle[pieces.len()];
    for (piece, &before) in pieces.iter().zip(first_triangle) {
        for change in &piece.names {
            let first = before + change.triangles_before;
            if first == triangles {
                return (runs, list.names);
            }
            let name = list.number(&bytes[change.text.clone()]);
            match change.kind {
                NameKind::Object => now.object = name,
                NameKind::Group => now.group = name,
                NameKind::Material => now.material = name,
            }
            now.first_prim = first as u32;
            // Names that change again before a triangle comes were never used.
            runs.pop_if(|run| run.first_prim == now.first_prim);
            let same_names = |run: &Part| Part { first_prim: now.first_prim, ..*run } == now;
            if !runs.last().is_some_and(same_names) {
                runs.push(now);
            }
        }
    }
    (runs, list.names)
}

/// Different names, numbered in order of appearance.
#[derive(Default)]
struct NameList<'a> {
    names: Vec<String>,
    by_name: HashMap<String, u32>,
    /// As it stands in the file, so that a name that comes often is decoded once.
    by_text: HashMap<&'a [u8], Option<u32>>,
}

impl<'a> NameList<'a> {
    /// The number of a name; `None` for no name.
    fn number(&mut self, text: &'a [u8]) -> Option<u32> {
        if let Some(&number) = self.by_text.get(text) {
            return number;
        }
        let name = text::decode_name(text);
        let number = (!name.is_empty()).then(|| {
            *self.by_name.entry(name).or_insert_with_key(|name| {
                self.names.push(name.clone());
                (self.names.len() - 1) as u32
            })
        });
        self.by_text.insert(text, number);
        number
    }
}
