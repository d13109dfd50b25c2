//! Views of language, theme and text size.

mod appearance_section;
mod root_attributes;
mod theme_button;

pub use appearance_section::{AppearanceSection, LANGUAGE, TEXT_SIZE, THEME, theme_command};
pub use root_attributes::RootAttributes;
pub use theme_button::ThemeButton;
