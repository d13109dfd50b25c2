use super::time_words::says_when;
use super::*;
use crate::terms::{StemCache, each_term};
use sash_chat::Id;
use sash_text::Language;

const DAY: u64 = 86_400_000;
const MARCH_3: u64 = 1_772_496_000_000;

const SAID: [(u64, &str); 6] = [
    (
        MARCH_3,
        "Ann: Which database should I use for the recipe site?",
    ),
    (
        MARCH_3 + 1,
        "Model: SQLite is enough for a small recipe site.",
    ),
    (MARCH_3 + 2, "Ann: Good, I will start with SQLite."),
    (MARCH_3 + 38 * DAY, "Ann: The search page is slow today."),
    (
        MARCH_3 + 38 * DAY + 1,
        "Model: Add an index on the title column.",
    ),
    (
        MARCH_3 + 38 * DAY + 2,
        "Ann: Done, it takes two milliseconds now.",
    ),
];

/// Two sittings with a known ranking.
fn recipes() -> RecallIndex {
    let mut log = RecallIndex::default();
    for (at, (ms, text)) in (0..).zip(SAID) {
        log.add(Id(0), Id(at), text, ms);
    }
    log
}

fn scores(log: &RecallIndex, query: &str) -> Vec<MessageScore> {
    let mut terms = Vec::new();
    each_term(
        query,
        Language::English,
        &mut StemCache::default(),
        &mut |term, _| {
            let variants = vec![Variant {
                term: term.to_owned(),
                weight: 1.0,
            }];
            terms.push(QueryTerm {
                variants,
                gain: 1.0,
            });
        },
    );
    log.score(&terms, false)
}

fn rounded(scores: impl Iterator<Item = f32>) -> Vec<String> {
    scores.map(|score| format!("{score:.4}")).collect()
}

#[test]
fn lengths_count_words_without_stop_words_and_with_the_date() {
    let log = recipes();
    let lengths: Vec<u32> = log.messages.iter().map(|m| m.words).collect();
    assert_eq!(lengths, [8, 9, 7, 8, 8, 9]);
    assert_eq!(log.sittings, [24, 25]);
}

#[test]
fn the_worked_check_holds_to_four_digits() {
    let log = recipes();
    let found = scores(&log, "Which database did we choose in March?");
    assert_eq!(
        rounded(found.iter().map(|score| score.own)),
        ["2.2370", "0.6879", "0.7007", "0.0000", "0.0000", "0.0000"]
    );
    assert_eq!(
        rounded(found.iter().map(|score| score.score)),
        ["2.9187", "2.0967", "1.5104", "0.0000", "0.0000", "0.0000"]
    );
    let found = scores(&log, "How was the slow search fixed?");
    assert_eq!(
        rounded(found.iter().map(|score| score.own)),
        ["0.0000", "0.0000", "0.0000", "3.0856", "0.0000", "0.0000"]
    );
    assert_eq!(
        rounded(found.iter().map(|score| score.score)),
        ["0.0000", "0.0000", "0.0000", "3.5009", "1.0324", "0.7045"]
    );
}

/// The answer to a question has 0.35 of it and not 0.2: 1.0324 + 0.15 · 3.0856. The message two away has 0.75 / 8 words of
/// it: 0.4153 + 0.09375 · 3.0856.
#[test]
fn an_answer_is_nearer_than_a_remark_and_context_is_counted_in_words() {
    let mut log = RecallIndex::default();
    for (at, (ms, text)) in (0..).zip(SAID) {
        let text = text.replace("is slow today.", "is slow today?");
        log.add(Id(0), Id(at), &text, ms);
    }
    let found = scores(&log, "How was the slow search fixed?");
    assert_eq!(
        rounded(found.iter().map(|score| score.score)),
        ["0.0000", "0.0000", "0.0000", "3.5009", "1.4952", "0.7045"]
    );
}

#[test]
fn a_score_knows_which_words_the_message_has() {
    let found = scores(&recipes(), "database sqlite recipe nowhere");
    let holds: Vec<u64> = found.iter().map(|score| score.holds).collect();
    assert_eq!(holds, [0b101, 0b110, 0b010, 0, 0, 0]);
}

#[test]
fn nothing_fits_an_empty_index() {
    assert!(scores(&RecallIndex::default(), "database").is_empty());
}

#[test]
fn sittings_and_neighbours_do_not_reach_across_chats_that_alternate() {
    let mut log = RecallIndex::default();
    for (at, chat) in (0..).zip([1, 2, 1, 2, 1]) {
        log.add(Id(chat), Id(at), "word", at);
    }
    let sittings: Vec<u32> = log.messages.iter().map(|m| m.sitting).collect();
    assert_eq!(sittings, [0, 1, 0, 1, 0]);
    let near: Vec<_> = log.messages.iter().map(|m| (m.before, m.after)).collect();
    assert_eq!(
        near,
        [
            (None, Some(2)),
            (None, Some(3)),
            (Some(0), Some(4)),
            (Some(1), None),
            (Some(2), None)
        ]
    );
}

#[test]
fn a_pause_of_an_hour_ends_a_sitting() {
    let mut log = RecallIndex::default();
    let hour = 3_600_000;
    for (at, ms) in (0..).zip([0, hour - 1, 2 * hour - 1]) {
        log.add(Id(1), Id(at), "word", ms);
    }
    let sittings: Vec<u32> = log.messages.iter().map(|m| m.sitting).collect();
    assert_eq!(sittings, [0, 0, 1]);
    assert_eq!(log.messages[1].after, None);
}

#[test]
fn a_text_says_when_or_does_not() {
    for text in ["I went there yesterday", "Am Montag, im April", "next week"] {
        assert!(says_when(text), "{text}");
    }
    for text in ["", "it took 45 minutes", "Then we visited Trieste"] {
        assert!(!says_when(text), "{text}");
    }
}

/// Words times messages would be 160 million steps.
#[test]
fn a_query_of_thousands_of_words_is_ranked() {
    let words = (0..8_000).map(|n| format!("w{n} "));
    let long: String = words.collect();
    let mut log = RecallIndex::default();
    for at in 0..20_000 {
        let text = match at {
            7 => &*long,
            _ => "Ann: short",
        };
        log.add(Id(0), Id(at), text, MARCH_3 + at * DAY);
    }
    let scores = scores(&log, &long);
    let own = |at: usize| scores[at].own;
    assert!(own(7) > 0.0 && own(6) == 0.0 && own(8) == 0.0);
}
