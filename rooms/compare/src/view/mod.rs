//! The components: what is compared, and the ways to it.

mod ask_several;
mod ask_with_dialog;
mod branch_map_dialog;
mod compared_answer;
mod differences;
mod follow_up;
mod menu_items;
mod model_groups;
mod offers;
mod read_messages;
mod remedies;
mod side_answer;
mod side_text;
mod sides_dialog;
mod versions;
mod waiting_note;
mod what_if_dialog;
mod window_choice;

pub use ask_with_dialog::AskWithDialog;
pub use branch_map_dialog::BranchMapDialog;
pub use menu_items::{OtherModelItems, WhatIfItem};
pub use offers::{picker_actions, several_command};
pub use remedies::OtherModel;
pub use sides_dialog::SidesDialog;
pub use versions::Versions;
pub use waiting_note::LeftModels;
pub use what_if_dialog::WhatIfDialog;
