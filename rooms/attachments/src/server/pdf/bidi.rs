//! The reading order of a line whose letters are known from left to right. The bidirectional algorithm of Unicode
//! orders what is read for the eye; applied to what the eye sees, it gives what is read.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// A piece of a line, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// Which piece of the line it is, counted from the left.
    pub place: usize,
    /// Whether it is read from right to left, as the pieces around it.
    pub is_rtl: bool,
}

/// How the paragraphs of a page are read, as far as its lines tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageDirection {
    /// Whether from right to left.
    pub is_rtl: bool,
    /// Whether the ends of sentences say so, and not the letters alone.
    pub is_sure: bool,
}

/// Whether a letter is read from right to left.
pub fn is_right_to_left(c: char) -> bool {
    matches!(bidi_class(c), BidiClass::R | BidiClass::AL)
}

/// How many letters of a text are read from right to left, and how many from left to right.
pub fn directions<'a>(texts: impl Iterator<Item = &'a str>) -> (usize, usize) {
    texts
        .flat_map(str::chars)
        .fold((0, 0), |(rtl, ltr), c| match bidi_class(c) {
            BidiClass::R | BidiClass::AL => (rtl + 1, ltr),
            BidiClass::L => (rtl, ltr + 1),
            _ => (rtl, ltr),
        })
}

/// The order in which the pieces of a line are read; the page decides where the line alone does not. Brackets are as
/// they are seen, or as they are written: then those that are read from right to left are the other one of their pair.
pub fn reading_order(pieces: &[&str], page: PageDirection, are_seen: bool) -> Vec<Ordered> {
    let level = match line_is_rtl(pieces, page) {
        true => Level::rtl(),
        false => Level::ltr(),
    };
    let (text, starts) = as_read(pieces, are_seen);
    let info = BidiInfo::new(&text, Some(level));
    let mut order = Vec::with_capacity(pieces.len());
    for paragraph in &info.paragraphs {
        let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let is_rtl = levels.get(run.start).is_some_and(Level::is_rtl);
            let first = starts.partition_point(|start| *start < run.start);
            let end = starts.partition_point(|start| *start < run.end);
            let piece = |place| Ordered { place, is_rtl };
            match is_rtl {
                true => order.extend((first..end).rev().map(piece)),
                false => order.extend((first..end).map(piece)),
            }
        }
    }
    order
}

/// The pieces as one text, and where each of them begins. The algorithm looks at what was read before a number, which
/// in this text is after it: behind an Arabic letter a number is one of Arabic.
fn as_read(pieces: &[&str], are_seen: bool) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::with_capacity(pieces.len()));
    let mut is_arabic = vec![false; pieces.len()];
    let strong = |piece: &str| {
        let mut classes = piece.chars().map(bidi_class);
        classes.find(|class| matches!(class, BidiClass::L | BidiClass::R | BidiClass::AL))
    };
    let mut last_is_arabic = false;
    for (piece, arabic) in pieces.iter().zip(&mut is_arabic).rev() {
        *arabic = last_is_arabic;
        if let Some(class) = strong(piece) {
            last_is_arabic = class == BidiClass::AL;
        }
    }
    // A number behind a Latin word is read with it: the name and number of a version.
    let mut after_latin = false;
    for (piece, arabic) in pieces.iter().zip(&mut is_arabic) {
        let is_joint = || {
            let joins = |c| c == ' ' || matches!(bidi_class(c), BidiClass::EN | BidiClass::CS);
            piece.chars().all(joins)
        };
        after_latin = match strong(piece) {
            Some(class) => class == BidiClass::L,
            None => after_latin && is_joint(),
        };
        *arabic = *arabic && !after_latin;
    }
    for (piece, arabic) in pieces.iter().zip(is_arabic) {
        starts.push(text.len());
        text.extend(piece.chars().map(|c| match bidi_class(c) {
            BidiClass::EN if arabic => '\u{660}',
            // One line is one paragraph, whatever is in it.
            BidiClass::B => ' ',
            _ if are_seen => c,
            _ => mirrored(c).unwrap_or(c),
        }));
    }
    (text, starts)
}

