//! What goes with the next prompt, in words.

use crate::ui::app::session;
use crate::ui::dom::{El, el};
use leptos::prelude::*;

/// "3 of 42 messages · about 512 of 4,096 tokens"
pub fn window_line() -> El {
    let session = session();
    let text = move || {
        let all = session.path.with(Vec::len);
        let sent = session.window.with(|window| window.entries.len());
        let (_, tokens) = session.fit();
        let messages = format!("{sent} of {}", plural(all, "message"));
        match session.context() {
            Some(context) => format!(
                "{messages} · about {} of {} tokens",
                grouped(tokens),
                grouped(context)
            ),
            None => format!("{messages} · about {} tokens", grouped(tokens)),
        }
    };
    el("span")
        .class("window-line")
        .attr("title", "What goes with the next prompt")
        .live_text(text)
}

fn plural(n: usize, word: &str) -> String {
    if n == 1 {
        format!("1 {word}")
    } else {
        format!("{} {word}s", grouped(n as u64))
    }
}

/// A number in groups of three digits.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
