//! Random ids. `crypto.randomUUID` is missing on plain-HTTP LAN pages, `getRandomValues` is not.

use sash_chat::{AnswerId, Id};

/// A new random id.
#[must_use]
pub fn new_id() -> Id {
    Id(u64::from_le_bytes(random()))
}

/// A new random id of an answer.
#[must_use]
pub fn new_answer_id() -> AnswerId {
    AnswerId(u128::from_le_bytes(random()))
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0u8; N];
    let filled = web_sys::window()
        .and_then(|window| window.crypto().ok())
        .and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes).ok());
    if filled.is_none() {
        // Every browser that runs WebAssembly has `crypto`; without it, this is better than equal ids.
        for byte in &mut bytes {
            *byte = (js_sys::Math::random() * 256.0) as u8;
        }
    }
    bytes
}
