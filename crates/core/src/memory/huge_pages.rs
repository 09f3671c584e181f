//! Asking for huge pages, so that walking a large tree misses the TLB less.

use super::Line;

/// An empty list with room for `capacity` lines, in huge pages where the system gives them.
///
/// A wish: where there are no huge pages, or the system says no, only time is lost.
#[must_use]
pub fn lines_in_huge_pages(capacity: usize) -> Vec<Line> {
    in_huge_pages(capacity)
}

/// As [`lines_in_huge_pages`], for values of any type.
#[must_use]
pub fn in_huge_pages<T>(capacity: usize) -> Vec<T> {
    let values = Vec::with_capacity(capacity);
    #[cfg(target_os = "linux")]
    advise(&values);
    values
}

#[cfg(target_os = "linux")]
fn advise<T>(values: &Vec<T>) {
    use std::ffi::{c_int, c_void};
    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let first = values.as_ptr().cast::<u8>();
    let offset = first.align_offset(PAGE);
    let length = (values.capacity() * size_of::<T>()).saturating_sub(offset);
    if length < PAGE {
        return;
    }
    let address = first.wrapping_add(offset).cast_mut().cast();
    // SAFETY: the range lies within one allocation, begins at a page, and this advice changes no
    // content; an error is nothing that anybody could mend.
    unsafe { madvise(address, length & !(PAGE - 1), MADV_HUGEPAGE) };
}
