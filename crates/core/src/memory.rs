//! The one place where memory is handled by hand.
