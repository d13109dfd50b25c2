//! HTML as Markdown.

use super::refusal::ExtractRefusal;

/// Elements that are no text for a reader.
const SKIPPED: [&str; 8] = [
    "script", "style", "noscript", "template", "svg", "iframe", "head", "nav",
];

/// The text of a page.
pub fn text(document: &[u8]) -> Result<String, ExtractRefusal> {
    let html = String::from_utf8_lossy(document);
    let converter = htmd::HtmlToMarkdown::builder()
        .skip_tags(SKIPPED.to_vec())
        .build();
    converter
        .convert(&html)
        .map_err(|_| ExtractRefusal::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_markdown_without_its_scripts() {
        let page = b"<html><head><title>T</title></head><body><h2>One</h2><p>a <b>b</b> &amp; c</p><script>evil()</script><ul><li>x</ul></body></html>";
        let text = text(page).unwrap();
        assert!(text.starts_with("## One"), "{text}");
        assert!(text.contains("a **b** & c"), "{text}");
        assert!(!text.contains("evil"), "{text}");
    }
}
