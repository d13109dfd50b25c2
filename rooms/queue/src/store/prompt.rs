//! A prompt of the queue, and the prompt that it was and will be.

use sash_chat::{Id, PromptChoice, PromptDraft};
use sash_records::queue::QueuedPrompt;

/// A prompt as the queue has it.
pub(super) fn queued(id: Id, prompt: PromptDraft) -> QueuedPrompt {
    let PromptDraft {
        text,
        images,
        choice,
    } = prompt;
    let PromptChoice {
        included,
        left_out,
        found,
    } = choice;
    QueuedPrompt {
        images,
        included: included.into_iter().map(|found| found.piece).collect(),
        found: found.unwrap_or_default(),
        left_out,
        ..QueuedPrompt::new(id, text)
    }
}

/// The prompt that a prompt of the queue is: what was found when it was queued is all that was.
pub(super) fn prompt_of(queued: &QueuedPrompt) -> PromptDraft {
    PromptDraft {
        text: queued.text.clone(),
        images: queued.images.clone(),
        choice: PromptChoice {
            included: queued.included.iter().cloned().map(Into::into).collect(),
            left_out: queued.left_out.clone(),
            found: Some(queued.found.clone()),
        },
    }
}
