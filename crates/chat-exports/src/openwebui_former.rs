//! The reading of Open WebUI's answers by earlier versions of Sash.

use super::chat::append;
use serde_json::Value;

/// Moves the thinking out of the text, where it is `<details type="reasoning" …>` with a summary and quoted lines. Other
/// blocks, and the output beside the text, were not read.
pub fn take_thinking(content: &mut String, thinking: &mut String) {
    const OPEN: &str = "<details type=\"reasoning\"";
    const CLOSE: &str = "</details>";
    let mut kept = String::new();
    let mut rest = content.as_str();
    while let Some((before, block)) = rest.split_once(OPEN) {
        let Some((block, after)) = block.split_once(CLOSE) else {
            break;
        };
        kept.push_str(before);
        let block = block.split_once('>').map_or("", |(_, inner)| inner);
        let block = match block.split_once("</summary>") {
            Some((_, thoughts)) => thoughts,
            None => block,
        };
        let lines = block.trim().lines();
        let lines = lines.map(|line| {
            line.strip_prefix("> ")
                .or_else(|| line.strip_prefix('>'))
                .unwrap_or(line)
        });
        let marks = [
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&#x27;", "'"),
            ("&amp;", "&"),
        ];
        let plain = |text: String, (from, to): (&str, &str)| text.replace(from, to);
        let lines = lines.collect::<Vec<_>>().join("\n");
        append(thinking, &marks.into_iter().fold(lines, plain));
        rest = after.trim_start_matches('\n');
    }
    if rest.len() != content.len() {
        kept.push_str(rest);
        *content = kept;
    }
}

/// Why an answer failed: only a text, or a text as `content`, was read.
pub fn former_failure(error: Value) -> Option<String> {
    let text = error.get("content").unwrap_or(&error).as_str();
    text.map(str::to_owned)
}
