//! An affine placement of a mesh in the world, and its inverse in f64.

mod determinant;

use glam::{Affine3A, DAffine3, DMat4, DVec4, Mat4};
use hitscan_core::{Aabb, RayF64};

use crate::scene::SceneError;

/// Where a mesh stands in the world: a 3×4 row-major affine map from object space.
///
/// World point = `rows[i][0]·x + rows[i][1]·y + rows[i][2]·z + rows[i][3]` for each axis `i`. Any
/// invertible map will do: rotation, shear, uneven scale, mirror. It is checked where it is used,
/// by [`Instance::new`](crate::Instance::new).
///
/// Held in f64, so that a far place keeps its digits. Made from `[[f64; 4]; 3]` or
/// `[[f32; 4]; 3]`, from the same 12 numbers in a row, from a `glam::DAffine3` or `Affine3A`, or,
/// if its last row is 0, 0, 0, 1, from a `glam::DMat4` or `Mat4` (by `try_from`).
///
/// ```
/// use hitscan::Transform;
/// let up = Transform::translation([0.0, 0.0, 5.0]);
/// assert_eq!(up, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 5.0].into());
/// assert_eq!(up, glam::Affine3A::from_translation(glam::Vec3::new(0.0, 0.0, 5.0)).into());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Three rows of four: the linear part, then the translation in world units.
    pub rows: [[f64; 4]; 3],
}

impl Transform {
    /// The map that changes nothing.
    pub const IDENTITY: Self =
        Self { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// A move by `offset`, in world units.
    #[must_use]
    pub fn translation(offset: impl Into<[f32; 3]>) -> Self {
        let mut transform = Self::IDENTITY;
        for (row, offset) in transform.rows.iter_mut().zip(offset.into()) {
            row[3] = offset.into();
        }
        transform
    }

    /// A scale by one factor an axis; a negative one mirrors.
    #[must_use]
    pub fn scale(factors: impl Into<[f32; 3]>) -> Self {
        let [x, y, z] = factors.into().map(f64::from);
        Self { rows: [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]] }
    }

    /// A box around the eight corners of a box relative to `origin`, once they are placed.
    pub(crate) fn bounds(&self, bounds: Aabb, origin: [f64; 3]) -> Aabb {
        let ends = [bounds.min.to_array(), bounds.max.to_array()];
        (0..8).fold(Aabb::EMPTY, |world, corner| {
            let local: [f64; 3] =
                std::array::from_fn(|i| f64::from(ends[(corner >> i) & 1][i]) + origin[i]);
            let terms = self.rows.map(|row| {
                let [x, y, z, w] = row;
                [x * local[0], y * local[1], z * local[2], w]
            });
            // What seven roundings in f64 can move a sum by, then one step in f32.
            let reach = |sign: f64| {
                terms.map(|row| {
                    let size: f64 = row.iter().map(|x| x.abs()).sum();
                    let end = row.iter().sum::<f64>() + sign * 8.0 * f64::EPSILON * size;
                    // Past the end of f64, a difference of infinities may lie anywhere.
                    if end.is_nan() { sign as f32 * f32::INFINITY } else { end as f32 }
                })
            };
            world
                .with_point(reach(-1.0).map(f32::next_down))
                .with_point(reach(1.0).map(f32::next_up))
        })
    }

