//! The sentences of the import report.

use super::{
    CopyReason, ImportError, ImportNotes, ImportOutcome, MAX_CHATS, MAX_MESSAGES, MAX_TEXT, Skip,
};
use chat_exports::NoChat;
use chat_exports::archive::{ArchiveError, EntryRefusal, MAX_ENTRIES};
use sash_chat::MAX_IMAGES;
use sash_words::t;
use std::fmt;

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Empty => f.write_str(t!(import.file_empty)),
            ImportError::TooLong(bytes) => {
                f.write_str(&t!(import.file_too_large, megabytes = bytes / 1_048_576))
            }
            ImportError::Utf16 => f.write_str(t!(import.file_is_utf16)),
            ImportError::Archive(format) => {
                f.write_str(&t!(import.unknown_archive, format = format))
            }
            ImportError::OtherFormat(format) => {
                f.write_str(&t!(import.file_of_other_type, format = format))
            }
            ImportError::WebPage => f.write_str(t!(import.file_is_page)),
            ImportError::ChatTooLong => f.write_str(t!(import.chats_too_long)),
            ImportError::NoText(at) => f.write_str(&t!(import.file_not_utf8, at = &at)),
            ImportError::Newer => f.write_str(t!(import.written_by_newer_sash)),
            ImportError::Unknown => f.write_str(t!(import.unknown_file)),
            ImportError::Damaged => f.write_str(t!(import.file_damaged)),
            ImportError::TooManyChats => {
                f.write_str(&t!(import.too_many_chats, max_chats = MAX_CHATS))
            }
            ImportError::TooManyMessages => {
                f.write_str(&t!(import.too_many_messages, max_messages = MAX_MESSAGES))
            }
            ImportError::TooMuchText => {
                f.write_str(&t!(import.too_much_text, megabytes = MAX_TEXT / 1_048_576))
            }
        }
    }
}

impl std::error::Error for ImportError {}

/// Why a file is refused as an archive.
pub(crate) fn archive_error_words(error: ArchiveError) -> String {
    match error {
        ArchiveError::Incomplete => t!(import.zip_incomplete).to_owned(),
        ArchiveError::Damaged => t!(import.zip_directory_damaged).to_owned(),
        ArchiveError::TooManyEntries => t!(import.zip_too_many_files, most = MAX_ENTRIES),
        ArchiveError::Split => t!(import.zip_in_parts).to_owned(),
    }
}

/// Why a file of an archive is not read, as it follows the name of the file.
pub(crate) fn refusal_words(refusal: EntryRefusal) -> &'static str {
    match refusal {
        EntryRefusal::Encrypted => t!(import.encrypted),
        EntryRefusal::Method => t!(import.unknown_compression),
        EntryRefusal::TooLarge => t!(import.too_large),
        EntryRefusal::Bomb => t!(import.unpacks_too_large),
        EntryRefusal::Damaged => t!(import.damaged_file),
    }
}

impl fmt::Display for ImportOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportOutcome::New => f.write_str(t!(import.new)),
            ImportOutcome::More(n) => {
                f.write_str(&t!(import.here_with_new_messages, count = *n as u64))
            }
            ImportOutcome::Here => f.write_str(t!(common.here_already)),
            ImportOutcome::Copy(why) => f.write_str(&t!(import.separate_chat, why = &why)),
            ImportOutcome::Skipped(skip) => f.write_str(&t!(import.left_out_why, skip = &skip)),
        }
    }
}

impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyReason::Differs => t!(import.local_says_else),
            CopyReason::Deleted => t!(import.local_was_deleted),
            CopyReason::Twice => t!(import.same_name_twice),
        })
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skip::Empty => t!(import.chat_without_messages),
            Skip::NoChat(NoChat::Unknown) => t!(import.unknown_chat_format),
            Skip::NoChat(NoChat::NoJson) => t!(import.damaged_file),
            Skip::NoChat(NoChat::TooLarge) => t!(import.chat_too_many_parts),
            Skip::Unreadable => t!(import.local_chat_unreadable),
            Skip::Exhausted => t!(import.too_many_copies),
        })
    }
}