/// Whether a line is read from right to left as a whole.
fn line_is_rtl(pieces: &[&str], page: PageDirection) -> bool {
    if let Some(is_rtl) = sentence_is_rtl(pieces) {
        return is_rtl;
    }
    let strong = |c: &char| matches!(bidi_class(*c), BidiClass::L | BidiClass::R | BidiClass::AL);
    let mut letters = pieces.iter().flat_map(|piece| piece.chars()).filter(strong);
    let Some(left) = letters.next().map(is_right_to_left) else {
        return page.is_rtl;
    };
    let right = letters.next_back().map_or(left, is_right_to_left);
    let (rtl, ltr) = directions(pieces.iter().copied());
    if left && right && (ltr == 0 || !page.is_sure) {
        return true;
    }
    match !left && !right && ltr > 3 * rtl {
        true => false,
        false => page.is_rtl,
    }
}

/// Whether the sentence that ends in a line is read from right to left; `None` if none seems to end.
pub fn sentence_is_rtl(pieces: &[&str]) -> Option<bool> {
    let chars = || pieces.iter().flat_map(|piece| piece.chars());
    let mut visible = chars().filter(|c| !c.is_whitespace());
    let ends = |c: Option<char>| c.is_some_and(|c| ".,:;!?…،؛؟".contains(c));
    match (ends(visible.next()), ends(visible.next_back())) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// The other one of a pair of brackets.
pub fn mirrored(c: char) -> Option<char> {
    const PAIRS: [(char, char); 8] = [
        ('(', ')'),
        ('[', ']'),
        ('{', '}'),
        ('<', '>'),
        ('«', '»'),
        ('‹', '›'),
        ('≤', '≥'),
        ('⟨', '⟩'),
    ];
    PAIRS.iter().find_map(|(open, close)| match c {
        c if c == *open => Some(*close),
        c if c == *close => Some(*open),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line is read as, with brackets as the eye sees them.
    fn read(seen: &str, page_is_rtl: bool) -> String {
        let chars: Vec<String> = seen.chars().map(String::from).collect();
        let pieces: Vec<&str> = chars.iter().map(String::as_str).collect();
        let page = PageDirection {
            is_rtl: page_is_rtl,
            is_sure: false,
        };
        let order = reading_order(&pieces, page, true);
        assert_eq!(order.len(), pieces.len());
        let read = order.iter().flat_map(|ordered| {
            let text = pieces.get(ordered.place).copied().unwrap_or_default();
            text.chars()
                .map(|c| mirrored(c).filter(|_| ordered.is_rtl).unwrap_or(c))
        });
        read.collect()
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for (seen, page_is_rtl, written) in [
            ("םלוע םולש", false, "שלום עולם"),
            (".15:30 העשב ליחתת השיגפה", true, "הפגישה תתחיל בשעה 15:30."),
            ("שדחה PDF-ב ןודנ", true, "נדון ב-PDF החדש"),
            (
                "(17% ללוכ) ₪ 1,250 הלוע Windows 11 Pro",
                true,
                "Windows 11 Pro עולה 1,250 ₪ (כולל 17%)",
            ),
            (".ואר – [א חפסנ]", true, "[נספח א] – ראו."),
            (
                "The word םולש means peace (םולש), see page 12.",
                true,
                "The word שלום means peace (שלום), see page 12.",
            ),
            (".%25 ةبسنب 14/03/2024 يف", true, "في 14/03/2024 بنسبة 25%."),
            (
                ".Windows 11 ىلع LibreOffice 7.4 جمانرب",
                true,
                "برنامج LibreOffice 7.4 على Windows 11.",
            ),
            ("ואר םויה.", false, "היום ראו."),
            ("Fonts for תירבע", false, "Fonts for עברית"),
            (
                ".ףוסב תירבע זאו ,English first",
                true,
                "English first, ואז עברית בסוף.",
            ),
        ] {
            assert_eq!(read(seen, page_is_rtl), written, "{seen}");
        }
    }
}
