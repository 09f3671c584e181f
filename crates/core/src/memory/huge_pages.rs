//! Asking for huge pages, so that walking a large tree misses the TLB less.

/// An empty list with room for `capacity` items, in huge pages where the system gives them.
///
/// A wish: where there are no huge pages, or the system says no, only time is lost.
#[must_use]
pub(crate) fn list_in_huge_pages<T>(capacity: usize) -> Vec<T> {
    let list = Vec::with_capacity(capacity);
    #[cfg(target_os = "linux")]
    advise(&list);
    list
}

#[cfg(target_os = "linux")]
fn advise<T>(list: &Vec<T>) {
    use std::ffi::{c_int, c_void};
    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let offset = list.as_ptr().cast::<u8>().align_offset(PAGE);
    let length = (list.capacity() * size_of::<T>()).saturating_sub(offset);
    if length < PAGE {
        return;
    }
    let address = list.as_ptr().cast::<u8>().wrapping_add(offset).cast_mut().cast();
    // SAFETY: the range lies within one allocation, begins at a page, and this advice changes no
    // content; an error is nothing that anybody could mend.
    unsafe { madvise(address, length & !(PAGE - 1), MADV_HUGEPAGE) };
}
