//! Builds a code block with its caption and tools.

use super::element::{append, scroller, with};
use sash_markdown::named;
use web_sys::Element;

/// The tools of a block: class, label, and accessible name.
const TOOLS: [(&str, &str, &str); 3] = [
    ("wrap", "Wrap", "Wrap lines"),
    ("download", "Download", "Download code"),
    ("copy", "Copy", "Copy code"),
];

/// A block without its code. `fence` is the model's name of the language.
pub(in crate::ui) fn block(fence: &str) -> Element {
    let known = named(fence);
    let language = known.map_or(fence, |language| language.name);
    let ending = known.map_or("", |language| language.ending);
    let attributes = [("class", "code"), ("dir", "ltr"), ("data-ending", ending)];
    let figure = with("figure", &attributes);
    let caption = with("figcaption", &[]);
    let name = with("span", &[("class", "code-language")]);
    name.set_text_content(Some(language));
    append(&caption, &name);
    append(
        &caption,
        &with("span", &[("class", "code-status"), ("role", "status")]),
    );
    for (class, word, name) in TOOLS {
        let pressed = if class == "wrap" { "false" } else { "" };
        let attributes = [
            ("type", "button"),
            ("class", class),
            ("aria-label", name),
            ("aria-pressed", pressed),
        ];
        let button = with("button", &attributes);
        button.set_text_content(Some(word));
        append(&caption, &button);
    }
    let label = match language {
        "" => "Code".to_owned(),
        language => format!("Code, {language}"),
    };
    let pre = scroller("pre", "", &label);
    append(&pre, &with("code", &[]));
    append(&figure, &caption);
    append(&figure, &pre);
    figure
}
