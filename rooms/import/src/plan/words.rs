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
            ImportError::Empty => f.write_str(t!(import.there_is_nothing_in_the_file)),
            ImportError::TooLong(bytes) => f.write_str(&t!(
                import.the_file_has_mb_at_most,
                megabytes = bytes / 1_048_576
            )),
            ImportError::Utf16 => f.write_str(t!(import.the_file_is_utf_16_text)),
            ImportError::Archive(format) => {
                f.write_str(&t!(import.the_file_is_an_archive_unpack, format = format))
            }
            ImportError::OtherFormat(format) => {
                f.write_str(&t!(import.the_file_is_of_the_format, format = format))
            }
            ImportError::WebPage => f.write_str(t!(import.the_file_is_a_web_page)),
            ImportError::ChatTooLong => f.write_str(t!(import.the_chats_are_too_long)),
            ImportError::NoText(at) => f.write_str(&t!(import.the_file_is_no_utf_8_text, at = &at)),
            ImportError::Newer => f.write_str(t!(import.a_newer_version_of_sash_wrote)),
            ImportError::Unknown => f.write_str(t!(import.this_is_no_export_that_sash)),
            ImportError::Damaged => f.write_str(t!(import.the_file_is_cut_off_or_damaged)),
            ImportError::TooManyChats => f.write_str(&t!(
                import.the_file_holds_more_than_chats,
                max_chats = MAX_CHATS
            )),
            ImportError::TooManyMessages => f.write_str(&t!(
                import.the_file_holds_more_than_messages,
                max_messages = MAX_MESSAGES
            )),
            ImportError::TooMuchText => f.write_str(&t!(
                import.the_files_hold_more_than_mb,
                megabytes = MAX_TEXT / 1_048_576
            )),
        }
    }
}

impl std::error::Error for ImportError {}

/// Why a file is refused as an archive.
pub(crate) fn archive_error_words(error: ArchiveError) -> String {
    match error {
        ArchiveError::Incomplete => t!(import.the_zip_file_is_incomplete).to_owned(),
        ArchiveError::Damaged => t!(import.the_directory_of_the_zip_is_damaged).to_owned(),
        ArchiveError::TooManyEntries => t!(import.the_zip_file_has_more_than, most = MAX_ENTRIES),
        ArchiveError::Split => t!(import.the_zip_file_is_one_part).to_owned(),
    }
}

/// Why a file of an archive is not read, as it follows the name of the file.
pub(crate) fn refusal_words(refusal: EntryRefusal) -> &'static str {
    match refusal {
        EntryRefusal::Encrypted => t!(import.encrypted),
        EntryRefusal::Method => t!(import.compressed_in_a_way_that_sash),
        EntryRefusal::TooLarge => t!(import.too_large),
        EntryRefusal::Bomb => t!(import.unpacks_to_far_more_than_chats),
        EntryRefusal::Damaged => t!(import.damaged_file),
    }
}

impl fmt::Display for ImportOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportOutcome::New => f.write_str(t!(import.new)),
            ImportOutcome::More(n) => f.write_str(&t!(
                import.here_already_with_new_messages,
                count = *n as u64
            )),
            ImportOutcome::Here => f.write_str(t!(common.here_already)),
            ImportOutcome::Copy(why) => {
                f.write_str(&t!(import.as_a_chat_of_its_own_why, why = &why))
            }
            ImportOutcome::Skipped(skip) => f.write_str(&t!(import.left_out_why, skip = &skip)),
        }
    }
}

impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyReason::Differs => t!(import.the_one_that_is_here_says),
            CopyReason::Deleted => t!(import.the_one_that_was_here_is),
            CopyReason::Twice => t!(import.the_file_has_two_of_that),
        })
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skip::Empty => t!(import.no_messages),
            Skip::NoChat(NoChat::Unknown) => t!(import.not_a_chat_of_a_form),
            Skip::NoChat(NoChat::NoJson) => t!(import.damaged_file),
            Skip::NoChat(NoChat::TooLarge) => t!(import.too_many_parts_to_be_read),
            Skip::Unreadable => t!(import.the_chat_that_is_here_cannot),
            Skip::Exhausted => t!(import.imported_and_changed_too_many_times),
        })
    }
}

impl ImportNotes {
    /// One sentence for each count that is not zero.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let cut = (self.cut_short > 0).then(|| t!(import.the_file_ends_in_the_middle).to_owned());
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
            (exported.no_text, |n| t!(import.no_text, count = n as u64)),
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
