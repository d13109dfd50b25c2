//! Checks that the browser keeps no field of the page.
//!
//! A browser writes what stands in a field to the session files of its profile, unless the field has
//! `autocomplete="off"`. Words of a temporary chat, which the page itself stores nowhere, would be on
//! the disk after a crash.

use crate::Result;
use crate::modules::tokens::{inside, is_punct, punct, word};
use crate::modules::{PAGE, ROOMS, sources};
use proc_macro2::{Spacing, TokenTree};

/// Types of `<input>` that have no text of a person.
const WITHOUT_TEXT: [&str; 4] = ["checkbox", "file", "radio", "range"];

/// The fields of the page's markup without the attribute.
pub fn check() -> Result<Vec<String>> {
    let sources = sources()?;
    let is_page = |file: &str| {
        PAGE.iter()
            .chain([&ROOMS])
            .any(|path| file.starts_with(path))
    };
    let mut found = Vec::new();
    for (file, source) in sources.iter().filter(|(file, _)| is_page(file)) {
        let lines = kept_fields(&source.tokens).into_iter();
        let told = lines.map(|line| format!("{file}:{line}: the field needs autocomplete=\"off\""));
        found.extend(told);
    }
    Ok(found)
}

/// The lines, from 1, of the fields of text that a browser would keep.
fn kept_fields(tokens: &[TokenTree]) -> Vec<usize> {
    let mut lines = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        lines.extend(
            inside(tokens, at)
                .iter()
                .flat_map(|inner| kept_fields(inner)),
        );
        let element = word(tokens, at + 1).filter(|_| is_punct(Some(token), '<'));
        if matches!(element.as_deref(), Some("input" | "textarea"))
            && is_kept(until_end(&tokens[at + 2..]))
        {
            lines.push(token.span().start().line);
        }
    }
    lines
}

/// The tokens of a tag up to its `>`. What is in braces or parentheses is one token; `=>` and `->`
/// end no tag.
fn until_end(tokens: &[TokenTree]) -> &[TokenTree] {
    let mut before_joint = false;
    let end = tokens.iter().position(|token| {
        let TokenTree::Punct(punct) = token else {
            before_joint = false;
            return false;
        };
        let ends = punct.as_char() == '>' && !before_joint;
        before_joint = punct.spacing() == Spacing::Joint && "=-".contains(punct.as_char());
        ends
    });
    &tokens[..end.unwrap_or(tokens.len())]
}

fn is_kept(attributes: &[TokenTree]) -> bool {
    let has_no_text = WITHOUT_TEXT
        .iter()
        .any(|value| has(attributes, "type", value));
    !has_no_text && !has(attributes, "autocomplete", "off")
}

/// Whether a tag has an attribute with a literal of this value.
fn has(attributes: &[TokenTree], name: &str, value: &str) -> bool {
    (0..attributes.len()).any(|at| {
        let literal = attributes.get(at + 2).map(ToString::to_string);
        word(attributes, at).is_some_and(|word| word == name)
            && punct(attributes, at + 1) == Some('=')
            && literal.is_some_and(|literal| literal.trim_matches('"') == value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modules::tokens::without_tests;

    fn check(markup: &str, kept: bool) {
        let code = format!("view! {{ <p>{markup}</p> }}");
        let found = kept_fields(&without_tests(&code).unwrap().0);
        assert_eq!(!found.is_empty(), kept, "{markup}");
    }

    #[test]
    fn a_field_that_the_browser_would_keep_is_found() {
        check(r#"<textarea rows="2" />"#, true);
        check(r#"<textarea on:input=move |e| a(e)></textarea>"#, true);
        check(r#"<input />"#, true);
        check(r#"<input type="search" autocomplete="on" />"#, true);
        check(
            r#"<Show when=a>{move || view! { <input type="text" /> }}</Show>"#,
            true,
        );
        // The next element's attribute is not this one's.
        check(r#"<input /><input autocomplete="off" />"#, true);
    }

    #[test]
    fn a_field_that_it_does_not_keep_passes() {
        check(r#"<textarea autocomplete="off"></textarea>"#, false);
        check(
            r#"<input on:input=|e| { a(e) } min=a().map(|b| -> u8 { b }) autocomplete="off" />"#,
            false,
        );
        check(r#"<input type="checkbox" prop:checked=a />"#, false);
        check(r#"{let field = NodeRef::<Input>::new();}"#, false);
    }
}