impl ImportNotes {
    /// One sentence for each count that is not zero.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let cut = (self.cut_short > 0).then(|| t!(import.file_ends_early).to_owned());
        let exported = self.exported;
        let counted = [
            (
                self.damaged,
                (|n| t!(import.damaged, count = n as u64)) as fn(usize) -> String,
            ),
            (self.aside, |n| t!(import.aside, count = n as u64)),
            (self.missing, |n| t!(import.missing, count = n as u64)),
            (self.doubled, |n| t!(import.doubled, count = n as u64)),
            (self.too_long, |n| t!(import.too_long, count = n as u64)),
            (exported.hidden, |n| t!(import.hidden, count = n as u64)),
            (exported.no_text, |n| {
                t!(import.parts_without_text, count = n as u64)
            }),
            (exported.sources, |n| t!(import.sources, count = n as u64)),
            (exported.images_absent, |n| {
                t!(import.images_absent, count = n as u64)
            }),
            (exported.images_refused, |n| {
                t!(import.images_refused, count = n as u64)
            }),
            (exported.images_over, |n| {
                t!(import.images_over, count = n as u64, most = MAX_IMAGES)
            }),
            (exported.files_absent, |n| {
                t!(import.files_absent, count = n as u64)
            }),
            (exported.recordings, |n| {
                t!(import.recordings, count = n as u64)
            }),
            (exported.other_files, |n| {
                t!(import.other_files, count = n as u64)
            }),
            (self.repeated, |n| t!(import.repeated, count = n as u64)),
            (self.stay_deleted, |n| {
                t!(import.stay_deleted, count = n as u64)
            }),
            (self.orphans, |n| t!(import.orphans, count = n as u64)),
        ];
        let counted = counted.into_iter().filter(|(n, _)| *n > 0);
        let counted = counted.map(|(n, words)| words(n));
        cut.into_iter().chain(counted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chat_exports::Notes;

    #[test]
    fn each_count_is_said_in_a_sentence_of_its_own() {
        let of = |n: usize| ImportNotes {
            damaged: n,
            aside: n,
            doubled: n,
            too_long: n,
            exported: Notes {
                hidden: n,
                no_text: n,
                sources: n,
                images_absent: n,
                images_refused: n,
                images_over: n,
                files_absent: n,
                recordings: n,
                other_files: n,
            },
            repeated: n,
            stay_deleted: n,
            orphans: n,
            missing: n,
            cut_short: n.min(1),
        };
        let mut sum = of(1);
        sum.add(&of(1));
        assert_eq!(sum, of(2));
        let (one, two) = (of(1).sentences(), of(2).sentences());
        assert_eq!((of(0).sentences().len(), one.len(), two.len()), (0, 18, 18));
        // The end in the middle is said first, and has no number.
        assert_eq!(one[0], two[0]);
        for (one, two) in one.iter().zip(&two).skip(1) {
            assert!(
                one.starts_with("1 ") && two.starts_with("2 "),
                "{one} {two}"
            );
        }
    }

    #[test]
    fn a_refused_archive_and_a_refused_file_of_one_say_why() {
        for error in [
            ArchiveError::Incomplete,
            ArchiveError::Damaged,
            ArchiveError::TooManyEntries,
            ArchiveError::Split,
        ] {
            let words = archive_error_words(error);
            assert!(words.starts_with("The ZIP file "), "{words}");
        }
        for (refusal, words) in [
            (EntryRefusal::Encrypted, "encrypted"),
            (
                EntryRefusal::Method,
                "compressed in a way that Sash does not read",
            ),
            (EntryRefusal::TooLarge, "too large"),
            (EntryRefusal::Bomb, "unpacks to far more than chats do"),
            (EntryRefusal::Damaged, "damaged"),
        ] {
            assert_eq!(refusal_words(refusal), words);
        }
    }
}
