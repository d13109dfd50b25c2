//! The texts of a source file.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::collections::BTreeSet;

/// A literal that a person reads.
pub struct Text {
    /// What it says.
    pub value: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Attributes and properties whose values are never read by a person.
const NAMES: &[&str] = &[
    "class",
    "type",
    "role",
    "id",
    "dir",
    "labelledby",
    "hidden",
    "name",
    "spellcheck",
    "autocomplete",
    "describedby",
    "scope",
    "haspopup",
    "for",
    "rel",
    "href",
    "autocapitalize",
    "method",
    "inputmode",
    "target",
    "popover",
    "controls",
    "orientation",
    "live",
    "keyshortcuts",
    "busy",
    "accept",
    "d",
    "viewBox",
    "style",
    "fill",
    "stroke",
    "key",
    "enctype",
];

/// Attributes and properties whose values are texts, whatever they look like.
const TEXTS: &[&str] = &["label", "title", "placeholder", "alt"];

/// Macros whose literals go to a developer, or are addresses.
const SKIPPED: &[&str] = &[
    "matches",
    "path",
    "panic",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "unreachable",
    "debug",
    "info",
    "warn",
    "error",
    "trace",
    "include_str",
    "concat",
    "env",
    "json",
];

/// Functions whose literals go to a developer or to the browser.
const CALLS: &[&str] = &[
    "expect",
    "media_query",
    "query_selector",
    "closest",
    "matches",
];

/// Methods that say their argument to the person.
const ANNOUNCING: &[&str] = &["announce", "announce_now", "show", "refuse"];

/// Functions whose literals are part of what the function around them gives.
const SHOWING: &[&str] = &[
    "Some",
    "Ok",
    "Err",
    "push_str",
    "write_str",
    "unwrap_or",
    "map_or",
];

/// Units, which stand behind a number in every language.
const UNITS: &[&str] = &["kB", "MB", "GB", "ms", "min", "px", "UTC"];

/// The texts of a file. Errors: what the compiler would not read either.
pub fn texts(code: &str) -> Result<Vec<Text>, proc_macro2::LexError> {
    let mut found = Vec::new();
    walk(code.parse::<TokenStream>()?, Place::default(), &mut found);
    Ok(found)
}

/// The keys that sources name as the first argument of `t!`, or as the second one of the faults' `say!`, with their namespace:
/// `parts.close`.
pub fn keys(sources: &str) -> BTreeSet<String> {
    let said = sources.split("say!(").skip(1);
    let said = said.filter_map(|call| call.trim_start().strip_prefix("f,"));
    let calls = sources.split("t!(").skip(1).chain(said);
    calls
        .map(|call| {
            let is_name = |letter: &char| letter.is_ascii_alphanumeric() || "_.".contains(*letter);
            call.trim_start().chars().take_while(is_name).collect()
        })
        .filter(|key: &String| key.contains('.'))
        .collect()
}

/// Where tokens stand.
#[derive(Clone, Copy, Default)]
struct Place {
    /// They are the markup of a `view!`.
    view: bool,
    /// They are the body of a function, or the value of a constant, that has words of the catalogue: one word alone is
    /// probably part of a sentence there.
    worded: bool,
    /// They are the arguments of a call that shows nothing.
    unshown: bool,
}

/// Whether some tokens call `t!`.
fn has_words(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let calls = tokens.windows(2).any(|pair| {
        matches!(&pair[0], TokenTree::Ident(name) if is_catalogue(&name.to_string()))
            && punct(pair, 1) == Some('!')
    });
    let mut inner = tokens.into_iter();
    calls
        || inner.any(|token| matches!(token, TokenTree::Group(group) if has_words(group.stream())))
}

/// Whether a macro gives a text of the catalogue.
fn is_catalogue(name: &str) -> bool {
    name == "t" || name == "plain_t"
}

/// Collects the texts of some tokens.
fn walk(tokens: TokenStream, place: Place, found: &mut Vec<Text>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let view = place.view;
    let mut worded = place.worded;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => {
                at = after_attribute(&tokens, at, view)
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if name == "fn" || name == "const" || name == "static" {
                    worded = has_words(item(&tokens[at..]));
                }
                let bang = punct(&tokens, at + 1) == Some('!');
                match tokens.get(at + if bang { 2 } else { 1 }) {
                    Some(TokenTree::Group(_)) if bang && SKIPPED.contains(&name.as_str()) => {
                        at += 2
                    }
                    Some(TokenTree::Group(_)) if !bang && CALLS.contains(&name.as_str()) => at += 1,
                    Some(TokenTree::Group(body)) if bang && name == "view" => {
                        walk(
                            body.stream(),
                            Place {
                                view: true,
                                worded,
                                unshown: false,
                            },
                            found,
                        );
                        at += 2;
                    }
                    Some(TokenTree::Group(_)) if bang && view && is_never_read(&tokens, at) => {
                        at += 2
                    }
                    // What is filled into a text of the catalogue.
                    Some(TokenTree::Group(body)) if bang && is_catalogue(&name) => {
                        walk(
                            body.stream(),
                            Place {
                                worded: true,
                                ..Place::default()
                            },
                            found,
                        );
                        at += 2;
                    }
                    Some(TokenTree::Group(body))
                        if !bang && ANNOUNCING.contains(&name.as_str()) =>
                    {
                        walk(
                            body.stream(),
                            Place {
                                worded: true,
                                ..Place::default()
                            },
                            found,
                        );
                        at += 1;
                    }
                    Some(TokenTree::Group(body))
                        if bang && ["format", "write", "writeln"].contains(&name.as_str()) =>
                    {
                        format(body, worded, found);
                        at += 2;
                    }
                    _ => {}
                }
                at += 1;
            }
            TokenTree::Group(group) => {
                // Markup stands between braces of markup only through another `view!`.
                let markup = view && group.delimiter() == Delimiter::None;
                let unshown = match at.checked_sub(1).and_then(|before| tokens.get(before)) {
                    Some(TokenTree::Ident(call)) if group.delimiter() == Delimiter::Parenthesis => {
                        !SHOWING.contains(&&*call.to_string())
                    }
                    _ => place.unshown && group.delimiter() != Delimiter::Brace,
                };
                walk(
                    group.stream(),
                    Place {
                        view: markup,
                        worded,
                        unshown,
                    },
                    found,
                );
                at += 1;
            }
            TokenTree::Literal(literal) => {
                if let Some(value) = string(literal)
                    && (is_text(&tokens, at, view, &value)
                        || worded && !place.unshown && is_word(&tokens, at, view, &value))
                {
                    found.push(text(literal, value));
                }
                at += 1;
            }
            TokenTree::Punct(_) => at += 1,
        }
    }
}

