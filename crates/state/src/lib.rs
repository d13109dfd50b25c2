//! The page's stores: the state that parts of the page share. A store has signals inside and
//! methods outside; a method writes the log first and the signals after. Stores use the browser
//! only through the traits of [`edges`], so that each of them is tested natively.
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
//! | [`Palette`] | the list of commands, and the keys that the person chose for them |
//! | [`Numbers`] | what the answers of the log cost and how fast they came |
//! | [`EngineStore`] | whether the engines answer, and which models they have |
//! | [`Chats`] | the list of chats and the open one |
//! | [`Drafts`] | the text in the composer that is not sent |
//! | [`SavedPrompts`] | the prompts that the person keeps under names |
//! | [`Pastes`] | long texts that are pasted into the composer |
//! | [`Steering`] | the window of the open chat: its policy, pins, mutes, clearings, system prompt, and whether it fits |
//! | [`Attachments`] | the images of the draft and the window: whether they are kept, and reading them |
//! | [`RemoteAnswers`] | the answers that run in other tabs |
//! | [`Reads`] | what models read before a prompt was sent, and what became of it |
//! | [`Answers`] | from a prompt to the end of its answer |
//! | [`Tools`] | the tools that answer the calls of an answer |
//! | [`Adding`] | images and files that are added to a draft |
//! | [`AnswerNotices`] | what is said of an answer that ended while the page was not in view |
//! | [`ChatList`] | the list of chats as it is shown: its rows, and which are selected |
//! | [`Models`] | the installed models: loading, unloading, deletion, details |
//! | [`Pulls`] | pulling models |
//! | [`AllChats`] | the index of all chats, for the search and for recall from all of them |
//! | [`Embeddings`] | vectors of messages and of the prompt, where the person chose a model for them |
//! | [`Recalls`] | messages outside the window that go with a draft |
//! | [`Queue`] | the prompts that wait for the end of an answer |
//! | [`Mentions`] | what a draft refers to and the window leaves out |
//! | [`TokenCounts`] | the exact tokens of the next request, from an engine that counts |
//! | [`Summaries`] | summaries of what left the window |
//! | [`ReadAhead`] | has the model read the next prompt while it is written |
//! | [`WhatIf`] | the same question asked with another window |
//! | [`SideBySide`] | one question asked of several models, one after another |
//! | [`Versions`] | answers that the person changed, and branches that become chats |
//! | [`Library`] | all chats at once: its tabs, packing of idle chats, and the trash |
//! | [`Imports`] | the import of chats from a file, step by step |
//! | [`Backup`] | hands each change of the log to the folder of the backup |
//! | [`BringBack`] | the choice of what comes back from that folder |
//! | [`ReadAloud`] | reads an answer aloud, sentence by sentence |
//! | [`Prefills`] | what an address fills in |
//! | [`Tabs`] | shows what other tabs wrote |
//!
//! [`Kernel`] creates those of the chat itself, and [`Stores`] those of the rooms above it, under the owner of the page: they
//! are gone with it. A store of the kernel holds those that it uses as handles, copies them out where it uses them, and names
//! none of a room; that of a room holds the kernel. What a room is to know it hears by [`hooks`].

#[macro_use]
mod uses;

mod adding;
mod all_chats;
mod answer;
mod answer_notices;
mod answers;
mod attachments;
mod backup;
mod backup_age;
mod bring_back;
mod chat_list;
mod chats;
mod draft_question;
mod drafts;
mod earlier_questions;
pub mod edges;
mod embeddings;
mod engine;
mod export_reminder;
mod history;
pub mod hooks;
mod imports;
mod kernel;
mod latest;
pub mod library;
mod mentions;
mod model;
pub mod models;
mod notices;
mod numbers;
mod overflow;
mod palette;
mod pastes;
mod prefills;
mod prepared;
mod pretty_json;
mod pulls;
mod queue;
mod read_ahead;
mod read_aloud;
mod reads;
mod recalls;
mod remote_answers;
mod room_edges;
mod running;
mod saved_prompts;
mod scaled_image;
mod settings;
mod shown_branch;
mod side_by_side;
mod side_request;
mod slash;
mod steering;
mod stops;
mod storage;
mod stores;
mod summaries;
mod tabs;
mod titles;
mod token_counts;
mod tools;
mod versions;
mod view;
mod what_if;
mod words;

