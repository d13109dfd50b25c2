use super::*;
use crate::MessageIndex;
use crate::terms::time_words::says_when;
use crate::terms::{StemCache, each_term};
use crate::tests::add;
use sash_chat::Id;
use sash_text::TextLanguage;

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
fn recipes() -> MessageIndex {
    let mut log = MessageIndex::default();
    for (at, (ms, text)) in (0..).zip(SAID) {
        add(&mut log, Id(0), Id(at), text, ms);
    }
    log
}

fn scores(log: &MessageIndex, query: &str) -> Vec<MessageScore> {
    let mut terms = Vec::new();
    each_term(
        query,
        TextLanguage::English,
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
    log.all().score(&terms, false)
}

fn rounded(scores: impl Iterator<Item = f32>) -> Vec<String> {
    scores.map(|score| format!("{score:.4}")).collect()
}

#[test]
fn lengths_count_words_without_stop_words_and_with_the_date() {
    let log = recipes();
    let log = log.all();
    let lengths: Vec<u32> = log.messages.iter().map(|m| m.said.words).collect();
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
    let mut log = MessageIndex::default();
    for (at, (ms, text)) in (0..).zip(SAID) {
        let text = text.replace("is slow today.", "is slow today?");
        add(&mut log, Id(0), Id(at), &text, ms);
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
    assert!(scores(&MessageIndex::default(), "database").is_empty());
}

#[test]
fn sittings_and_neighbours_do_not_reach_across_chats_that_alternate() {
    let mut log = MessageIndex::default();
    for (at, chat) in (0..).zip([1, 2, 1, 2, 1]) {
        add(&mut log, Id(chat), Id(at), "word", at);
    }
    let all = log.all();
    let messages: Vec<u64> = all.messages.iter().map(|m| m.id.0).collect();
    assert_eq!(messages, [0, 2, 4, 1, 3]);
    let sittings: Vec<usize> = all.messages.iter().map(|m| m.sitting).collect();
    assert_eq!(sittings, [0, 0, 0, 1, 1]);
    let near = (0..5).map(|at| (all.before(at).next(), all.after(at).next()));
    assert_eq!(
        near.collect::<Vec<_>>(),
        [
            (None, Some(1)),
            (Some(0), Some(2)),
            (Some(1), None),
            (None, Some(4)),
            (Some(3), None)
        ]
    );
}

#[test]
fn a_pause_of_an_hour_ends_a_sitting() {
    let mut log = MessageIndex::default();
    let hour = 3_600_000;
    for (at, ms) in (0..).zip([0, hour - 1, 2 * hour - 1]) {
        add(&mut log, Id(1), Id(at), "word", ms);
    }
    let all = log.all();
    let sittings: Vec<usize> = all.messages.iter().map(|m| m.sitting).collect();
    assert_eq!(sittings, [0, 0, 1]);
    assert_eq!(all.after(1).next(), None);
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
    let mut log = MessageIndex::default();
    for at in 0..20_000 {
        let text = match at {
            7 => &*long,
            _ => "Ann: short",
        };
        add(&mut log, Id(0), Id(at), text, MARCH_3 + at * DAY);
    }
    let scores = scores(&log, &long);
    let own = |at: usize| scores[at].own;
    assert!(own(7) > 0.0 && own(6) == 0.0 && own(8) == 0.0);
}

/// Of what another branch or another chat says, neither words nor lengths nor pauses count.
#[test]
fn a_branch_is_scored_as_if_nothing_else_were_in_the_index() {
    let mut log = MessageIndex::default();
    let mut alone = MessageIndex::default();
    let mut path = Vec::new();
    for (at, (ms, text)) in (0..).zip(SAID) {
        add(&mut log, Id(7), Id(at), text, ms);
        add(
            &mut log,
            Id(0),
            Id(100 + at),
            "A database of another branch",
            ms,
        );
        add(&mut log, Id(0), Id(at), text, ms);
        add(&mut alone, Id(0), Id(at), text, ms);
        path.push(Id(at));
    }
    let branch = log.branch(Id(0), path);
    for prompt in [
        "Which databse did we choose in March?",
        "the slow search page",
    ] {
        let everything = |_: Id, _: Id| true;
        let (found, expected) = (branch.rank(prompt, &everything), alone.all());
        assert_eq!(found, expected.rank(prompt, &everything), "{prompt}");
    }
    assert!(!branch.has("branch") && log.all().has("branch"));
}
