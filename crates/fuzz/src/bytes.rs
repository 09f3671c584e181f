//! A fuzzer's bytes, taken one after another; zeros once they are used up.

/// What is left of the bytes.
#[derive(Clone, Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// All of them.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        self.take::<1>()[0]
    }

    /// The next four bytes, the least first.
    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    /// A number from 0 to `last`.
    pub fn up_to(&mut self, last: u8) -> usize {
        usize::from(self.byte()) % (usize::from(last) + 1)
    }

    fn take<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let mut taken = [0; COUNT];
        let count = self.rest.len().min(COUNT);
        let (first, rest) = self.rest.split_at(count);
        taken[..count].copy_from_slice(first);
        self.rest = rest;
        taken
    }
}
