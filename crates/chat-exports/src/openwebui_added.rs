//! Additions of the `output` of an answer of Open WebUI to its text.

use super::chat::append;
use super::openwebui_details::SplitAnswer;
use super::openwebui_output::read_output;
use super::prose::paragraphs;
use serde_json::Value;
use std::collections::BTreeSet;

/// Adds what is in the output of an answer and not in its text. Returns whether it is left out: the text that was edited
/// replaces it.
pub fn add_output(answer: &mut SplitAnswer, items: &[Value]) -> bool {
    let output = read_output(items);
    if !words(&answer.thinking).contains(&words(&output.thinking)) {
        append(&mut answer.thinking, &output.thinking);
    }
    if answer.content.trim().is_empty() {
        answer.content = output.content;
        answer.calls += output.calls;
        return false;
    }
    let (said, all) = (words(&answer.content), words(&output.content));
    // Whole words: a short answer may be within a longer word.
    if format!(" {said} ").contains(&format!(" {all} ")) || all.is_empty() {
        return false;
    }
    // The text names its calls itself, or has none of them.
    answer.calls = answer.calls.max(output.calls);
    let known: BTreeSet<String> = paragraphs(&answer.content).map(words).collect();
    let those: BTreeSet<String> = paragraphs(&output.content).map(words).collect();
    if known.is_subset(&those) {
        let missing = paragraphs(&output.content).filter(|part| !known.contains(&words(part)));
        let missing: Vec<&str> = missing.collect();
        append(&mut answer.content, &missing.join("\n\n"));
    } else if all.starts_with(&said) {
        // The text was cut.
        answer.content = output.content;
    } else {
        return true;
    }
    false
}

/// The words of a text, whatever blanks are between them.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
