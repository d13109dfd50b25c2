//! Reads which field of the request Ollama found invalid. Ollama's wording varies, some of these errors have
//! status 500, and no model was asked.

use sash_wire::Fault;

/// The fault that names the field; `None` if Ollama names none.
#[must_use]
pub fn parse(message: &str) -> Option<Fault> {
    let (field, reason) = field(message)?;
    let reason = reason.trim_end_matches('.').to_owned();
    Some(Fault::InvalidField { field, reason })
}

fn field(message: &str) -> Option<(String, &str)> {
    if let Some(rest) = message.strip_prefix("option \"") {
        let (name, reason) = rest.split_once("\" ")?;
        let reason = reason.starts_with("must").then_some(reason)?;
        return Some((format!("options.{name}"), reason));
    }
    let whole = |field: &str| Some((field.to_owned(), message));
    for (start, field) in [
        ("illegal base64 data", "images"),
        ("invalid format:", "format"),
        ("invalid think value", "think"),
        ("think must be", "think"),
        ("time: ", "keep_alive"),
        ("Unsupported type:", "keep_alive"),
    ] {
        if message.starts_with(start) {
            return whole(field);
        }
    }
    // Go's wording: "json: cannot unmarshal number into Go struct field ChatRequest.messages.content of type
    // string".
    let (_, path) = message
        .strip_prefix("json: cannot unmarshal ")?
        .split_once(" field ChatRequest.")?;
    let path = path.split_once(" of type ")?.0;
    // Ollama's `messages` are our context and prompt; of the prompt only the text comes from the page.
    let ours = match path.strip_prefix("messages") {
        Some(rest) => format!("context{rest}"),
        None => path.to_owned(),
    };
    Some((ours, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_is_read_out_of_ollamas_sentence() {
        for (message, expected) in [
            (
                "option \"num_ctx\" must be of type integer",
                "options.num_ctx",
            ),
            (
                "option \"stop\" must be of type an array of strings",
                "options.stop",
            ),
            ("illegal base64 data at input byte 4", "images"),
            (
                "invalid format: \"\\\"xml\\\"\"; expected \"json\" or a valid JSON Schema object",
                "format",
            ),
            (
                "invalid think value: \"ultra\" (must be \"high\", \"medium\", \"low\", \"max\", true, or false)",
                "think",
            ),
            (
                "think must be a boolean or string (\"high\", true, or false)",
                "think",
            ),
            ("time: invalid duration \"abc\"", "keep_alive"),
            ("time: missing unit in duration \"5\"", "keep_alive"),
            ("Unsupported type: 'bool'", "keep_alive"),
            (
                "json: cannot unmarshal number into Go struct field ChatRequest.messages.tool_calls of type []api.ToolCall",
                "context.tool_calls",
            ),
            (
                "json: cannot unmarshal array into Go struct field ChatRequest.options of type map[string]interface {}",
                "options",
            ),
        ] {
            let Some(Fault::InvalidField { field, reason }) = parse(message) else {
                panic!("{message}");
            };
            assert_eq!(field, expected);
            assert!(message.ends_with(&reason), "{reason}");
        }
    }

    #[test]
    fn other_sentences_name_no_field() {
        for message in [
            "",
            "model is required",
            "option \"",
            "option \"x",
            "option \"x\" was fine",
            "json: cannot unmarshal array into Go value of type api.ChatRequest",
            "json: cannot unmarshal number into Go struct field ChatRequest.model",
            "\"tiny\" does not support thinking",
            "llama-server process has terminated: exit status 1",
            "unexpected EOF",
        ] {
            assert_eq!(parse(message), None, "{message}");
        }
    }
}
