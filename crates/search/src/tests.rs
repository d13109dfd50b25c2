//! Messages that are found, and those that are not.

use super::*;
use sash_chat::{Id, Message, Role};

const CHAT: Id = Id(1);
const NONE: [u64; 0] = [];

/// A message of a person.
pub(crate) fn said(id: Id, seq: u32, text: &str, created: u64) -> Message {
    Message {
        content: text.to_owned(),
        ..Message::new(id, None, seq, Role::User, created)
    }
}

/// Adds a message as the next one of its chat.
pub(crate) fn add(index: &mut MessageIndex, chat: Id, id: Id, text: &str, created: u64) {
    let seq = index.len() as u32;
    index.add(chat, &said(id, seq, text, created), 0);
}

/// An index of one chat; the message ids count from 0, the newest last.
fn index(texts: &[&str]) -> MessageIndex {
    let mut index = MessageIndex::default();
    for (at, text) in texts.iter().enumerate() {
        add(&mut index, CHAT, Id(at as u64), text, at as u64);
    }
    index
}

fn found(texts: &[&str], query: &str) -> Vec<u64> {
    let all = index(texts).search(&SearchQuery::read(query), &mut |found| {
        Some(texts[found.created as usize].to_owned())
    });
    all.iter().filter_map(|f| Some(f.message?.0)).collect()
}

fn marked(text: &str, query: &str) -> Vec<String> {
    let snippet = Snippet::new(text, &SearchQuery::read(query));
    let marks = snippet
        .marks
        .iter()
        .map(|at| snippet.text[at.clone()].to_owned());
    marks.collect()
}

#[test]
fn every_word_must_occur_and_the_newest_comes_first() {
    let texts = ["the red boat", "a red house", "a boat, painted Red."];
    assert_eq!(found(&texts, "red boat "), [2, 0]);
    assert_eq!(found(&texts, "boat red"), [2, 0]);
    assert_eq!(found(&texts, "red plane"), NONE);
    assert_eq!(found(&texts, " "), NONE);
    assert_eq!(found(&texts, "?!"), NONE);
}

#[test]
fn the_last_word_may_be_only_begun_until_a_blank_ends_it() {
    let texts = ["painting", "paint", "the pain is gone"];
    assert_eq!(found(&texts, "pain"), [2, 1, 0]);
    assert_eq!(found(&texts, "pain "), [2]);
    assert_eq!(found(&texts, "paint"), [1, 0]);
    assert_eq!(found(&texts, "pa is"), NONE);
}

/// Words times messages are 400 million steps: a search walks the postings of its words alone.
#[test]
fn a_pasted_text_of_thousands_of_words_is_found() {
    let words = (0..8_000).map(|n| format!("w{n} the "));
    let pasted: String = words.collect();
    let mut texts = vec!["short"; 50_000];
    texts[7] = &pasted;
    let index = index(&texts);
    let found = index.search(&SearchQuery::read(&pasted), &mut |_| None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, Some(Id(7)));
}

#[test]
fn case_and_accents_do_not_matter() {
    let texts = [
        "Ça, c'est très élégant",
        "GROẞE Straße",
        "Cafe\u{301} noir",
        "Łódź, Đà Nẵng, ørsted",
        "Ёлка и чай",
        "ΠΟΛΎΣ",
        "ＡＢＣ１２３",
    ];
    for (query, expected) in [
        ("ca tres elegant", 0),
        ("ÉLÉGANT", 0),
        ("grosse strasse", 1),
        ("café ", 2),
        ("cafe ", 2),
        ("lodz", 3),
        ("da nang", 3),
        ("Ørsted", 3),
        ("елка", 4),
        ("πολυς ", 5),
        ("abc123 ", 6),
    ] {
        assert_eq!(found(&texts, query), [expected], "{query}");
    }
}

#[test]
fn scripts_without_blanks_are_found_in_the_middle_and_in_one_piece_only() {
    let texts = [
        "如何备份数据库？",
        "数据很多，根据库存",
        "東京タワーへ行きました",
        "데이터베이스를 백업",
        "ฐานข้อมูลขนาดใหญ่",
        "iPhone手机壳",
    ];
    assert_eq!(found(&texts, "数据库"), [0]);
    assert_eq!(found(&texts, "数据"), [1, 0]);
    assert_eq!(found(&texts, "库"), [1, 0]);
    assert_eq!(found(&texts, "備份"), NONE);
    assert_eq!(found(&texts, "タワー"), [2]);
    assert_eq!(found(&texts, "베이스"), [3]);
    assert_eq!(found(&texts, "ข้อมูล"), [4]);
    assert_eq!(found(&texts, "手机 iphone"), [5]);
    assert_eq!(found(&texts, "数据 备份"), [0]);
}

