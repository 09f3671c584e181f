//! The one place where memory is handled by hand: lines, stacks and prefetching.

#![expect(unsafe_code, reason = "uninitialised stacks and prefetching have no safe form")]

mod prefetch;
mod stack;

pub use prefetch::prefetch;
pub use stack::Stack;

/// A cache line; blocks of a tree are made of whole ones.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Line(pub [u32; 16]);

const _: () = assert!(size_of::<Line>() == 64 && align_of::<Line>() == 64);
