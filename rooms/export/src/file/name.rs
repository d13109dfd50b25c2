//! File names that every operating system accepts.

/// The most bytes before the extension: systems allow 255, and some tools append to names.
const MAX_BYTES: usize = 80;

/// A file name made of a title and an extension (`"md"`): no separators or other characters that a system
/// refuses, no device name of Windows, not hidden, never empty.
#[must_use]
pub fn file_name(title: &str, ending: &str) -> String {
    let mut name = String::new();
    for c in title.chars() {
        let refused = matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|')
            || c.is_control()
            || c.is_whitespace()
            || is_invisible(c);
        let c = if refused { ' ' } else { c };
        if name.len() + c.len_utf8() > MAX_BYTES {
            break;
        }
        if c != ' ' || !(name.is_empty() || name.ends_with(' ')) {
            name.push(c);
        }
    }
    // Windows drops dots and blanks at the end, other systems hide names that start with a dot, and many
    // commands take a leading hyphen for an option.
    let name = name
        .trim_start_matches(['.', ' ', '-', '~'])
        .trim_end_matches(['.', ' ']);
    // An extension does not help: "con.md" is the console device too.
    let stem = name.split('.').next().unwrap_or_default();
    let name = match name {
        "" => "chat".to_owned(),
        name if is_device(stem.trim_end()) => format!("chat {name}"),
        name => name.to_owned(),
    };
    format!("{name}.{ending}")
}

/// Direction and width marks, which make a name look like another one.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{ffff}')
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    match stem.as_str() {
        "con" | "prn" | "aux" | "nul" => true,
        _ => ["com", "lpt"].iter().any(|port| {
            let number = stem.strip_prefix(port);
            number.is_some_and(|n| n.chars().count() == 1 && n.chars().all(char::is_numeric))
        }),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn titles_become_names_that_every_system_takes() {
        for (title, name) in [
            ("A question", "A question.md"),
            ("What is 1/2?  And: *this*", "What is 1 2 And this.md"),
            ("../../etc/passwd", "etc passwd.md"),
            ("C:\\windows\\system32", "C windows system32.md"),
            ("", "chat.md"),
            (" ... ", "chat.md"),
            ("CON", "chat CON.md"),
            ("nul.txt", "chat nul.txt.md"),
            ("com1", "chat com1.md"),
            ("company", "company.md"),
            ("-rf", "rf.md"),
            ("ends.", "ends.md"),
            ("two\nlines\u{0}", "two lines.md"),
            ("exe\u{202e}gpj", "exe gpj.md"),
            ("日本語の質問", "日本語の質問.md"),
        ] {
            assert_eq!(file_name(title, "md"), name, "{title:?}");
        }
    }

    proptest! {
        #[test]
        fn any_title_gives_a_safe_name(title in any::<String>()) {
            let name = file_name(&title, "jsonl");
            prop_assert!(name.ends_with(".jsonl") && name.len() <= MAX_BYTES + 20);
            prop_assert!(!name.contains(|c: char| c.is_control() || "/\\:*?\"<>|".contains(c)));
            prop_assert!(!name.starts_with(['.', ' ', '-']) && !name.contains(" .jsonl"));
            prop_assert!(!is_device(name.split('.').next().unwrap_or_default()));
        }
    }
}
