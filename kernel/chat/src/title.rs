//! The title of a chat without one of its own: the first meaningful words of its first question.

use super::{QuestionPart, first_line, question_parts};

/// The longest title, in characters.
const MAX_CHARS: usize = 60;
/// The least that a title is cut to, in characters: a word that is longer than the rest is cut itself.
const MIN_CHARS: usize = 30;
/// How many words of address may follow a greeting: "Hello dear Ada,".
const ADDRESS_WORDS: usize = 2;
/// How many words two titles have in common at most, before they are told apart by what follows.
const COMMON_WORDS: usize = 3;

/// What letters and chats begin with and what says nothing about them, in lower case, the longer ones first.
const GREETINGS: &str = "\
    good afternoon|good evening|good morning|good day|greetings|hello|hey|hiya|hi|yo|guten morgen|\
    guten abend|guten tag|grüß gott|grüezi|servus|hallo|moin|bonjour|bonsoir|salut|coucou|\
    buenos días|buenas tardes|buenas noches|buenas|hola|buongiorno|buonasera|salve|ciao|bom dia|\
    boa tarde|boa noite|olá|oi|goedemorgen|goedemiddag|goedenavond|hej|hei|god dag|dzień dobry|\
    cześć|здравствуйте|добрый день|добрый вечер|привет|γεια σας|γεια σου|merhaba|selam|\
    السلام عليكم|\
    مرحبا|\
    नमस्ते|こんにちは|こんばんは|おはようございます|你好|您好|안녕하세요|안녕";

/// The title of a chat by its first question; `None` for a question without any text. Files in it do not count.
#[must_use]
pub fn question_title(question: &str) -> Option<String> {
    Some(cut(&meaningful_line(question)?))
}

/// A title for a question where other chats have the same title: what follows the words that they have in common. `None`
/// where the questions are the same.
#[must_use]
pub fn distinct_title(question: &str, others: &[&str]) -> Option<String> {
    let words = words_of(question);
    let common = others.iter().map(|other| {
        let other = words_of(other);
        let pairs = words.iter().zip(&other);
        pairs.take_while(|(one, two)| one == two).count()
    });
    let common = common.max()?;
    let rest = words.get(common..).filter(|rest| !rest.is_empty())?;
    let begin = words.get(..common.min(COMMON_WORDS))?.join(" ");
    let between = match common > COMMON_WORDS {
        true => " … ",
        false => " ",
    };
    Some(cut(&format!("{begin}{between}{}", rest.join(" "))))
}

/// The words of a question, without its greeting and its files.
fn words_of(question: &str) -> Vec<String> {
    let lines = prose(question);
    let lines = without_greeting(&lines);
    lines
        .iter()
        .flat_map(|line| line.split_whitespace())
        .map(str::to_owned)
        .collect()
}

/// The first line that says something, as it was written: what people write is no Markdown.
fn meaningful_line(question: &str) -> Option<String> {
    let lines = prose(question);
    let line = without_greeting(&lines).into_iter().next();
    // A question of a greeting alone has that as its title, and one of signs alone has them.
    let line = line.or_else(|| lines.first().cloned());
    line.or_else(|| first_line(question).map(str::to_owned))
}

/// The lines of a question, without blank ones and lines of signs that only divide it. Pasted code counts only where there
/// is nothing else.
fn prose(question: &str) -> Vec<String> {
    let (mut prose, mut code) = (Vec::new(), Vec::new());
    for part in question_parts(question) {
        let QuestionPart::Text(text) = part else {
            continue;
        };
        let mut fence = None;
        for line in text.lines() {
            let line = line.trim();
            let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
            let run = line.chars().take_while(|c| Some(*c) == mark).count();
            let is_code_in_line = line.chars().skip(run).any(|c| Some(c) == mark);
            match fence {
                None if run >= 3 && !is_code_in_line => fence = mark,
                Some(_) if run >= 3 && mark == fence && line.chars().all(|c| Some(c) == mark) => {
                    fence = None;
                }
                Some(_) => code.extend(Some(line.to_owned()).filter(|line| !line.is_empty())),
                None => prose.extend(Some(line.to_owned()).filter(|line| !is_divider(line))),
            }
        }
    }
    match prose.is_empty() {
        true => code,
        false => prose,
    }
}

/// Whether a line has nothing but signs that divide a text.
fn is_divider(line: &str) -> bool {
    let is_sign = |c| matches!(c, '-' | '*' | '_' | '=' | '#' | '>' | '+' | ' ');
    line.chars().all(is_sign)
}

