//! Appearance: language, theme and size of text. `public/boot.js` applies what is stored before the first paint.
#![cfg(target_arch = "wasm32")]

mod appearance;
mod choices;
mod language;
mod view;

pub use language::load as load_language;
pub use view::{
    AppearanceSection, LANGUAGE, RootAttributes, TEXT_SIZE, THEME, ThemeButton, theme_command,
};

use appearance::Appearance;
use choices::{TextSize, Theme};

/// Gives the page the stored choices.
pub fn provide() {
    Appearance::<Theme>::provide();
    Appearance::<TextSize>::provide();
}
