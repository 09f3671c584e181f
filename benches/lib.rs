//! What the criterion benches share: their meshes and their rays.
