//! The texts of a source file.

use crate::modules::tokens::{inside, item_length, punct, word};
use proc_macro2::{Delimiter, Literal, TokenTree};
use std::collections::BTreeSet;

/// A literal that a person reads.
pub struct Text {
    /// What it says.
    pub value: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Attributes and properties whose values are never read by a person.
const NAMES: &str = "class type role id dir labelledby hidden name spellcheck autocomplete \
    describedby scope haspopup for rel href autocapitalize method inputmode target popover \
    controls orientation live keyshortcuts busy accept d viewBox style fill stroke key enctype";

/// Attributes and properties whose values are texts, whatever they look like.
const TEXTS: &str = "label title placeholder alt";

/// Macros whose literals go to a developer, or are addresses.
const SKIPPED: &str = "matches path panic assert assert_eq assert_ne debug_assert unreachable \
    debug info warn error trace include_str concat env json";

/// Functions whose literals go to a developer or to the browser.
const CALLS: &str = "expect media_query query_selector closest matches";

/// Methods that say their argument to the person.
const ANNOUNCING: &str = "announce announce_now show refuse";

/// Functions whose literals are part of what the function around them gives.
const SHOWING: &str = "Some Ok Err push_str write_str unwrap_or map_or";

/// Units, which stand behind a number in every language.
const UNITS: &str = "kB MB GB ms min px UTC";

/// Whether a list of words has this one.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// The texts of a file.
pub fn texts(tokens: &[TokenTree]) -> Vec<Text> {
    let mut found = Vec::new();
    walk(tokens, Place::default(), &mut found);
    found
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
fn has_words(tokens: &[TokenTree]) -> bool {
    (0..tokens.len()).any(|at| {
        let is_call = word(tokens, at).is_some_and(|name| is_catalogue(&name));
        is_call && punct(tokens, at + 1) == Some('!')
            || inside(tokens, at).is_some_and(|inner| has_words(&inner))
    })
}

/// Whether a macro gives a text of the catalogue.
fn is_catalogue(name: &str) -> bool {
    name == "t" || name == "plain_t"
}

/// Collects the texts of some tokens.
fn walk(tokens: &[TokenTree], place: Place, found: &mut Vec<Text>) {
    let view = place.view;
    let mut worded = place.worded;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => {
                // An attribute, of an item or of the file.
                let inner = usize::from(punct(tokens, at + 1) == Some('!'));
                let is_attribute = matches!(tokens.get(at + 1 + inner), Some(TokenTree::Group(_)));
                at += if is_attribute { 1 + inner } else { 0 };
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                if matches!(&*name, "fn" | "const" | "static") {
                    worded = has_words(&tokens[at..at + item_length(&tokens[at..])]);
                }
                let bang = punct(tokens, at + 1) == Some('!');
                let behind = at + if bang { 2 } else { 1 };
                if let Some(body) = inside(tokens, behind) {
                    let is_read = match bang {
                        true => has(SKIPPED, &name) || view && is_never_read(tokens, at),
                        false => has(CALLS, &name),
                    };
                    let filled_in = Place {
                        worded: true,
                        ..Place::default()
                    };
                    match &*name {
                        _ if is_read => {}
                        "view" if bang => {
                            let view = Place {
                                view: true,
                                worded,
                                unshown: false,
                            };
                            walk(&body, view, found);
                        }
                        "format" | "write" | "writeln" if bang => format(&body, worded, found),
                        name if bang && is_catalogue(name) || !bang && has(ANNOUNCING, name) => {
                            walk(&body, filled_in, found);
                        }
                        // Its arguments are looked at below.
                        _ => {
                            at += 1;
                            continue;
                        }
                    }
                    at = behind;
                }
            }
            TokenTree::Group(group) => {
                let call = at.checked_sub(1).and_then(|before| word(tokens, before));
                let is_call = group.delimiter() == Delimiter::Parenthesis;
                let inner = Place {
                    // Markup stands between braces of markup only through another `view!`.
                    view: view && group.delimiter() == Delimiter::None,
                    worded,
                    unshown: match call.filter(|_| is_call) {
                        Some(call) => !has(SHOWING, &call),
                        None => place.unshown && group.delimiter() != Delimiter::Brace,
                    },
                };
                walk(&inside(tokens, at).unwrap_or_default(), inner, found);
            }
            TokenTree::Literal(literal) => {
                if let Some(value) = string(literal)
                    && (is_text(tokens, at, view, &value)
                        || worded && !place.unshown && is_word(tokens, at, view, &value))
                {
                    found.push(text(literal, value));
                }
            }
            TokenTree::Punct(_) => {}
        }
        at += 1;
    }
}

