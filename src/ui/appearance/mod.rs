//! How the page looks.

mod appearance_section;
mod language_field;
mod theme_button;

pub use appearance_section::{AppearanceSection, theme_command};
pub use theme_button::ThemeButton;
