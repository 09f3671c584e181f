//! Procedural meshes, seeded rays and the exact oracle that hitscan is tested against.

#![forbid(unsafe_code)]
