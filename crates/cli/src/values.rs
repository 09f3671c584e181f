//! Values on the command line that are more than one number.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use hitscan::{EdgeRule, Faces, Quality, TreeLayout};

/// The names and meanings of `--quality`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum QualityName {
    /// The shortest build
    Fast,
    /// A good tree in little time
    Balanced,
    /// The best tree, for many rays
    High,
}

impl QualityName {
    pub(crate) fn quality(self) -> Quality {
        match self {
            Self::Fast => Quality::Fast,
            Self::Balanced => Quality::Balanced,
            Self::High => Quality::High,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::High => "high",
        }
    }
}

/// The names and meanings of `--layout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LayoutName {
    /// Boxes and triangles as their tests take them, for speed
    Fast,
    /// Boxes in steps of eight bits, triangles by the indices of their corners, for memory
    Compact,
}

impl LayoutName {
    pub(crate) fn of(layout: TreeLayout) -> Self {
        match layout {
            TreeLayout::Fast => Self::Fast,
            TreeLayout::Compact => Self::Compact,
        }
    }

    pub(crate) fn layout(self) -> TreeLayout {
        match self {
            Self::Fast => TreeLayout::Fast,
            Self::Compact => TreeLayout::Compact,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Compact => "compact",
        }
    }
}

/// The names and meanings of `--faces`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FacesName {
    /// Both sides of a triangle
    Both,
    /// Only the side from which its corners run counter-clockwise
    Front,
    /// Only the other side
    Back,
}

impl FacesName {
    pub(crate) fn faces(self) -> Faces {
        match self {
            Self::Both => Faces::Both,
            Self::Front => Faces::Front,
            Self::Back => Faces::Back,
        }
    }
}

/// The names and meanings of `--edges`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EdgesName {
    /// Each crossing of the surface counts once (the default of all and count)
    Once,
    /// Every triangle touched counts (the default of closest and any)
    Closed,
}

impl EdgesName {
    pub(crate) fn edge_rule(self) -> EdgeRule {
        match self {
            Self::Once => EdgeRule::Once,
            Self::Closed => EdgeRule::Closed,
        }
    }
}

/// One of some names, for what is not an enum of this crate.
pub(crate) fn named<T: Copy + Send + Sync + 'static, const N: usize>(
    names: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let parser = PossibleValuesParser::new(names.map(|(name, _)| name));
    parser.try_map(move |given| {
        let found = names.iter().find(|(name, _)| *name == given);
        found.map(|(_, value)| *value).ok_or("unknown")
    })
}

/// `x,y,z`; `inf` and `nan` are numbers too.
pub(crate) fn point(text: &str) -> Result<[f64; 3], String> {
    numbers(text)
}

/// `x,y,z`, all of them finite.
pub(crate) fn finite_point(text: &str) -> Result<[f64; 3], String> {
    let point: [f64; 3] = numbers(text)?;
    if point.iter().all(|x| x.is_finite()) { Ok(point) } else { Err("must be finite".into()) }
}

/// Twelve numbers: a 3×4 matrix, row by row.
pub(crate) fn transform(text: &str) -> Result<[f64; 12], String> {
    let matrix: [f64; 12] = numbers(text)?;
    if matrix.iter().all(|x| x.is_finite()) { Ok(matrix) } else { Err("must be finite".into()) }
}

/// `WxH` in pixels.
pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    const MOST: u32 = 16_384;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MOST).contains(side));
    let (width, height) = text.split_once(['x', 'X']).ok_or("write it as 960x720")?;
    let size = side(width).zip(side(height)).ok_or(format!("both from 1 to {MOST}"))?;
    Ok(size.into())
}

/// Degrees between 0 and 180.
pub(crate) fn field_of_view(text: &str) -> Result<f64, String> {
    let degrees = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.01..=179.0).contains(&degrees) { Ok(degrees) } else { Err("from 0.01 to 179".into()) }
}

/// A time that is worth measuring for.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.001..=3600.0).contains(&seconds) { Ok(seconds) } else { Err("from 0.001 to 3600".into()) }
}

fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers = text
        .split(',')
        .map(|word| word.trim().parse().map_err(|_| format!("`{}` is not a number", word.trim())))
        .collect::<Result<Vec<f64>, String>>()?;
    let found = numbers.len();
    numbers.try_into().map_err(|_| format!("{N} numbers with commas between them, not {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_three_numbers() {
        assert_eq!(point("-1,2.5, 3e2"), Ok([-1.0, 2.5, 300.0]));
        assert_eq!(point("1,2").unwrap_err(), "3 numbers with commas between them, not 2");
        assert_eq!(point("1,,2").unwrap_err(), "`` is not a number");
        assert!(finite_point("1,inf,2").is_err());
    }
}
