//! Asks an engine that can count for the exact tokens of the next request, at typing pauses.

use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_stores::edges::Call;
use sash_stores::{Edges, Kernel, KernelStores, Ticket, Tickets, uses};
use sash_wire::{ChatRequest, CountedPrompt, Fault, UnsentScope};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long the next request must be unchanged before its tokens are counted.
const COUNT_PAUSE: Duration = Duration::from_millis(500);

/// Counts the next request.
#[derive(Clone, Copy)]
struct TokenCounts {
    edges: Edges,
    kernel: Kernel,
    call: Call<ChatRequest, CountedPrompt>,
    /// A count is dropped once the request changed.
    changes: Tickets,
    /// The engines that do not count: they are not asked again.
    without_counts: StoredValue<BTreeSet<Option<String>>>,
    /// Those that do not count images: a request with images is not sent to them again.
    without_images: StoredValue<BTreeSet<Option<String>>>,
}

uses!(TokenCounts.kernel: drafts steering engine answers);

/// Follows whatever decides the next request, and has it counted by `call` once it rests.
pub fn count_next_request(kernel: Kernel, call: Call<ChatRequest, CountedPrompt>) {
    let KernelStores {
        edges,
        chats,
        drafts,
        steering,
        ..
    } = kernel.stores();
    let counts = TokenCounts {
        edges,
        kernel,
        call,
        changes: Tickets::new(),
        without_counts: StoredValue::new(BTreeSet::new()),
        without_images: StoredValue::new(BTreeSet::new()),
    };
    // Counts after a pause.
    Effect::new(move || {
        drafts.draft.track();
        drafts.images.track();
        // Read the memo: one that was never computed does not notify.
        steering.window.with(|_| ());
        steering.model.with(|_| ());
        chats.open_settings().track();
        untrack(|| counts.update());
    });
}

impl TokenCounts {
    fn update(self) {
        let change = self.changes.begin();
        if self.countable_model().is_some() {
            self.edges.after(COUNT_PAUSE, move || self.count(change));
        }
    }

    /// The model of the next request, if its engine may be asked to count it.
    fn countable_model(self) -> Option<ModelId> {
        let model = self.steering().model.get_untracked()?;
        let engine = model.engine.as_deref();
        let is_blank = self
            .drafts()
            .draft
            .with_untracked(|draft| draft.trim().is_empty());
        let counts = untrack(|| {
            self.engine().may_count(engine) && self.engine().may_send(&model) == UnsentScope::Draft
        }) && !self
            .without_counts
            .with_value(|without| without.contains(&model.engine));
        (!is_blank && counts).then_some(model)
    }

    fn count(self, change: Ticket) {
        let Some(model) = self.countable_model().filter(|_| change.is_current()) else {
            return;
        };
        if self.steering().exact_tokens.get_untracked().is_some() {
            return;
        }
        let steering = self.steering();
        let started = steering.begin_count();
        let request = self.answers().load_next_request();
        let mark = untrack(|| self.engine().draft_mark(model.engine.as_deref()));
        let edges = self.edges;
        edges.spawn(async move {
            let Ok(request) = request.await else {
                return;
            };
            let has_images = request.has_images();
            if has_images
                && self
                    .without_images
                    .with_value(|without| without.contains(&model.engine))
            {
                return;
            }
            let request = ChatRequest {
                draft: Some(mark),
                ..request
            };
            let counted = self.call.send(request);
            match counted.await {
                Ok(counted) => {
                    let Some(tokens) = counted.tokens else {
                        if has_images {
                            self.without_images
                                .update_value(|engines| _ = engines.insert(model.engine));
                        }
                        return;
                    };
                    if !change.is_current() {
                        return;
                    }
                    steering.end_count(&model, started, tokens);
                }
                Err(Fault::NotOffered { .. }) => {
                    self.without_counts
                        .update_value(|engines| _ = engines.insert(model.engine));
                }
                // The estimate stays; what is wrong with the engine is said where its state is.
                Err(_) => {}
            }
        });
    }
}
