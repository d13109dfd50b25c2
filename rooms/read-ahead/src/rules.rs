//! Decides when a prompt is read ahead: a rule over facts, without a clock and without a page.

use crate::ReadAheadTime;
use sash_wire::UnsentScope;
use std::time::Duration;

/// How long nothing must be typed before something is read.
pub const REST: Duration = Duration::from_millis(700);
/// After this time of writing without a rest something is read all the same, or a question that is typed in evenly would
/// be read after Enter alone.
pub const MAX_WITHOUT_REST: Duration = Duration::from_secs(2);
/// For this long after the last key, or the last answer, something is read, in milliseconds.
const AFTER_KEY_MS: f64 = 60_000.0;
/// For this long after the prompt of another chat nothing is read: that chat may go on, and its prompt is in the cache.
const OTHER_CHAT_MS: f64 = 30_000.0;

/// What decides.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub time: ReadAheadTime,
    /// Whether the server has models read ahead for this page.
    pub server_reads: bool,
    /// What may go to the model before the person sends anything.
    pub scope: UnsentScope,
    /// Whether the model reads nothing ahead any more.
    pub is_stopped: bool,
    /// Whether the model is not in memory.
    pub is_absent: bool,
    /// Whether anything is being answered in any tab.
    pub is_busy: bool,
    pub is_visible: bool,
    pub saves_data: bool,
    /// Whether the draft has images, which were not sent before.
    pub has_new_images: bool,
    pub fits: bool,
    /// Whether what comes before the prompt changes with the draft no more.
    pub is_settled: bool,
    /// Milliseconds since the last key.
    pub since_key: f64,
    /// Milliseconds since the last answer of this chat.
    pub since_answer: f64,
    /// Milliseconds since the last prompt of another chat.
    pub since_other_chat: f64,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadDecision {
    Read,
    /// Look again after this time.
    Wait(Duration),
    No,
}

/// How long to wait before something is read, where the person has been writing for so many milliseconds since it was
/// last looked at.
pub fn pause(writing: f64) -> Duration {
    let left = (MAX_WITHOUT_REST.as_millis() as f64 - writing).max(0.0);
    REST.min(Duration::from_millis(left as u64))
}

/// What is to be done at a rest of typing.
pub fn verdict(facts: &Facts) -> ReadDecision {
    let is_called_for = match facts.time {
        ReadAheadTime::Never => false,
        ReadAheadTime::Writing => facts.since_key <= AFTER_KEY_MS,
        ReadAheadTime::AnswersToo => {
            facts.since_key <= AFTER_KEY_MS || facts.since_answer <= AFTER_KEY_MS
        }
    };
    let is_possible = facts.server_reads
        && facts.scope > UnsentScope::Nothing
        && !facts.is_stopped
        && !facts.is_absent
        && !facts.is_busy
        && facts.is_visible
        && !facts.saves_data
        && !facts.has_new_images
        && facts.fits;
    if !is_called_for || !is_possible {
        return ReadDecision::No;
    }
    if facts.since_other_chat < OTHER_CHAT_MS {
        let left = OTHER_CHAT_MS - facts.since_other_chat;
        return ReadDecision::Wait(Duration::from_millis(left.ceil() as u64));
    }
    match facts.is_settled {
        true => ReadDecision::Read,
        false => ReadDecision::Wait(REST),
    }
}

/// A draft up to its last whole word: the last one may be cut into other tokens once it goes on. The end of a sentence
/// ends its word.
pub fn whole_words(draft: &str) -> &str {
    if draft.ends_with(['.', '?', '!', '。', '？', '！', '؟', '।']) {
        return draft;
    }
    let end = draft.rfind(char::is_whitespace).unwrap_or_default();
    draft.get(..end).unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPED: Facts = Facts {
        time: ReadAheadTime::Writing,
        server_reads: true,
        scope: UnsentScope::Draft,
        is_stopped: false,
        is_absent: false,
        is_busy: false,
        is_visible: true,
        saves_data: false,
        has_new_images: false,
        fits: true,
        is_settled: true,
        since_key: 700.0,
        since_answer: f64::INFINITY,
        since_other_chat: f64::INFINITY,
    };

    #[test]
    fn each_single_reason_keeps_a_prompt_from_being_read() {
        assert_eq!(verdict(&TYPED), ReadDecision::Read);
        let no: [fn(&mut Facts); 11] = [
            |facts| facts.time = ReadAheadTime::Never,
            |facts| facts.server_reads = false,
            |facts| facts.scope = UnsentScope::Nothing,
            |facts| facts.is_stopped = true,
            |facts| facts.is_absent = true,
            |facts| facts.is_busy = true,
            |facts| facts.is_visible = false,
            |facts| facts.saves_data = true,
            |facts| facts.has_new_images = true,
            |facts| facts.fits = false,
            |facts| facts.since_key = 60_001.0,
        ];
        for (at, change) in no.iter().enumerate() {
            let mut facts = TYPED;
            change(&mut facts);
            assert_eq!(verdict(&facts), ReadDecision::No, "reason {at}");
        }
    }

    #[test]
    fn after_an_answer_it_is_read_only_where_the_person_wants_that() {
        let mut facts = Facts {
            since_key: f64::INFINITY,
            since_answer: 700.0,
            ..TYPED
        };
        assert_eq!(verdict(&facts), ReadDecision::No);
        facts.time = ReadAheadTime::AnswersToo;
        assert_eq!(verdict(&facts), ReadDecision::Read);
        facts.since_answer = 60_001.0;
        assert_eq!(verdict(&facts), ReadDecision::No);
    }

    #[test]
    fn another_chats_prompt_and_a_window_that_changes_are_waited_for() {
        let mut facts = Facts {
            since_other_chat: 10_000.0,
            ..TYPED
        };
        assert_eq!(verdict(&facts), ReadDecision::Wait(Duration::from_secs(20)));
        facts.since_other_chat = 30_000.0;
        assert_eq!(verdict(&facts), ReadDecision::Read);
        facts.is_settled = false;
        assert_eq!(verdict(&facts), ReadDecision::Wait(REST));
    }

    #[test]
    fn who_writes_without_a_rest_is_not_waited_for_without_end() {
        for (writing, wait) in [(0.0, 700), (1_300.0, 700), (1_900.0, 100), (60_000.0, 0)] {
            assert_eq!(pause(writing), Duration::from_millis(wait), "{writing}");
        }
    }

    #[test]
    fn a_draft_is_read_up_to_its_last_whole_word() {
        for (draft, whole) in [
            ("", ""),
            ("Whi", ""),
            ("Which is new", "Which is"),
            ("Which is ", "Which is"),
            ("one\n\ntwo", "one"),
            ("Which is newer?", "Which is newer?"),
            ("哪个更新？", "哪个更新？"),
            ("  ", ""),
        ] {
            assert_eq!(whole_words(draft), whole, "{draft:?}");
        }
    }
}
