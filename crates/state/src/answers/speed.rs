//! How fast a running answer comes.

use super::Answers;
use reactive_graph::graph::untrack;
use sash_chat::window::Size;
use sash_chat::{Id, Message};

/// The shortest time that a speed is computed for, in milliseconds.
const MIN_TIME_MS: f64 = 1000.0;

impl Answers {
    /// About how many tokens a second have come since the first one, thinking included; `None` in the first second.
    /// Ollama counts the tokens only at the end, so until then the model's estimate does.
    pub fn speed_of(self, id: Id) -> Option<u64> {
        let now = self.edges.monotonic();
        let found = self.running.with(id, |running| {
            let elapsed = now - running.first_token?;
            let Message {
                content, thinking, ..
            } = &running.message;
            let (text, thought) = running.begun;
            let since =
                |text: &str, begun: usize| Size::of_part(text.get(begun..).unwrap_or_default());
            let size = since(content, text) + since(thinking, thought);
            let model = running.message.model_id();
            (elapsed >= MIN_TIME_MS).then_some((elapsed, size, model?))
        });
        let (elapsed, size, model) = found.flatten()?;
        let estimate = untrack(|| self.steering.estimate_of(&model));
        let tokens = estimate.part(size);
        Some((tokens as f64 * 1000.0 / elapsed).round() as u64)
    }
}