    /// The inverse, if there is one.
    ///
    /// The determinant is exact and the cofactors are good to the last digit or two, so "singular"
    /// never means "I lost the digits": it means that the numbers given have too few. Where
    /// other last digits of theirs could make the determinant zero, no ray can be taken back.
    /// Such are the rows (1, 2, 3), (4, 5, 6), (7, 8, 9) times 0.1, rounded to f64, and a scale by
    /// (2, 3, 0) between two rotations, which were within 2.1 epsilon in 3,000 tries.
    pub(crate) fn inverse(&self) -> Result<Inverse, SceneError> {
        for (row, numbers) in self.rows.iter().enumerate() {
            if let Some(column) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(SceneError::NotFinite { row, column });
            }
        }
        // Rows to one size, exactly, so that no product of three leaves f64's range.
        let scale = self.rows.map(|[x, y, z, _]| reciprocal_power_of_two(longest([x, y, z])));
        let m: [[f64; 3]; 3] = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let x = self.rows[row][column] * scale[row];
                if x.abs() < determinant::LEAST { 0.0 } else { x }
            })
        });
        let determinant = determinant::exact(&m);
        if determinant.abs() <= 4.0 * f64::EPSILON * determinant::largest_possible(&m) {
            return Err(SceneError::Singular);
        }
        let linear: [[f64; 3]; 3] = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                determinant::cofactor(&m, column, row) / determinant * scale[column]
            })
        });
        if !linear.as_flattened().iter().all(|x| x.is_finite()) {
            return Err(SceneError::Singular);
        }
        Ok(Inverse { linear, translation: self.rows.map(|row| row[3]) })
    }
}

/// From world space back to object space, in f64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inverse {
    linear: [[f64; 3]; 3],
    /// Taken away before the linear part, so that a far instance loses no digits.
    translation: [f64; 3],
}

impl Inverse {
    /// A world ray in object space. `t` stays what it is: M·(o + t·d) = M·o + t·M·d.
    pub(crate) fn ray(&self, ray: &RayF64) -> RayF64 {
        let origin = std::array::from_fn(|axis| ray.origin[axis] - self.translation[axis]);
        RayF64 { origin: self.vector(origin), direction: self.vector(ray.direction), ..*ray }
    }

    /// A world direction in object space.
    fn vector(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.linear.map(|row| row[0] * x + row[1] * y + row[2] * z)
    }

    /// An object-space normal in world space, of any length: the inverse's transpose.
    pub(crate) fn normal(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.linear;
        std::array::from_fn(|axis| a[axis] * x + b[axis] * y + c[axis] * z)
    }
}

/// The size of the largest of three numbers.
pub(crate) fn longest(numbers: [f64; 3]) -> f64 {
    numbers.iter().fold(0.0, |longest, x| longest.max(x.abs()))
}

/// The power of two that brings a positive number between 1 and 2.
pub(crate) fn reciprocal_power_of_two(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) & 0x7ff;
    // Biased exponents of a number and of its reciprocal power add up to twice the bias.
    f64::from_bits(2046_u64.saturating_sub(exponent).clamp(1, 2046) << 52)
}

impl From<[[f64; 4]; 3]> for Transform {
    fn from(rows: [[f64; 4]; 3]) -> Self {
        Self { rows }
    }
}

impl From<[[f32; 4]; 3]> for Transform {
    fn from(rows: [[f32; 4]; 3]) -> Self {
        Self { rows: rows.map(|row| row.map(f64::from)) }
    }
}

impl From<[f64; 12]> for Transform {
    fn from(numbers: [f64; 12]) -> Self {
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| numbers[4 * i + j])) }
    }
}

impl From<[f32; 12]> for Transform {
    fn from(numbers: [f32; 12]) -> Self {
        numbers.map(f64::from).into()
    }
}

impl From<DAffine3> for Transform {
    fn from(affine: DAffine3) -> Self {
        let columns = affine.to_cols_array_2d();
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])) }
    }
}

impl From<Affine3A> for Transform {
    fn from(affine: Affine3A) -> Self {
        let columns = affine.to_cols_array_2d();
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i].into())) }
    }
}

impl TryFrom<DMat4> for Transform {
    type Error = SceneError;

    /// Fails with [`SceneError::Projective`] unless the last row is 0, 0, 0, 1.
    fn try_from(matrix: DMat4) -> Result<Self, SceneError> {
        if matrix.row(3) != DVec4::W {
            return Err(SceneError::Projective);
        }
        Ok(Self { rows: std::array::from_fn(|row| matrix.row(row).into()) })
    }
}

impl TryFrom<Mat4> for Transform {
    type Error = SceneError;

    /// Fails with [`SceneError::Projective`] unless the last row is 0, 0, 0, 1.
    fn try_from(matrix: Mat4) -> Result<Self, SceneError> {
        matrix.as_dmat4().try_into()
    }
}
