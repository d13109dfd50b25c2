//! Tests of the stores without a browser, one module per store. They are one program, so that
//! shared helpers are compiled once and reported when unused.

mod dice;
mod disk;
mod earlier_questions;
mod embedder;
mod folder;
mod house;
mod locks;
mod machine;
mod speaker;
#[path = "../../../transfer/src/tests/zip.rs"]
mod zip;

mod all_chats;
mod answer_notices;
mod answers;
mod archives;
mod attachments;
mod backup;
mod backup_age;
mod chat_list;
mod chats;
mod closing;
mod device_backup;
mod drafts;
mod embeddings;
mod engine;
mod engines;
mod feature_settings;
mod fields;
mod hooks;
mod imports;
mod in_step;
mod in_step_meanwhile;
mod library;
mod linger;
mod linger_tabs;
mod mentions;
mod models;
mod notices;
mod numbers;
mod palette;
mod parts;
mod prefills;
mod prompts;
mod pulls;

mod queue;
mod read_ahead;
mod read_aloud;
mod recalls;
mod reloads;
mod remote_answers;
mod settings;
mod side_by_side;
mod steering;
mod storage;
mod summaries;
mod tabs;
mod temporary;
mod titles;
mod token_counts;
mod tools;
mod trash;
mod versions;
mod what_if;
