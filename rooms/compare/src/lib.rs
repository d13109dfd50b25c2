//! The same question asked again: with another window (*What if*), another model, or several, whose answers stand side by
//! side; the versions of a message, and the map of the branches that they make.
//!
//! [`Compare`] is the store, `branches` has what it reads of a tree; `view` has the components.

mod branches;
mod store;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use branches::{BranchMap, BranchRow, branch_map};
pub use store::{Compare, Comparison, MAX_SIDES};
#[cfg(target_arch = "wasm32")]
pub use view::{
    BranchMapDialog, CompareDialog, LeftModels, OtherModel, OtherModelItems, Versions, WhatIfItem,
    picker_actions, several_command,
};

/// Gives the page the store. Called before the chat hears of keys: while the dialog is open, Ctrl+Z changes nothing behind it.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use leptos::prelude::{WithUntracked, provide_context};

    let compare = Compare::new(kernel);
    let is_open = move || {
        compare
            .shown
            .with_untracked(|shown| *shown != Comparison::Closed)
    };
    sash_browser_kit::page::on_undo(is_open);
    provide_context(compare);
}