/// Whether a literal is a text, by its place and its look.
fn is_text(tokens: &[TokenTree], at: usize, view: bool, value: &str) -> bool {
    let before = at.checked_sub(1).and_then(|before| punct(tokens, before));
    if view && before == Some('=') {
        let named = at.checked_sub(2).and_then(|name| tokens.get(name));
        let is_named = |names: &[&str]| matches!(named, Some(TokenTree::Ident(name)) if names.contains(&&*name.to_string()));
        return !is_never_read(tokens, at)
            && (looks_like_text(value) || is_named(TEXTS) && has_word(value));
    }
    if view {
        return before.is_none_or(|before| before == '>') && has_word(value);
    }
    let is_equals = |sign: char| sign == '=' || sign == '!';
    let two_before = at.checked_sub(2).and_then(|two| punct(tokens, two));
    let is_compared = before == Some('=') && two_before.is_some_and(is_equals);
    let after = punct(tokens, at + 1);
    let is_pattern = after == Some('|') || joint(tokens, at + 1, '=', '>');
    !is_compared && !is_pattern && looks_like_text(value)
}

/// The tokens of a function or of a constant, of which these are the first.
fn item(tokens: &[TokenTree]) -> TokenStream {
    let end = tokens.iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    let end = end.map_or(tokens.len(), |end| end + 1);
    tokens[..end].iter().cloned().collect()
}

/// Whether a literal among words of the catalogue is one word in small letters.
fn is_word(tokens: &[TokenTree], at: usize, view: bool, value: &str) -> bool {
    let word = value.trim_matches([' ', '(', ')', ':', ',', '.', ';']);
    let letters = word.chars().filter(|letter| letter.is_lowercase()).count();
    if view || letters < 3 || letters != word.chars().count() {
        return false;
    }
    let before = at.checked_sub(1).and_then(|before| punct(tokens, before));
    let two_before = at.checked_sub(2).and_then(|two| punct(tokens, two));
    let is_compared =
        before == Some('=') && two_before.is_some_and(|sign| sign == '=' || sign == '!');
    let after = punct(tokens, at + 1);
    let is_pattern = after == Some('|') || joint(tokens, at + 1, '=', '>');
    // A key and its words: `("small", t!(…))`.
    let is_key = after == Some(',')
        && matches!(tokens.get(at + 2), Some(TokenTree::Ident(name)) if name == "t");
    // An attribute and its value: `("role", "img")`.
    let is_attribute = |name: Option<&TokenTree>| {
        let name = match name {
            Some(TokenTree::Literal(literal)) => string(literal),
            _ => None,
        };
        name.is_some_and(|name| NAMES.contains(&&*name))
    };
    let is_value =
        before == Some(',') && is_attribute(at.checked_sub(2).and_then(|name| tokens.get(name)));
    let is_flag = matches!(word, "true" | "false");
    let is_named = is_attribute(tokens.get(at)) || is_value;
    !is_compared && !is_pattern && !is_key && !is_named && !is_flag
}