pub use adding::{Adding, FileDraft, FileEncoding, image_format};
pub use all_chats::{AllChats, IndexProgress};
pub use answer::{AnswerState, LiveAnswer, cut_off_words};
pub use answer_notices::{Alerts, AnswerNotices};
pub use answers::{
    AnswerEvent, AnswerFigures, Answers, Calls, FreeChat, OtherAnswer, Readiness, ReadingEstimate,
    ReadingSpeed, ReadingSpeeds, Wait,
};
pub use attachments::{AbsentImage, Attachments};
pub use backup::{
    Backup, BackupCalls, BackupEdges, BackupEvent, BackupPhase, BackupState, ChosenFolder, Folders,
    forget_former_values, parse_backup_key, use_former_value,
};
pub use backup_age::{BackupAge, OldBackup};
pub use bring_back::{BringBack, FolderContents, can_come_back};
pub use chat_list::{ChatList, ListRow, Section, SectionKind, Today, sections};
pub use chats::{ChatEvent, Chats, PageLog, SystemPromptUse};
pub use draft_question::DraftQuestion;
pub use drafts::{Drafts, EarlyChat, EarlyWords, PromptGone};
pub use earlier_questions::EarlierQuestions;
pub use edges::{Edges, PickedFile};
pub use embeddings::{EmbeddingEdges, EmbeddingState, Embeddings, Vectors, WaitingEmbeddings};
pub use engine::{EngineStore, OtherEngine, models_to_choose};
pub use export_reminder::{is_export_due, last_copy};
pub use history::History;
pub use imports::{
    AgreementRow, ChatFilter, ChoiceRow, ChosenCount, ImportReport, ImportState, Imports,
};
pub use kernel::{Kernel, KernelStores, RememberedTab};
pub use latest::{Latest, Step};
pub use library::{Deleted, Library};
pub use mentions::Mentions;
pub use models::{ModelCalls, Models};
pub use notices::{Notices, Toast, copied_words};
pub use numbers::{AnswerMeasure, Measures, Numbers};
pub use overflow::{OtherWindow, Overflow, OverflowSource};
pub use palette::{KeyPress, NoShortcut, Palette, Shortcut, ShortcutProblem, ShortcutRefusal};
pub use pastes::Pastes;
pub use prefills::Prefills;
pub use prepared::RequestBasis;
pub use pretty_json::{JSON_BLOCK_BEGINNING, json_block};
pub use pulls::{PullPhase, PullRate, PullState, Pulls, PullsProgress, RememberedPull};
pub use queue::{Queue, QueuePause, QueueState};
pub use read_ahead::{ReadAhead, ReadProgress, stop_words};
pub use read_aloud::{
    OfflineVoice, ReadAloud, Speech, SpeechRate, SpeechSettings, SpeechSettingsStoreFields,
    SpokenSentence, Utterance,
};
pub use reads::{ModelReads, ReadStop, Reads};
pub use recalls::Recalls;
pub use remote_answers::{RemoteAnswers, TabGone};
pub use room_edges::RoomEdges;
pub use saved_prompts::{ChosenPrompt, PromptEdit, SavedPrompts};
pub use scaled_image::ScaledImage;
pub use settings::{
    DraftAnswer, EmbeddingStart, LongPaste, ModelContext, ModelParameters, ReadAheadTime, SendKey,
    Settings, SettingsPart, SettingsStore, SettingsStoreFields, ShortcutChoice, SystemPrompt,
};
pub use side_by_side::{MAX_SIDES, SideBySide, SidesState};
pub use slash::slash_query;
pub use steering::{PromptPlace, SentCounts, Steering, WhatIfDifference};
pub use storage::{LogEvent, Storage, StorageState, Unsaved};
pub use stores::{AllStores, Stores};
pub use summaries::{Summaries, SummaryDraft};
pub use tabs::Tabs;
pub use titles::{TitleRequest, Titles};
pub use token_counts::TokenCounts;
pub use tools::Tools;
pub use versions::Versions;
pub use view::{Goal, View};
pub use what_if::{WhatIf, WhatIfState};
pub use words::{amount, chats_and_messages, purge_question};