#[test]
fn what_is_removed_is_not_found_and_what_is_added_again_is_found_once() {
    let mut index = index(&["one boat", "two boats", "a boat"]);
    index.add_title(CHAT, 9, "Boats");
    add(&mut index, Id(2), Id(0), "another boat", 5);
    let search = |index: &MessageIndex, query: &str| {
        let found = index.search(&SearchQuery::read(query), &mut |_| None);
        found
            .iter()
            .map(|f| (f.chat.0, f.message.map(|id| id.0)))
            .collect::<Vec<_>>()
    };
    let all = [
        (1, None),
        (2, Some(0)),
        (1, Some(2)),
        (1, Some(1)),
        (1, Some(0)),
    ];
    assert_eq!(search(&index, "boat"), all);
    index.remove(CHAT, Some(Id(1)));
    add(&mut index, CHAT, Id(2), "a plane", 2);
    add(&mut index, CHAT, Id(2), "a boat", 2);
    assert_eq!(search(&index, "boat"), [all[0], all[1], all[2], all[4]]);
    assert!(search(&index, "plane").is_empty());
    for message in [None, Some(Id(0)), Some(Id(2))] {
        index.remove(CHAT, message);
    }
    assert_eq!(search(&index, "boat"), [(2, Some(0))]);
    assert_eq!(index.len(), 1);
    assert!(!index.contains(CHAT, None));
}

#[test]
fn a_snippet_marks_what_was_looked_for() {
    assert_eq!(marked("A red boat, a Red house.", "red"), ["red", "Red"]);
    assert_eq!(marked("painting and pain", "pain "), ["pain"]);
    assert_eq!(
        marked("Ça va, garc\u{327}on?", "ca garco"),
        ["Ça", "garc\u{327}on"]
    );
    assert_eq!(marked("如何备份数据库？", "数据库"), ["数据库"]);
    assert_eq!(marked("nothing of it", "boat"), [] as [&str; 0]);
}

#[test]
fn a_snippet_shows_where_most_words_stand_together_on_one_line() {
    let text = format!(
        "A boat.\n\n{}\n\nThe red boat\nsails {}",
        "x ".repeat(200),
        "y ".repeat(200)
    );
    let snippet = Snippet::new(&text, &SearchQuery::read("red boat"));
    assert!(snippet.text.starts_with("… x "), "{}", snippet.text);
    assert!(
        snippet.text.contains("The red boat sails"),
        "{}",
        snippet.text
    );
    assert!(snippet.text.ends_with('…'));
    assert!(snippet.text.chars().count() < 2 * 190, "{}", snippet.text);
    let parts: String = snippet.parts().map(|(part, _)| part).collect();
    assert_eq!(parts, snippet.text);
    let marked: Vec<&str> = snippet
        .parts()
        .filter(|(_, m)| *m)
        .map(|(part, _)| part)
        .collect();
    assert_eq!(marked, ["red", "boat"]);
}

#[test]
fn the_snippet_of_an_answer_is_without_marks_and_that_of_a_question_as_it_was_written() {
    let snippet = |role, text: &str, query: &str| {
        let message = Message {
            content: text.to_owned(),
            ..Message::new(Id(1), None, 0, role, 1)
        };
        let snippet = Snippet::of(&message, &SearchQuery::read(query));
        let marks = snippet.marks.iter().map(|at| &snippet.text[at.clone()]);
        (snippet.text.clone(), marks.collect::<Vec<_>>().join("|"))
    };
    for text in [
        "2*3*4 = 24",
        "a_b_c",
        "~~x~~ x",
        "# title x",
        "`x`",
        "$5 and $6",
        "**x**",
    ] {
        for role in [Role::User, Role::System, Role::Tool] {
            assert_eq!(snippet(role, text, "x").0, text);
            assert_eq!(snippet(role, text, "").0, text);
        }
    }
    let answer =
        "# The `red` boat\n> **sails** at $v = \\frac{s}{t}$, [see](https://a.example/harbour)";
    let shown = "The red boat sails at v = s/t, see";
    assert_eq!(snippet(Role::Assistant, answer, "").0, shown);
    assert_eq!(
        snippet(Role::Assistant, answer, "sails boat"),
        (shown.to_owned(), "boat|sails".to_owned())
    );
    // What only the source has is shown in it.
    let (text, marks) = snippet(Role::Assistant, answer, "harbour");
    assert!(text.contains("https://a.example/harbour"), "{text}");
    assert_eq!(marks, "harbour");
}