/// Whether an attribute's or a property's value, which stands at `at`, is read by nobody.
fn is_never_read(tokens: &[TokenTree], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    let equals = matches!(before(1), Some(TokenTree::Punct(sign)) if sign.as_char() == '=');
    let Some(TokenTree::Ident(name)) = before(2) else {
        return false;
    };
    let name = name.to_string();
    let has_space = matches!(tokens.get(at), Some(TokenTree::Literal(value)) if string(value).is_some_and(|value| value.contains(' ')));
    // The `name` of a component is often shown or read out; that of a field of a form has no space.
    equals && NAMES.contains(&&*name) && !(name == "name" && has_space)
}

/// The text that a `format!` or its like fills in, and those among its arguments.
fn format(body: &Group, worded: bool, found: &mut Vec<Text>) {
    let mut tokens = Vec::new();
    let mut template = false;
    for token in body.stream() {
        match &token {
            TokenTree::Literal(literal) if !template => {
                template = true;
                if let Some(value) = string(literal)
                    && looks_like_text(&value)
                {
                    found.push(text(literal, value));
                }
            }
            _ => tokens.push(token),
        }
    }
    let place = Place {
        worded,
        ..Place::default()
    };
    walk(tokens.into_iter().collect(), place, found);
}

/// The place after an attribute, and after the item if it is one of tests.
fn after_attribute(tokens: &[TokenTree], at: usize, view: bool) -> usize {
    let inner = usize::from(punct(tokens, at + 1) == Some('!'));
    let Some(TokenTree::Group(attribute)) = tokens.get(at + 1 + inner) else {
        return at + 1;
    };
    let after = at + 2 + inner;
    let words = attribute.stream().to_string().replace(' ', "");
    if view || words != "cfg(test)" {
        return after;
    }
    let end = tokens[after..].iter().position(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    });
    end.map_or(tokens.len(), |end| after + end + 1)
}

fn punct(tokens: &[TokenTree], at: usize) -> Option<char> {
    match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    }
}

fn joint(tokens: &[TokenTree], at: usize, first: char, second: char) -> bool {
    let joined = matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == first && punct.spacing() == Spacing::Joint);
    joined && punct(tokens, at + 1) == Some(second)
}

fn string(literal: &proc_macro2::Literal) -> Option<String> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(string) => Some(string.value()),
        _ => None,
    }
}

fn text(literal: &proc_macro2::Literal, value: String) -> Text {
    Text {
        value,
        line: literal.span().start().line,
    }
}

/// Whether there is a word of two letters.
fn has_word(value: &str) -> bool {
    let mut letters = 0;
    value.chars().any(|letter| {
        letters = if letter.is_alphabetic() {
            letters + 1
        } else {
            0
        };
        letters == 2
    })
}

/// Whether a literal looks like something a person reads: two words (one may be filled in), or a capital letter before
/// small ones.
fn looks_like_text(value: &str) -> bool {
    if value.contains("=\"") || value.starts_with('<') {
        return false;
    }
    let value = without_names(value);
    let is_word = |word: &str| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    let ends_word =
        |word: &str| word.ends_with(|last: char| last.is_lowercase() || ",:;.}”)".contains(last));
    let words: Vec<&str> = value.split(' ').collect();
    let pairs = words.windows(2).any(|pair| {
        let begins_word = pair[1].starts_with(|first: char| first.is_alphabetic() || first == '{');
        let filled_in = !is_word(pair[0]) || !is_word(pair[1]);
        let long = pair
            .iter()
            .any(|word| is_word(word) && !UNITS.contains(word));
        ends_word(pair[0]) && begins_word && (!filled_in || long)
    });
    let mut letters = value.chars();
    let capital = letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase);
    has_word(&value) && (pairs || capital)
}

/// A template without what stands between its braces.
fn without_names(value: &str) -> String {
    let mut inside = false;
    let kept = value.chars().filter(|letter| {
        inside = match letter {
            '{' => true,
            '}' => false,
            _ => inside,
        };
        !inside || *letter == '{'
    });
    kept.collect()
}
