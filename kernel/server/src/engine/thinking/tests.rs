use super::*;
use proptest::prelude::*;

fn whole<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
    split(ThinkingSplitter::default(), pieces)
}

fn split<'a>(
    mut thought: ThinkingSplitter,
    pieces: impl IntoIterator<Item = &'a str>,
) -> (String, String) {
    let (mut thinking, mut answer) = (String::new(), String::new());
    let mut add = |(t, a): (String, String)| {
        thinking += &t;
        answer += &a;
    };
    for piece in pieces {
        add(thought.push(piece));
    }
    add(thought.finish());
    (thinking, answer)
}

const CASES: [(&str, &str, &str); 15] = [
    ("<think>\nWell.\n</think>\n\nYes.", "Well.", "Yes."),
    ("<thinking>Well.</thinking>Yes.", "Well.", "Yes."),
    ("\n <think>a</think>b", "a", "b"),
    ("<think>\n\n</think>\n\nYes.", "", "Yes."),
    ("<think></think>", "", ""),
    ("<think>it never ends </thin", "it never ends </thin", ""),
    ("No tag. <think>a</think>", "", "No tag. <think>a</think>"),
    ("<thin ice", "", "<thin ice"),
    ("<thin", "", "<thin"),
    ("  \n indented", "", "  \n indented"),
    ("", "", ""),
    // Nothing came after it, so it may be the answer.
    ("<think>", "", "<think>"),
    (" [THINK]\n", "", "[THINK]"),
    (
        "<think>a < b </thinking> 日本</think>  - x",
        "a < b </thinking> 日本",
        "  - x",
    ),
    (
        "<think>a</think>b <think>c</think>",
        "a",
        "b <think>c</think>",
    ),
];

/// Answers whose template opened the thinking.
const OPENED_CASES: [(&str, &str, &str); 10] = [
    ("Well.\n</think>\n\nYes.", "Well.", "Yes."),
    ("\nWell.</think>Yes.", "Well.", "Yes."),
    ("</think>\n\nYes.", "", "Yes."),
    // Some models write the tag again.
    ("<think>\nWell.\n</think>\n\nYes.", "Well.", "Yes."),
    ("<thinking>a</think>b</thinking>c", "a</think>b", "c"),
    ("it never ends </thin", "it never ends </thin", ""),
    ("<thin", "<thin", ""),
    ("a</think>b <think>c</think>", "a", "b <think>c</think>"),
    ("日本</think>é", "日本", "é"),
    ("", "", ""),
];

/// Answers of models with other marks, cut and uncut, as their templates write them.
const MARKED_CASES: [(&str, &str, &str); 24] = [
    ("[THINK]Well.[/THINK]Yes.", "Well.", "Yes."),
    (
        "[THINK]\nOne.\n\nTwo.\n[/THINK]\n\nYes.",
        "One.\n\nTwo.",
        "Yes.",
    ),
    ("<thought>Well.</thought>\nYes.", "Well.", "Yes."),
    ("<seed:think>\nWell.\n</seed:think>Yes.", "Well.", "Yes."),
    ("<|channel>thought\nWell.\n<channel|>Yes.", "Well.", "Yes."),
    ("<|channel>thought\n<channel|>Yes.", "", "Yes."),
    ("◁think▷Well.◁/think▷Yes.", "Well.", "Yes."),
    ("<mm:think>Well.</mm:think>Yes.", "Well.", "Yes."),
    ("<longcat_think>日本</longcat_think>é", "日本", "é"),
    ("<|inner_prefix|>Well.<|inner_suffix|>Yes.", "Well.", "Yes."),
    (
        "<|START_THINKING|>Well.<|END_THINKING|><|START_RESPONSE|>Yes.<|END_RESPONSE|>",
        "Well.",
        "Yes.",
    ),
    (
        "<|START_THINKING|>Well.<|END_THINKING|>\nYes.",
        "Well.",
        "Yes.",
    ),
    (
        "<|begin_of_thought|>\n\nWell.\n\n<|end_of_thought|>\n\n<|begin_of_solution|>\n\nYes.\n\n<|end_of_solution|>\n",
        "Well.",
        "Yes.\n\n",
    ),
    (
        "<|START_THINKING|>a<|END_THINKING|><|START_RES",
        "a",
        "<|START_RES",
    ),
    // Only the mark of the same kind ends it.
    ("[THINK]a </think> b[/THINK]c", "a </think> b", "c"),
    ("<thought>a [/THINK", "a [/THINK", ""),
    // Text that begins like a mark.
    ("[THINKING] about it", "", "[THINKING] about it"),
    ("[THI", "", "[THI"),
    ("[1] A footnote", "", "[1] A footnote"),
    ("<|channel>other", "", "<|channel>other"),
    // Quoted in code, or behind other words.
    (
        "`[THINK]` opens, `[/THINK]` closes.",
        "",
        "`[THINK]` opens, `[/THINK]` closes.",
    ),
    (
        "```\n<seed:think>a</seed:think>\n```",
        "",
        "```\n<seed:think>a</seed:think>\n```",
    ),
    (
        "\n    <thought>\n    a\n    </thought>",
        "",
        "\n    <thought>\n    a\n    </thought>",
    ),
    (
        "Gemma writes <|channel>thought a<channel|>b",
        "",
        "Gemma writes <|channel>thought a<channel|>b",
    ),
];

