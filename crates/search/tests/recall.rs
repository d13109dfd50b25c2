//! That the benchmark of the recall reads what such files hold, and computes its figures right.

#[path = "../benches/recall/calendar.rs"]
mod calendar;
#[path = "../benches/recall/dialogue.rs"]
mod dialogue;
#[path = "../benches/recall/embedded.rs"]
mod embedded;
#[path = "../benches/recall/measure.rs"]
mod measure;

use dialogue::{Sample, read};
use embedded::{SampleVectors, one_log};
use measure::{FIRST, NO_SHARED_WORD, Ranking, TOKENS, cost, decide, measure, shares};
use sash_chat::{Id, Message, Role};
use sash_search::MessageIndex;

/// Three turns, and questions as they are found in practice.
const FILE: &str = r#"{
    "sample_id": "own",
    "conversation": {
        "speaker_a": "Ann", "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "I planted the pear tree."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a photo of a boat", "img_url": []}
        ],
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "The boat leaks."}],
        "session_3_date_time": "8:00 am on 9 May, 2023"
    },
    "qa": [
        {"question": "What did Ann plant?", "answer": "a tree", "evidence": ["D1:1"], "category": 4},
        {"question": "What about the boat?", "evidence": ["D1:02; D2:1, D1:2"], "category": 1},
        {"question": "Only nowhere", "evidence": ["D9:9"], "category": 2},
        {"question": "Partly nowhere", "evidence": "D2:1 D9:9"},
        {"question": "Not at all", "evidence": [], "category": 5},
        {"question": "Without", "answer": 7},
        {"answer": "no question"}
    ]
}"#;

fn sample() -> Sample {
    read(FILE).expect("the file is well formed").remove(0)
}

#[test]
fn what_files_hold_in_practice_is_read() {
    let sample = sample();
    assert_eq!(sample.turns.len(), 3);
    assert_eq!(sample.turns[1].text, "Look! [a photo of a boat]");
    assert_eq!(sample.turns[0].created_ms, Some(1_683_554_160_000));
    assert_eq!(sample.turns[2].created_ms, None);
    assert_eq!(sample.turns[2].session, 1);
    let needed: Vec<_> = sample.questions.iter().map(|q| q.needed.clone()).collect();
    assert_eq!(needed, [vec![0], vec![1, 2], vec![2], vec![], vec![]]);
    assert_eq!(read(&format!("[{FILE},{FILE}]")).unwrap().len(), 2);
}

