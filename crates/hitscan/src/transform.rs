//! An affine placement of a mesh in the world, and its inverse in f64.

mod determinant;

use hitscan_core::Aabb;

use crate::scene::SceneError;

/// Where a mesh stands in the world: a 3×4 row-major affine map from object space.
///
/// World point = `rows[i][0]·x + rows[i][1]·y + rows[i][2]·z + rows[i][3]` for each axis `i`. Any
/// invertible map will do: rotation, shear, uneven scale, mirror. It is checked where it is used,
/// by [`Instance::new`](crate::Instance::new).
///
/// Made from `[[f32; 4]; 3]`, from the same 12 numbers in a row, from a `glam::Affine3A`, or, if
/// its last row is 0, 0, 0, 1, from a `glam::Mat4` (by `try_from`).
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
    pub rows: [[f32; 4]; 3],
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
            row[3] = offset;
        }
        transform
    }

    /// A scale by one factor an axis; a negative one mirrors.
    #[must_use]
    pub fn scale(factors: impl Into<[f32; 3]>) -> Self {
        let [x, y, z] = factors.into();
        Self { rows: [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]] }
    }

    /// A box around the eight corners of a box relative to `origin`, once they are placed.
    pub(crate) fn bounds(&self, bounds: Aabb, origin: [f64; 3]) -> Aabb {
        let ends = [bounds.min.to_array(), bounds.max.to_array()];
        (0..8).fold(Aabb::EMPTY, |world, corner| {
            let local: [f64; 3] =
                std::array::from_fn(|i| f64::from(ends[(corner >> i) & 1][i]) + origin[i]);
            let terms = self.rows.map(|row| {
                let [x, y, z, w] = row.map(f64::from);
                [x * local[0], y * local[1], z * local[2], w]
            });
            // What seven roundings in f64 can move a sum by, then one step in f32.
            let reach = |sign: f64| {
                terms.map(|row| {
                    let size: f64 = row.iter().map(|x| x.abs()).sum();
                    (row.iter().sum::<f64>() + sign * 8.0 * f64::EPSILON * size) as f32
                })
            };
            world
                .with_point(reach(-1.0).map(f32::next_down))
                .with_point(reach(1.0).map(f32::next_up))
        })
    }

    /// The inverse, if there is one.
    ///
    /// The determinant is exact and the cofactors are rounded once, because products of two f32
    /// are exact in f64: "singular" here never means "I lost the digits".
    pub(crate) fn inverse(&self) -> Result<Inverse, SceneError> {
        for (row, numbers) in self.rows.iter().enumerate() {
            if let Some(column) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(SceneError::NotFinite { row, column });
            }
        }
        let m: [[f64; 3]; 3] =
            std::array::from_fn(|row| std::array::from_fn(|column| self.rows[row][column].into()));
        let determinant = determinant::exact(&m);
        let linear: [[f64; 3]; 3] = std::array::from_fn(|row| {
            std::array::from_fn(|column| determinant::cofactor(&m, column, row) / determinant)
        });
        // A determinant of zero gives a division by zero, so one test catches both.
        if !linear.as_flattened().iter().all(|x| x.is_finite()) {
            return Err(SceneError::Singular);
        }
        Ok(Inverse { linear, translation: self.rows.map(|row| row[3].into()) })
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
    /// A world point in object space.
    pub(crate) fn point(&self, point: [f32; 3]) -> [f64; 3] {
        self.vector(std::array::from_fn(|axis| f64::from(point[axis]) - self.translation[axis]))
    }

    /// A world direction in object space.
    pub(crate) fn vector(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.linear.map(|row| row[0] * x + row[1] * y + row[2] * z)
    }

    /// An object-space normal in world space, of any length: the inverse's transpose.
    pub(crate) fn normal(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.linear;
        std::array::from_fn(|axis| a[axis] * x + b[axis] * y + c[axis] * z)
    }
}

impl From<[[f32; 4]; 3]> for Transform {
    fn from(rows: [[f32; 4]; 3]) -> Self {
        Self { rows }
    }
}

impl From<[f32; 12]> for Transform {
    fn from(numbers: [f32; 12]) -> Self {
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| numbers[4 * i + j])) }
    }
}

impl From<glam::Affine3A> for Transform {
    fn from(affine: glam::Affine3A) -> Self {
        let columns = affine.to_cols_array_2d();
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])) }
    }
}

impl TryFrom<glam::Mat4> for Transform {
    type Error = SceneError;

    /// Fails with [`SceneError::Projective`] unless the last row is 0, 0, 0, 1.
    fn try_from(matrix: glam::Mat4) -> Result<Self, SceneError> {
        if matrix.row(3) != glam::Vec4::W {
            return Err(SceneError::Projective);
        }
        let columns = matrix.to_cols_array_2d();
        Ok(Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])) })
    }
}
