//! A stack of fixed capacity whose memory is not cleared first.

use std::mem::MaybeUninit;

/// A stack of at most `CAPACITY` values that lives where it is made.
///
/// Clearing four kilobytes would cost more than many a ray's whole walk.
#[derive(Debug)]
pub struct Stack<T: Copy, const CAPACITY: usize> {
    values: [MaybeUninit<T>; CAPACITY],
    len: usize,
}

impl<T: Copy, const CAPACITY: usize> Stack<T, CAPACITY> {
    /// An empty stack.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Self { values: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// Puts a value on top.
    ///
    /// # Panics
    /// If the stack is full.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        self.values[self.len].write(value);
        self.len += 1;
    }

    /// Puts a value on top, or further down, but above the lowest `from` values: below those on
    /// top that `is_below(&value, &other)` says it of.
    ///
    /// # Panics
    /// If the stack is full.
    #[inline(always)]
    pub fn insert(&mut self, from: usize, value: T, is_below: impl Fn(&T, &T) -> bool) {
        self.push(value);
        let mut place = self.len - 1;
        while place > from {
            // SAFETY: everything below `len` was written by `push`, and `place` is below `len`.
            let before = unsafe { self.values[place - 1].assume_init() };
            if !is_below(&value, &before) {
                break;
            }
            self.values[place].write(before);
            place -= 1;
            self.values[place].write(value);
        }
    }

    /// Takes the value on top, if there is one.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: everything below the old `len` was written by `push`, and `T: Copy` may be read
        // out any number of times.
        Some(unsafe { self.values[self.len].assume_init() })
    }

    /// How many values there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<T: Copy, const CAPACITY: usize> Default for Stack<T, CAPACITY> {
    fn default() -> Self {
        Self::new()
    }
}