/// What gpt-oss writes where its engine does not read harmony.
const HARMONY_CASES: [(&str, &str, &str); 14] = [
    (
        "<|channel|>analysis<|message|>Well.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
        "Well.",
        "Yes.",
    ),
    ("<|channel|>final<|message|>Yes.<|end|>\n", "", "Yes."),
    (
        "<|start|>assistant<|channel|>analysis<|message|>Well.<|end|>\n<|start|>assistant<|channel|>final <|constrain|>json<|message|>{}",
        "Well.",
        "{}",
    ),
    // Several messages of one channel are paragraphs.
    (
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|><|start|>assistant<|channel|>final<|message|>c",
        "a\n\nb",
        "c",
    ),
    (
        "<|channel|>commentary<|message|>First I look.<|end|><|start|>assistant<|channel|>final<|message|>Yes.",
        "",
        "First I look.\n\nYes.",
    ),
    // A call that the engine did not read is no answer, and not lost.
    (
        "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\":1}<|call|>",
        "functions.f: {\"a\":1}",
        "",
    ),
    (
        "<|channel|>analysis<|message|>Well.<|start|>assistant<|channel|>final<|message|>Yes.",
        "Well.",
        "Yes.",
    ),
    (
        "<|channel|>analysis<|message|>Well.<|end|>Yes.",
        "Well.",
        "Yes.",
    ),
    (
        "<|channel|>analysis<|message|>it never ends <|en",
        "it never ends <|en",
        "",
    ),
    ("<|channel|>analysis<|message|>", "", ""),
    ("<|channel|>analy", "", "<|channel|>analy"),
    // In the answer itself they are text.
    (
        "<|channel|>final<|message|>`<|start|>assistant<|channel|>analysis<|message|>a<|end|>` and <|return|> too",
        "",
        "`<|start|>assistant<|channel|>analysis<|message|>a<|end|>` and <|return|> too",
    ),
    (
        "<|channel|> begins a channel, <|message|> its text",
        "",
        "<|channel|> begins a channel, <|message|> its text",
    ),
    (
        "`<|channel|>final<|message|>` begins it",
        "",
        "`<|channel|>final<|message|>` begins it",
    ),
];

/// Each at every cut: only `<think>` and `<thinking>` were known, so the others stood in the answer.
#[test]
fn marks_of_other_models_are_known_at_every_cut() {
    for (text, thinking, answer) in MARKED_CASES.iter().chain(&HARMONY_CASES) {
        let expected = ((*thinking).to_owned(), (*answer).to_owned());
        let letters = text
            .char_indices()
            .map(|(at, c)| &text[at..at + c.len_utf8()]);
        assert_eq!(whole(letters), expected, "{text} letter by letter");
        for (at, _) in text.char_indices() {
            assert_eq!(
                whole([&text[..at], &text[at..]]),
                expected,
                "{text} at {at}"
            );
        }
    }
}

#[test]
fn each_kind_of_marks_is_folded_and_its_text_kept() {
    for ThinkingTags { open, close, .. } in &TAGS {
        let text = format!("{open}\nWell, é.\n{close}\n\nYes {open}a{close}.");
        let expected = ("Well, é.".to_owned(), format!("Yes {open}a{close}."));
        for (at, _) in text.char_indices() {
            assert_eq!(
                whole([&text[..at], &text[at..]]),
                expected,
                "{text} at {at}"
            );
        }
    }
}

#[test]
fn an_answer_begins_as_thinking_where_the_template_opened_it() {
    for (text, thinking, answer) in OPENED_CASES {
        let expected = (thinking.to_owned(), answer.to_owned());
        for (at, _) in text.char_indices() {
            let pieces = [&text[..at], &text[at..]];
            let found = split(ThinkingSplitter::opened_by_template(), pieces);
            assert_eq!(found, expected, "{text} at {at}");
        }
    }
}

