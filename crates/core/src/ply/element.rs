//! The elements of a PLY file: kinds of items, and what each item consists of.

use super::scalar::Scalar;
use crate::file::fault::{Fault, Place};

/// What an element means to the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Vertex,
    Face,
    Strips,
    Other,
}

/// What a property means to the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One of x, y, z.
    Coordinate(usize),
    /// The list of a face's or a strip's vertices.
    Corners,
    None,
}

/// A part of each item of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property {
    pub(super) role: Role,
    /// The type of the count, where this is a list.
    pub(super) list: Option<Scalar>,
    pub(super) scalar: Scalar,
}

/// A kind of item, and how many of them there are.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
    /// Where the header names it.
    pub(super) offset: usize,
}

impl Element {
    /// How many bytes an item takes at least: in text a digit and a blank for each number.
    pub(super) fn least_bytes(&self, binary: bool) -> usize {
        let least = |property: &Property| match binary {
            true => property.list.unwrap_or(property.scalar).size(),
            false => 2,
        };
        self.properties.iter().map(least).sum()
    }

    /// Checks that a vertex has a position, and a face its corners, once each.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.count == 0 {
            return Ok(());
        }
        let times = |role: Role| self.properties.iter().filter(|p| p.role == role).count();
        let once = |role: Role, name: &str| match times(role) {
            1 => Ok(()),
            0 => Err(format!("the element `{}` has no property `{name}`", self.name)),
            _ => Err(format!("the element `{}` has several properties `{name}`", self.name)),
        };
        let checked = match self.kind {
            Kind::Vertex => ["x", "y", "z"]
                .into_iter()
                .enumerate()
                .try_for_each(|(axis, name)| once(Role::Coordinate(axis), name)),
            Kind::Face | Kind::Strips => once(Role::Corners, "vertex_indices"),
            Kind::Other => Ok(()),
        };
        checked.map_err(|message| Fault::new(Place::Text(self.offset), message))
    }
}
