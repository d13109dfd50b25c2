//! Packing and the trash over the page in memory.

mod house;
mod packing;
mod trash;
