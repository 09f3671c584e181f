//! Asking for huge pages, so that walking a large tree misses the TLB less.

use super::Line;

/// An empty list with room for `capacity` lines, in huge pages where the system gives them.
///
/// A wish: where there are no huge pages, or the system says no, only time is lost.
#[must_use]
pub fn lines_in_huge_pages(capacity: usize) -> Vec<Line> {
    let lines = Vec::with_capacity(capacity);
    #[cfg(target_os = "linux")]
    advise(&lines);
    lines
}

#[cfg(target_os = "linux")]
fn advise(lines: &Vec<Line>) {
    use std::ffi::{c_int, c_void};
    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let offset = lines.as_ptr().align_offset(PAGE);
    let length = (lines.capacity() * size_of::<Line>()).saturating_sub(offset * size_of::<Line>());
    if length < PAGE {
        return;
    }
    let address = lines.as_ptr().wrapping_add(offset).cast_mut().cast();
    // SAFETY: the range lies within one allocation, begins at a page, and this advice changes no
    // content; an error is nothing that anybody could mend.
    unsafe { madvise(address, length & !(PAGE - 1), MADV_HUGEPAGE) };
}