/// The lines without a greeting at their beginning; empty where there is nothing else.
fn without_greeting(lines: &[String]) -> Vec<String> {
    let Some(first) = lines.first() else {
        return Vec::new();
    };
    let rest = after_greeting(first).unwrap_or(first);
    let rest = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
    rest.into_iter()
        .chain(lines.iter().skip(1).cloned())
        .collect()
}

/// What follows a greeting and whom it addresses; `None` where there is none.
fn after_greeting(line: &str) -> Option<&str> {
    let is_end = |c: char| {
        matches!(
            c,
            ',' | '!' | '.' | '…' | ':' | ';' | '–' | '—' | '-' | '，' | '！' | '。' | '、' | '،'
        )
    };
    let rest = GREETINGS.split('|').find_map(|greeting| {
        let mut letters = line.char_indices();
        // Letter by letter, because lower case may have another length.
        for wanted in greeting.chars() {
            let (_, letter) = letters.next()?;
            letter.to_lowercase().eq([wanted]).then_some(())?;
        }
        let rest = letters.as_str();
        let next = rest.chars().next();
        let is_whole = next.is_none_or(|c| !c.is_alphanumeric() || !wanted_space(greeting));
        is_whole.then_some(rest)
    })?;
    let trimmed = rest.trim_start();
    if trimmed.is_empty() {
        return Some("");
    }
    if let Some(said) = trimmed.strip_prefix(is_end) {
        let said = said.trim_start_matches(|c: char| is_end(c) || c.is_whitespace());
        // "Hi! Hello there, …" greets twice.
        return Some(after_greeting(said).unwrap_or(said));
    }
    // "Hello there, can you …": whom it addresses ends with a sign.
    let end = trimmed.find(is_end)?;
    let (address, said) = trimmed.split_at(end);
    let words = address.split_whitespace().count();
    let is_address = words <= ADDRESS_WORDS && address.chars().count() < MIN_CHARS;
    is_address.then(|| said.trim_start_matches(|c: char| is_end(c) || c.is_whitespace()))
}

/// Whether a greeting ends where another word begins: scripts without spaces have no such end.
fn wanted_space(greeting: &str) -> bool {
    !greeting
        .chars()
        .any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
}

