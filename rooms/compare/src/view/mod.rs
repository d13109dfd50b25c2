//! The components: what is compared, and the ways to it.

mod branch_map;
mod choose_models;
mod choose_window;
mod column;
mod dialog;
mod does_not_fit;
mod offers;
mod sides;
mod versions;
mod waiting;
mod windows;

pub use branch_map::BranchMapDialog;
pub use dialog::CompareDialog;
pub use offers::{OtherModel, OtherModelItems, WhatIfItem, picker_actions, several_command};
pub use versions::Versions;
pub use waiting::LeftModels;
