//! The stores of the chat itself: the state that parts of the page share. A store has signals inside and methods outside; a
//! method writes the log first and the signals after. Stores use the browser only through the traits of [`edges`], so that
//! each of them is tested natively.
//!
//! A store may use those above it in this list, never those below:
//!
//! | store | what it is for |
//! | --- | --- |
//! | [`Edges`] | the clock, ids, timers, locks and the page, behind traits |
//! | [`View`] | what is open on the page, and where it scrolls next |
//! | [`Notices`] | the toast, and announcements for screen readers |
//! | [`History`] | what Ctrl+Z undoes |
//! | [`Storage`] | the log, whether it can be saved, and how much space is left |
//! | [`SettingsStore`] | the settings for all chats |
//! | [`EngineStore`] | whether the engines answer, and which models they have |
//! | [`Chats`] | the list of chats and the open one |
//! | [`Drafts`] | the text in the composer that is not sent |
//! | [`Steering`] | the window of the open chat: its policy, pins, mutes, clearings, system prompt, and whether it fits |
//! | [`Attachments`] | the images of the draft and the window: whether they are kept, and reading them |
//! | [`RemoteAnswers`] | the answers that run in other tabs |
//! | [`Answers`] | from a prompt to the end of its answer |
//! | [`Tabs`] | shows what other tabs wrote |
//!
//! [`Kernel`] creates them under the owner of the page: they are gone with it. From [`Chats`] on a store holds those above that
//! by one handle (`base.rs`) and others each by its own, copies them out where it uses them, and names none of a room; that of
//! a room holds the kernel. What a room is to know it hears by [`hooks`].

#[macro_use]
mod uses;

mod answer;
mod answers;
mod attachments;
mod base;
mod chats;
mod draft_question;
mod drafts;
pub mod edges;
mod engine;
mod engine_task;
mod history;
pub mod hooks;
mod kernel;
mod model;
mod notices;
mod overflow;
mod prepared;
mod pretty_json;
mod remote_answers;
mod running;
mod scaled_image;
mod set_if_new;
mod settings;
mod side_answer;
pub mod side_request;
mod steering;
mod stops;
mod storage;
mod tabs;
mod ticket;
mod time_budget;
mod view;
mod words;

pub use answer::{AnswerState, LiveAnswer, cut_off_words};
pub use answers::{
    AnswerEvent, AnswerFigures, Answers, FreeChat, NewQuestion, OtherAnswer, PendingCalls,
    Readiness, ReadingEstimate, ReadingSpeed, ReadingSpeeds, Wait,
};
pub use attachments::{AbsentImage, Attachments};
pub use chats::{ChatEvent, Chats, PageLog, SystemPromptUse};
pub use draft_question::DraftQuestion;
pub use drafts::{Drafts, EarlyChat, EarlyWords, PromptGone};
pub use edges::{Edges, PickedFile};
pub use engine::{EngineStore, is_found, models_to_choose, same_model};
pub use engine_task::EngineTask;
pub use history::History;
pub use kernel::{Kernel, KernelStores, RememberedTab};
pub use model::{assumed_context, next_model};
pub use notices::{Notices, Toast, copied_words};
pub use overflow::{OtherWindow, Overflow, OverflowSource};
pub use prepared::RequestBasis;
pub use pretty_json::{JSON_BLOCK_BEGINNING, json_block};
pub use remote_answers::{RemoteAnswers, TabGone};
pub use scaled_image::ScaledImage;
pub use settings::{
    DraftAnswer, ModelContext, ModelParameters, NamedSystemPrompt, PartStore, SendKey, Settings,
    SettingsPart, SettingsStore, SettingsStoreFields,
};
pub use side_answer::SideAnswer;
pub use steering::{
    PromptPlace, RequestSettings, SentCounts, StartedCount, Steering, WhatIfDifference, settings_of,
};
pub use storage::{DeletedId, LogEvent, Storage, StorageState, Unsaved};
pub use tabs::Tabs;
pub use ticket::{Newest, Ticket, Tickets, WriteTicket};
pub use time_budget::TimeBudget;
#[doc(hidden)]
pub use uses::used;
pub use view::{Goal, View};
pub use words::amount;
