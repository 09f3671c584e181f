//! The one place where memory is handled by hand: lines, buffers, stacks, prefetching, huge pages.

#![expect(
    unsafe_code,
    reason = "uninitialised and shared memory, prefetching and huge pages have no safe form"
)]

mod buffer;
mod huge_pages;
#[cfg(feature = "mmap")]
mod mapped;
mod prefetch;
mod stack;
mod unwritten;

pub use buffer::{Buffer, SharedBytes};
pub use huge_pages::{in_huge_pages, lines_in_huge_pages};
#[cfg(feature = "mmap")]
pub use mapped::MappedFile;
pub use prefetch::prefetch;
pub(crate) use prefetch::prefetch_item;
pub use stack::Stack;
pub(crate) use unwritten::{Unwritten, list_of_parts, list_of_parts_and};

/// A cache line; blocks of a tree are made of whole ones.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Line(pub [u32; 16]);

const _: () = assert!(size_of::<Line>() == 64 && align_of::<Line>() == 64);
