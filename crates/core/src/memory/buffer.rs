//! Numbers in memory that is owned, or shared with whoever holds a file's bytes.

use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, Range};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::sync::Arc;

use bytemuck::Pod;

use super::in_huge_pages;

/// Bytes that several owners may hold, such as a mapped file: `Arc::new(bytes)` makes them of
/// anything that gives bytes.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A list of numbers that is owned or lies in [`SharedBytes`]; reading does not ask which.
pub struct Buffer<T: Pod> {
    first: NonNull<T>,
    len: usize,
    owner: Owner,
}

/// What keeps the numbers where they are.
enum Owner {
    /// They are a `Vec` taken apart, of this capacity.
    Vec { capacity: usize },
    /// They are part of these bytes.
    Shared(SharedBytes),
}

impl<T: Pod> Buffer<T> {
    /// The numbers that lie in a range of shared bytes; `None` if the range is not there, is no
    /// whole number of them, or is not aligned for them.
    #[must_use]
    pub fn shared(bytes: &SharedBytes, range: Range<usize>) -> Option<Self> {
        let values: &[T] = bytemuck::try_cast_slice((**bytes).as_ref().get(range)?).ok()?;
        let (first, len) = (NonNull::from(values).cast(), values.len());
        Some(Self { first, len, owner: Owner::Shared(Arc::clone(bytes)) })
    }

    /// The numbers, to be changed; shared ones are copied first.
    pub fn make_mut(&mut self) -> &mut [T] {
        if let Owner::Shared(_) = self.owner {
            *self = self.copied();
        }
        // SAFETY: these are the first `len` values of a `Vec` that only `self` has.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) }
    }

    /// The numbers as a `Vec`; shared ones are copied.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        match self.owner {
            Owner::Shared(_) => self.to_vec(),
            Owner::Vec { capacity } => {
                let parts = ManuallyDrop::new(self);
                // SAFETY: the parts of a `Vec` of this type; `self`, which had them, is not dropped.
                unsafe { Vec::from_raw_parts(parts.first.as_ptr(), parts.len, capacity) }
            }
        }
    }

    /// Adds numbers at the end; shared ones are copied first.
    pub fn extend(&mut self, more: impl IntoIterator<Item = T>) {
        let mut values = std::mem::take(self).into_vec();
        values.extend(more);
        *self = values.into();
    }

    /// The same numbers in memory of their own.
    fn copied(&self) -> Self {
        let mut values = in_huge_pages(self.len);
        values.extend_from_slice(self);
        values.into()
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: a `Vec` was taken apart into these, or they came from a slice that was borrowed
        // from what an `Arc` holds. The `Arc` is kept, so what it holds is neither moved, nor
        // dropped, nor lent out to be changed, and such a borrow may last as long.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl<T: Pod> Drop for Buffer<T> {
    fn drop(&mut self) {
        if let Owner::Vec { capacity } = self.owner {
            // SAFETY: the parts of a `Vec` of this type, which nobody else has.
            drop(unsafe { Vec::from_raw_parts(self.first.as_ptr(), self.len, capacity) });
        }
    }
}

impl<T: Pod> From<Vec<T>> for Buffer<T> {
    fn from(values: Vec<T>) -> Self {
        let mut values = ManuallyDrop::new(values);
        let owner = Owner::Vec { capacity: values.capacity() };
        // Not of the slice: what leads to the whole allocation is needed to give it back.
        let first = NonNull::new(values.as_mut_ptr()).unwrap_or(NonNull::dangling());
        Self { first, len: values.len(), owner }
    }
}

impl<T: Pod> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        match &self.owner {
            Owner::Vec { .. } => self.copied(),
            Owner::Shared(bytes) => {
                let owner = Owner::Shared(Arc::clone(bytes));
                Self { first: self.first, len: self.len, owner }
            }
        }
    }
}

impl<T: Pod> Default for Buffer<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Pod + PartialEq> PartialEq for Buffer<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Buffer<T> {}

// SAFETY: it owns its numbers as a `Vec` does, or shares bytes whose owner may go to any thread.
unsafe impl<T: Pod + Send> Send for Buffer<T> {}
// SAFETY: through a shared reference the numbers can only be read.
unsafe impl<T: Pod + Sync> Sync for Buffer<T> {}

impl<T: Pod> UnwindSafe for Buffer<T> {}
impl<T: Pod> RefUnwindSafe for Buffer<T> {}
