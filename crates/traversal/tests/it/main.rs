//! One ray at a time, as users of this crate see it.

mod chunk;
mod closed_form;
mod exact;
mod explain;
mod properties;
mod split;
