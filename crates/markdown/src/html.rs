//! Writes an answer as HTML, for a file that is read without Sash. The page itself never takes this way: it makes
//! elements of nodes. Every text and every attribute is escaped here, and the elements are the same closed set.

use super::mathml::{Element, ElementContent, parse as parse_formula};
use super::{
    Destination, Document, Node, Outline, RendererNote, Tag, describe, direction, named, plain, tex,
};

/// Gives the colours of a block of code, from its language and its text: runs as of `POST /api/v1/highlight`.
pub type CodeColors<'a> = &'a dyn Fn(&str, &str) -> Option<String>;

/// Writes an answer as HTML.
#[must_use]
pub fn html(markdown: &str, colors: CodeColors<'_>) -> String {
    let mut writer = Writer {
        out: String::new(),
        colors,
        outline: Outline::default(),
    };
    for node in nodes(markdown) {
        writer.node(&node);
    }
    writer.out
}

/// The blocks of code in an answer: language and text of each.
#[must_use]
pub fn code_blocks(markdown: &str) -> Vec<(String, String)> {
    fn walk(nodes: &[Node], found: &mut Vec<(String, String)>) {
        for node in nodes {
            match node {
                Node::Element(Tag::CodeBlock(fence), children) => {
                    found.push((fence.clone(), plain(children)));
                }
                Node::Element(_, children) => walk(children, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(&nodes(markdown), &mut found);
    found
}

/// Escapes a text for HTML, in an element or in an attribute in quotation marks.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // A reader of HTML would replace it.
            '\r' => out.push_str("&#13;"),
            sign => out.push(sign),
        }
    }
    out
}

fn nodes(markdown: &str) -> Vec<Node> {
    let mut document = Document::new();
    document.finish_with(markdown);
    let blocks = document.blocks().iter();
    blocks.map(|block| (*block.node).clone()).collect()
}

struct Writer<'a> {
    out: String,
    colors: CodeColors<'a>,
    outline: Outline,
}

impl Writer<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn text(&mut self, text: &str) {
        self.out += &escape(text);
    }

    /// An element of this name and these attributes; an attribute without a value is left out.
    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out += name;
        for (key, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.out += &format!(" {key}=\"{}\"", escape(value));
        }
        self.out.push('>');
    }

    fn close(&mut self, name: &str) {
        self.out += &format!("</{name}>");
    }

    fn around(&mut self, name: &str, attributes: &[(&str, &str)], children: &[Node]) {
        self.open(name, attributes);
        self.nodes(children);
        self.close(name);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(text) => self.text(text),
            Node::Hidden(run) => self.span("hidden-mark", &describe(run)),
            Node::Break => self.out += "<br>",
            Node::Rule => self.out += "<hr>",
            Node::Check(done) => self.text(if *done { "☑ " } else { "☐ " }),
            Node::Image { alt, source } => self.image(alt, source.as_ref()),
            Node::Formula {
                written, display, ..
            } => self.formula(written, *display),
            Node::FootnoteReference(name) => self.footnote_mark(name),
            Node::Note(RendererNote::TooLong { .. }) => {
                self.span("note", "The rest is shown as it was written.");
            }
            Node::Element(tag, children) => self.element(tag, children),
        }
    }

    fn element(&mut self, tag: &Tag, children: &[Node]) {
        let direction = direction(children).unwrap_or_default();
        let auto = [("dir", "auto")];
        match tag {
            Tag::Paragraph => self.around("p", &auto, children),
            // The message's own heading is an h2.
            Tag::Heading(written) => {
                let level = (2 + self.outline.depth(*written)).min(6);
                self.around(&format!("h{level}"), &auto, children);
            }
            Tag::Quote => self.around("blockquote", &[("dir", direction)], children),
            Tag::List(None) => self.around("ul", &[("dir", direction)], children),
            Tag::List(Some(first)) => {
                let first = first.to_string();
                self.around("ol", &[("start", &first), ("dir", direction)], children);
            }
            Tag::Item => self.around("li", &[], children),
            Tag::Footnote(name) => {
                self.open("div", &[("class", "footnote")]);
                self.footnote_mark(name);
                self.around("div", &[], children);
                self.close("div");
            }
            Tag::Table => {
                self.open(
                    "div",
                    &[("class", "table"), ("tabindex", "0"), ("role", "group")],
                );
                self.around("table", &[("dir", direction)], children);
                self.close("div");
            }
            Tag::Row => self.around("tr", &[], children),
            Tag::Cell { head, align } => {
                let class = align.class();
                match head {
                    true => self.around("th", &[("class", class), ("scope", "col")], children),
                    false => self.around("td", &[("class", class)], children),
                }
            }
            Tag::CodeBlock(fence) => self.code(fence, &plain(children)),
            Tag::Lines => self.nodes(children),
            Tag::Raw | Tag::Rest => self.around("div", &[("class", "raw")], children),
            Tag::Emphasis => self.around("em", &[], children),
            Tag::Strong => self.around("strong", &[], children),
            Tag::Strike => self.around("del", &[], children),
            Tag::Code => self.around("code", &[], children),
            Tag::Link(to) => {
                self.open_link(to, "");
                self.nodes(children);
                self.close("a");
            }
            Tag::Unlinked(to) => self.around("span", &[("title", to)], children),
        }
    }

    fn span(&mut self, class: &str, text: &str) {
        self.open("span", &[("class", class)]);
        self.text(text);
        self.close("span");
    }

    fn open_link(&mut self, to: &Destination, class: &str) {
        let rel = "noopener noreferrer nofollow";
        self.open("a", &[("class", class), ("href", &to.href), ("rel", rel)]);
    }

    /// A chip in the place of an image, which a file must not load.
    fn image(&mut self, alt: &str, source: Option<&Destination>) {
        let words = match alt {
            "" => "Image".to_owned(),
            alt => format!("Image: {alt}"),
        };
        match source {
            Some(to) => {
                self.open_link(to, "chip");
                self.text(&words);
                self.close("a");
            }
            None => self.span("chip", &words),
        }
    }

    fn footnote_mark(&mut self, name: &str) {
        self.open("sup", &[]);
        self.text(&format!("[{name}]"));
        self.close("sup");
    }

    fn formula(&mut self, written: &str, display: bool) {
        match parse_formula(tex(written), display) {
            Some(math) if display => {
                self.open(
                    "div",
                    &[("class", "formula"), ("tabindex", "0"), ("role", "group")],
                );
                self.math(&math);
                self.close("div");
            }
            Some(math) => self.math(&math),
            None => self.around("code", &[], &[Node::Text(written.to_owned())]),
        }
    }

    fn math(&mut self, element: &Element) {
        let name = element.tag.name();
        let attributes: Vec<(&str, &str)> = element
            .attributes
            .iter()
            .map(|(name, value)| (*name, &**value))
            .collect();
        self.open(name, &attributes);
        match &element.content {
            ElementContent::Text(text) => self.text(text),
            ElementContent::Children(children) => {
                for child in children {
                    self.math(child);
                }
            }
        }
        self.close(name);
    }

    fn code(&mut self, fence: &str, code: &str) {
        let language = named(fence).map_or(fence, |language| language.name);
        self.open("figure", &[("class", "code"), ("dir", "ltr")]);
        if !language.is_empty() {
            self.open("figcaption", &[]);
            self.text(language);
            self.close("figcaption");
        }
        self.open("pre", &[("tabindex", "0")]);
        self.open("code", &[]);
        match (self.colors)(fence, code).and_then(|runs| colored(code, &runs)) {
            Some(colored) => self.out += &colored,
            None => self.text(code),
        }
        self.out += "</code></pre></figure>";
    }
}

