use super::*;

fn terms_in(text: &str, language: TextLanguage) -> Vec<String> {
    let mut all = Vec::new();
    each_term(text, language, &mut StemCache::default(), &mut |term, _| {
        all.push(term.to_owned());
    });
    all
}

fn terms(text: &str) -> Vec<String> {
    terms_in(text, TextLanguage::of(text, None))
}

/// All words of a line have one stem.
fn meet(words: &str) {
    let stems = terms_in(words, TextLanguage::English);
    assert!(stems.windows(2).all(|two| two[0] == two[1]), "{stems:?}");
}

#[test]
fn forms_of_a_word_meet() {
    for words in [
        "run running runs ran",
        "make making makes made",
        "tree trees",
        "use using used uses",
        "lady ladies",
        "study studies studied studying",
        "house houses",
        "stop stopped stopping",
        "agree agreed agreeing",
        "child children",
        "buy bought buying",
        "organise organizing organised",
        "colour color colours",
        "12 12th twelve",
        "naïve naive",
    ] {
        meet(words);
    }
}

/// Regression: these were the known flaws of the stemmer before.
#[test]
fn words_that_are_different_stay_apart() {
    let stems = terms("class classic 20222 2022 abc55 party part");
    let mut different = stems.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), stems.len(), "{stems:?}");
}

#[test]
fn words_are_runs_of_letters_and_digits_without_stop_words() {
    assert_eq!(
        terms("Ann: Which database should I use for the recipe site? 3 March 2026"),
        [
            "ann", "databas", "use", "recip", "site", "3", "march", "2026"
        ]
    );
    assert!(terms("I don't, you can't; we'll see what they've — I mean").contains(&"mean".into()));
    assert!(terms("don't").is_empty());
    assert!(terms("").is_empty());
}

#[test]
fn the_month_of_may_is_no_verb() {
    assert_eq!(terms("in May"), ["may"]);
    assert_eq!(terms("8 May 2023"), ["8", "may", "2023"]);
    assert_eq!(terms("May 8"), ["may", "8"]);
    assert!(terms("May I? You may.").is_empty());
}

#[test]
fn each_language_has_its_stop_words_and_stems() {
    use TextLanguage::{English, French, German, Spanish};
    for (text, language, found) in [
        (
            "The trains were late",
            English,
            ["train", "late"].as_slice(),
        ),
        (
            "Wie kündige ich die Verträge?",
            German,
            &["kundig", "vertrag"],
        ),
        (
            "Je prépare des poires pochées",
            French,
            &["prepar", "poir", "poch"],
        ),
        ("¿Dónde están las entradas?", Spanish, &["entrad"]),
    ] {
        assert_eq!(TextLanguage::of(text, None), language, "{text}");
        assert_eq!(terms(text), found, "{text}");
    }
}

#[test]
fn one_word_does_not_change_the_language() {
    use TextLanguage::{English, German};
    assert_eq!(TextLanguage::of("what a hat", Some(English)), English);
    assert_eq!(
        TextLanguage::of("Genau, Kohlebürsten", Some(German)),
        German
    );
    assert_eq!(TextLanguage::of("hat die man", None), German);
    assert_eq!(TextLanguage::of("", None), English);
}

#[test]
fn letters_of_every_alphabet_make_words() {
    assert_eq!(terms("Привет, МИР"), ["привет", "мир"]);
    assert_eq!(terms("数据库"), ["数据", "据库"]);
    assert_eq!(terms("SQLite的索引,好"), ["sqlite", "的索", "索引", "好"]);
    assert_eq!(terms("데이터 베이스"), ["데이", "이터", "베이", "이스"]);
}

#[test]
fn vowel_points_without_a_letter_are_no_term() {
    assert_eq!(terms("\u{fe70} \u{670} letters"), ["letter"]);
}

#[test]
fn a_term_knows_where_its_word_stands() {
    let text = "Größere Häuser 日本語";
    let mut raw = Vec::new();
    each_term(
        text,
        TextLanguage::German,
        &mut StemCache::default(),
        &mut |_, at| raw.push(&text[at]),
    );
    assert_eq!(raw, ["Größere", "Häuser", "日本", "本語"]);
}

#[test]
fn a_full_cache_gives_the_same_stems() {
    let text: String = (0..10_000).map(|n| format!("running{n}s ")).collect();
    assert_eq!(terms(&text).len(), 10_000);
    assert_eq!(terms(&text)[9_999], terms("running9999s")[0]);
}

#[test]
fn heads_and_members_of_a_subject_are_related_and_members_are_not() {
    let related = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|word| stem(word, TextLanguage::English));
        thesaurus::related(&one).contains(&other)
    };
    assert!(related("instrument", "cello"));
    assert!(related("cello", "instrument"));
    assert!(!related("cello", "guitar"));
    assert!(!related("cello", "cello"));
    assert!(!related("nowhere", "cello"));
}

#[test]
fn words_of_conversation_are_known_by_their_stem() {
    assert!(conversation::is_conversation(&stem(
        "recommended",
        TextLanguage::English
    )));
    assert!(conversation::is_conversation(&stem(
        "danke",
        TextLanguage::German
    )));
    assert!(!conversation::is_conversation("databas"));
}