#[test]
fn text_is_the_answer_where_ollama_separates_the_thinking() {
    let mut thought = ThinkingSplitter::opened_by_template();
    thought.separated_by_engine();
    assert_eq!(thought.push("Yes."), (String::new(), "Yes.".to_owned()));
    for thought in [
        ThinkingSplitter::default(),
        ThinkingSplitter::opened_by_template(),
    ] {
        let mut thought = thought;
        thought.push("<th");
        thought.separated_by_engine();
        let (thinking, answer) = thought.push("ink> is a tag, </think> its end");
        assert_eq!(thinking, "");
        assert_eq!(answer, "<think> is a tag, </think> its end");
    }
}

#[test]
fn thinking_and_answer_are_told_apart_at_every_cut() {
    for (text, thinking, answer) in CASES {
        let expected = (thinking.to_owned(), answer.to_owned());
        let letters = text
            .char_indices()
            .map(|(at, c)| &text[at..at + c.len_utf8()]);
        assert_eq!(whole(letters), expected, "{text} letter by letter");
        for (at, _) in text.char_indices() {
            assert_eq!(
                whole([&text[..at], &text[at..]]),
                expected,
                "{text} at {at}"
            );
        }
    }
}

#[test]
fn white_space_without_end_is_not_held_for_ever() {
    let mut thought = ThinkingSplitter::default();
    let given: usize = (0..100)
        .map(|_| thought.push(&" ".repeat(50)).1.len())
        .sum();
    assert!(given + MAX_HELD_BYTES >= 5_000);
    let mut thought = ThinkingSplitter::default();
    let _ = thought.push("<think>a");
    let given: usize = (0..100)
        .map(|_| thought.push(&"\n".repeat(50)).0.len())
        .sum();
    assert!(given + MAX_HELD_BYTES >= 5_000);
}

proptest! {
    #[test]
    fn without_a_tag_at_the_beginning_nothing_changes(
        text in "[a-z <>/\n]{0,20}(</?think>)?[a-z <>/\n]{0,20}",
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        prop_assume!(!TAGS.iter().any(|tags| text.trim_start().starts_with(tags.open)));
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        at.extend([0, text.len()]);
        at.sort_unstable();
        let pieces = at.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        prop_assert_eq!(whole(pieces), (String::new(), text.clone()));
    }

    /// The words are told apart from the marks by their letters.
    #[test]
    fn no_word_is_lost_whatever_marks_are_among_them(
        parts in proptest::collection::vec((any::<prop::sample::Index>(), "[XYZ é\n]{0,4}"), 0..8),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut marks: Vec<&str> = TAGS.iter().flat_map(|tags| [tags.open, tags.close]).collect();
        marks.extend(["<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"]);
        marks.extend(ENDS);
        let text: String = parts.iter().map(|(mark, words)| format!("{}{words}", mark.get(&marks))).collect();
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        at.retain(|at| text.is_char_boundary(*at));
        at.extend([0, text.len()]);
        at.sort_unstable();
        let pieces = at.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        let (thinking, answer) = whole(pieces);
        let words = |text: &str| text.chars().filter(|c| "XYZé".contains(*c)).collect::<String>();
        prop_assert_eq!(words(&text), words(&thinking) + &words(&answer));
        prop_assert_eq!((thinking, answer), whole([&*text]));
    }

    #[test]
    fn no_text_is_lost(
        text in "[a-z <>/\n]{0,12}(</?think(ing)?>)?[a-zé \n]{0,12}(</?think(ing)?>)?[a-z <>/\n]{0,12}",
        opened in any::<bool>(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).collect();
        at.retain(|at| text.is_char_boundary(*at));
        at.extend([0, text.len()]);
        at.sort_unstable();
        let pieces = at.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        let splitter = match opened {
            true => ThinkingSplitter::opened_by_template(),
            false => ThinkingSplitter::default(),
        };
        let (thinking, answer) = split(splitter, pieces);
        // Only one pair of tags and the blank around it may be missing.
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let (given, came) = (letters(&text), letters(&thinking) + &letters(&answer));
        let without = |tag: &str| {
            let rest = given.replacen(tag, "", 1);
            (rest != given).then_some(rest)
        };
        let mut allowed = vec![given.clone()];
        for ThinkingTags { open, close, .. } in &TAGS {
            allowed.extend(without(open));
            allowed.extend(without(close));
            allowed.extend(without(open).map(|rest| rest.replacen(close, "", 1)));
        }
        prop_assert!(allowed.contains(&came), "{:?} became {:?}", given, came);
    }
}
