//! An address as a code that a camera reads.

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// The rim around the code that cameras need, in modules.
const QUIET_ZONE: i32 = 4;

/// The code of a text, black on white in every theme. Empty for a text that is too long for one.
#[component]
pub fn QrCodeImage(
    /// The text.
    text: String,
    /// What it is of, in words.
    label: String,
) -> impl IntoView {
    let code = QrCode::encode_text(&text, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let side = size + 2 * QUIET_ZONE;
    let view_box = format!("{0} {0} {side} {side}", -QUIET_ZONE);

    Some(view! {
        <svg class="qr-code" role="img" aria-label=label viewBox=view_box shape-rendering="crispEdges">
            <rect x=-QUIET_ZONE y=-QUIET_ZONE width=side height=side fill="#fff" />
            <path d=dark_modules(&code) fill="#000" />
        </svg>
    })
}

/// The path of the dark modules.
fn dark_modules(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            // Writing into a string cannot fail.
            _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    path
}
