//! The text after `/` at the beginning of the prompt field, by which prompts and commands are found.

/// The longest text that is searched for, in characters.
const MAX_QUERY: usize = 80;

/// The text that is searched for while this is written: what follows a `/` at the very beginning. `None` for what is
/// meant as text: a path or a comment has another slash, and a prompt has lines or begins with a space.
#[must_use]
pub fn slash_query(written: &str) -> Option<&str> {
    let query = written.strip_prefix('/')?;
    let is_text = query.contains(['/', '\n']) || query.starts_with(char::is_whitespace);
    // `/clear` is a command as it stands.
    let is_short = query.chars().nth(MAX_QUERY).is_none();
    (is_short && !is_text && query.trim() != "clear").then_some(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slash_searches_and_a_path_is_text() {
        assert_eq!(slash_query("/"), Some(""));
        assert_eq!(slash_query("/new chat"), Some("new chat"));
        let long = format!("/{}", "x".repeat(81));
        for text in [
            "",
            "a/b",
            " /x",
            "/etc/hosts",
            "// note",
            "/ 2",
            "/a\nb",
            "/clear",
            "/clear ",
            &long,
        ] {
            assert_eq!(slash_query(text), None, "{text}");
        }
    }
}
