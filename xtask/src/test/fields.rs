//! Checks that the browser keeps no field of the page.
//!
//! A browser writes what stands in a field to the session files of its profile, unless the field has
//! `autocomplete="off"`. Words of a temporary chat, which the page itself stores nowhere, would be on
//! the disk after a crash.

use super::tally::Tally;
use crate::modules::{PAGE, ROOMS, read, rust_files};
use crate::{Result, place};
use proc_macro2::{Spacing, TokenStream, TokenTree};

/// Types of `<input>` that have no text of a person.
const WITHOUT_TEXT: &[&str] = &["checkbox", "file", "radio", "range"];

/// Fails on a field of the page's markup without the attribute.
pub fn check() -> Result<Tally> {
    let root = place::root();
    let mut tally = Tally::default();
    let mut files = Vec::new();
    for folder in PAGE.into_iter().chain([ROOMS]) {
        files.extend(rust_files(&root.join(folder))?);
    }
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).display();
        let lines = kept_fields(&read(&file)?).map_err(|error| format!("{name}: {error}"))?;
        for line in &lines {
            println!("FAILED: {name}:{line}: the field needs autocomplete=\"off\"");
        }
        tally += if lines.is_empty() {
            Tally::PASSED
        } else {
            Tally::FAILED
        };
    }
    Ok(tally)
}

/// The lines, from 1, of the fields of text that a browser would keep. Errors: what the compiler
/// would not read either.
fn kept_fields(code: &str) -> std::result::Result<Vec<usize>, proc_macro2::LexError> {
    let mut lines = Vec::new();
    walk(code.parse()?, &mut lines);
    Ok(lines)
}

fn walk(tokens: TokenStream, lines: &mut Vec<usize>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => walk(group.stream(), lines),
            TokenTree::Punct(open) if open.as_char() == '<' => {
                let (Some(TokenTree::Ident(element)), attributes) =
                    (tokens.get(at + 1), tokens.get(at + 2..).unwrap_or_default())
                else {
                    continue;
                };
                let is_field = element == "input" || element == "textarea";
                if is_field && is_kept(until_end(attributes)) {
                    lines.push(element.span().start().line);
                }
            }
            _ => {}
        }
    }
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
    attributes.windows(3).any(|three| match three {
        [
            TokenTree::Ident(ident),
            TokenTree::Punct(equals),
            TokenTree::Literal(literal),
        ] => {
            ident == name
                && equals.as_char() == '='
                && literal.to_string().trim_matches('"') == value
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markup: &str, kept: bool) {
        let found = kept_fields(&format!("view! {{ <p>{markup}</p> }}")).unwrap();
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
