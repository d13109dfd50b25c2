//! What is a formula and what is a price, a variable of a shell, a bracket in a text.

use super::kind::Kind;

/// The longest formula, delimiters included. Also how long an open one is held.
pub(super) const LONGEST: usize = 8196;

/// Whether what stands between two delimiters is a formula.
///
/// For `$…$` the rules are Pandoc's (no space within beside the dollars, no digit after the last one), and some that
/// prices and shell variables ask for: no letter before it, nothing that is words alone.
pub(super) fn is_formula(kind: Kind, before: &str, inner: &str, after: &str, alone: bool) -> bool {
    if inner.trim().is_empty() {
        return false;
    }
    let before = before.chars().next_back();
    let after = after.chars().next();
    let words = || words(inner);
    let lettered = inner.contains(|c: char| c.is_ascii_digit() || is_letter(c));
    let strong = inner.contains(['\\', '^', '_', '{', '=']);
    match kind {
        Kind::Dollar => {
            let single = inner.chars().nth(1).is_none();
            let price = inner.starts_with(|c: char| c.is_ascii_digit()) && words() > 0;
            !before.is_some_and(|c| c.is_ascii_alphanumeric())
                && !inner.starts_with(char::is_whitespace)
                && !inner.ends_with(char::is_whitespace)
                && !after.is_some_and(|c| c.is_ascii_digit())
                // `${HOST}:${PORT}`
                && after != Some('{')
                && (strong || (words() < 2 && !price))
                // `$n$th`, yet not `$HOME/$USER`
                && (single
                    || inner.contains(['\\', '^', '{'])
                    || !after.is_some_and(|c| c.is_ascii_alphabetic()))
        }
        Kind::Environment(_) => alone,
        Kind::Dollars => {
            let lines = alone && inner.contains('\n');
            lines || (lettered && (alone || strong || words() < 2))
        }
        // Escaped ones in a text: `with \( and \)`.
        Kind::Round => {
            let spaced = inner.starts_with(' ') && inner.ends_with(' ');
            let plain = inner.chars().all(|c| c == ' ' || c == ',' || is_letter(c));
            !(spaced && plain && words() > 0)
        }
        // Brackets may be escaped ones in a text: `\[sic\]`, `\[1\]`, `\[link\](…)`.
        Kind::Square => {
            let ends = after.is_none_or(|c| c == '\n');
            let sum = inner.contains(['\n', '+', '<', '>']);
            let apart = alone && ends && (words() == 0 || inner.contains(['-', '/']));
            after != Some('(') && (lettered || alone) && (strong || sum || apart)
        }
    }
}

/// Whether what follows the sign that opens a formula is half of one, where the answer stops: not words behind an
/// escaped bracket.
pub(super) fn is_half_formula(inner: &str) -> bool {
    let mut after = inner.split('\\').skip(1);
    let command = after.any(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    let signs = command || inner.contains(['^', '_', '{', '=']);
    !inner.trim().is_empty() && (signs || words(inner) == 0)
}

/// Whether a character may be a letter. Which of another script are none would take a table.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii()
}

/// How many words of two letters and more.
fn words(text: &str) -> usize {
    let words = text.split(|c: char| !is_letter(c));
    words.filter(|word| word.chars().nth(1).is_some()).count()
}

/// Whether a formula cannot go on in the line that `rest` begins with: a blank one, a fence, a row of a table; for one
/// within a line also what begins a block.
pub(super) fn is_crossed(rest: &str, kind: Kind) -> bool {
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.trim_start_matches([' ', '\t', '>']).trim_end();
    let complete = rest.contains('\n');
    (line.is_empty() && complete)
        || line.starts_with("```")
        || line.starts_with("~~~")
        || line.starts_with('|')
        || (matches!(kind, Kind::Dollar | Kind::Round) && begins_block(line))
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
