//! Which object, group, material and polygon a triangle came from.

use crate::memory::Buffer;

/// Runs of triangles that share an object, a group and a material.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Sorted by their first triangle; a run ends where the next one begins.
    runs: Vec<Part>,
    names: Vec<String>,
    /// For each triangle its polygon, or empty where every polygon is one triangle.
    polygons: Buffer<u32>,
}

/// A run of triangles with the same names, as indices into a list of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first triangle of the run.
    pub first_prim: u32,
    /// The object's name, if it has one.
    pub object: Option<u32>,
    /// The group's name, if it has one.
    pub group: Option<u32>,
    /// The material's name, if it has one.
    pub material: Option<u32>,
}

/// The names that a triangle goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartNames<'a> {
    /// The object (`o` in OBJ).
    pub object: Option<&'a str>,
    /// The group (`g` in OBJ; several names stay one string).
    pub group: Option<&'a str>,
    /// The material (`usemtl` in OBJ).
    pub material: Option<&'a str>,
}

impl Parts {
    /// Runs sorted by their first triangle, the names they index, and a polygon for each triangle
    /// (empty where every polygon is one triangle).
    ///
    /// # Panics
    /// If the runs are not sorted or name something that is not in `names`.
    #[must_use]
    pub fn new(runs: Vec<Part>, names: Vec<String>, polygons: Vec<u32>) -> Self {
        match Self::checked(runs, names, polygons.into()) {
            Ok(parts) => parts,
            Err(fault) => panic!("{fault}"),
        }
    }

    /// As [`Self::new`], with an error in words.
    pub(crate) fn checked(
        runs: Vec<Part>,
        names: Vec<String>,
        polygons: Buffer<u32>,
    ) -> Result<Self, &'static str> {
        if !runs.is_sorted_by(|a, b| a.first_prim < b.first_prim) {
            return Err("runs must be sorted by first triangle");
        }
        let named = |name: Option<u32>| name.is_none_or(|name| (name as usize) < names.len());
        if !runs.iter().all(|run| named(run.object) && named(run.group) && named(run.material)) {
            return Err("a run uses a name that is not in the list");
        }
        Ok(Self { runs, names, polygons })
    }

    /// The names of a triangle; all `None` where the mesh has none.
    #[must_use]
    pub fn names_of(&self, prim: u32) -> PartNames<'_> {
        let after = self.runs.partition_point(|run| run.first_prim <= prim);
        let Some(run) = after.checked_sub(1).map(|i| &self.runs[i]) else {
            return PartNames::default();
        };
        let name = |name: Option<u32>| name.map(|name| self.names[name as usize].as_str());
        PartNames { object: name(run.object), group: name(run.group), material: name(run.material) }
    }

    /// The polygon that a triangle was cut from, counted from 0 in file order.
    #[must_use]
    pub fn polygon_of(&self, prim: u32) -> u32 {
        self.polygons.get(prim as usize).copied().unwrap_or(prim)
    }

    /// Says that `count` triangles from `first_prim` on, the end so far, have no names and are each
    /// a polygon of its own.
    pub(super) fn add_nameless(&mut self, first_prim: u32, count: u32) {
        if count == 0 {
            return;
        }
        let named = |run: &Part| run.object.or(run.group).or(run.material).is_some();
        if self.runs.last().is_some_and(named) {
            self.runs.push(Part { first_prim, object: None, group: None, material: None });
        }
        if let Some(last) = self.polygons.iter().max()
            && self.polygons.len() == first_prim as usize
        {
            let last = *last;
            self.polygons.extend((1..=count).map(|next| last.saturating_add(next)));
        }
    }

    /// The runs, sorted by their first triangle.
    #[must_use]
    pub fn runs(&self) -> &[Part] {
        &self.runs
    }

    /// The names that runs index.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// For each triangle its polygon, or empty where every polygon is one triangle.
    pub(crate) fn polygons(&self) -> &[u32] {
        &self.polygons
    }

    /// How many different objects the runs name.
    #[must_use]
    pub fn object_count(&self) -> usize {
        let mut objects: Vec<u32> = self.runs.iter().filter_map(|run| run.object).collect();
        objects.sort_unstable();
        objects.dedup();
        objects.len()
    }
}
