//! The marks in ChatGPT's answers, and what its page shows in their places: it is in the message's `content_references`, by
//! the text of the mark, or in its `citations`, by the place of the mark.

use super::chat::{ExportedRole, Notes, bracket};
use super::chatgpt_mark::{AROUND, END, Mark, START, has_marks, mark_at};
use super::links::{Link, add_links, markdown_link};
use super::prose::{change_prose, drop_blank};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What the marks of a message stand for.
pub struct Marks<'a> {
    by_text: BTreeMap<&'a str, VecDeque<&'a Value>>,
    references: &'a [Value],
    citations: &'a [Value],
    /// Whether the earlier marks are read too: pages that a tool read have brackets of their own.
    is_answer: bool,
    /// Whether nothing is read: what a person wrote without any sources is the person's.
    is_off: bool,
    /// Marks for which nothing is left.
    gone: usize,
    images: usize,
    /// The addresses that were written.
    written: BTreeSet<String>,
}

impl<'a> Marks<'a> {
    pub fn new(references: &'a [Value], citations: &'a [Value], role: ExportedRole) -> Self {
        let has_sources = !references.is_empty() || !citations.is_empty();
        let mut by_text: BTreeMap<&str, VecDeque<&Value>> = BTreeMap::new();
        for reference in references {
            // The list of all sources names a blank as its place, which is text.
            let text = text_of(reference, "matched_text").filter(|text| !text.trim().is_empty());
            if let Some(text) = text {
                by_text.entry(text).or_default().push_back(reference);
            }
        }
        Self {
            by_text,
            references,
            citations,
            is_answer: role == ExportedRole::Assistant || has_sources,
            is_off: role == ExportedRole::User && !has_sources,
            gone: 0,
            images: 0,
            written: BTreeSet::new(),
        }
    }

    /// Marks that stay as they are.
    pub fn off() -> Self {
        Self::new(&[], &[], ExportedRole::User)
    }

    /// A text with links and names in the places of its marks. Code and all other text stay as they are.
    pub fn resolve(&mut self, text: &str) -> String {
        let mut starts = vec![START];
        if text.contains(START) && text.contains(END) {
            starts.extend(AROUND);
        }
        if self.is_answer {
            starts.extend(['【', ':']);
        }
        if self.is_off || !text.contains(&starts[..]) {
            return text.to_owned();
        }
        let mut counted = Counted::default();
        let has_places = !self.citations.is_empty() || self.references.iter().any(is_by_place);
        change_prose(text, &starts, |out, at| {
            let rest = text.get(at..)?;
            if rest.starts_with(AROUND) {
                return Some(at);
            }
            let mark = mark_at(rest)?;
            let cited = match has_places {
                true => self.cited(&mark, counted.advance(text, at)),
                false => None,
            };
            let reference = self.take(mark.whole).or(cited);
            let words = self.words(&mark, reference);
            let after = at + mark.whole.len();
            if words.is_empty() {
                drop_blank(out, text.get(after..).unwrap_or_default());
            }
            out.push_str(&words);
            Some(after)
        })
    }

    /// Counts what is left out of a message whose text this is.
    pub fn finish(self, text: &str, notes: &mut Notes) {
        let mut links = Vec::new();
        let shown = |value: &&Value| !is_hidden(value) && !is_image(value);
        let references = self.references.iter().filter(shown);
        references.for_each(|reference| add_links(reference, &mut links));
        let citations = self.citations.iter().filter_map(|c| c.get("metadata"));
        citations.for_each(|citation| add_links(citation, &mut links));
        let is_lost = |link: &&Link| !self.written.contains(&link.key) && !link.is_in(text);
        let lost = links.iter().filter(is_lost);
        let lost: BTreeSet<&str> = lost.map(|link| link.key.as_str()).collect();
        notes.sources += lost.len() + self.gone;
        notes.images_absent += self.images;
    }

