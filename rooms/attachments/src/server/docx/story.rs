//! Reads one file of a Word document: the body, the notes, a header. Elements are known by their local names: the
//! namespaces differ between the two editions of the format, and formulas and drawings have texts and paragraphs of the
//! same names.

use super::elements::{attribute, is_on};
use super::frame::{Frame, Note, NoteKind, Paragraph};
use super::shared::Shared;
use super::symbols::symbol;
use crate::server::refusal::ExtractRefusal;
use crate::server::table::markdown;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::io::BufRead;

/// The most columns that one cell can span.
const MAX_SPAN: usize = 100;

/// What a file says.
#[derive(Debug, Default)]
pub struct Story {
    /// The text.
    pub text: String,
    /// Whether there is more.
    pub cut: bool,
    /// The notes that the text refers to, in order, each of them once.
    pub references: Vec<(NoteKind, String)>,
    /// The notes of a file of notes.
    pub notes: Vec<Note>,
}

impl Story {
    /// Reads a file, until it has `most` bytes of text.
    pub fn read(
        part: &mut impl BufRead,
        shared: &mut Shared,
        most: usize,
    ) -> Result<Self, ExtractRefusal> {
        let mut reader = Reader::from_reader(part);
        reader.config_mut().expand_empty_elements = true;
        let mut state = State::new(shared);
        let mut buffer = Vec::new();
        let is_whole = loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer) {
                Ok(Event::Start(tag)) => state.start(&tag),
                Ok(Event::End(_)) => state.end(),
                Ok(Event::Text(text)) => state.text(&text),
                Ok(Event::CData(text)) => state.text(&text),
                Ok(Event::GeneralRef(entity)) => state.text(&resolve(&entity)),
                // A file that was cut ends within an element.
                Ok(Event::Eof) => break Some(state.open.is_empty()),
                Ok(_) => {}
                Err(_) => break None,
            }
            if state.written > most {
                break Some(false);
            }
        };
        let mut story = state.finish();
        story.cut = is_whole != Some(true);
        match is_whole.is_none() && story.text.trim().is_empty() && story.notes.is_empty() {
            true => Err(ExtractRefusal::Damaged),
            false => Ok(story),
        }
    }
}

/// The character of an entity. Word documents have no others than these.
fn resolve(entity: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = entity.resolve_char_ref() {
        return character.to_string();
    }
    let known = resolve_predefined_entity(entity);
    known.unwrap_or_default().to_owned()
}

struct State<'a> {
    shared: &'a mut Shared,
    story: Story,
    /// The elements that are open, from the root.
    open: Vec<String>,
    /// How many elements are open within one that is passed over, with it.
    skipped: usize,
    frames: Vec<Frame>,
    paragraph: Paragraph,
    /// The paragraph whose end was deleted. Its text belongs to the next one in the same cell, box or note.
    carried: Paragraph,
    /// Whether the run is hidden.
    is_hidden: bool,
    /// How many bytes of text there were when each alternative that is open began, and whether one of its forms was read.
    alternates: Vec<(usize, bool)>,
    /// Where the text above a word begins, and what it is.
    ruby: (usize, String),
    /// Whether the last paragraph was one of a list.
    after_list: bool,
    written: usize,
}

impl<'a> State<'a> {
    fn new(shared: &'a mut Shared) -> Self {
        Self {
            shared,
            story: Story::default(),
            open: Vec::new(),
            skipped: 0,
            frames: Vec::new(),
            paragraph: Paragraph::default(),
            carried: Paragraph::default(),
            is_hidden: false,
            alternates: Vec::new(),
            ruby: (0, String::new()),
            after_list: false,
            written: 0,
        }
    }

    /// The innermost open element.
    fn around(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        let name = element.local_name();
        let name: &str = name.as_ref();
        match name {
            // Former properties.
            _ if name.ends_with("PrChange") => return self.skipped = 1,
            "del" | "moveFrom" => match self.around() {
                "rPr" => self.paragraph.end_is_deleted = true,
                "trPr" => self.delete_row(),
                _ => return self.skipped = 1,
            },
            "AlternateContent" => self.alternates.push((self.written, false)),
            "Choice" | "Fallback" => {
                if self.alternates.last().is_some_and(|(_, is_read)| *is_read) {
                    return self.skipped = 1;
                }
            }
            "footnote" | "endnote" | "comment" => {
                if !self.begin_note(element) {
                    return self.skipped = 1;
                }
            }
            "p" => self.begin_paragraph(),
            "txbxContent" => self.begin_box(),
            "r" => self.is_hidden = false,
            // What stands above a word of East Asia.
            "rt" => self.ruby.0 = self.paragraph.text.len(),
            "tbl" => {
                self.write_carried();
                self.frames.push(Frame::Table {
                    rows: Vec::new(),
                    row_is_deleted: false,
                });
            }
            "tr" => {
                if let Some(Frame::Table {
                    rows,
                    row_is_deleted,
                }) = self.frames.last_mut()
                {
                    rows.push(Vec::new());
                    *row_is_deleted = false;
                }
            }
            "tc" => self.frames.push(Frame::Cell {
                text: String::new(),
                span: 1,
            }),
            _ => self.property(name, element),
        }
        self.open.push(name.to_owned());
    }

