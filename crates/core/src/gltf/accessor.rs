//! Accessors: arrays of numbers within views of buffers, every access checked.

use super::buffers::Buffers;
use super::document::{Accessor, Document, Sparse};
use crate::file::ReadError;

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of_number(number: u32) -> Option<Self> {
        Some(match number {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn can_be_index(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// The number at the start of `bytes`, of which there are enough.
    fn decode(self, bytes: &[u8]) -> f64 {
        fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
            bytes.first_chunk().copied().unwrap_or([0; N])
        }
        match self {
            Self::I8 => i8::from_le_bytes(first(bytes)).into(),
            Self::U8 => u8::from_le_bytes(first(bytes)).into(),
            Self::I16 => i16::from_le_bytes(first(bytes)).into(),
            Self::U16 => u16::from_le_bytes(first(bytes)).into(),
            Self::U32 => u32::from_le_bytes(first(bytes)).into(),
            Self::F32 => f32::from_le_bytes(first(bytes)).into(),
        }
    }

    /// What a whole number stands for where numbers go from −1 or 0 to 1.
    fn normalized(self, number: f64) -> f64 {
        let most: f64 = match self {
            Self::I8 => i8::MAX.into(),
            Self::U8 => u8::MAX.into(),
            Self::I16 => i16::MAX.into(),
            Self::U16 => u16::MAX.into(),
            Self::U32 | Self::F32 => return number,
        };
        (number / most).max(-1.0)
    }
}

/// Elements of some size, at equal distances.
struct Array<'a> {
    bytes: &'a [u8],
    stride: usize,
    count: usize,
}

impl<'a> Array<'a> {
    /// The bytes of each element; more may follow them.
    fn elements(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (bytes, stride) = (self.bytes, self.stride);
        (0..self.count).map(move |i| &bytes[i * stride..])
    }
}

/// The accessors of a document.
pub(super) struct Accessors<'a, 'b> {
    pub(super) document: &'a Document,
    pub(super) buffers: &'b Buffers<'a>,
}

impl<'a> Accessors<'a, '_> {
    /// How many elements an accessor has, where there is one.
    pub(super) fn count(&self, index: usize) -> usize {
        self.document.accessors.get(index).map_or(0, |accessor| accessor.count)
    }

    /// Positions, in f64.
    pub(super) fn positions(&self, index: usize, user: &str) -> Result<Vec<[f64; 3]>, ReadError> {
        let (accessor, component) = self.get(index, user)?;
        let part = format!("accessors[{index}]");
        if &*accessor.shape != "VEC3" || component == Component::U32 {
            return Err(self.error(&part, "positions must be VEC3, of floats or small integers"));
        }
        let size = component.size();
        let decode = |bytes: &[u8]| -> [f64; 3] {
            std::array::from_fn(|axis| {
                let number = component.decode(&bytes[axis * size..]);
                if accessor.normalized { component.normalized(number) } else { number }
            })
        };
        let mut positions: Vec<[f64; 3]> = match accessor.buffer_view {
            Some(view) => {
                let array =
                    self.array(view, accessor.byte_offset, accessor.count, 3 * size, &part)?;
                array.elements().map(decode).collect()
            }
            None => vec![[0.0; 3]; self.zeros(accessor, &part)?],
        };
        if let Some(sparse) = &accessor.sparse {
            let values = &sparse.values;
            let part = format!("{part}.sparse.values");
            let values =
                self.array(values.buffer_view, values.byte_offset, sparse.count, 3 * size, &part)?;
            let places = self.sparse_indices(sparse, index)?;
            for (place, value) in places.into_iter().zip(values.elements()) {
                let Some(position) = positions.get_mut(place as usize) else {
                    return Err(self.error(&part, format!("there is no element {place}")));
                };
                *position = decode(value);
            }
        }
        Ok(positions)
    }

    /// Indices of vertices.
    pub(super) fn indices(&self, index: usize, user: &str) -> Result<Vec<u32>, ReadError> {
        let (accessor, component) = self.get(index, user)?;
        let part = format!("accessors[{index}]");
        let plain = accessor.sparse.is_none() && !accessor.normalized;
        if &*accessor.shape != "SCALAR" || !component.can_be_index() || !plain {
            return Err(self.error(&part, "indices must be SCALAR, of unsigned integers"));
        }
        let Some(view) = accessor.buffer_view else {
            return Err(self.error(&part, "it has no data"));
        };
        let size = component.size();
        let array = self.array(view, accessor.byte_offset, accessor.count, size, &part)?;
        Ok(array.elements().map(|bytes| component.decode(bytes) as u32).collect())
    }

    fn error(&self, part: &str, message: impl Into<String>) -> ReadError {
        self.buffers.error(part, message)
    }

    fn get(&self, index: usize, user: &str) -> Result<(&'a Accessor, Component), ReadError> {
        let Some(accessor) = self.document.accessors.get(index) else {
            return Err(self.error(user, format!("there is no accessors[{index}]")));
        };
        let Some(component) = Component::of_number(accessor.component_type) else {
            let message = format!("there is no component type {}", accessor.component_type);
            return Err(self.error(&format!("accessors[{index}]"), message));
        };
        Ok((accessor, component))
    }

    /// The length of an accessor that is zero where it is not sparse. It takes no bytes, so it is
    /// not believed to be longer than the whole file.
    fn zeros(&self, accessor: &Accessor, part: &str) -> Result<usize, ReadError> {
        if accessor.sparse.is_none() {
            return Err(self.error(part, "it has no data"));
        }
        if accessor.count > self.buffers.file_length() {
            let message = format!("{} elements are more than the file has bytes", accessor.count);
            return Err(self.error(part, message));
        }
        Ok(accessor.count)
    }

    /// Which elements a sparse accessor replaces.
    fn sparse_indices(&self, sparse: &Sparse, index: usize) -> Result<Vec<u32>, ReadError> {
        let part = format!("accessors[{index}].sparse.indices");
        let data = &sparse.indices;
        let component = Component::of_number(data.component_type);
        let Some(component) = component.filter(|component| component.can_be_index()) else {
            return Err(self.error(&part, "they must be unsigned integers"));
        };
        let (view, offset) = (data.buffer_view, data.byte_offset);
        let array = self.array(view, offset, sparse.count, component.size(), &part)?;
        Ok(array.elements().map(|bytes| component.decode(bytes) as u32).collect())
    }

    /// Elements within a view, all of which are there.
    fn array(
        &self,
        view: usize,
        offset: usize,
        count: usize,
        size: usize,
        part: &str,
    ) -> Result<Array<'_>, ReadError> {
        let bytes = self.buffers.view(view, part)?;
        let stride = self.document.buffer_views[view].byte_stride.unwrap_or(size);
        if stride < size {
            let message = format!("elements of {size} bytes cannot be {stride} bytes apart");
            return Err(self.error(part, message));
        }
        if count == 0 {
            return Ok(Array { bytes: &[], stride, count });
        }
        let needed = (count - 1).checked_mul(stride).and_then(|length| length.checked_add(size));
        let end = needed.and_then(|length| length.checked_add(offset));
        match end.and_then(|end| bytes.get(offset..end)) {
            Some(bytes) => Ok(Array { bytes, stride, count }),
            None => {
                let length = bytes.len();
                let message = format!(
                    "{count} elements at byte {offset} go beyond the {length} bytes of their view"
                );
                Err(self.error(part, message))
            }
        }
    }
}
