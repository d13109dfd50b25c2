use super::*;
use crate::MessageIndex;
use crate::tests::{add, said};
use proptest::prelude::*;
use sash_chat::Id;

const HOUR: u64 = 3_600_000;
/// 4 March 2026.
const MARCH_4: u64 = 1_772_582_400_000;

const TALK: [&str; 14] = [
    "Which database should I use for a recipe site?",
    "SQLite is plenty. Back it up with VACUUM INTO every night.",
    "And full-text search over the ingredients?",
    "FTS5 is built in: a virtual table with the unicode61 tokenizer, kept in step by triggers.",
    "My shins hurt after two weeks of running",
    "That is typical. Take five days off, then run on soft ground with shorter steps.",
    "I practise the cello on Sundays",
    "Lovely! Slow scales first, then the difficult bars of the piece.",
    "Wie kündige ich meinen Handyvertrag?",
    "Schriftlich und einen Monat vor Ende der Laufzeit, am besten per Einschreiben.",
    "We went to the lighthouse yesterday",
    "How was the weather up there?",
    "Windy, but we saw the whole coast and two islands.",
    "Prepaid-Tarife kosten etwa acht Euro in vier Wochen.",
];

fn talk() -> MessageIndex {
    let mut index = MessageIndex::default();
    for (at, text) in (0..).zip(TALK) {
        add(&mut index, Id(1), Id(at), text, MARCH_4 + at / 2 * 5 * HOUR);
    }
    index
}

fn recalled(prompt: &str) -> Vec<u64> {
    let found = talk().all().recall(prompt, &|_, _| true);
    found.iter().map(|found| found.message.0).collect()
}

#[test]
fn a_message_that_fits_is_recalled_with_its_words_as_written() {
    let found = talk()
        .all()
        .recall("Do the triggers slow down the tokenizer?", &|_, _| true);
    assert_eq!((found[0].chat, found[0].message), (Id(1), Id(3)));
    assert_eq!(found[0].words, ["triggers", "tokenizer"]);
    assert!(found[0].score > 0.4, "{}", found[0].score);
}

#[test]
fn a_prompt_that_asks_for_what_was_said_on_a_day_recalls_that_day() {
    let on = |text, days: u64| {
        let now_ms = Some(MARCH_4 + days * 24 * HOUR);
        let found = talk()
            .all()
            .recall(RecallPrompt { text, now_ms }, &|_, _| true);
        let mut found: Vec<u64> = found.iter().map(|found| found.message.0).collect();
        found.sort_unstable();
        found
    };
    // Ten messages are of 4 March, four of the day after.
    assert_eq!(on("What did we talk about yesterday?", 2), [10, 11, 12, 13]);
    assert_eq!(
        on("Was haben wir vor zwei Tagen besprochen?", 3),
        [10, 11, 12, 13]
    );
    assert_eq!(
        on("What did you say last Wednesday?", 6),
        (0..10).collect::<Vec<_>>()
    );
    assert!(on("What did we talk about yesterday?", 5).is_empty());
    assert!(recalled("What did we talk about yesterday?").is_empty());
    let words = talk().all().recall(
        RecallPrompt {
            text: "what did we say yesterday",
            now_ms: Some(MARCH_4 + 48 * HOUR),
        },
        &|_, _| true,
    );
    assert_eq!(words[0].words, ["yesterday"]);
}

#[test]
fn a_prompt_about_something_else_recalls_nothing() {
    for prompt in [
        "",
        "?",
        "thanks, that helps",
        "go on",
        "write a poem about autumn leaves",
        "Erkläre mir die Relativitätstheorie",
        "what is the capital of Mongolia",
    ] {
        assert!(recalled(prompt).is_empty(), "{prompt}");
    }
    assert!(
        MessageIndex::default()
            .all()
            .recall("database", &|_, _| true)
            .is_empty()
    );
    assert!(
        MessageIndex::default()
            .all()
            .rank("database", &|_, _| true)
            .is_empty()
    );
}

#[test]
fn an_answer_without_any_word_of_the_prompt_is_found_beside_its_question() {
    assert!(recalled("should the recipe site change its database").contains(&1));
}

