//! Random names. `crypto.randomUUID` is missing on plain-HTTP LAN pages, `getRandomValues` is not.

use sash_chat::Id;

/// A new name.
#[must_use]
pub fn new_id() -> Id {
    let mut bytes = [0u8; 8];
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).ok());
    if filled.is_none() {
        // No browser that runs WebAssembly is without it; still better than the same name twice.
        for byte in &mut bytes {
            *byte = (js_sys::Math::random() * 256.0) as u8;
        }
    }
    Id(u64::from_le_bytes(bytes))
}