#[cfg(not(target_arch = "wasm32"))]
mod any {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_word_of_any_text_is_found_by_any_beginning(
            texts in prop::collection::vec("[a-zA-ZäÉß .,']{0,30}", 1..8),
            letters in 1usize..6,
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for (at, text) in texts.iter().enumerate() {
                for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
                    let begun: String = word.chars().take(letters).collect();
                    prop_assert!(found(&texts, &begun).contains(&(at as u64)), "{begun} in {text}");
                    prop_assert!(!marked(text, &begun).is_empty());
                }
            }
        }

        #[test]
        fn any_text_and_any_query_are_survived(text in any::<String>(), query in any::<String>()) {
            let snippet = Snippet::new(&text, &SearchQuery::read(&query));
            for mark in &snippet.marks {
                prop_assert!(snippet.text.get(mark.clone()).is_some());
            }
            let parts: String = snippet.parts().map(|(part, _)| part).collect();
            prop_assert_eq!(parts, snippet.text);
            let _ = found(&[&text], &query);
        }

        #[test]
        fn any_piece_of_chinese_is_found(text in "[一-三上-下]{1,12}", from in 0usize..12, long in 1usize..5) {
            let piece: String = text.chars().skip(from).take(long).collect();
            if !piece.is_empty() {
                prop_assert_eq!(found(&[&text], &piece), [0]);
            }
        }
    }
}

/// Regression: the search passed over emoji, and a query of them found nothing.
#[test]
fn emoji_are_found_whatever_they_are_made_of() {
    let texts = [
        "Well done 😀",
        "ja👍🏽!",
        "ok 👍🏻",
        "Flags: 🇨🇩🇪🇸",
        "我❤️你",
        "step 1️⃣, then 2️⃣",
        "👨‍👩‍👧 and 👩🏽‍💻",
        "I ❤ rain ☔",
    ];
    let cases: [(&str, &[u64]); 17] = [
        ("😀", &[0]),
        ("done 😀 ", &[0]),
        ("😀 don", &[0]),
        ("👍", &[2, 1]),
        ("👍🏽", &[1]),
        ("👍🏿", &NONE),
        ("🇩🇪", &NONE),
        ("🇪🇸", &[3]),
        ("❤", &[7, 4]),
        ("❤️", &[7, 4]),
        ("❤️☔", &[7]),
        ("1️⃣", &[5]),
        ("3️⃣", &NONE),
        ("1", &[5]),
        ("👨‍👩‍👧", &[6]),
        ("👩‍💻", &[6]),
        ("😀👍", &NONE),
    ];
    for (query, expected) in cases {
        assert_eq!(found(&texts, query), expected, "{query}");
    }
    assert_eq!(marked("ja👍🏽, 👍🏻!", "👍"), ["👍🏽", "👍🏻"]);
    assert_eq!(marked("**我❤️你**", "❤"), ["❤️"]);
    assert_eq!(marked("press *️⃣ now", "*️⃣"), ["*️⃣"]);
    assert_eq!(marked("step 1️⃣", "1"), ["1️⃣"]);
    assert_eq!(marked("🇨🇩🇪🇸", "🇪🇸"), ["🇪🇸"]);
}

/// One of these as a query once was the beginning of every word, so it found all messages.
#[test]
fn vowel_points_without_a_letter_find_nothing() {
    for points in [
        "\u{fe70}",
        "\u{fe7f}",
        "\u{fe76} \u{fe77}",
        "\u{670}",
        "\u{5b4}",
    ] {
        let query = SearchQuery::read(points);
        assert!(query.is_empty(), "{points:?}: {query:?}");
        assert!(query.matches("any word").is_empty(), "{points:?}");
    }
}
