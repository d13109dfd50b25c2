//! One stylesheet out of `style/`: each room of the page has its own file, and the page loads one.
//!
//! Trunk 0.21 copies a stylesheet as it is, imports included, which would make each a request of its own.

use std::fs;
use std::path::Path;

use crate::{Result, place};

/// Writes `style/main.css`, its imports replaced by what they name, to `target/styles/sash.css`.
pub fn write() -> Result {
    let text = bundle(&place::root().join("style/main.css"), 0)?;
    let folder = place::scratch().join("styles");
    let file = folder.join("sash.css");
    // Untouched when it is the same: a watching Trunk would otherwise build for ever.
    if fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&file, text))
        .map_err(|e| format!("{} cannot be written: {e}", file.display()))
}

/// The text of `file` with each line `@import "name.css";` or `@import "name.css" layer(name);` replaced.
fn bundle(file: &Path, depth: usize) -> Result<String> {
    if depth > 8 {
        return Err(format!("{} imports itself", file.display()));
    }
    let text =
        fs::read_to_string(file).map_err(|e| format!("{} is not readable: {e}", file.display()))?;
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let Some((name, layer)) = import(line) else {
            if line.trim_start().starts_with("@import") {
                return Err(format!("{}: cannot follow `{line}`", file.display()));
            }
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let inner = bundle(&file.with_file_name(name), depth + 1)?;
        match layer {
            Some(layer) => out.push_str(&format!("@layer {layer} {{\n{inner}}}\n")),
            None => out.push_str(&inner),
        }
    }
    Ok(out)
}

/// File and layer of an import line.
fn import(line: &str) -> Option<(&str, Option<&str>)> {
    let rest = line.trim().strip_prefix("@import")?.trim_start();
    let rest = rest.strip_suffix(';')?;
    let (name, rest) = match rest.strip_prefix("url(") {
        Some(inner) => inner.split_once(')')?,
        None => rest.split_at(rest[1..].find(['"', '\''])? + 2),
    };
    let name = name.trim().trim_matches(['"', '\'']);
    if name.contains("//") {
        return None;
    }
    match rest.trim() {
        "" => Some((name, None)),
        layer => {
            let layer = layer.strip_prefix("layer(")?.strip_suffix(')')?;
            Some((name, Some(layer)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_in_every_spelling_we_use() {
        assert_eq!(
            import(r#"@import "tokens.css";"#),
            Some(("tokens.css", None))
        );
        assert_eq!(
            import("  @import url('chat/log.css');"),
            Some(("chat/log.css", None))
        );
        assert_eq!(
            import(r#"@import "a.css" layer(rooms);"#),
            Some(("a.css", Some("rooms")))
        );
    }

    #[test]
    fn foreign_and_conditional_imports_are_refused() {
        assert_eq!(import(r#"@import "https://example.org/x.css";"#), None);
        assert_eq!(import(r#"@import "print.css" print;"#), None);
    }
}
