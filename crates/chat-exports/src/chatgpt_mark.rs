//! The marks that ChatGPT puts into its answers for sources, names and images.
//!
//! A mark of today is `U+E200 kind U+E202 argument U+E202 argument U+E201`; earlier ones are `【12†source】` and
//! `:contentReference[oaicite:0]{index=0}`.

use serde_json::Value;

/// The private characters around a mark.
pub const START: char = '\u{e200}';
pub const END: char = '\u{e201}';
const NEXT: char = '\u{e202}';
/// Marks around the words that a source is given for.
pub const AROUND: [char; 3] = ['\u{e203}', '\u{e204}', '\u{e206}'];
/// What an earlier mark begins with.
const OAICITE: &str = ":contentReference[oaicite:";
/// Kinds of marks of today, for one that is cut behind its kind.
const KINDS: [&str; 7] = [
    "cite",
    "filecite",
    "entity",
    "url",
    "navlist",
    "image_group",
    "products",
];
/// The longest mark, in bytes.
const MAX_MARK_BYTES: usize = 20_000;

/// A mark in a text.
pub struct Mark<'t> {
    pub kind: &'t str,
    arguments: Vec<&'t str>,
    pub whole: &'t str,
}

impl Mark<'_> {
    /// Whether it stands for sources, and not for words of the answer.
    pub fn is_citation(&self) -> bool {
        matches!(self.kind, "cite" | "filecite" | "oaicite" | "source")
            || self.kind.starts_with(|c: char| c.is_ascii_digit())
    }

    /// The words in the arguments that a person reads; numbers of sources are left out.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for argument in &self.arguments {
            match serde_json::from_str::<Value>(argument) {
                Ok(Value::Array(fields)) if self.kind == "entity" && fields.len() > 1 => {
                    collect_names(&fields[1], &mut names);
                }
                Ok(value @ (Value::Array(_) | Value::Object(_))) => {
                    collect_names(value.get("selections").unwrap_or(&value), &mut names);
                }
                _ if is_number_of_source(argument) || argument.starts_with(['[', '{']) => {}
                _ => names.push((*argument).to_owned()),
            }
        }
        names
    }
}

/// Finds the mark that a text begins with.
pub fn mark_at(text: &str) -> Option<Mark<'_>> {
    if let Some(rest) = text.strip_prefix(START) {
        return private_mark(text, rest);
    }
    if let Some(rest) = text.strip_prefix('【') {
        let end = start_of(rest, 500).find('】')?;
        let (number, name) = rest.get(..end)?.split_once('†')?;
        let is_number =
            !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == ':');
        let kept = !matches!(name.trim(), "source" | "") && !is_lines(name);
        return is_number.then(|| Mark {
            kind: number,
            arguments: if kept { vec![name] } else { Vec::new() },
            whole: &text[..'【'.len_utf8() + end + '】'.len_utf8()],
        });
    }
    let rest = text.strip_prefix(OAICITE)?;
    let end = start_of(rest, 60).find('}')?;
    let (number, index) = rest.get(..end)?.split_once("]{index=")?;
    let are_numbers = [number, index]
        .iter()
        .all(|n| n.chars().all(|c| c.is_ascii_digit()));
    are_numbers.then(|| Mark {
        kind: "oaicite",
        arguments: Vec::new(),
        whole: &text[..OAICITE.len() + end + 1],
    })
}

/// So many bytes of a text, or somewhat fewer: a character is not divided.
fn start_of(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The length of a mark without an end: up to the words after its last argument.
fn cut_length(rest: &str) -> usize {
    let Some(argument) = rest.rfind(NEXT).map(|at| at + NEXT.len_utf8()) else {
        return rest.len();
    };
    let last = &rest[argument..];
    // An argument in JSON has blanks of its own.
    let end = last.find(char::is_whitespace);
    let end = end.filter(|_| !last.starts_with(['[', '{']));
    end.map_or(rest.len(), |end| argument + end)
}

/// A mark of private characters. In an answer that was cut, its own end may be missing.
fn private_mark<'t>(text: &'t str, rest: &'t str) -> Option<Mark<'t>> {
    let searched = start_of(rest, MAX_MARK_BYTES);
    let end = searched.find([END, START]);
    let (inner, whole, is_cut) = match end {
        Some(end) if rest[end..].starts_with(END) => {
            (&rest[..end], START.len_utf8() + end + END.len_utf8(), false)
        }
        None if searched.len() == rest.len() && !rest.trim_end().contains('\n') => {
            let length = cut_length(rest);
            (&rest[..length], START.len_utf8() + length, true)
        }
        _ => return None,
    };
    let mut parts = inner.split(NEXT);
    let kind = parts.next()?;
    // The same characters are symbols in fonts for programmers.
    let is_kind = !kind.is_empty()
        && kind.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        && (!is_cut || inner.contains(NEXT) || KINDS.contains(&kind));
    is_kind.then(|| Mark {
        kind,
        arguments: match is_cut {
            true => Vec::new(),
            false => parts.filter(|part| !part.trim().is_empty()).collect(),
        },
        whole: &text[..whole],
    })
}

/// `turn0search3`, `turn0file1,turn0news2`, `L10-L20`: which source is meant, or its lines.
fn is_number_of_source(argument: &str) -> bool {
    let mut words = argument.split([',', ' ']).filter(|word| !word.is_empty());
    words.all(|word| {
        let turn = word.strip_prefix("turn").is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest.ends_with(|c: char| c.is_ascii_digit())
                && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        turn || is_lines(word)
    })
}

fn is_lines(word: &str) -> bool {
    let digits = |c: char| c.is_ascii_digit() || c == '-' || c == 'L';
    word.starts_with('L') && word.len() > 1 && word.chars().all(digits)
}

fn collect_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(name) if !is_number_of_source(name) => names.push(name.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect_names(value, names)),
        Value::Object(fields) => fields
            .values()
            .for_each(|value| collect_names(value, names)),
        _ => {}
    }
}

/// Whether a text has private characters of marks.
pub fn has_marks(text: &str) -> bool {
    text.contains([START, END, NEXT])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that divided a character let the whole rest of a text be searched for the end of each bracket.
    #[test]
    fn many_brackets_take_no_more_than_their_length() {
        let text = "【注".repeat(300_000);
        let marks = text.match_indices('【');
        let found = marks.filter_map(|(at, _)| mark_at(text.get(at..)?));
        assert_eq!(found.count(), 0);
        assert_eq!(start_of("日本", 4), "日");
        assert_eq!(start_of("日本", 60), "日本");
        let text = format!("【3†{}】】", "名".repeat(100));
        assert_eq!(
            mark_at(&text).map(|mark| mark.whole.len()),
            Some(text.len() - '】'.len_utf8())
        );
    }
}
