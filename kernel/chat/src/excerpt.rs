//! An excerpt of a message around the words that found it.

use crate::Message;
use crate::shown_text::shown_text;

/// The byte offset of the first match of `bytes` in `among`, ignoring ASCII case.
#[must_use]
pub fn find_ignore_case(among: &[u8], bytes: &[u8]) -> Option<usize> {
    let mut places = among.windows(bytes.len().max(1));
    places.position(|place| place.eq_ignore_ascii_case(bytes))
}

/// One line of a message: the text around the first match of `words`, or its beginning. What a person wrote is as it is,
/// an answer is without its marks.
#[must_use]
pub fn excerpt(message: &Message, words: &[String]) -> String {
    let find = |text: &str| {
        let mut words = words.iter();
        words.find_map(|word| find_ignore_case(text.as_bytes(), word.as_bytes()))
    };
    let text = shown_text(message, find);
    excerpt_at(&text, find(&text))
}

fn excerpt_at(text: &str, found: Option<usize>) -> String {
    const BEFORE: usize = 16;
    const LONGEST: usize = 64;
    // A match far from the beginning: start at a word boundary shortly before it.
    let from = found.filter(|at| *at > LONGEST / 2).map_or(0, |at| {
        let before = text.get(..at).unwrap_or_default();
        let before = before.char_indices().rev().take(BEFORE);
        let blank = before.filter(|(_, c)| c.is_whitespace()).last();
        blank.map_or(at, |(place, _)| place)
    });
    let mut out = String::new();
    let mut left = LONGEST;
    for c in text.get(from..).unwrap_or_default().chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        out.push(c);
    }
    let before = if from > 0 { "… " } else { "" };
    let after = if left == 0 { "…" } else { "" };
    format!("{before}{}{after}", out.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Id, Role};

    #[track_caller]
    fn check(role: Role, text: &str, words: &[&str], expect: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let message = Message {
            content: text.to_owned(),
            ..Message::new(Id(1), None, 0, role, 1)
        };
        assert_eq!(excerpt(&message, &words), expect);
    }

    #[test]
    fn an_excerpt_is_the_beginning_or_what_is_around_the_first_match_on_one_line() {
        check(
            Role::User,
            "Red wine\n\n  goes  with it",
            &[],
            "Red wine goes with it",
        );
        check(Role::User, "Red wine", &["WINE"], "Red wine");
        let long = format!("{}the cellar is cold", "word ".repeat(40));
        check(
            Role::User,
            &long,
            &["cellar"],
            "… word word the cellar is cold",
        );
        check(
            Role::User,
            &"word ".repeat(40),
            &["other"],
            &format!("{}…", "word ".repeat(13).get(..64).unwrap()),
        );
    }

    #[test]
    fn who_wrote_a_message_decides_whether_it_is_markdown() {
        for (text, of_a_model) in [
            ("2*3*4 = 24", "234 = 24"),
            ("a_b_c", "a_b_c"),
            ("~~x~~", "x"),
            ("# title", "title"),
            ("`x`", "x"),
            ("$5 and $6", "$5 and $6"),
            ("## **Red** wine > `it`", "Red wine > it"),
            (
                "It is $\\frac{a}{b}$, [so](https://a.example)",
                "It is a/b, so",
            ),
        ] {
            for role in [Role::User, Role::System, Role::Tool] {
                check(role, text, &[], text);
            }
            check(Role::Assistant, text, &[], of_a_model);
        }
    }

    #[test]
    fn what_only_the_source_of_an_answer_has_is_found_in_it() {
        let text = "See [the docs](https://a.ex/cellar)";
        check(Role::Assistant, text, &["docs"], "See the docs");
        check(Role::Assistant, text, &["cellar"], text);
    }

    #[test]
    fn of_a_question_with_a_file_the_question_is_shown() {
        let file = crate::file_block("list.csv", "apples, pears");
        let text = format!("{file}\n\nWhat is *this*?");
        check(Role::User, &text, &[], "What is *this*? list.csv");
    }

    #[test]
    fn a_long_answer_is_parsed_around_the_match_alone() {
        let long = format!(
            "{}\n\nThe **cellar** is cold",
            "word *and* word\n".repeat(20_000)
        );
        check(
            Role::Assistant,
            &long,
            &["cellar"],
            "… and word The cellar is cold",
        );
        let line = format!("{} the **cellar**", "word *and* word ".repeat(20_000));
        check(Role::Assistant, &line, &["cellar"], "… and word the cellar");
    }

    #[test]
    fn a_match_is_found_whatever_its_case_and_an_empty_text_has_none() {
        assert_eq!(
            find_ignore_case("Füße Und Hände".as_bytes(), b"und"),
            Some(7)
        );
        assert_eq!(find_ignore_case(b"", b"abc"), None);
    }
}
