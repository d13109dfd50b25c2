//! Checks that the page has four sizes of type: those of `style/tokens.css`.

use crate::modules::{ROOMS, entries, read};
use crate::{Result, place};

/// The parts of formulas are sized by their text.
const RELATIVE: &str = "formula.css";

/// The sizes of type in `style/`, and in the style of a room, that are no token. The root's is a part of the browser's own,
/// which the setting of the text's size changes.
pub fn check() -> Result<Vec<String>> {
    let root = place::root();
    let rooms = entries(&root.join(ROOMS))?;
    let rooms = rooms.into_iter().map(|room| room.join("room.css"));
    let rooms = rooms.filter(|file| file.is_file());
    let mut found = Vec::new();
    for path in entries(&root.join("style"))?.into_iter().chain(rooms) {
        if !path.ends_with(RELATIVE) {
            let css = read(&path)?;
            let others = declarations(&css).filter(|value| !is_token(value));
            let name = path.display();
            found.extend(others.map(|value| {
                format!("{name} has the size {value}; use one of the tokens --size-…")
            }));
        }
    }
    Ok(found)
}

/// The values of `font-size` and `font`.
fn declarations(css: &str) -> impl Iterator<Item = &str> {
    let values = css.split(['{', ';', '}']).filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        matches!(name.trim(), "font" | "font-size").then(|| value.trim())
    });
    values.filter(|value| !value.ends_with('%'))
}

fn is_token(value: &str) -> bool {
    let size = value.split(['/', ' ']).next().unwrap_or_default();
    size == "inherit" || (size.starts_with("var(--size-") && size.ends_with(')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_no_token_are_found() {
        let css = "a { font-size: 13px; &:hover { font: 1rem/1.5 serif; } } b { font: var(--size-label)/1.5 serif; }
            c { font: inherit; font-size: var(--size-text); font-weight: 600 } [data-size] { font-size: 90%; }";
        let other: Vec<_> = declarations(css).filter(|value| !is_token(value)).collect();
        assert_eq!(other, ["13px", "1rem/1.5 serif"]);
    }
}
