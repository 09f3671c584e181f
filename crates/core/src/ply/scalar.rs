//! The types of numbers in PLY files, under their old and their new names.

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }

    /// How many bytes one takes in a binary file.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Whether a whole number is one of this type.
    pub(super) fn holds(self, value: i64) -> bool {
        match self {
            Self::I8 => i8::try_from(value).is_ok(),
            Self::U8 => u8::try_from(value).is_ok(),
            Self::I16 => i16::try_from(value).is_ok(),
            Self::U16 => u16::try_from(value).is_ok(),
            Self::I32 => i32::try_from(value).is_ok(),
            Self::U32 => u32::try_from(value).is_ok(),
            Self::F32 | Self::F64 => true,
        }
    }

    /// The number in `bytes`, of which there are [`Self::size`]; exact in f64 for every type.
    #[inline(always)]
    pub(super) fn decode<const BIG: bool>(self, bytes: &[u8]) -> f64 {
        macro_rules! decode {
            ($type:ty) => {{
                let bytes = bytes.first_chunk().copied().unwrap_or_default();
                f64::from(if BIG {
                    <$type>::from_be_bytes(bytes)
                } else {
                    <$type>::from_le_bytes(bytes)
                })
            }};
        }
        match self {
            Self::I8 => decode!(i8),
            Self::U8 => decode!(u8),
            Self::I16 => decode!(i16),
            Self::U16 => decode!(u16),
            Self::I32 => decode!(i32),
            Self::U32 => decode!(u32),
            Self::F32 => decode!(f32),
            Self::F64 => decode!(f64),
        }
    }
}
