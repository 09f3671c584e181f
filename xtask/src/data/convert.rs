//! From the forms that packages carry meshes in to OBJ. Numbers are copied as text, not re-rounded.

use std::fmt::Write;
use std::io::Read;

use anyhow::{Context, Result, bail, ensure};

/// A file's bytes as OBJ; which form they are in is told by the file's name.
pub(super) fn to_obj(name: &str, bytes: Vec<u8>) -> Result<Vec<u8>> {
    if name.ends_with(".obj") {
        return Ok(bytes);
    }
    let obj = if name.ends_with(".ply.gz") {
        let mut ply = String::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut ply).context("gzip")?;
        from_ascii_ply(&ply)
    } else if name.ends_with(".js") {
        from_arrays(&String::from_utf8(bytes)?)
    } else {
        bail!("no known form of mesh")
    };
    obj.map(String::into_bytes).with_context(|| String::from(name))
}

/// From ASCII PLY whose vertices begin with x, y, z and whose faces are lists of indices.
fn from_ascii_ply(ply: &str) -> Result<String> {
    let (header, body) = ply.split_once("end_header\n").context("no end of the header")?;
    ensure!(header.contains("format ascii 1.0"), "not ASCII");
    let count = |element: &str| -> Result<usize> {
        let line = header.lines().find_map(|line| line.strip_prefix(element)?.strip_prefix(' '));
        line.with_context(|| format!("no `{element}`"))?.trim().parse().context(element.to_owned())
    };
    let (vertices, faces) = (count("element vertex")?, count("element face")?);
    let mut lines = body.lines();
    let mut obj = String::with_capacity(body.len() + 2 * (vertices + faces));
    for _ in 0..vertices {
        let mut words = lines.next().context("too few vertices")?.split_whitespace();
        obj.push('v');
        for _ in 0..3 {
            write!(obj, " {}", words.next().context("a vertex of fewer than three numbers")?)?;
        }
        obj.push('\n');
    }
    for _ in 0..faces {
        let mut words = lines.next().context("too few faces")?.split_whitespace();
        let corners: usize = words.next().context("an empty face")?.parse()?;
        obj.push('f');
        for _ in 0..corners {
            let index: u64 = words.next().context("a face with too few corners")?.parse()?;
            write!(obj, " {}", index + 1)?;
        }
        obj.push('\n');
    }
    Ok(obj)
}

/// From a script that exports `positions=[[x,y,z],…]` and `cells=[[a,b,c],…]`.
fn from_arrays(script: &str) -> Result<String> {
    let mut obj = String::with_capacity(script.len());
    for position in rows(script, "positions")? {
        writeln!(obj, "v {}", position.replace(',', " "))?;
    }
    for cell in rows(script, "cells")? {
        obj.push('f');
        for index in cell.split(',') {
            write!(obj, " {}", index.trim().parse::<u64>().context("cells")? + 1)?;
        }
        obj.push('\n');
    }
    Ok(obj)
}

/// The insides of the inner brackets of `name=[[…],[…]]`.
fn rows<'a>(script: &'a str, name: &str) -> Result<impl Iterator<Item = &'a str>> {
    let (_, after) = script.split_once(&format!("{name}=[[")).with_context(|| name.to_owned())?;
    let (array, _) = after.split_once("]]").with_context(|| name.to_owned())?;
    Ok(array.split("],["))
}

#[cfg(test)]
mod tests {
    use super::{from_arrays, from_ascii_ply};

    #[test]
    fn ply_indices_count_from_zero_and_extra_properties_are_dropped() {
        let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n\
                   element face 1\nend_header\n0 0 0 9\n1.50 0 0 9\n0 1e-3 0 9\n3 0 1 2\n";
        let obj = from_ascii_ply(ply).unwrap();
        assert_eq!(obj, "v 0 0 0\nv 1.50 0 0\nv 0 1e-3 0\nf 1 2 3\n");
    }

    #[test]
    fn ply_cut_short_is_an_error() {
        let ply = "ply\nformat ascii 1.0\nelement vertex 3\nelement face 1\nend_header\n0 0 0\n";
        assert_eq!(from_ascii_ply(ply).unwrap_err().to_string(), "too few vertices");
    }

    #[test]
    fn exported_arrays_become_vertices_and_faces() {
        let script = "exports.positions=[[0,0,0],[1,0,0],[0,1,0]]\nexports.cells=[[0,1,2]];\n";
        assert_eq!(from_arrays(script).unwrap(), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }
}
