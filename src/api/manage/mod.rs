//! The calls about one installed model.

mod delete;
mod load;
mod pull;
mod show;
mod unload;

pub use delete::{Delete, delete};
pub use load::{Load, load};
pub use pull::{Pull, pull};
pub use show::{Show, show};
pub use unload::{Unload, unload};
