//! The tokens of a source file, without what is compiled for tests alone.

use proc_macro2::{Group, LexError, Span, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The tokens of a file without its tests, and the lines of those.
///
/// # Errors
/// What the compiler would not read either.
pub fn without_tests(text: &str) -> Result<(Vec<TokenTree>, BTreeSet<usize>), LexError> {
    let mut tests = BTreeSet::new();
    let tokens = strip(text.parse()?, &mut tests);
    Ok((tokens, tests))
}

fn strip(stream: TokenStream, tests: &mut BTreeSet<usize>) -> Vec<TokenTree> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let attributes = attributes(&tokens[at..]);
        let is_test = tokens[at..at + attributes]
            .iter()
            .any(|token| matches!(token, TokenTree::Group(attribute) if is_test(attribute)));
        if is_test {
            let end = at + attributes + item_length(&tokens[at + attributes..]);
            tests.extend(lines(token.span(), tokens[end - 1].span()));
            at = end;
        } else if attributes > 0 {
            kept.extend_from_slice(&tokens[at..at + attributes]);
            at += attributes;
        } else {
            kept.push(match token {
                TokenTree::Group(group) => {
                    let inner = strip(group.stream(), tests);
                    let mut stripped = Group::new(group.delimiter(), inner.into_iter().collect());
                    stripped.set_span(group.span());
                    stripped.into()
                }
                token => token.clone(),
            });
            at += 1;
        }
    }
    kept
}

/// The number of tokens of the attributes with which these begin.
fn attributes(tokens: &[TokenTree]) -> usize {
    let pairs = tokens.chunks_exact(2);
    let is_attribute =
        |pair: &&[TokenTree]| is_punct(pair.first(), '#') && matches!(pair[1], TokenTree::Group(_));
    2 * pairs.take_while(is_attribute).count()
}

/// Whether an item is compiled for tests alone. With `cfg(any(test, …))` it is compiled for others too.
fn is_test(attribute: &Group) -> bool {
    let words = attribute.stream().to_string().replace(' ', "");
    matches!(&*words, "test" | "cfg(test)") || words.starts_with("cfg(all(test,")
}

/// The number of tokens of the item with which these begin: up to its braces or its semicolon.
pub fn item_length(tokens: &[TokenTree]) -> usize {
    let end = tokens.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    end.map_or(tokens.len(), |end| end + 1)
}

fn lines(first: Span, last: Span) -> RangeInclusive<usize> {
    first.start().line..=last.end().line
}

/// The sign that stands at a place.
pub fn punct(tokens: &[TokenTree], at: usize) -> Option<char> {
    match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

/// Whether a token is this sign.
pub fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

/// The word that stands at a place.
pub fn word(tokens: &[TokenTree], at: usize) -> Option<String> {
    match tokens.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    }
}

/// What is between the delimiters that stand at a place.
pub fn inside(tokens: &[TokenTree], at: usize) -> Option<Vec<TokenTree>> {
    match tokens.get(at) {
        Some(TokenTree::Group(group)) => Some(group.stream().into_iter().collect()),
        _ => None,
    }
}
