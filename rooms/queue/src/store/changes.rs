//! Changes of the queue by the person: prompts are added, moved, edited and taken out.

use super::Queue;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{FoundMessage, Id, PromptChoice, PromptDraft};
use sash_records::queue::{MAX_QUEUED, QueuedPrompt};
use sash_stores::hooks::UndoEntry;
use sash_words::t;
use std::rc::Rc;

impl Queue {
    /// Puts the draft at the end of the queue, with its images, what the person included in it, and what was found for it
    /// until now. A prompt of the queue that was edited goes back to its place.
    pub fn add_draft(self) {
        let chat = self.chats().open_id_untracked();
        let before = self.queue_of(chat).len();
        if before >= MAX_QUEUED {
            let words = t!(queue.queue_full, count = MAX_QUEUED);
            return self.notices().show(words);
        }
        let PromptDraft {
            text,
            images,
            choice,
        } = self.drafts().going_prompt();
        let prompt = QueuedPrompt {
            images,
            choice,
            ..QueuedPrompt::new(self.kernel.edges().new_id(), text)
        };
        // An earlier question that is asked again is not the prompt that is being edited.
        let edited = match self.drafts().shown_question() {
            Some(_) => None,
            None => self.edited.try_update_value(Option::take).flatten(),
        };
        let after = edited.filter(|(of, _)| *of == chat).map(|(_, after)| after);
        let place = self.change_queue(chat, |queue| {
            let at = place_before(queue, &after.unwrap_or_default());
            queue.insert(at, prompt);
            at + 1
        });
        if before == 0 {
            self.set_pause(chat, None);
        }
        self.drafts().put_aside();
        self.notices()
            .announce(t!(queue.queued_at, place = place.unwrap_or(before + 1)));
    }

    /// Takes a prompt out of the queue; that can be undone.
    pub fn remove(self, id: Id) {
        let chat = self.chats().open_id_untracked();
        let Some(taken) = self.take(chat, id) else {
            return;
        };
        self.drop_overflow(id);
        let undo = self.kernel.history().push(UndoEntry {
            chat: Some(chat),
            holds: Rc::new(move || self.chats().open_id() == chat),
            undo: Box::new(move |_| {
                let is_back = self.put_back(chat, taken);
                if is_back {
                    self.notices().toast.set(None);
                }
                is_back
            }),
        });
        self.notices().show_undo(t!(queue.removed_from_queue), undo);
    }

    /// Moves a prompt by one place.
    pub fn shift(self, id: Id, is_up: bool) {
        let chat = self.chats().open_id_untracked();
        let place = self.change_queue(chat, |queue| {
            let from = queue.iter().position(|prompt| prompt.id == id)?;
            let to = match is_up {
                true => from.checked_sub(1)?,
                false => Some(from + 1).filter(|to| *to < queue.len())?,
            };
            queue.swap(from, to);
            Some((to + 1, queue.len()))
        });
        if let Some((place, count)) = place.flatten() {
            self.notices()
                .announce(t!(queue.moved_to_place, place = place, count = count));
        }
    }

    /// Moves a prompt back into the composer, unless something is written there. Returns whether it did.
    pub fn edit(self, id: Id) -> bool {
        let drafts = self.drafts();
        let draft = drafts.prompt();
        let is_empty = draft.text.trim().is_empty() && draft.images.is_empty();
        if !is_empty || untrack(|| drafts.has_aside()) {
            self.notices().show(t!(queue.field_not_empty));
            return false;
        }
        let chat = self.chats().open_id_untracked();
        let queue = self.queue_of(chat);
        let Some(at) = queue.iter().position(|prompt| prompt.id == id) else {
            return false;
        };
        let prompt = &queue[at];
        // The draft is in the log before the prompt leaves it: a crash between loses nothing.
        if !drafts.replace(&prompt.text, prompt.images.clone()) {
            self.notices().show(t!(queue.no_room_to_edit));
            return false;
        }
        self.take(chat, id);
        let after = queue[at + 1..].iter().map(|prompt| prompt.id).collect();
        self.edited.set_value(Some((chat, after)));
        self.drop_overflow(id);
        drafts.choice.set(PromptChoice {
            // What was shown at its row is what goes with it.
            included: prompt.choice.known().cloned().collect(),
            left_out: prompt.choice.left_out.clone(),
            found: None,
        });
        true
    }

    /// Has a message go with a prompt of the queue.
    pub fn include(self, id: Id, found: FoundMessage) {
        self.change_choice(id, |choice| choice.include(found));
    }

    /// Leaves a message out of a prompt of the queue.
    pub fn leave_out(self, id: Id, message: Id) {
        self.change_choice(id, |choice| choice.exclude(message));
        self.notices().announce(t!(state.left_out));
    }

    fn change_choice(self, id: Id, change: impl FnOnce(&mut PromptChoice)) {
        let chat = self.chats().open_id_untracked();
        self.change_queue(chat, |queue| {
            if let Some(prompt) = queue.iter_mut().find(|prompt| prompt.id == id) {
                change(&mut prompt.choice);
            }
        });
    }
}

/// The place of a prompt that stood before these: they may have moved or gone.
fn place_before(queue: &[QueuedPrompt], after: &[Id]) -> usize {
    let is_after = |prompt: &QueuedPrompt| after.contains(&prompt.id);
    match queue.iter().position(is_after) {
        Some(at) => at,
        // All of them were sent, so it is the next one.
        None if !after.is_empty() => 0,
        None => queue.len(),
    }
}