    fn end(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match self.open.pop().unwrap_or_default().as_str() {
            "p" => self.end_paragraph(),
            "txbxContent" => self.end_box(),
            "tc" => self.end_cell(),
            "tr" => self.end_row(),
            "tbl" => self.end_table(),
            "footnote" | "endnote" | "comment" => {
                self.write_carried();
                if let Some(Frame::Note(note)) = self.frames.pop() {
                    self.story.notes.push(note);
                }
            }
            "AlternateContent" => _ = self.alternates.pop(),
            "Choice" | "Fallback" => {
                let written = self.written;
                if let Some((before, is_read)) = self.alternates.last_mut() {
                    *is_read = written > *before;
                }
            }
            "rt" => {
                let from = self.ruby.0.min(self.paragraph.text.len());
                self.ruby.1 = self.paragraph.text.split_off(from);
            }
            "rubyBase" => {
                let above = std::mem::take(&mut self.ruby.1);
                if !above.is_empty() {
                    self.push(&format!("({above})"));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped == 0 && self.around() == "t" && !self.is_hidden {
            // Where a word may be divided is no letter of it.
            self.push(&text.replace('\u{ad}', ""));
        }
    }

    fn push(&mut self, text: &str) {
        self.paragraph.text.push_str(text);
        self.written += text.len();
    }

    /// What an element says that has no text in it.
    fn property(&mut self, name: &str, element: &BytesStart<'_>) {
        let value = || attribute(element, "val");
        let number = || value().and_then(|value| value.parse::<usize>().ok());
        match (self.around(), name) {
            ("pPr", "pStyle") => self.paragraph.style = value().unwrap_or_default(),
            ("pPr", "outlineLvl") => self.paragraph.outline = number(),
            ("numPr", "numId") => self.paragraph.list = value(),
            ("numPr", "ilvl") => self.paragraph.level = number(),
            ("rPr", "vanish") => self.is_hidden = self.is_in_run() && is_on(element),
            ("r", "tab" | "ptab") => self.push("\t"),
            ("r", "br" | "cr") => self.push("\n"),
            ("r", "noBreakHyphen") => self.push("-"),
            ("r", "sym") if !self.is_hidden => {
                let of = |name| attribute(element, name).unwrap_or_default();
                let symbol = symbol(&of("font"), &of("char"));
                self.push(symbol.encode_utf8(&mut [0; 4]));
            }
            (_, "gridSpan") => {
                if let Some(Frame::Cell { span, .. }) = self.frames.last_mut() {
                    *span = number().unwrap_or(1).clamp(1, MAX_SPAN);
                }
            }
            (_, "footnoteReference") => self.refer(NoteKind::Footnote, element),
            (_, "endnoteReference") => self.refer(NoteKind::Endnote, element),
            (_, "commentReference") => self.refer(NoteKind::Comment, element),
            _ => {}
        }
    }

    fn is_in_run(&self) -> bool {
        self.open
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|name| name == "r")
    }

    fn refer(&mut self, kind: NoteKind, element: &BytesStart<'_>) {
        let id = attribute(element, "id").unwrap_or_default();
        let references = &mut self.story.references;
        let known = references.iter().filter(|(of, _)| *of == kind);
        let before = known.clone().position(|(_, of)| *of == id);
        let place = before.unwrap_or(known.count());
        if before.is_none() {
            references.push((kind, id));
        }
        self.push(&kind.label(place + 1));
    }

    /// Begins a note; not one of those that are the lines above notes.
    fn begin_note(&mut self, element: &BytesStart<'_>) -> bool {
        let is_text = attribute(element, "type").is_none_or(|kind| kind == "normal");
        if is_text {
            self.frames.push(Frame::Note(Note {
                id: attribute(element, "id").unwrap_or_default(),
                author: attribute(element, "author").unwrap_or_default(),
                text: String::new(),
            }));
        }
        is_text
    }

    fn delete_row(&mut self) {
        if let Some(Frame::Table { row_is_deleted, .. }) = self.frames.last_mut() {
            *row_is_deleted = true;
        }
    }

    fn begin_paragraph(&mut self) {
        // Drawings have paragraphs within a paragraph.
        if self.paragraph.is_open {
            self.begin_box();
        }
        self.paragraph = Paragraph {
            is_open: true,
            text: std::mem::take(&mut self.carried).text,
            ..Paragraph::default()
        };
    }

    fn begin_box(&mut self) {
        let outer = std::mem::take(&mut self.paragraph);
        self.frames.push(Frame::TextBox {
            text: String::new(),
            outer,
        });
    }

    fn end_box(&mut self) {
        self.write_carried();
        if let Some(Frame::TextBox { text, outer }) = self.frames.pop() {
            self.paragraph = outer;
            self.paragraph.boxes.push_str(&text);
            self.after_list = false;
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if paragraph.end_is_deleted && paragraph.boxes.is_empty() {
            self.carried = paragraph;
        } else {
            self.write(&paragraph);
        }
        // A paragraph that a drawing has in a paragraph.
        let mut around = self.open.iter().rev();
        let innermost = around.find(|name| matches!(name.as_str(), "txbxContent" | "p"));
        if innermost.is_some_and(|name| name == "p") {
            self.end_box();
        }
    }

    /// Writes a paragraph whose end was deleted, where no other one follows to which its text could belong.
    fn write_carried(&mut self) {
        let carried = std::mem::take(&mut self.carried);
        self.write(&carried);
    }

    fn write(&mut self, paragraph: &Paragraph) {
        let text = paragraph.text.trim_end();
        if !text.trim().is_empty() {
            let styles = &self.shared.styles;
            let outline = paragraph
                .outline
                .filter(|level| *level < 9)
                .map(|level| level + 1);
            let heading = outline
                .unwrap_or_else(|| styles.heading(&paragraph.style))
                .min(6);
            let (list, level) = styles.list(&paragraph.style);
            let list = paragraph.list.clone().or(list).unwrap_or_default();
            let level = paragraph.level.or(level).unwrap_or(0);
            let label = self.shared.numbering.label(&list, level);
            let is_list = label.is_some() && heading == 0;
            let joins = is_list && self.after_list;
            self.after_list = is_list;
            let mut line = String::new();
            match heading {
                0 if is_list => line.push_str(&"   ".repeat(level)),
                0 => {}
                heading => {
                    line.push_str(&"#".repeat(heading));
                    line.push(' ');
                }
            }
            if let Some(label) = label {
                line.push_str(&label);
                line.push(' ');
            }
            line.push_str(text);
            line.push_str("\n\n");
            let out = self.out();
            // The items of a list are next to each other.
            if joins && out.ends_with("\n\n") {
                out.pop();
            }
            out.push_str(&line);
        }
        self.out().push_str(&paragraph.boxes);
    }

    /// The text that paragraphs are appended to.
    fn out(&mut self) -> &mut String {
        let frame = self.frames.iter_mut().rev().find_map(Frame::text);
        frame.unwrap_or(&mut self.story.text)
    }

    fn end_cell(&mut self) {
        self.write_carried();
        let Some(Frame::Cell { text, span }) = self.frames.pop() else {
            return;
        };
        let row = match self.frames.last_mut() {
            Some(Frame::Table { rows, .. }) => rows.last_mut(),
            _ => None,
        };
        match row {
            Some(row) => {
                row.push(text.trim().to_owned());
                row.extend((1..span).map(|_| String::new()));
            }
            None => self.out().push_str(&text),
        }
        self.after_list = false;
    }

    fn end_row(&mut self) {
        if let Some(Frame::Table {
            rows,
            row_is_deleted: true,
        }) = self.frames.last_mut()
        {
            rows.pop();
        }
    }

    fn end_table(&mut self) {
        let Some(Frame::Table { mut rows, .. }) = self.frames.pop() else {
            return;
        };
        rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let is_in_cell = self
            .frames
            .iter()
            .any(|frame| matches!(frame, Frame::Cell { .. }));
        let text = match is_in_cell || rows.iter().all(|row| row.len() < 2) {
            true => {
                let rows: Vec<String> = rows.into_iter().map(|row| row.join(" ")).collect();
                rows.join("\n\n")
            }
            false => markdown(&rows),
        };
        if !text.is_empty() {
            let out = self.out();
            out.push_str(text.trim_end());
            out.push_str("\n\n");
        }
        self.after_list = false;
    }

    /// Ends what is open: the file may have been cut.
    fn finish(mut self) -> Story {
        while !self.open.is_empty() {
            self.skipped = 0;
            self.end();
        }
        self.write_carried();
        self.story
    }
}
