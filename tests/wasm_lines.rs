//! The line decoder in WASM in a browser, where the client uses it.
//!
//! Browser tests are the files `tests/wasm_*.rs`, which the attribute below excludes on every other
//! target, and `#[wasm_bindgen_test]` in the library. `cargo xtask test wasm` runs both in headless
//! Chromium.
#![cfg(target_arch = "wasm32")]

use sash_wire::LineDecoder;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Wherever the network cuts the stream, the lines are the same and no character is damaged.
#[wasm_bindgen_test]
fn lines_survive_every_cut() {
    let stream = "{\"text\":\"é日😀\"}\r\n\n{\"type\":\"done\"}\n".as_bytes();
    for cut in 0..=stream.len() {
        let mut decoder = LineDecoder::default();
        let mut lines = Vec::new();
        for chunk in [&stream[..cut], &stream[cut..]] {
            decoder.push(chunk);
            while let Some(line) = decoder.next_line().expect("no line is too long") {
                lines.push(String::from_utf8(line.to_vec()).expect("characters are whole"));
            }
        }
        assert_eq!(
            lines,
            ["{\"text\":\"é日😀\"}", "{\"type\":\"done\"}"],
            "cut at {cut}"
        );
    }
}
