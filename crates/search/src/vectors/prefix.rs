//! The prefix that some embedding models want before a text. Ollama does not add it.

/// The prefixes of models, by a part of their name: for a message, and for a prompt. From the models' own descriptions.
const PREFIXES: [(&str, &str, &str); 5] = [
    ("nomic-embed-text", "search_document: ", "search_query: "),
    (
        "embeddinggemma",
        "title: none | text: ",
        "task: search result | query: ",
    ),
    (
        "mxbai-embed",
        "",
        "Represent this sentence for searching relevant passages: ",
    ),
    ("snowflake-arctic-embed2", "", "query: "),
    (
        "snowflake-arctic-embed",
        "",
        "Represent this sentence for searching relevant passages: ",
    ),
];

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A message that may be found.
    Message,
    /// The prompt that it is found for.
    Prompt,
}

/// A text as the model wants it.
#[must_use]
pub fn with_prefix(model: &str, kind: TextKind, text: &str) -> String {
    let known = PREFIXES.iter().find(|(name, ..)| model.contains(name));
    let prefix = known.map_or("", |(_, message, prompt)| match kind {
        TextKind::Message => message,
        TextKind::Prompt => prompt,
    });
    format!("{prefix}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_gets_the_prefix_it_was_trained_with() {
        let both =
            |model| [TextKind::Message, TextKind::Prompt].map(|kind| with_prefix(model, kind, "x"));
        assert_eq!(
            both("nomic-embed-text:latest"),
            ["search_document: x", "search_query: x"]
        );
        assert_eq!(both("me/snowflake-arctic-embed2:568m"), ["x", "query: x"]);
        assert_eq!(both("all-minilm"), ["x", "x"]);
    }
}