/// Whether a literal is a text, by its place and its look.
fn is_text(tokens: &[TokenTree], at: usize, view: bool, value: &str) -> bool {
    let before = at.checked_sub(1).and_then(|before| punct(tokens, before));
    if view && before == Some('=') {
        let named = at.checked_sub(2).and_then(|name| tokens.get(name));
        let is_named = |names: &str| matches!(named, Some(TokenTree::Ident(name)) if has(names, &name.to_string()));
        return !is_never_read(tokens, at)
            && (looks_like_text(value) || is_named(TEXTS) && has_word(value));
    }
    if view {
        return before.is_none_or(|before| before == '>') && has_word(value);
    }
    !is_compared_or_pattern(tokens, at) && looks_like_text(value)
}

/// Whether a literal is compared with something, or a pattern of a `match`.
fn is_compared_or_pattern(tokens: &[TokenTree], at: usize) -> bool {
    let sign = |back: usize| at.checked_sub(back).and_then(|at| punct(tokens, at));
    let is_compared = sign(1) == Some('=') && matches!(sign(2), Some('=' | '!'));
    let (after, next) = (punct(tokens, at + 1), punct(tokens, at + 2));
    is_compared || after == Some('|') || after == Some('=') && next == Some('>')
}

/// Whether a literal among words of the catalogue is one word in small letters.
fn is_word(tokens: &[TokenTree], at: usize, view: bool, value: &str) -> bool {
    let only = value.trim_matches([' ', '(', ')', ':', ',', '.', ';']);
    let letters = only.chars().filter(|letter| letter.is_lowercase()).count();
    if view || letters < 3 || letters != only.chars().count() {
        return false;
    }
    // A key and its words: `("small", t!(…))`.
    let is_key =
        punct(tokens, at + 1) == Some(',') && word(tokens, at + 2).is_some_and(|name| name == "t");
    // An attribute and its value: `("role", "img")`.
    let is_attribute = |name: Option<&TokenTree>| {
        let name = match name {
            Some(TokenTree::Literal(literal)) => string(literal),
            _ => None,
        };
        name.is_some_and(|name| has(NAMES, &name))
    };
    let is_value = at > 1 && punct(tokens, at - 1) == Some(',') && is_attribute(tokens.get(at - 2));
    let is_flag = matches!(only, "true" | "false");
    let is_named = is_attribute(tokens.get(at)) || is_value;
    !is_compared_or_pattern(tokens, at) && !is_key && !is_named && !is_flag
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
    equals && has(NAMES, &name) && !(name == "name" && has_space)
}

/// The text that a `format!` or its like fills in, and those among its arguments.
fn format(body: &[TokenTree], worded: bool, found: &mut Vec<Text>) {
    let place = Place {
        worded,
        ..Place::default()
    };
    let is_literal = |token: &TokenTree| matches!(token, TokenTree::Literal(_));
    let template = body.iter().position(is_literal).unwrap_or(body.len());
    walk(&body[..template], place, found);
    if let Some(TokenTree::Literal(literal)) = body.get(template)
        && let Some(value) = string(literal).filter(|value| looks_like_text(value))
    {
        found.push(text(literal, value));
    }
    walk(body.get(template + 1..).unwrap_or_default(), place, found);
}

fn string(literal: &Literal) -> Option<String> {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(string) => Some(string.value()),
        _ => None,
    }
}

fn text(literal: &Literal, value: String) -> Text {
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
        let long = pair.iter().any(|word| is_word(word) && !has(UNITS, word));
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
