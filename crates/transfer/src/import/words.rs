//! The sentences of the import report.

use super::{
    CopyReason, Fate, ImportError, ImportNotes, MAX_CHATS, MAX_MESSAGES, Skip, SourceProgram,
};
use std::fmt;

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Empty => f.write_str("There is nothing in the file."),
            ImportError::TooLong(bytes) => write!(
                f,
                "The file has {} MB. At most 32 MB are read at once.",
                bytes / 1_048_576
            ),
            ImportError::Utf16 => f.write_str(
                "The file is UTF-16 text. Save it as UTF-8, which every editor offers, and choose it again.",
            ),
            ImportError::Archive => f.write_str(
                "The file is an archive. Unpack it, and choose the file with the chats (conversations.json).",
            ),
            ImportError::NoText(at) => write!(f, "The file is no UTF-8 text from byte {at} on."),
            ImportError::Newer => {
                f.write_str("A newer version of Sash wrote this file. Reload the newer one and import it there.")
            }
            ImportError::Unknown => f.write_str(
                "This is no export that Sash knows: its own, or one of Open WebUI, ChatGPT or Hollama.",
            ),
            ImportError::TooManyChats => {
                write!(f, "The file holds more than {MAX_CHATS} chats. Divide it.")
            }
            ImportError::TooManyMessages => {
                write!(f, "The file holds more than {MAX_MESSAGES} messages. Divide it.")
            }
        }
    }
}

impl std::error::Error for ImportError {}

impl fmt::Display for SourceProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SourceProgram::Sash => "Sash",
            SourceProgram::OpenWebUi => "Open WebUI",
            SourceProgram::ChatGpt => "ChatGPT",
            SourceProgram::Hollama => "Hollama",
        })
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::New => f.write_str("new"),
            Fate::More(1) => f.write_str("here already, with 1 new message"),
            Fate::More(n) => write!(f, "here already, with {n} new messages"),
            Fate::Here => f.write_str("here already"),
            Fate::Copy(why) => write!(f, "as a chat of its own: {why}"),
            Fate::Skipped(skip) => write!(f, "left out: {skip}"),
        }
    }
}

impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyReason::Differs => "the one that is here says something else",
            CopyReason::Deleted => "the one that was here is deleted",
            CopyReason::Twice => "the file has two of that name",
        })
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skip::Empty => "no messages",
            Skip::Unknown => "not a chat of a form that Sash knows",
            Skip::NoJson => "damaged",
            Skip::TooLarge => "too many parts to be read at once",
            Skip::Unreadable => "the chat that is here cannot be read now",
            Skip::Exhausted => "imported and changed too many times",
        })
    }
}

impl ImportNotes {
    /// One sentence for each count that is not zero.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let cut = (self.cut_short > 0).then(|| {
            "The file ends in the middle, or goes wrong there; what is whole before is read."
                .to_owned()
        });
        let counted = [
            (
                self.damaged,
                "is damaged and left out",
                "are damaged and left out",
                "record",
            ),
            (
                self.aside,
                "could not be read where the file was made, and is left out",
                "could not be read where the file was made, and are left out",
                "record",
            ),
            (
                self.missing,
                "that the file was to hold is not in it",
                "that the file was to hold are not in it",
                "message",
            ),
            (
                self.doubled,
                "is in the file twice; the first counts",
                "are in the file twice; the first counts",
                "message",
            ),
            (
                self.too_long,
                "is longer than 2 MB and left out",
                "are longer than 2 MB and left out",
                "message",
            ),
            (
                self.hidden,
                "that the other program does not show is left out",
                "that the other program does not show are left out",
                "message",
            ),
            (
                self.no_text,
                "of a message is no text and only named",
                "of messages are no text and only named",
                "part",
            ),
            (
                self.stay_deleted,
                "was deleted here and stays so",
                "were deleted here and stay so",
                "message",
            ),
            (
                self.orphans,
                "follows one that is missing",
                "follow one that is missing",
                "message",
            ),
        ];
        let counted = counted.into_iter().filter(|(n, ..)| *n > 0);
        let counted = counted.map(|(n, one, many, what)| match n {
            1 => format!("1 {what} {one}."),
            n => format!("{n} {what}s {many}."),
        });
        cut.into_iter().chain(counted).collect()
    }
}
