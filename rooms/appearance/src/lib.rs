//! Appearance: language, theme and size of text. `public/boot.js` applies what is stored before the first paint.
#![cfg(target_arch = "wasm32")]

mod appearance;
mod language;
mod text_size;
mod theme;
mod view;

pub use language::load as load_language;
pub use view::{
    AppearanceSection, LANGUAGE, RootAttributes, TEXT_SIZE, THEME, ThemeButton, theme_command,
};

use appearance::Appearance;
use text_size::TextSize;
use theme::Theme;

/// Gives the page the stored choices.
pub fn provide() {
    Appearance::<Theme>::provide(Theme::KEY);
    Appearance::<TextSize>::provide(TextSize::KEY);
}
