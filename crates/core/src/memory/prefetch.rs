//! Asking for a cache line before it is needed.

use super::Line;

/// Asks for `COUNT` lines from `first` on; a hint that changes nothing but time. Lines that do not
/// exist are not asked for.
#[inline(always)]
pub fn prefetch<const COUNT: usize>(lines: &[Line], first: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in first..first + COUNT {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = lines.as_ptr().wrapping_add(line).cast::<i8>();
        // SAFETY: prefetching never faults, whatever the address, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (lines, first);
}

/// Asks for the line in which an item begins.
#[inline(always)]
pub(crate) fn prefetch_item<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = items.as_ptr().wrapping_add(index).cast::<i8>();
        // SAFETY: prefetching never faults, whatever the address, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}
