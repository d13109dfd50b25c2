//! Recall: quotes messages outside the window before a prompt, those that the person included and those that fit it
//! best by themselves, or offers one (`offer`). The block that is shown while typing is the one that is sent.

mod offer;
mod version;

use crate::all_chats::AllChats;
use crate::embeddings::Embeddings;
use crate::shown_branch::may_be_sent;
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::owner::{StoredValue, expect_context};
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{Estimate, RecallCandidate, Window, recalled_block};
use sash_chat::{
    Chat, ChatSettingsStoreFields, FoundMessage, Id, PromptChoice, RecallMode, RecallSetting,
    RecalledBlock, RecalledPiece,
};
use sash_search::mention::Mention;
use sash_search::recall::{RecallPrompt, Recalled, interleave, join_near};
use sash_search::written_out;
use sash_stores::{ChatEvent, Edges, Kernel, PromptGone, Ticket, Tickets, uses};
use sash_words::t;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long the draft must be unchanged before the index is queried.
pub(crate) const TYPING_PAUSE: Duration = Duration::from_millis(150);

/// A block, and the words by which each of its messages was found.
type BlockWithWords = (RecalledBlock, BTreeMap<Id, Vec<String>>);

/// Which messages are looked for.
struct BlockQuery<'a> {
    prompt: &'a str,
    /// What the person chose; these come first.
    included: &'a [Recalled],
    /// What the request has already, and what the person left out.
    left_out: BTreeSet<Id>,
    finds: Finds<'a>,
    /// The most tokens of the block.
    tokens: u64,
    /// That of the model which gets the request.
    estimate: Estimate,
}

/// What else goes than what the person included.
enum Finds<'a> {
    Nothing,
    /// What fits, of these messages of the branch.
    Among(&'a BTreeSet<Id>),
    /// What fits, of the branch, and of all chats where the person chose that.
    Any,
}

/// What would be recalled for the draft.
#[derive(Clone, Copy)]
pub struct Recalls {
    edges: Edges,
    kernel: Kernel,
    all_chats: StoredValue<AllChats>,
    embeddings: StoredValue<Embeddings>,
    /// What goes with the draft.
    block: RwSignal<Option<RecalledBlock>>,
    /// The words by which each message of the block was found.
    pub(crate) words: RwSignal<BTreeMap<Id, Vec<String>>>,
    /// The offered message.
    pub offer: RwSignal<Option<Mention>>,
    /// The messages that the person refused for this draft.
    refused: StoredValue<Vec<Id>>,
    /// Only the timer of the last change of the draft queries the index.
    changes: Tickets,
    /// The change of the draft for which the index was last queried.
    queried: StoredValue<Option<Ticket>>,
}

uses!(Recalls.kernel: notices chats drafts steering; all_chats: AllChats, embeddings: Embeddings);