#[test]
fn a_bad_file_is_refused_with_its_reason() {
    for (text, reason) in [
        ("{", "no JSON"),
        ("[]", "the list of samples is empty"),
        ("[{}]", "sample 0: there is no object \"conversation\""),
        (r#"{"conversation": {}}"#, "has no session_1"),
        (
            r#"{"conversation": {"session_1": 3}}"#,
            "session_1 is no list",
        ),
        (
            r#"{"conversation": {"session_1": [{}]}}"#,
            "turn 0 of session_1 has no \"text\"",
        ),
        (
            r#"{"conversation": {"session_1": [{"text": ""}]}}"#,
            "there is no list \"qa\"",
        ),
    ] {
        let error = read(text).err().unwrap_or_default();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn dates_are_read_as_people_write_them() {
    for (text, ms) in [
        ("1:56 pm on 8 May, 2023", Some(1_683_554_160_000)),
        ("12:05 am on 1 January, 1970", Some(300_000)),
        ("May 8, 2023", Some(1_683_504_000_000)),
        ("some day", None),
        ("", None),
    ] {
        assert_eq!(calendar::local_ms(text), ms, "{text}");
    }
}

/// By hand: the lines "[8 May 2023] Ann: I planted the pear tree." (42 characters), "[8 May 2023] Bo: Look! [a photo
/// of a boat]" (42) and "[] Bo: The boat leaks." (22) cost 11, 11 and 6 tokens.
#[test]
fn shares_are_those_computed_by_hand() {
    let turns = sample().turns;
    let costs: Vec<usize> = turns.iter().map(cost).collect();
    assert_eq!(costs, [11, 11, 6]);
    let found = shares(&[2, 0, 1], &[1, 2], &turns);
    assert_eq!((FIRST[0], found.first[0]), (5, 1.0));
    assert_eq!((TOKENS[0], found.tokens[0]), (128, 1.0));
    // Forty turns of 11 tokens: 11 fit into 128, 23 into 256, 40 into 512.
    let many: Vec<_> = (0..40).map(|_| sample().turns.remove(0)).collect();
    let order: Vec<usize> = (0..40).collect();
    let found = shares(&order, &[4, 9, 12, 39], &many);
    assert_eq!(found.first, [0.25, 0.5, 0.75, 1.0]);
    assert_eq!(found.tokens, [0.5, 0.75, 1.0, 1.0]);
}

#[test]
fn the_mean_is_over_questions_and_not_over_turns() {
    let figures = measure(&[(sample(), SampleVectors::default())], Ranking::Sash);
    assert_eq!(figures.all.questions, 3);
    assert_eq!(figures.all.mean(figures.all.first[0]), 100.0);
    assert_eq!(figures.categories.len(), 2);
    assert_eq!(figures.categories[&1].questions, 1);
    let all = decide(&[(sample(), SampleVectors::default())], Ranking::Sash);
    assert_eq!((all.answerable, all.unanswerable), (3, 2));
}

/// A set of the repository with its vectors.
fn set_of(name: &str) -> Vec<(Sample, SampleVectors)> {
    let path = format!(
        "{}/../../tests/data/recall/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(format!("{path}.json")).expect("the set is there");
    let samples = read(&text).expect("the set is well formed");
    let bytes = std::fs::read(format!("{path}.i8")).expect("its vectors are there");
    let vectors = embedded::read(&bytes, &samples).expect("they are those of the set");
    samples.into_iter().zip(vectors).collect()
}

const SETS: [&str; 8] = [
    "life", "chat", "ask", "letters", "text", "tasks", "deutsch", "asides",
];

fn all_sets() -> impl Iterator<Item = (String, Vec<(Sample, SampleVectors)>)> {
    let names = SETS
        .iter()
        .flat_map(|set| [(*set).to_owned(), format!("{set}-held-out")]);
    names.map(|name| (name.clone(), set_of(&name)))
}

#[test]
fn vectors_of_another_set_are_refused() {
    let bytes = vec![1; 384 * 8];
    let samples = [sample()];
    assert!(
        embedded::read(&bytes, &samples).is_some(),
        "three turns and five questions"
    );
    assert!(embedded::read(&bytes[384..], &samples).is_none());
    assert!(embedded::read(&[bytes, vec![1; 384]].concat(), &samples).is_none());
}

/// Joining vectors may cost no set more than half a point at ten and in 512 tokens, alone or with the talk of all
/// others around it, and must gain ten where question and answer share no word. Else it is not worth its price.
#[test]
fn vectors_cost_nothing_and_find_what_shares_no_word() {
    let at_ten = |shares: &measure::Shares| shares.mean(shares.first[1]);
    let in_512 = |shares: &measure::Shares| shares.mean(shares.tokens[2]);
    let log = one_log(all_sets().flat_map(|(_, samples)| samples).collect());
    let sets = all_sets().chain([("all as one log".to_owned(), vec![log])]);
    let mut gains = Vec::new();
    for (set, samples) in sets {
        let words = measure(&samples, Ranking::Sash);
        let joined = measure(&samples, Ranking::Joined);
        for figure in [at_ten, in_512] {
            let (before, after) = (figure(&words.all), figure(&joined.all));
            assert!(after >= before - 0.5, "{set}: {before:.1} {after:.1}");
        }
        if let Some(before) = words.categories.get(&NO_SHARED_WORD) {
            gains.push(at_ten(&joined.categories[&NO_SHARED_WORD]) - at_ten(before));
        }
    }
    let (whole_log, alone) = gains.split_last().expect("the log of all is one");
    assert_eq!(alone.len(), 10);
    let mean = alone.iter().sum::<f64>() / 10.0;
    println!("{mean:.1} {whole_log:.1}");
    assert!(mean >= 10.0 && *whole_log >= 10.0, "{gains:?}");
}

/// Of twelve things said right after a long answer, and asked for in other words, at least ten are recalled. Once each was
/// embedded behind the beginning of that answer: its vector was the answer's, and vectors found one of 24.
#[test]
fn what_was_said_after_a_long_answer_is_recalled() {
    for set in ["asides", "asides-held-out"] {
        for (sample, vectors) in set_of(set) {
            let found = measure::recalled_questions(&sample, &vectors);
            println!("{set}: {found:?}");
            assert_eq!(found.len(), 12);
            let count = found.iter().filter(|found| **found).count();
            assert!(count >= 10, "{set}: {count}");
        }
    }
}

/// A question of this category shares no stem with its answer.
#[test]
fn questions_that_share_no_word_share_none() {
    for (set, samples) in all_sets() {
        for (sample, _) in samples {
            let mut index = MessageIndex::default();
            for (at, turn) in (0..).zip(&sample.turns) {
                // Without a date, whose words are no words of the turn.
                let message = Message {
                    content: turn.text.clone(),
                    ..Message::new(Id(at), None, at as u32, Role::User, u64::MAX)
                };
                index.add(Id(0), &message, 0);
            }
            let index = index.all();
            let own = sample.questions.iter();
            for question in own.filter(|question| question.category == Some(NO_SHARED_WORD)) {
                let is_needed = |id: Id| question.needed.contains(&(id.0 as usize));
                let ranked = index.rank(&question.text, &|_, _| true).into_iter();
                let mut needed = ranked.filter(|one| is_needed(one.message));
                let words =
                    needed.find_map(|one| Some(one.words).filter(|words| !words.is_empty()));
                assert_eq!(words, None, "{set}: {}", question.text);
            }
        }
    }
}

/// At least 85 % of the prompts with an answer recall something, and at most a quarter of those without.
#[test]
fn prompts_without_an_answer_seldom_recall_something() {
    for held_out in [false, true] {
        let sets = all_sets().filter(|(name, _)| name.ends_with("-held-out") == held_out);
        let samples: Vec<_> = sets.flat_map(|(_, samples)| samples).collect();
        let all = decide(&samples, Ranking::Sash);
        let with = f64::from(all.recalled) / f64::from(all.answerable);
        let without = f64::from(all.wrong) / f64::from(all.unanswerable);
        println!("{held_out}: {with:.3} {without:.3}");
        assert!(with >= 0.85 && without <= 0.25, "{with} {without}");
    }
}

/// The figures of the sets of the repository: a change of the ranking that costs more than a question or two shows.
#[test]
fn the_own_sets_are_found_as_well_as_before() {
    for (set, least) in [
        ("life", 88.0),
        ("life-held-out", 82.0),
        ("chat", 85.0),
        ("chat-held-out", 65.0),
        ("ask", 95.0),
        ("ask-held-out", 95.0),
    ] {
        let samples = set_of(set);
        let at_ten = |ranking| {
            let all = measure(&samples, ranking).all;
            all.mean(all.first[1])
        };
        let own = at_ten(Ranking::Sash);
        println!("{set}: {own:.1} last {:.1}", at_ten(Ranking::Last));
        assert!(own >= least, "{set}: {own:.1}");
    }
}
