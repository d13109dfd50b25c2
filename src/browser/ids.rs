//! Random ids. `crypto.randomUUID` is missing on plain-HTTP LAN pages, `getRandomValues` is not.

use sash_chat::Id;

/// A new random id.
#[must_use]
pub fn new_id() -> Id {
    let mut bytes = [0u8; 8];
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).ok());
    if filled.is_none() {
        // Every browser that runs WebAssembly has `crypto`; without it, this is better than equal ids.
        for byte in &mut bytes {
            *byte = (js_sys::Math::random() * 256.0) as u8;
        }
    }
    Id(u64::from_le_bytes(bytes))
}
