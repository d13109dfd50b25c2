//! Comments and indentation out of the client's scripts: Trunk's own minifier does not read what
//! wasm-bindgen writes.

use std::fs;
use std::path::Path;

use crate::{Result, compress};

/// Squeezes every script below `folder`.
pub fn folder(folder: &Path) -> Result {
    let scripts = compress::files(folder)?;
    for file in scripts
        .into_iter()
        .filter(|f| f.extension().is_some_and(|e| e == "js"))
    {
        let failed = |e: std::io::Error| format!("{} cannot be squeezed: {e}", file.display());
        let text = fs::read_to_string(&file).map_err(failed)?;
        fs::write(&file, script(&text)).map_err(failed)?;
    }
    Ok(())
}

/// A script without lines of comment and without indentation. A text over several lines would suffer, so
/// a script that has one is left as it is.
fn script(text: &str) -> String {
    if text.lines().any(|line| line.matches('`').count() % 2 == 1) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut comment = false;
    for line in text.lines().map(str::trim) {
        comment |= line.starts_with("/*");
        if !(comment || line.is_empty() || line.starts_with("//")) {
            out.push_str(line);
            out.push('\n');
        }
        comment &= !line.ends_with("*/");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_nothing_else() {
        let text = "// why\nfunction f() {\n    /** what\n     * more\n     */\n    return \"// a\"; // kept\n}\n";
        assert_eq!(
            script(text),
            "function f() {\nreturn \"// a\"; // kept\n}\n"
        );
    }

    #[test]
    fn a_text_over_several_lines_is_left_alone() {
        let text = "const a = `\n  // text\n`;\n";
        assert_eq!(script(text), text);
    }
}
