//! Lists that several threads write, each its part, without their being cleared first.

use std::mem::MaybeUninit;

use rayon::prelude::*;

use super::in_huge_pages;

/// A part of a list that is being written, front to back.
#[derive(Debug)]
pub(crate) struct Unwritten<'a, T> {
    items: &'a mut [MaybeUninit<T>],
    written: usize,
}

impl<T: Copy> Unwritten<'_, T> {
    /// Writes the next items; gives them where they are, to be changed.
    ///
    /// # Panics
    /// If there is no room for them.
    #[inline(always)]
    pub(crate) fn push<const COUNT: usize>(&mut self, items: &[T; COUNT]) -> &mut [T; COUNT] {
        let room = self.items[self.written..].first_chunk_mut::<COUNT>();
        let room = room.expect("a part is as long as it was said to be");
        // By a loop: `map` over a large array is a call for each item.
        for (place, item) in room.iter_mut().zip(items) {
            place.write(*item);
        }
        self.written += COUNT;
        // SAFETY: each of them was just written.
        let room = unsafe { room.assume_init_mut() };
        room.first_chunk_mut().expect("there are so many")
    }
}

/// A list made of parts of the given lengths that `write` fills, perhaps several at once.
///
/// # Errors
/// What `write` fails with.
///
/// # Panics
/// If it does not fill one.
pub(crate) fn list_of_parts<T: Copy + Send, E: Send>(
    lengths: &[usize],
    write: impl Fn(usize, &mut Unwritten<'_, T>) -> Result<(), E> + Sync,
) -> Result<Vec<T>, E> {
    list_of_parts_and(lengths, write).map(|(list, _)| list)
}

/// As [`list_of_parts`], and what `write` gives for each part.
pub(crate) fn list_of_parts_and<T: Copy + Send, R: Send, E: Send>(
    lengths: &[usize],
    write: impl Fn(usize, &mut Unwritten<'_, T>) -> Result<R, E> + Sync,
) -> Result<(Vec<T>, Vec<R>), E> {
    let count = lengths.iter().sum();
    let mut list = in_huge_pages::<T>(count);
    let mut room = &mut list.spare_capacity_mut()[..count];
    let mut parts = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (part, rest) = room.split_at_mut(length);
        parts.push(Unwritten { items: part, written: 0 });
        room = rest;
    }
    let results = parts.par_iter_mut().enumerate().map(|(index, part)| {
        let result = write(index, part)?;
        assert!(part.written == part.items.len(), "a part is as long as it was said to be");
        Ok(result)
    });
    let results: Vec<R> = results.collect::<Result<_, E>>()?;
    // SAFETY: the parts are the first `count` items without gaps, `push` writes one after the
    // other, and each part was seen to be full; room for `count` items was reserved.
    unsafe { list.set_len(count) };
    Ok((list, results))
}
