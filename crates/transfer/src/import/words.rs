//! The sentences of the import report.

use super::{
    CopyReason, Fate, ImportError, ImportNotes, MAX_CHATS, MAX_MESSAGES, MAX_TEXT, Skip,
    SourceProgram,
};
use sash_chat::MAX_IMAGES;
use sash_words::t;
use std::fmt;

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Empty => f.write_str(t!(transfer.there_is_nothing_in_the_file)),
            ImportError::TooLong(bytes) => f.write_str(&t!(
                transfer.the_file_has_mb_at_most,
                megabytes = bytes / 1_048_576
            )),
            ImportError::Utf16 => f.write_str(t!(transfer.the_file_is_utf_16_text)),
            ImportError::Archive(format) => {
                f.write_str(&t!(transfer.the_file_is_an_archive_unpack, format = format))
            }
            ImportError::OtherFormat(format) => {
                f.write_str(&t!(transfer.the_file_is_of_the_format, format = format))
            }
            ImportError::WebPage => f.write_str(t!(transfer.the_file_is_a_web_page)),
            ImportError::ChatTooLong => f.write_str(t!(transfer.the_chats_are_too_long)),
            ImportError::NoText(at) => {
                f.write_str(&t!(transfer.the_file_is_no_utf_8_text, at = &at))
            }
            ImportError::Newer => f.write_str(t!(transfer.a_newer_version_of_sash_wrote)),
            ImportError::Unknown => f.write_str(t!(transfer.this_is_no_export_that_sash)),
            ImportError::Damaged => f.write_str(t!(transfer.the_file_is_cut_off_or_damaged)),
            ImportError::TooManyChats => f.write_str(&t!(
                transfer.the_file_holds_more_than_chats,
                max_chats = MAX_CHATS
            )),
            ImportError::TooManyMessages => f.write_str(&t!(
                transfer.the_file_holds_more_than_messages,
                max_messages = MAX_MESSAGES
            )),
            ImportError::TooMuchText => f.write_str(&t!(
                transfer.the_files_hold_more_than_mb,
                megabytes = MAX_TEXT / 1_048_576
            )),
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
            SourceProgram::Claude => "Claude",
            SourceProgram::LibreChat => "LibreChat",
            SourceProgram::LmStudio => "LM Studio",
        })
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::New => f.write_str(t!(common.new)),
            Fate::More(n) => f.write_str(&t!(
                transfer.here_already_with_new_messages,
                count = *n as u64
            )),
            Fate::Here => f.write_str(t!(common.here_already)),
            Fate::Copy(why) => f.write_str(&t!(transfer.as_a_chat_of_its_own_why, why = &why)),
            Fate::Skipped(skip) => f.write_str(&t!(transfer.left_out_why, skip = &skip)),
        }
    }
}

impl fmt::Display for CopyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyReason::Differs => t!(transfer.the_one_that_is_here_says),
            CopyReason::Deleted => t!(transfer.the_one_that_was_here_is),
            CopyReason::Twice => t!(transfer.the_file_has_two_of_that),
        })
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skip::Empty => t!(transfer.no_messages),
            Skip::Unknown => t!(transfer.not_a_chat_of_a_form),
            Skip::NoJson => t!(transfer.damaged_file),
            Skip::TooLarge => t!(transfer.too_many_parts_to_be_read),
            Skip::Unreadable => t!(transfer.the_chat_that_is_here_cannot),
            Skip::Exhausted => t!(transfer.imported_and_changed_too_many_times),
        })
    }
}

impl ImportNotes {
    /// One sentence for each count that is not zero.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let cut = (self.cut_short > 0).then(|| t!(transfer.the_file_ends_in_the_middle).to_owned());
        let counted = [
            (
                self.damaged,
                (|n| t!(transfer.damaged, count = n as u64)) as fn(usize) -> String,
            ),
            (self.aside, |n| t!(transfer.aside, count = n as u64)),
            (self.missing, |n| t!(transfer.missing, count = n as u64)),
            (self.doubled, |n| t!(transfer.doubled, count = n as u64)),
            (self.too_long, |n| t!(transfer.too_long, count = n as u64)),
            (self.hidden, |n| t!(transfer.hidden, count = n as u64)),
            (self.no_text, |n| t!(transfer.no_text, count = n as u64)),
            (self.sources, |n| t!(transfer.sources, count = n as u64)),
            (self.images_absent, |n| {
                t!(transfer.images_absent, count = n as u64)
            }),
            (self.images_refused, |n| {
                t!(transfer.images_refused, count = n as u64)
            }),
            (self.images_over, |n| {
                t!(transfer.images_over, count = n as u64, most = MAX_IMAGES)
            }),
            (self.files_absent, |n| {
                t!(transfer.files_absent, count = n as u64)
            }),
            (self.recordings, |n| {
                t!(transfer.recordings, count = n as u64)
            }),
            (self.other_files, |n| {
                t!(transfer.other_files, count = n as u64)
            }),
            (self.repeated, |n| t!(transfer.repeated, count = n as u64)),
            (self.stay_deleted, |n| {
                t!(transfer.stay_deleted, count = n as u64)
            }),
            (self.orphans, |n| t!(transfer.orphans, count = n as u64)),
        ];
        let counted = counted.into_iter().filter(|(n, _)| *n > 0);
        let counted = counted.map(|(n, words)| words(n));
        cut.into_iter().chain(counted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_is_said_in_a_sentence_of_its_own() {
        let of = |n: usize| ImportNotes {
            damaged: n,
            aside: n,
            doubled: n,
            too_long: n,
            hidden: n,
            no_text: n,
            sources: n,
            images_absent: n,
            images_refused: n,
            images_over: n,
            files_absent: n,
            recordings: n,
            other_files: n,
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
}
