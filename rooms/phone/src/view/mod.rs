//! The dialog that says how to use this page from a phone.

mod address_choice;
mod phone_dialog;

pub use phone_dialog::{PhoneDialog, phone_command};
