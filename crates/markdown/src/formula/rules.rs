//! Rules that tell a formula from a price, a shell variable, or a bracket in text.

use super::delimiter::DelimiterKind;

/// The longest formula, delimiters included. An open one is held up to this length.
pub(super) const MAX_FORMULA_BYTES: usize = 8196;

/// Whether the text between two delimiters is a formula.
///
/// For `$…$` the rules are Pandoc's (no space inside next to the dollars, no digit after the last one), plus
/// some for prices and shell variables: no letter before the formula, and it must not consist of words alone.
pub(super) fn is_formula(
    kind: DelimiterKind,
    before: &str,
    inner: &str,
    after: &str,
    alone: bool,
) -> bool {
    if inner.trim().is_empty() {
        return false;
    }
    let before = before.chars().next_back();
    let after = after.chars().next();
    let words = || words(inner);
    let lettered = inner.contains(|c: char| c.is_ascii_digit() || is_letter(c));
    let strong = inner.contains(['\\', '^', '_', '{', '=']);
    match kind {
        DelimiterKind::Dollar => {
            let single = inner.chars().nth(1).is_none();
            let price = inner.starts_with(|c: char| c.is_ascii_digit()) && words() > 0;
            !before.is_some_and(|c| c.is_ascii_alphanumeric())
                && !inner.starts_with(char::is_whitespace)
                && !inner.ends_with(char::is_whitespace)
                && !after.is_some_and(|c| c.is_ascii_digit())
                // `${HOST}:${PORT}`
                && after != Some('{')
                && (strong || (words() < 2 && !price))
                // `$n$th` is a formula, `$HOME/$USER` is not.
                && (single
                    || inner.contains(['\\', '^', '{'])
                    || !after.is_some_and(|c| c.is_ascii_alphabetic()))
        }
        DelimiterKind::Environment(_) => alone,
        DelimiterKind::Dollars => {
            let lines = alone && inner.contains('\n');
            lines || (lettered && (alone || strong || words() < 2))
        }
        // Escaped parentheses in a text: `with \( and \)`.
        DelimiterKind::Round => {
            let spaced = inner.starts_with(' ') && inner.ends_with(' ');
            let plain = inner.chars().all(|c| c == ' ' || c == ',' || is_letter(c));
            !(spaced && plain && words() > 0)
        }
        // Escaped brackets in a text: `\[sic\]`, `\[1\]`, `\[link\](…)`.
        DelimiterKind::Square => {
            let ends = after.is_none_or(|c| c == '\n');
            let sum = inner.contains(['\n', '+', '<', '>']);
            let apart = alone && ends && (words() == 0 || inner.contains(['-', '/']));
            after != Some('(') && (lettered || alone) && (strong || sum || apart)
        }
    }
}

/// Whether the text after an opening delimiter, where the answer stops, is an unfinished formula, and not
/// words after an escaped bracket.
pub(super) fn is_half_formula(inner: &str) -> bool {
    let mut after = inner.split('\\').skip(1);
    let command = after.any(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    let signs = command || inner.contains(['^', '_', '{', '=']);
    !inner.trim().is_empty() && (signs || words(inner) == 0)
}

/// Whether a character may be a letter. The exact answer for other scripts needs Unicode tables.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii()
}

/// The number of words of two or more letters.
fn words(text: &str) -> usize {
    let words = text.split(|c: char| !is_letter(c));
    words.filter(|word| word.chars().nth(1).is_some()).count()
}

/// Whether the line that `rest` begins with ends a formula: a blank line, a fence, a table row; for an inline
/// formula also the beginning of a block.
pub(super) fn ends_formula(rest: &str, kind: DelimiterKind) -> bool {
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
    let complete = rest.contains('\n');
    (line.is_empty() && complete)
        || line.starts_with("```")
        || line.starts_with("~~~")
        || line.starts_with('|')
        || (matches!(kind, DelimiterKind::Dollar | DelimiterKind::Round) && begins_block(line))
}

fn begins_block(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = match line.as_bytes().first() {
        Some(b'#') => Some(line.trim_start_matches('#')),
        Some(b'0'..=b'9') => rest.strip_prefix(['.', ')']),
        _ => line.strip_prefix(['-', '*', '+']),
    };
    after.is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t']))
}
