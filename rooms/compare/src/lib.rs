//! The same question asked again: with another window (*What if*), another model, or several, whose answers stand side by
//! side; the versions of a message, and the map of the branches that they make.
//!
//! [`SideBySide`] and [`WhatIf`] are the stores, `branches` has what they read of a tree; `view` has the components.

mod branches;
mod side_by_side;
mod what_if;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use branches::{BranchMap, BranchRow, branch_map};
pub use side_by_side::{MAX_SIDES, SideBySide, SidesState};
#[cfg(target_arch = "wasm32")]
pub use view::{
    AskWithDialog, BranchMapDialog, LeftModels, OtherModel, OtherModelItems, SidesDialog, Versions,
    WhatIfDialog, WhatIfItem, picker_actions, several_command,
};
pub use what_if::{WhatIf, WhatIfState};

/// Gives the page the stores. Called before the chat hears of keys: while another window is chosen, Ctrl+Z changes nothing
/// behind that dialog.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use leptos::prelude::{GetUntracked, provide_context};

    let what_if = WhatIf::new(kernel);
    let is_open = move || what_if.state.get_untracked() != WhatIfState::Closed;
    sash_browser_kit::page::on_undo(is_open);
    provide_context(what_if);
    provide_context(SideBySide::new(kernel));
}
