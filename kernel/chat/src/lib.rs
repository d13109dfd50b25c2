//! The data model of a conversation: messages that never change once written, each naming its parent, so that
//! a chat is a tree and asking again destroys nothing. Plain data and functions; no browser, no network, no
//! clock. The page reads the fields of a [`Chat`] one by one: for that they derive `Store` and `Patch`.

mod answer_format;
mod answer_id;
mod answered_calls;
mod beginning;
mod chat;
mod excerpt;
mod file_block;
mod folder;
mod head;
mod id;
mod image;
mod message;
mod model_id;
mod no_text;
mod policy;
mod policy_words;
mod prompt_draft;
mod recall;
mod receipt;
mod shown_text;
mod summary;
mod think;
mod title;
mod tolerant;
mod tool;
mod tree;
pub mod window;

pub use answer_format::{AnswerFormat, misfits, parse_schema};
pub use answer_id::AnswerId;
pub use answered_calls::calls_of_results;
pub use beginning::Beginning;
pub use chat::{Chat, ChatStoreFields};
pub use excerpt::{excerpt, find_ignore_case};
pub use file_block::{
    MAX_TEXT_BYTES, QuestionPart, TextFile, file_block, first_line, question_parts, split_files,
    with_files,
};
pub use folder::{Folder, FromFolder, Inherited, SystemPrompt};
pub use head::{
    ChatSettings, ChatSettingsStoreFields, FieldRule, FieldRules, Head, HeadField, HeadStoreFields,
    IdsThere, ImportedEntry, MAX_SUMMARIES, Packed, Position, SettingKind, SettingRow,
    WithheldSettings, shown,
};
pub use id::Id;
pub use image::{
    Image, ImageFormat, ImageHash, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_IMAGES, MAX_PREVIEW_BYTES,
};
pub use message::{Failure, Message, Outcome, Role};
pub use model_id::ModelId;
pub use no_text::NoText;
pub use policy::Policy;
pub use policy_words::{
    policy_kind, policy_name, policy_phrase, policy_sentence, policy_short_phrase,
    receipt_policy_phrase,
};
pub use prompt_draft::{PromptChoice, PromptDraft};
pub use recall::{FoundMessage, RecallMode, RecallSetting, RecalledBlock, RecalledPiece};
pub use receipt::{ImageCount, ReadBefore, Receipt, TokenCount};
pub use shown_text::shown_text;
pub use summary::Summary;
pub use think::Think;
pub use title::{distinct_title, question_title};
pub use tool::{
    BuiltinTool, MAX_CALLS, OwnTool, TOOL_ERROR, Tool, ToolCall, ToolFunction, is_tool_name,
    visible_name,
};
pub use tree::MessageTree;
