//! Text within a formula.

use super::element::{Element, MathTag};
use super::letters::styled;
use pulldown_latex::event::Font;

/// Text, and the formulas in it, each of which `build` makes.
pub(super) fn words(
    text: &str,
    font: Option<Font>,
    build: impl Fn(&str) -> Option<Vec<Element>>,
) -> Option<Element> {
    if text == "&nbsp;" {
        return Some(Element::token(MathTag::Text, '\u{a0}'));
    }
    let text = text.replace("\\$", "\u{ff04}");
    let mut parts = Vec::new();
    for (index, part) in text.split('$').enumerate() {
        if index % 2 == 1 {
            parts.push(Element::row(build(part)?));
        } else if !part.is_empty() {
            parts.push(Element::token(MathTag::Text, plain(part, font)?));
        }
    }
    (text.split('$').count() % 2 == 1).then(|| Element::row(parts))
}

/// Text without TeX's special characters; `None` if it contains commands.
fn plain(text: &str, font: Option<Font>) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars();
    while let Some(c) = signs.next() {
        let c = match c {
            '\\' => match signs.next()? {
                c @ ('%' | '&' | '#' | '_' | '{' | '}') => c,
                ' ' | ',' | ';' | ':' => ' ',
                _ => return None,
            },
            '\u{ff04}' => '$',
            '{' | '}' => continue,
            '~' => '\u{a0}',
            c if c.is_whitespace() => '\u{a0}',
            c => c,
        };
        out.push(match font {
            Some(font) => styled(font, c),
            None => c,
        });
    }
    Some(out)
}

/// The name of a function: letters and spaces; `None` for anything else.
pub(super) fn function_name(source: &str) -> Option<String> {
    let mut name = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let known = ["mathrm", "text", "rm", "mathop", "operatorname", "mathbf"];
                let end = rest.find(|c: char| !c.is_ascii_alphabetic());
                let end = end.unwrap_or(rest.len());
                if known.contains(&&rest[..end]) {
                    rest = &rest[end..];
                } else if end == 0 && rest.starts_with([',', ';', ' ', ':', '!']) {
                    name.push('\u{2009}');
                    rest = &rest[1..];
                } else {
                    return None;
                }
            }
            '{' | '}' | ' ' => {}
            '~' => name.push('\u{a0}'),
            '$' | '^' | '_' | '&' | '#' | '%' => return None,
            c => name.push(c),
        }
    }
    (!name.is_empty()).then_some(name)
}
