//! Emphasis beside Chinese, Japanese and Korean text, which has no spaces between words.
//!
//! CommonMark does not let `**` close between a `。` and a letter. The CJK-friendly amendment to its rules
//! (commonmark-spec issue 650) lets a run of `*` or `~~` open and close where it touches a CJK character on one
//! side and no white space on the other; the rules for `_` come out the same. The parser does not know the
//! amendment, but it lets a run open and close between two characters that are neither punctuation nor space.
//! So it gets a copy with such a character on both sides of each of these runs. Positions and texts of its
//! events are converted back.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Tag};
use std::borrow::Cow;
use std::ops::Range;

/// The added character: a control character that is not ASCII, so that it can be part of an address, and not
/// in use. Where the text itself contains it, it is doubled.
const ADDED: char = '\u{91}';

/// A text whose delimiter runs beside CJK characters can open and close.
pub(super) struct FlankedText<'a> {
    /// The text for the parser.
    pub text: Cow<'a, str>,
    /// The positions of the added characters in it.
    added: Vec<usize>,
}

impl<'a> FlankedText<'a> {
    pub fn new(text: &'a str) -> Self {
        let own = text.contains(ADDED);
        // All CJK characters are after U+1100.
        let runs = text.contains(['*', '~']) && text.bytes().any(|byte| byte >= 0xe1);
        let mut scan = FlankingScan {
            text,
            out: String::new(),
            from: 0,
            added: Vec::new(),
        };
        if own || runs {
            scan.run();
        }
        let FlankingScan { out, added, .. } = scan;
        let text = match added.is_empty() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(out),
        };
        Self { text, added }
    }

    /// The position in the original text.
    pub fn position(&self, at: usize) -> usize {
        at - ADDED.len_utf8() * self.added.partition_point(|added| *added < at)
    }

    /// The range in the original text.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        self.position(range.start)..self.position(range.end)
    }

    /// A text of the parser without the added characters.
    pub fn original<'t>(&self, text: CowStr<'t>) -> CowStr<'t> {
        match self.added.is_empty() || !text.contains(ADDED) {
            true => text,
            false => without(&text).into(),
        }
    }

    /// An event of the parser without the added characters.
    pub fn event<'t>(&self, event: Event<'t>) -> Event<'t> {
        if self.added.is_empty() {
            return event;
        }
        match event {
            Event::Text(text) => Event::Text(self.original(text)),
            Event::Code(text) => Event::Code(self.original(text)),
            Event::Html(text) => Event::Html(self.original(text)),
            Event::InlineHtml(text) => Event::InlineHtml(self.original(text)),
            Event::FootnoteReference(name) => Event::FootnoteReference(self.original(name)),
            Event::Start(tag) => Event::Start(self.tag(tag)),
            event => event,
        }
    }

    fn tag<'t>(&self, tag: Tag<'t>) -> Tag<'t> {
        match tag {
            Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            } => Tag::Link {
                link_type,
                dest_url: self.original(dest_url),
                title,
                id: self.original(id),
            },
            Tag::Image {
                link_type,
                dest_url,
                title,
                id,
            } => Tag::Image {
                link_type,
                dest_url: self.original(dest_url),
                title,
                id: self.original(id),
            },
            Tag::FootnoteDefinition(name) => Tag::FootnoteDefinition(self.original(name)),
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                Tag::CodeBlock(CodeBlockKind::Fenced(self.original(info)))
            }
            tag => tag,
        }
    }
}

/// A text with one added character less at each place that has any.
fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != ADDED || chars.next_if_eq(&ADDED).is_some() {
            out.push(c);
        }
    }
    out
}

/// The walk that makes the copy.
struct FlankingScan<'a> {
    text: &'a str,
    out: String,
    /// The end of the part that is copied.
    from: usize,
    added: Vec<usize>,
}

impl FlankingScan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        // Whether a line has only markers of quotes so far.
        let mut begins = true;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            let first = begins;
            begins = *byte == b'\n' || begins && matches!(byte, b' ' | b'\t' | b'>');
            at = match byte {
                b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at + 2,
                b'*' | b'~' => {
                    let run = bytes[at..].iter().take_while(|next| *next == byte);
                    let end = at + run.count();
                    let is_run = *byte == b'*' || end - at == 2;
                    if is_run && !first && self.touches_cjk(at, end) {
                        self.add(at);
                        self.add(end);
                    }
                    end
                }
                // The two bytes of the added character, in the text itself.
                0xc2 if bytes.get(at + 1) == Some(&0x91) => {
                    self.copy(at);
                    self.push();
                    at + 2
                }
                _ => at + 1,
            };
        }
        if !self.added.is_empty() {
            self.copy(self.text.len());
        }
    }

    /// Adds the character at a position, unless it has one.
    fn add(&mut self, at: usize) {
        let has = self.from == at && self.out.ends_with(ADDED);
        if !has && !self.text[..at].ends_with(ADDED) && !self.text[at..].starts_with(ADDED) {
            self.copy(at);
            self.push();
        }
    }

    fn push(&mut self) {
        self.added.push(self.out.len());
        self.out.push(ADDED);
    }

    fn copy(&mut self, to: usize) {
        self.out.push_str(&self.text[self.from..to]);
        self.from = to;
    }

    /// Whether a CJK character is on one side of a run, and no space on the other.
    fn touches_cjk(&self, start: usize, end: usize) -> bool {
        let mut before = self.text[..start].chars().rev();
        let (Some(last), Some(next)) = (before.next(), self.text[end..].chars().next()) else {
            return false;
        };
        // The border of a table's cell counts as a space.
        let border = last == '|' && !self.text[..start].ends_with("\\|") || next == '|';
        if border || last.is_whitespace() || next.is_whitespace() {
            return false;
        }
        is_cjk(next) || is_cjk(last) || varies_cjk(last, before.next())
    }
}

/// Whether a character is a variation selector behind a CJK character. U+FE0F makes an emoji of it.
fn varies_cjk(selector: char, base: Option<char>) -> bool {
    match selector {
        '\u{e0100}'..='\u{e01ef}' => true,
        // The wide forms of quotation marks.
        '\u{fe01}' if matches!(base, Some('‘' | '’' | '“' | '”')) => true,
        '\u{fe00}'..='\u{fe0e}' => base.is_some_and(is_cjk),
        _ => false,
    }
}

/// Whether Unicode counts a character as wide, full-width or half-width (East Asian Width) and not as an
/// emoji, or as Hangul. Ranges include code points without a character.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11ff | 0xa960..=0xa97f | 0xac00..=0xd7ff // Hangul
        | 0x20a9 | 0x2329..=0x232a | 0x2630..=0x2637 | 0x268a..=0x268f // Won, brackets, trigrams
        | 0x2e80..=0x303e | 0x3041..=0x3247 | 0x3250..=0xa4cf // Radicals, punctuation, kana, Han, Yi
        | 0xf900..=0xfaff | 0xfe10..=0xfe19 | 0xfe30..=0xfe6f | 0xff01..=0xffee // Forms
        | 0x1_6fe0..=0x1_8dff | 0x1_aff0..=0x1_b2ff | 0x1_d300..=0x1_d356 | 0x1_d360..=0x1_d376
        | 0x1_f200 | 0x1_f202 | 0x1_f210..=0x1_f219 | 0x1_f21b..=0x1_f22e | 0x1_f230..=0x1_f231
        | 0x1_f237 | 0x1_f23b | 0x1_f240..=0x1_f248 | 0x1_f260..=0x1_f265
        | 0x2_0000..=0x3_fffd) // Han
}
