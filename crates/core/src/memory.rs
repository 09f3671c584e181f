//! The one place where memory is handled by hand: lines, stacks, prefetching and huge pages.

#![expect(
    unsafe_code,
    reason = "uninitialised memory, prefetching and huge pages have no safe form"
)]

mod huge_pages;
mod prefetch;
mod stack;
mod unwritten;

pub(crate) use huge_pages::list_in_huge_pages;
pub use prefetch::prefetch;
pub(crate) use prefetch::prefetch_item;
pub use stack::Stack;
pub(crate) use unwritten::{Unwritten, list_of_parts};

/// A cache line; blocks of a tree are made of whole ones.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Line(pub [u32; 16]);

const _: () = assert!(size_of::<Line>() == 64 && align_of::<Line>() == 64);