    /// What a mark of this text stands for. The same mark may stand for several things, one after the other.
    fn take(&mut self, mark: &str) -> Option<&'a Value> {
        let found = self.by_text.get_mut(mark)?;
        match found.len() {
            1 => found.front().copied(),
            _ => found.pop_front(),
        }
    }

    /// The source of a mark that is not named by its text: by its place, else by its number.
    fn cited(&self, mark: &Mark<'_>, (chars, units): (u64, u64)) -> Option<&'a Value> {
        let begins = |value: &Value, key: &str| {
            let start = value.get(key).and_then(Value::as_u64);
            start.is_some_and(|start| start == chars || start == units)
        };
        let at = |citation: &&Value| begins(citation, "start_ix");
        let mut by_place = self.references.iter().filter(|r| is_by_place(r));
        if let Some(reference) = by_place.find(|reference| begins(reference, "start_idx")) {
            return Some(reference);
        }
        let number = mark.kind.parse::<u64>().ok();
        let is_number = |citation: &&Value| {
            let said = citation.pointer("/metadata/extra/cited_message_idx");
            number.is_some() && said.and_then(Value::as_u64) == number
        };
        let citations = self.citations.iter();
        let found = citations.clone().find(at);
        let found = found.or_else(|| citations.clone().find(is_number));
        found.and_then(|citation| citation.get("metadata"))
    }

    /// What is written in the place of a mark.
    fn words(&mut self, mark: &Mark<'_>, reference: Option<&Value>) -> String {
        let names = mark.names();
        if reference.is_some_and(is_hidden) {
            self.gone += 1;
            return String::new();
        }
        if matches!(mark.kind, "i" | "image" | "image_group") || reference.is_some_and(is_image) {
            self.images += 1;
            let title = reference.and_then(|r| text_of(r, "title").or_else(|| text_of(r, "alt")));
            return bracket("image", title.filter(|title| !title.contains("](")));
        }
        let mut links = Vec::new();
        if let Some(reference) = reference {
            add_links(reference, &mut links);
        }
        self.written
            .extend(links.iter().map(|link| link.key.clone()));
        let named = |key| {
            reference
                .and_then(|r| text_of(r, key))
                .filter(|name| !has_marks(name))
        };
        let name = named("name").or_else(|| named("title"));
        let is_name = matches!(mark.kind, "entity" | "product_entity");
        if let Some(name) = name.filter(|_| is_name && links.is_empty()) {
            return name.to_owned();
        }
        let title = names
            .first()
            .map(String::as_str)
            .filter(|_| !mark.is_citation());
        if let Some((first, others)) = links.split_first() {
            let others = others
                .iter()
                .map(|link| format!(", {}", markdown_link(link, None)));
            let is_list = mark.kind == "navlist" || links.len() > 1;
            let first = markdown_link(first, title.filter(|_| !is_list));
            let all = first + &others.collect::<String>();
            return match title.filter(|_| is_list) {
                _ if mark.is_citation() => format!("({all})"),
                Some(title) => format!("{title}: {all}"),
                None => all,
            };
        }
        let name = name.or_else(|| named("alt"));
        let name = name.or(names.first().map(String::as_str));
        match name.map(str::trim).filter(|name| !name.is_empty()) {
            // A name without an address is all that there is of a file; of a page its address is lost.
            Some(name) if mark.is_citation() && !name.starts_with('(') => format!("({name})"),
            Some(name) => {
                let is_whole = is_name || reference.is_some() || mark.kind.starts_with("product");
                self.gone += usize::from(!is_whole);
                names_or(name, &names, reference.is_none())
            }
            None => {
                self.gone += 1;
                String::new()
            }
        }
    }
}

/// All names without a reference; with one its name.
fn names_or(name: &str, names: &[String], is_bare: bool) -> String {
    match is_bare && !names.is_empty() {
        true => names.join(", "),
        false => name.to_owned(),
    }
}

fn text_of<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    let text = value.get(key).and_then(Value::as_str);
    text.filter(|text| !text.is_empty())
}

/// Whether a reference says its place in the text and not the text of its mark.
fn is_by_place(reference: &Value) -> bool {
    text_of(reference, "matched_text").is_none() && reference.get("start_idx").is_some()
}

fn is_hidden(reference: &Value) -> bool {
    text_of(reference, "type") == Some("hidden")
}

fn is_image(reference: &Value) -> bool {
    text_of(reference, "type").is_some_and(|kind| kind.starts_with("image"))
}

/// How many characters and UTF-16 units of a text are before a place; places only grow.
#[derive(Default)]
struct Counted {
    at: usize,
    chars: u64,
    units: u64,
}

impl Counted {
    fn advance(&mut self, text: &str, to: usize) -> (u64, u64) {
        for c in text.get(self.at..to).unwrap_or_default().chars() {
            self.chars += 1;
            self.units += c.len_utf16() as u64;
        }
        self.at = to;
        (self.chars, self.units)
    }
}
