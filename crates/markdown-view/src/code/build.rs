//! Builds a code block with its caption and tools.

use crate::element::{append, scroller, with};
use sash_markdown::named;
use sash_words::t;
use web_sys::Element;

/// The tools of a block: class, label, and accessible name.
fn tools() -> [(&'static str, &'static str, &'static str); 3] {
    [
        ("wrap", t!(markdown.wrap), t!(markdown.wrap_lines)),
        ("download", t!(common.download), t!(markdown.download_code)),
        ("copy", t!(common.copy), t!(markdown.copy_code)),
    ]
}

/// The element of a block without its code. `fence` is the model's name of the language.
pub fn block(fence: &str) -> Element {
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
    for (class, word, name) in tools() {
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
        "" => t!(markdown.code_label).to_owned(),
        language => t!(markdown.code, language = &language),
    };
    let pre = scroller("pre", "", &label);
    append(&pre, &with("code", &[]));
    append(&figure, &caption);
    append(&figure, &pre);
    figure
}