impl Recalls {
    /// Creates the store with nothing recalled; it follows the draft, what goes with it, and the vectors.
    #[must_use]
    pub(crate) fn new(kernel: Kernel, all_chats: AllChats, embeddings: Embeddings) -> Self {
        let (chats, drafts, steering) = (kernel.chats(), kernel.drafts(), kernel.steering());
        let recalls = Self {
            kernel,
            edges: kernel.edges(),
            all_chats: StoredValue::new(all_chats),
            embeddings: StoredValue::new(embeddings),
            block: RwSignal::new(None),
            words: RwSignal::new(BTreeMap::new()),
            offer: RwSignal::new(None),
            refused: StoredValue::new(Vec::new()),
            changes: Tickets::new(),
            queried: StoredValue::new(None),
        };
        steering.contribute_quotes(move |place| match place {
            Some(place) => recalls.quotes_for(place),
            None => recalls.block.get(),
        });
        drafts.going().on(move |prompt| {
            let mut prompt = prompt.borrow_mut();
            recalls.prepare(&prompt.text);
            prompt.choice.found = Some(recalls.shown_for(&prompt.choice));
        });
        drafts.gone().on(move |PromptGone| recalls.block.set(None));
        chats.events().on(move |event| {
            if *event == ChatEvent::Left {
                recalls.block.set(None);
            }
        });
        // Looks up after a pause.
        Effect::new(move || {
            drafts.draft.track();
            chats.path.track();
            steering.chosen.track();
            steering.recall_setting.track();
            // A message outside the window that is muted changes no window.
            chats.open_settings().mutes().track();
            untrack(|| recalls.update());
        });
        // Ranks what it looked up again, with the vectors that came, or asks for the draft's once that may be done.
        Effect::new(move || {
            embeddings.news.track();
            embeddings.may_have_drafts.track();
            untrack(|| recalls.update_ranking());
        });
        recalls
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Looks again after a typing pause.
    fn update(self) {
        let is_blank = |draft: &String| draft.trim().is_empty();
        let empty = self.drafts().draft.with_untracked(is_blank);
        let change = self.changes.begin();
        if empty {
            // Nothing is left out of an empty draft, or refused for it.
            self.drafts()
                .choice
                .update(|choice| choice.left_out.clear());
            self.refused.update_value(Vec::clear);
        }
        self.drop_stale_offer();
        if empty || !self.is_on() {
            self.update_now();
        }
        if !empty {
            self.edges.after(TYPING_PAUSE, move || self.query(change));
        }
    }

    /// Whether messages go by themselves, and there are any that do not go anyway.
    fn is_on(self) -> bool {
        let setting = self.steering().recall_setting.get_untracked();
        let window = self.steering().chosen;
        setting.mode == RecallMode::ByItself
            && (setting.all_chats || window.with_untracked(|window| window.left_out > 0))
    }

    fn query(self, change: Ticket) {
        let is_on = self.is_on();
        if !change.is_current() || !is_on && !self.offers() {
            return;
        }
        let all_chats = is_on && self.steering().recall_setting.get_untracked().all_chats;
        if !self.all_chats().extend_branch() || all_chats && !self.all_chats().extend() {
            if is_on {
                self.steering().is_looking.set(true);
            }
            self.edges.after(Duration::ZERO, move || self.query(change));
            return;
        }
        if !is_on {
            self.update_offer();
            return;
        }
        self.steering().is_looking.set(false);
        self.queried.set_value(Some(change));
        self.update_ranking();
    }

    /// Looks again with the vectors that came, unless the draft has changed since it was looked at; then its own typing
    /// pause is awaited. Asks for the draft's vector if it is not there; until it comes, words alone rank.
    fn update_ranking(self) {
        let queried = self.queried.get_value();
        let is_current = queried.is_some_and(Ticket::is_current);
        let draft = self.drafts().draft.get_untracked();
        if !is_current || draft.trim().is_empty() || !self.is_on() {
            return;
        }
        self.find_block(&draft);
        self.embeddings().request_vector(&draft);
    }

    /// Looks at once, because the prompt is about to be sent. Finds among the messages that are indexed.
    pub fn prepare(self, prompt: &str) {
        if self.is_on() && !prompt.trim().is_empty() {
            self.all_chats().extend_branch();
        }
        self.find_block(prompt);
    }

    /// Includes a message of the branch in the draft; `words` are those that found it. Returns whether it goes: there
    /// may be no room for it beside the others.
    fn include(self, message: Id, words: Vec<String>) -> bool {
        let choice = self.drafts().choice;
        let piece = RecalledPiece {
            message,
            chat: None,
            excerpt: false,
        };
        choice.update(|choice| choice.include(FoundMessage { piece, words }));
        self.update_now();
        let quotes = |block: &RecalledBlock| block.quotes(message);
        let goes = self
            .block
            .with_untracked(|block| block.as_ref().is_some_and(quotes));
        if !goes {
            let is_other = |found: &FoundMessage| found.piece.message != message;
            choice.update(|choice| choice.included.retain(is_other));
            self.update_now();
        }
        self.steering().overflow.set(None);
        goes
    }

    /// Leaves a message out for this draft, and does not offer it; the next best takes its place.
    pub fn exclude(self, id: Id) {
        self.drafts().choice.update(|choice| choice.exclude(id));
        self.update_now();
        self.steering().overflow.set(None);
        self.notices().announce(t!(state.left_out));
        self.dismiss_offer(id);
    }

    fn update_now(self) {
        let draft = self.drafts().draft.get_untracked();
        self.find_block(&draft);
    }

    fn find_block(self, prompt: &str) {
        let PromptChoice {
            included, left_out, ..
        } = self.drafts().choice.get_untracked();
        let included = self.of_found(&included);
        let finds = match self.is_on() && !prompt.trim().is_empty() {
            true => Finds::Any,
            false => Finds::Nothing,
        };
        let found = self.chats().open.with_untracked(|chat| {
            // A set, because each message that has a word of the prompt is looked for in it.
            let mut left_out: BTreeSet<Id> = left_out.into_iter().collect();
            let window = self.steering().chosen;
            window.with_untracked(|window| left_out.extend(already_sent(chat, window)));
            let included = &included;
            self.find(
                chat,
                &BlockQuery {
                    prompt,
                    included,
                    left_out,
                    finds,
                    tokens: most_tokens(self.steering().recall_setting.get_untracked(), || {
                        self.steering().most_recalled(prompt)
                    }),
                    estimate: self.steering().estimate.get_untracked(),
                },
            )
        });
        self.show(found);
    }

    /// Quotes what the person included, and what fits the prompt.
    fn find(self, chat: &Chat, query: &BlockQuery<'_>) -> Option<BlockWithWords> {
        let setting = self.steering().recall_setting.get_untracked();
        let here = self.edges.utc_offset();
        let prompt = query.prompt;
        // What *yesterday* means is told by the reader's clock.
        let now_ms = Some(self.edges.now().saturating_add_signed(here));
        let dated = RecallPrompt {
            text: prompt,
            now_ms,
        };
        let open = chat.head.id;
        let branch = may_be_sent(chat);
        let others = match setting.all_chats {
            true => self.chats().touched_times(),
            false => BTreeMap::new(),
        };
        let may = |of: Id, id: Id| {
            let mut included = query.included.iter();
            let is_there = match of == open {
                true => branch.contains(&id),
                false => others.contains_key(&of),
            };
            is_there && !query.left_out.contains(&id) && included.all(|one| one.message != id)
        };
        let own = |may: &dyn Fn(Id, Id) -> bool| {
            let all_chats = self.all_chats();
            all_chats.in_branch(open, |messages| messages.recall(dated, may))
        };
        let by_itself = match query.finds {
            Finds::Nothing => Vec::new(),
            Finds::Among(some) => own(&|of, id| some.contains(&id) && may(of, id)),
            Finds::Any => {
                // Of the open chat only the branch counts.
                let may_other = |of: Id, id: Id| of != open && may(of, id);
                let others = match setting.all_chats {
                    true => self.all_chats().recall(dated, &may_other),
                    false => Vec::new(),
                };
                let by_words = interleave(own(&may), others);
                match self.embeddings().near(prompt, &may) {
                    Some(near) => join_near(by_words, &near),
                    None => by_words,
                }
            }
        };
        let goes = |one: &&Recalled| {
            let is_there = one.chat != open || branch.contains(&one.message);
            is_there && !query.left_out.contains(&one.message)
        };
        let included = query.included.iter().filter(goes).cloned();
        let found: Vec<Recalled> = included.chain(by_itself).collect();
        let candidates = found.iter().filter_map(|one| {
            let own = chat.get(one.message).filter(|_| one.chat == open);
            let (message, chat) = match own {
                Some(message) => (Cow::Borrowed(message), None),
                None if !self.chats().may_be_quoted(one.chat, one.message) => return None,
                None => {
                    let message = self.chats().read_message(one.chat, one.message)?;
                    let title = self.chats().title_now(one.chat);
                    (Cow::Owned(message), Some((one.chat, title)))
                }
            };
            Some(RecallCandidate {
                date: written_out(message.created.saturating_add_signed(here))
                    .unwrap_or_else(|| "at an unknown time".to_owned()),
                message,
                chat,
                words: &one.words,
            })
        });
        let block = recalled_block(candidates, query.tokens, query.estimate)?;
        let words = found.iter().filter(|one| block.quotes(one.message));
        let words = words.map(|one| (one.message, one.words.clone())).collect();
        Some((block, words))
    }

    fn show(self, found: Option<BlockWithWords>) {
        let (block, words) = found.unzip();
        if self.block.with_untracked(|shown| *shown != block) {
            self.words.set(words.unwrap_or_default());
            self.block.set(block);
        }
    }
}

/// The messages of a block, each with the words by which it was found.
fn with_words(block: RecalledBlock, words: &BTreeMap<Id, Vec<String>>) -> Vec<FoundMessage> {
    let found = block.pieces.into_iter().map(|piece| FoundMessage {
        words: words.get(&piece.message).cloned().unwrap_or_default(),
        piece,
    });
    found.collect()
}

/// The most tokens of a block. Where only what the person included goes, it has its own bound.
fn most_tokens(setting: RecallSetting, by_itself: impl FnOnce() -> u64) -> u64 {
    match setting.mode {
        RecallMode::ByItself => by_itself(),
        RecallMode::Off | RecallMode::Offer => u64::from(*RecallSetting::TOKENS.end()),
    }
}

/// The messages that the next request has already: those of the window, and those quoted in it.
fn already_sent(chat: &Chat, window: &Window) -> impl Iterator<Item = Id> {
    let entries = window.entries.iter();
    let quoted = entries.clone().filter(|entry| entry.recalled);
    let blocks = quoted.filter_map(|entry| chat.get(entry.id)?.recalled.as_ref());
    let quoted = blocks.flat_map(|block| block.pieces.iter().map(|piece| piece.message));
    entries.map(|entry| entry.id).chain(quoted)
}
