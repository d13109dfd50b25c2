//! Fences within a block of Markdown. CommonMark closes a block at the first bare fence that is long enough, so a
//! model that writes Markdown about Markdown ends its own block too early. The rule here is ours: in a block whose
//! info string is `markdown` or `md`, a fence with an info string opens an inner block, and the next bare fence
//! closes that one.

use super::fence::{closes, fence};
use super::lines::{behind_marks, cut_line};
use super::model::TextEnd;
use super::words::language;
use super::work::searched;

/// What a line is in an open block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FenceLine {
    /// Code.
    Code,
    /// The closing fence of an inner block.
    ClosesInner,
    /// The closing fence of the block.
    Closes,
}

/// The open fence of a code block whose lines are read one by one.
#[derive(Clone, Debug)]
pub(super) struct OpenFence {
    pub mark: char,
    pub length: usize,
    /// Whether it is a block of Markdown, which may hold fences.
    pub is_markdown: bool,
    /// Whether it has held one: then a line that closes it for CommonMark may not have closed it here.
    pub has_inner: bool,
    /// The number of open inner blocks.
    depth: usize,
}

impl OpenFence {
    /// The fence that the first line of a text opens, if it begins with one.
    pub fn of_line(text: &str) -> Option<Self> {
        let (mark, length) = fence(text)?;
        let info = text[length..].lines().next().unwrap_or_default();
        let name = language(info.trim());
        Some(Self {
            mark,
            length,
            is_markdown: ["markdown", "md"]
                .iter()
                .any(|md| name.eq_ignore_ascii_case(md)),
            has_inner: false,
            depth: 0,
        })
    }

    /// Reads the next line, without its end.
    pub fn read(&mut self, line: &str) -> FenceLine {
        let (mark, length) = (self.mark, self.length);
        if closes(line, mark, length) {
            if self.depth == 0 {
                return FenceLine::Closes;
            }
            self.depth -= 1;
            return FenceLine::ClosesInner;
        }
        let marks = line.trim_start_matches(' ');
        let is_inner = self.is_markdown
            && line.len() - marks.len() <= 3
            && fence(marks).is_some_and(|(inner, count)| inner == mark && count >= length);
        if is_inner {
            self.has_inner = true;
            self.depth += 1;
        }
        FenceLine::Code
    }
}

/// A block of Markdown at the top level.
#[derive(Debug)]
pub(super) struct MarkdownBlock {
    /// Where its opening line begins, and where its closing line ends.
    pub start: usize,
    pub end: usize,
    /// Its fence as it is at `end`.
    pub fence: OpenFence,
    /// Whether it is closed.
    pub is_closed: bool,
    /// Where the lines begin that close its inner blocks.
    pub inner_closings: Vec<usize>,
}

/// The blocks of Markdown in `text`. One with inner blocks that is not closed at the end of the text is none: there
/// CommonMark's reading holds, so that a stray fence does not swallow what follows. While the text grows it may still
/// be closed.
pub(super) fn markdown_blocks(text: &str, end: TextEnd) -> Vec<MarkdownBlock> {
    let mut blocks = Vec::new();
    if !text.contains("```") && !text.contains("~~~") {
        return blocks;
    }
    let mut open: Option<(char, usize)> = None;
    // Before this place no block is tried, so that each line is read at most twice.
    let mut tried = 0;
    let mut at = 0;
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        let next = at + line.len();
        // In a list or a quote the fence follows their markers.
        let quoted = line.trim_start_matches([' ', '\t', '>']);
        match open {
            Some((mark, length)) => {
                open = open.filter(|_| !closes(quoted.trim_end(), mark, length));
            }
            None => {
                let markdown =
                    OpenFence::of_line(line).filter(|fence| fence.is_markdown && at >= tried);
                if let Some(fence) = markdown {
                    let block = read_block(text, at, next, fence);
                    searched(block.end - at);
                    if block.is_closed || end == TextEnd::Growing || !block.fence.has_inner {
                        at = block.end;
                        blocks.push(block);
                        continue;
                    }
                    tried = block.end;
                }
                open = fence(behind_marks(quoted));
            }
        }
        at = next;
    }
    blocks
}

/// The block that `fence` opens in the line from `start` to `at`.
fn read_block(text: &str, start: usize, mut at: usize, mut fence: OpenFence) -> MarkdownBlock {
    let mut inner_closings = Vec::new();
    let mut is_closed = false;
    for line in text[at..].split_inclusive('\n') {
        let read = fence.read(line.trim_end_matches(['\n', '\r']));
        if read == FenceLine::ClosesInner {
            inner_closings.push(at);
        }
        at += line.len();
        if read == FenceLine::Closes {
            is_closed = true;
            break;
        }
    }
    MarkdownBlock {
        start,
        end: at,
        fence,
        is_closed,
        inner_closings,
    }
}

/// The fence that is open at the end of a growing text, its last line not included.
pub(super) fn open_at_end(text: &str) -> Option<(char, usize)> {
    let lines = cut_line(text).0;
    let blocks = markdown_blocks(lines, TextEnd::Growing);
    let mut blocks = blocks.iter().peekable();
    let mut open: Option<(char, usize)> = None;
    let mut at = 0;
    while let Some(line) = lines[at..].split_inclusive('\n').next() {
        if let Some(block) = blocks.next_if(|block| block.start == at) {
            if !block.is_closed {
                return Some((block.fence.mark, block.fence.length));
            }
            at = block.end;
            continue;
        }
        let quoted = line.trim_start_matches([' ', '\t', '>']);
        open = match open {
            Some((mark, length)) => open.filter(|_| !closes(quoted.trim_end(), mark, length)),
            None => fence(behind_marks(quoted)),
        };
        at += line.len();
    }
    open
}

/// Whether the source of a code block ends with the fence that closes it.
pub(super) fn is_closed_fence(source: &str) -> bool {
    let Some((mark, length)) = fence(source) else {
        return false;
    };
    if let Some(block) = markdown_blocks(source, TextEnd::Growing).first()
        && block.start == 0
        && block.fence.has_inner
    {
        return block.is_closed;
    }
    let lines = source.trim_end_matches(['\n', '\r']);
    let last = lines.rfind('\n').map_or("", |at| &lines[at + 1..]);
    closes(last, mark, length)
}
