//! Views of language, theme and text size.

mod appearance_section;
mod language_field;
mod root_attributes;
mod theme_button;

pub use appearance_section::{AppearanceSection, TEXT_SIZE, THEME, theme_command};
pub use language_field::LANGUAGE;
pub use root_attributes::RootAttributes;
pub use theme_button::ThemeButton;