#[test]
fn forms_misspellings_compounds_and_related_words_are_found() {
    for (prompt, found) in [
        ("the shin hurts when I run", 4),
        ("which instrument do I practise", 6),
        ("tokeniser and trigers", 3),
        ("Was kostet ein Prepaidtarif?", 13),
        ("Muss ich den Vertrag schriftlich kündigen?", 9),
        (
            "Welche Tarife haben die Anbieter und welche Frist gilt am Ende der Zeit",
            9,
        ),
        ("lighthouse on 3 March", 10),
    ] {
        let ranked = talk().all().rank(prompt, &|_, _| true);
        let first: Vec<u64> = ranked[..2].iter().map(|one| one.message.0).collect();
        assert!(first.contains(&found), "{prompt}: {first:?}");
    }
}

#[test]
fn what_may_not_be_recalled_is_not() {
    let prompt = "Do the triggers slow down the tokenizer?";
    let found = talk().all().recall(prompt, &|_, message| message != Id(3));
    assert!(found.iter().all(|found| found.message != Id(3)));
    assert!(
        talk()
            .all()
            .recall(prompt, &|chat, _| chat != Id(1))
            .is_empty()
    );
}

#[test]
fn the_ranking_has_every_message_and_equals_stay_in_order() {
    let ranked = talk().all().rank("cello", &|_, _| true);
    assert_eq!(ranked.len(), TALK.len());
    assert_eq!(ranked[0].message, Id(6));
    let last: Vec<u64> = ranked[2..].iter().map(|one| one.message.0).collect();
    assert!(last.is_sorted(), "{last:?}");
}

#[test]
fn who_speaks_counts_more_than_who_is_spoken_to() {
    let mut index = MessageIndex::default();
    for (at, speaker, text) in [
        (0, "Ann", "Bob, the garden!"),
        (1, "Bob", "The garden, Ann."),
    ] {
        index.add_said_by(speaker, Id(at), &said(Id(at), 0, text, 0), 0);
    }
    let first = |prompt| index.all().rank(prompt, &|_, _| true)[0].message;
    assert_eq!(first("Bob's garden"), Id(1));
    assert_eq!(first("Ann's garden"), Id(0));
}

#[test]
fn a_prompt_of_any_length_is_bounded() {
    let prompt: String = (0..5_000).map(|n| format!("word{n} cello ")).collect();
    assert_eq!(talk().all().rank(&prompt, &|_, _| true)[0].message, Id(6));
}

#[test]
fn german_verbs_meet_their_participles() {
    let forms = |own: &str| {
        let mut all = Vec::new();
        participle::participles(own, &mut |form| all.push(form.to_owned()));
        all
    };
    assert!(forms("kauf").contains(&"gekauft".to_owned()));
    assert!(forms("gekauft").contains(&"kauf".to_owned()));
    assert!(forms("verdunn").contains(&"verdunnt".to_owned()));
    assert!(forms("verdunnt").contains(&"verdunn".to_owned()));
    assert_eq!(forms("hat"), ["hatt", "gehatt"]);
}

#[test]
fn one_letter_may_be_wrong() {
    for (one, other, alike) in [
        ("recieve", "receive", true),
        ("licence", "license", true),
        ("semster", "semester", true),
        ("sunburnd", "sunburnt", true),
        ("restaraunt", "restaurant", false),
        ("injur", "insur", true),
        ("same", "same", false),
        ("", "a", true),
        ("", "", false),
        ("straße", "strase", true),
        ("straße", "strasse", false),
    ] {
        assert_eq!(query::spelled_alike(one, other), alike, "{one} {other}");
        assert_eq!(query::spelled_alike(other, one), alike, "{other} {one}");
    }
}

#[test]
fn some_questions_ask_when() {
    for prompt in [
        "When did she move?",
        "And since when?",
        "Wann war das?",
        "¿Cuándo?",
    ] {
        assert!(crate::terms::time_words::asks_when(prompt), "{prompt}");
    }
    for prompt in [
        "What did she say when he left?",
        "the whole thing",
        "Whenever you like",
    ] {
        assert!(!crate::terms::time_words::asks_when(prompt), "{prompt}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_added_and_asked(texts in prop::collection::vec(".{0,80}", 1..8), ms in any::<u64>(), prompt in ".{0,80}") {
        let mut index = MessageIndex::default();
        for (at, text) in (0..).zip(&texts) {
            add(&mut index, Id(at % 2), Id(at), text, ms.wrapping_add(at << 40));
        }
        let index = index.all();
        let ranked = index.rank(&prompt, &|_, _| true);
        let said = texts.iter().filter(|text| !sash_text::is_blank(text));
        prop_assert_eq!(ranked.len(), said.count());
        prop_assert!(ranked.iter().all(|one| one.score.is_finite() && one.score >= 0.0));
        prop_assert!(index.recall(&prompt, &|_, _| true).len() <= texts.len());
    }
}
