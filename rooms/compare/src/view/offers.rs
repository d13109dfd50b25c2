//! Several models for the draft: a command, and an action of the model picker.

use crate::SideBySide;
use leptos::prelude::*;
use sash_stores::hooks::Command;
use sash_ui_kit::IconName;
use sash_view::places::{FindPickerActions, PickerAction};
use sash_view::stores::use_kernel;
use sash_words::t;
use std::sync::Arc;

/// Asks the draft of several models.
pub fn several_command() -> Command {
    let (kernel, side_by_side) = (use_kernel(), SideBySide::expect());
    let can = move || kernel.engine().models.with(Vec::len) > 1 && kernel.answers().can_send();
    let words = || t!(compare.ask_several);
    let ask = move || side_by_side.choose_several(None);
    Command::new("ask-several", words, ask).when(can)
}

/// Offers several models in the model picker, where there are.
pub fn picker_actions() -> FindPickerActions {
    let (kernel, side_by_side) = (use_kernel(), SideBySide::expect());
    Arc::new(move |search| {
        let has_several = search.is_empty() && kernel.engine().models.with(Vec::len) > 1;
        let ask = move || side_by_side.choose_several(None);
        let action = || PickerAction::new(IconName::Columns, t!(compare.ask_several), ask);
        has_several.then(action).into_iter().collect()
    })
}