/// A text of at most the longest title, cut at a word or a sign.
fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(MAX_CHARS).collect();
    let least = text.char_indices().nth(MIN_CHARS).map_or(0, |(at, _)| at);
    let is_between =
        |c: char| c.is_whitespace() || matches!(c, '。' | '、' | '，' | '？' | '！' | '；');
    let next_is_between = text.chars().nth(MAX_CHARS).is_some_and(is_between);
    if !next_is_between && let Some(at) = cut.rfind(is_between).filter(|at| *at >= least) {
        cut.truncate(at);
    }
    let end =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—' | '、' | '，');
    format!("{}…", cut.trim_end_matches(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, title: &str) {
        assert_eq!(question_title(question).as_deref(), Some(title));
    }

    #[test]
    fn a_greeting_is_no_title_in_any_language() {
        check("Hi! How do locks work?", "How do locks work?");
        check(
            "hello there, can you sort this list?",
            "can you sort this list?",
        );
        check(
            "Good morning Ada,\n\nPlease fix my code.",
            "Please fix my code.",
        );
        check("Hallo zusammen, wie backe ich Brot?", "wie backe ich Brot?");
        check(
            "Guten Tag!\nIch brauche einen Brief.",
            "Ich brauche einen Brief.",
        );
        check("Bonjour, où est la gare ?", "où est la gare ?");
        check("¡Hola! ¿Qué tal?", "¡Hola! ¿Qué tal?");
        check("Hola, ¿cómo ordeno una lista?", "¿cómo ordeno una lista?");
        check("Привет! Как работает замок?", "Как работает замок?");
        check("你好，请帮我写一封信", "请帮我写一封信");
        check("こんにちは！ロックの仕組みは？", "ロックの仕組みは？");
        check("안녕하세요, 이 코드를 고쳐 주세요", "이 코드를 고쳐 주세요");
        check("Hi, hello! What is this?", "What is this?");
        // A greeting alone is all there is, and a word that begins like one is none.
        check("Hello", "Hello");
        check("Hi there!", "Hi there!");
        check("Hidden files: how?", "Hidden files: how?");
        check("Oil prices, please", "Oil prices, please");
        check(
            "Hello world programs in ten languages, short ones",
            "Hello world programs in ten languages, short ones",
        );
    }

    #[test]
    fn what_a_person_writes_is_no_markdown() {
        // "2*3*4 = 24" was titled "234 = 24".
        for question in [
            "2*3*4 = 24",
            "a_b_c or __init__?",
            "~~x~~ and **y**",
            "# title",
            "## Which *index* is **best**?",
            "What does `x` do?",
            "$5 and $6",
            "> - Quoted `code` first",
            "1. First of all",
            "- 5 degrees",
            "See [the docs](https://a.example/x) now",
            "![A cat](cat.png) what is this?",
            "~~~ and ``` are fences",
            "```x``` on one line?",
            "#hashtag or C# or a[0]?",
            "***",
            "## ",
        ] {
            check(question, question.trim());
        }
        check("Hi! Is 2*3 = 6?", "Is 2*3 = 6?");
        assert_eq!(
            distinct_title("Why is *p a pointer", &["Why is *p a value"]).as_deref(),
            Some("Why is *p … pointer")
        );
        // A rule says nothing while there is something else.
        check("---\nAfter a rule", "After a rule");
    }

    #[test]
    fn code_is_a_title_only_where_there_is_nothing_else() {
        check(
            "```rust\nfn main() {}\n```\nWhy does this not compile?",
            "Why does this not compile?",
        );
        check("~~~\n# not a heading\n~~~", "# not a heading");
        check("```\nfn main() {}\n```", "fn main() {}");
        check("```\nnever closed", "never closed");
        assert_eq!(question_title(" \n\n"), None);
    }

    #[test]
    fn a_long_question_is_cut_at_a_word() {
        check(
            "How do I sort a list of dictionaries by one of their values in Python?",
            "How do I sort a list of dictionaries by one of their values…",
        );
        check(
            &format!("A {}", "x".repeat(100)),
            &format!("A {}…", "x".repeat(58)),
        );
        let chinese = "请帮我写一封给房东的信，说明暖气坏了，".repeat(5);
        let title = question_title(&chinese).unwrap();
        assert!(title.ends_with("暖气坏了…"), "{title}");
        let german = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(3);
        check(&german, "Donaudampfschifffahrtsgesellschaftskapitän…");
        let emoji = "👩‍👩‍👧 ".repeat(40);
        assert!(question_title(&emoji).unwrap().chars().count() <= MAX_CHARS + 1);
    }

    #[test]
    fn two_questions_that_begin_alike_are_told_apart_by_what_follows() {
        let start = "Please translate the following text into French and keep the tone as it is:";
        let (one, two) = (format!("{start} a letter"), format!("{start} a poem"));
        assert_eq!(question_title(&one), question_title(&two));
        assert_eq!(
            distinct_title(&two, &[&one]).as_deref(),
            Some("Please translate the … poem")
        );
        // The one that shares the most decides; a question that is the beginning of another has nothing of its own.
        let three = format!("{start} a poem by Goethe");
        assert_eq!(
            distinct_title(&three, &[&one, &two]).as_deref(),
            Some("Please translate the … by Goethe")
        );
        assert_eq!(distinct_title(&two, &[&three]), None);
        assert_eq!(distinct_title(&two, &[]), None);
        assert_eq!(
            distinct_title("Fix this\nfn a() {}", &["Fix this\nfn b() {}"]).as_deref(),
            Some("Fix this fn a() {}")
        );
    }

    #[cfg(not(target_arch = "wasm32"))]
    proptest::proptest! {
        #[test]
        fn any_question_has_a_short_title(question: String, other: String) {
            if let Some(title) = question_title(&question) {
                proptest::prop_assert!(title.chars().count() <= MAX_CHARS + 1, "{}", title);
            }
            let told_apart = distinct_title(&question, &[&other]);
            proptest::prop_assert!(told_apart.is_none_or(|title| title.chars().count() <= MAX_CHARS + 1));
        }

        #[test]
        fn and_so_has_one_full_of_marks(question in "([-#>*_`~\\[\\]()!1. \n]|Hi|word|```|こ){0,40}") {
            let titles = [question_title(&question), distinct_title(&question, &["Hi word"])];
            proptest::prop_assert!(titles.iter().flatten().all(|title| title.chars().count() <= MAX_CHARS + 1));
        }
    }
}