/// Code with a span around each run; `None` if the runs do not fit it. A run is the letter of its class, if it has
/// one, and its length in UTF-16 code units.
fn colored(code: &str, runs: &str) -> Option<String> {
    let mut out = String::with_capacity(2 * code.len());
    let mut signs = code.chars();
    for run in runs.split(' ').filter(|run| !run.is_empty()) {
        let class = run.chars().next().filter(char::is_ascii_lowercase);
        let mut left: usize = run.get(class.map_or(0, |_| 1)..)?.parse().ok()?;
        let mut text = String::new();
        while left > 0 {
            let sign = signs.next()?;
            left = left.checked_sub(sign.len_utf16())?;
            text.push(sign);
        }
        match class {
            Some(class) => out += &format!("<span class=\"tok-{class}\">{}</span>", escape(&text)),
            None => out += &escape(&text),
        }
    }
    signs.next().is_none().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain_html(markdown: &str) -> String {
        html(markdown, &|_, _| None)
    }

    #[test]
    fn an_answer_is_written_as_it_is_shown() {
        for (markdown, written) in [
            (
                "# A\n\n**b** *c* `d`",
                "<h3 dir=\"auto\">A</h3><p dir=\"auto\"><strong>b</strong> <em>c</em> <code>d</code></p>",
            ),
            (
                "- a\n- [x] b",
                "<ul dir=\"ltr\"><li>a</li><li>☑ b</li></ul>",
            ),
            (
                "[x](https://a.org/?b&c)",
                "<p dir=\"auto\"><a href=\"https://a.org/?b&amp;c\" rel=\"noopener noreferrer nofollow\">x</a></p>",
            ),
            ("$x^2$", "<p dir=\"auto\"><math"),
            ("| a |\n| - |\n| b |", "<table"),
        ] {
            let html = plain_html(markdown);
            assert!(html.contains(written), "{markdown}: {html}");
        }
    }

    #[test]
    fn nothing_in_an_answer_becomes_an_element_or_an_attribute_of_its_own() {
        let evil = "<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![x\"onload=\"y](https://e.org/i.png)\n\n```\"><script>\n</code></pre><script>x</script>\n```\n\n$\\text{<script>}$";
        let html = plain_html(evil);
        for bad in [
            "<script",
            "<img",
            "javascript:\"",
            "onload=\"y",
            "href=\"javascript",
        ] {
            assert!(!html.contains(bad), "{bad}: {html}");
        }
    }

    #[test]
    fn code_is_coloured_by_its_runs_and_plain_where_they_do_not_fit() {
        let markdown = "```rust\nfn é() {\n}\n```";
        let runs = |runs: &'static str| html(markdown, &move |_, _| Some(runs.to_owned()));
        assert_eq!(
            code_blocks(markdown),
            [("rust".to_owned(), "fn é() {\n}\n".to_owned())]
        );
        assert!(runs("k2 1 f1 7").contains("<code><span class=\"tok-k\">fn</span> <span class=\"tok-f\">é</span>() {\n}\n</code>"), "{}", runs("k2 1 f1 7"));
        for wrong in ["k2", "k99", "kx", "k2 1 f1 8"] {
            assert!(
                runs(wrong).contains("<code>fn é() {\n}\n</code>"),
                "{wrong}"
            );
        }
    }
}
