//! The text of a page: its glyphs in lines, with the blanks that are gaps only.

use super::bidi::{
    Ordered, PageDirection, directions, is_right_to_left, mirrored, reading_order, sentence_is_rtl,
};
use super::glyph::Glyph;
use super::letters;
use super::marks::{Cluster, clusters};

/// The smallest gap that is a blank, as a part of the font's height.
const BLANK: f64 = 0.1;
/// The smallest way across a line to the next one, as a part of the font's height.
const NEXT_LINE: f64 = 0.5;
/// The same to the next paragraph.
const NEXT_PARAGRAPH: f64 = 1.5;
/// The smallest gap that is a blank behind a glyph whose width the file does not say, as a part of the font's height.
const BLANK_UNKNOWN: f64 = 1.0;
/// How far apart the strings of one run are at most, as a part of the font's height.
const SAME_RUN: f64 = 0.3;
/// How far apart a glyph is painted twice to make it bold, as a part of the font's height.
const BOLD: f64 = 0.08;

/// The text of a page.
pub fn text(glyphs: &[Glyph]) -> String {
    let is_rtl = |glyph: &Glyph| glyph.text.chars().any(is_right_to_left);
    let text = match glyphs.iter().any(is_rtl) {
        true => lines_of_both_directions(glyphs),
        false => in_order_of_painting(glyphs),
    };
    letters::plain(&text)
}

/// The text where all is read from left to right. Programs paint it in the order of reading, columns too.
fn in_order_of_painting(glyphs: &[Glyph]) -> String {
    let mut out = String::new();
    let (mut last_end, mut last_y) = (f64::INFINITY, 0.0);
    for glyph in glyphs {
        if glyph.begins_string {
            let across = (glyph.y - last_y).abs();
            if across > glyph.size * NEXT_PARAGRAPH {
                out.push('\n');
            }
            if glyph.x < last_end && across > glyph.size * NEXT_LINE {
                out.push('\n');
            }
            if glyph.x > last_end + glyph.size * BLANK {
                out.push(' ');
            }
        }
        out.push_str(&glyph.text);
        (last_end, last_y) = (glyph.end(), glyph.y);
    }
    out
}

/// The text where some of it is read from right to left. Programs paint the runs of a line in different orders, so the
/// places of the glyphs count.
fn lines_of_both_directions(glyphs: &[Glyph]) -> String {
    let lines = in_lines(glyphs);
    let page = page_direction(&lines);
    let lines: Vec<Line> = lines
        .into_iter()
        .map(|line| Line::new(line, page))
        .collect();
    // Some maps name a bracket as it is seen, some as it is written: then that of a pair that closes would open it.
    let pairs = |mirror| lines.iter().map(|line| line.pairs(mirror)).sum::<usize>();
    let page_mirrors = pairs(true) >= pairs(false);
    let mut out = String::new();
    let mut above: Option<&Line> = None;
    for line in &lines {
        if let Some(above) = above {
            let is_far = (line.y - above.y).abs() > line.size * NEXT_PARAGRAPH;
            out.push_str(if is_far { "\n\n" } else { "\n" });
        }
        let mirrors = match (line.pairs(true), line.pairs(false)) {
            (seen, written) if seen == written => page_mirrors,
            (seen, written) => seen > written,
        };
        out.push_str(line.text(mirrors).trim());
        above = Some(line);
    }
    out
}

/// Whether the paragraphs of a page are read from right to left: by the ends of their sentences, else by the letters.
fn page_direction(lines: &[&[Glyph]]) -> PageDirection {
    let mut ends = 0;
    let (mut all_rtl, mut all_ltr) = (0, 0);
    for line in lines {
        let (rtl, ltr) = directions(line.iter().map(|glyph| glyph.text.as_str()));
        all_rtl += rtl;
        all_ltr += ltr;
        if rtl > ltr {
            let pieces = from_the_left(clusters(line));
            let texts: Vec<&str> = pieces.iter().map(String::as_str).collect();
            ends += match sentence_is_rtl(&texts) {
                Some(true) => 1,
                Some(false) => -1,
                None => 0,
            };
        }
    }
    PageDirection {
        is_rtl: match ends {
            0 => all_rtl > all_ltr,
            ends => ends > 0,
        },
        is_sure: ends != 0,
    }
}

/// The glyphs in lines: what is painted one after the other at one height.
fn in_lines(glyphs: &[Glyph]) -> Vec<&[Glyph]> {
    let mut height: Option<(f64, f64)> = None;
    let starts_line = |glyph: &Glyph| {
        let (y, size) = height.unwrap_or((glyph.y, glyph.size));
        let is_next = (glyph.y - y).abs() > size.max(glyph.size) * NEXT_LINE;
        // A raised figure does not move the line.
        if is_next || glyph.size >= size {
            height = Some((glyph.y, glyph.size));
        }
        is_next
    };
    let starts: Vec<bool> = glyphs.iter().map(starts_line).collect();
    let mut lines = Vec::new();
    let mut from = 0;
    let ends = starts
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, starts)| **starts);
    for end in ends.map(|(at, _)| at).chain([glyphs.len()]) {
        lines.extend(glyphs.get(from..end).filter(|line| !line.is_empty()));
        from = end;
    }
    lines
}

/// A line, in reading order.
struct Line {
    /// What it is made of, from the left.
    pieces: Vec<String>,
    /// Their order if brackets are as they are seen.
    seen: Vec<Ordered>,
    /// Their order if brackets are as they are written.
    written: Vec<Ordered>,
    y: f64,
    size: f64,
}

impl Line {
    fn new(glyphs: &[Glyph], page: PageDirection) -> Self {
        let is_rtl = |glyph: &Glyph| glyph.text.chars().any(is_right_to_left);
        let (pieces, seen, written) = match glyphs.iter().any(is_rtl) {
            true => {
                let pieces = from_the_left(clusters(glyphs));
                let texts: Vec<&str> = pieces.iter().map(String::as_str).collect();
                let seen = reading_order(&texts, page, true);
                let written = reading_order(&texts, page, false);
                (pieces, seen, written)
            }
            false => {
                let whole = Ordered {
                    place: 0,
                    is_rtl: false,
                };
                (vec![in_order_of_painting(glyphs)], vec![whole], vec![whole])
            }
        };
        let largest = glyphs.iter().max_by(|a, b| a.size.total_cmp(&b.size));
        Self {
            pieces,
            seen,
            written,
            y: largest.map_or(0.0, |glyph| glyph.y),
            size: largest.map_or(0.0, |glyph| glyph.size),
        }
    }

    /// The text; with `mirrors`, the brackets of what is read from right to left are turned round.
    fn text(&self, mirrors: bool) -> String {
        let order = if mirrors { &self.seen } else { &self.written };
        let pieces = order.iter().filter_map(|ordered| {
            let piece = self.pieces.get(ordered.place)?;
            Some((piece, ordered.is_rtl && mirrors))
        });
        let chars = pieces.flat_map(|(piece, mirrors)| {
            let turned = move |c| mirrored(c).filter(|_| mirrors).unwrap_or(c);
            piece.chars().map(turned)
        });
        chars.collect()
    }

    /// How many pairs of brackets the text has.
    fn pairs(&self, mirrors: bool) -> usize {
        let (mut open, mut pairs) = (Vec::new(), 0);
        for c in self.text(mirrors).chars() {
            match c {
                '(' | '[' | '{' | '«' => open.push(c),
                ')' | ']' | '}' | '»' if open.last().copied() == mirrored(c) => {
                    open.pop();
                    pairs += 1;
                }
                _ => {}
            }
        }
        pairs
    }
}

/// The texts of a line from the left, with a blank where a gap is one.
fn from_the_left(clusters: Vec<Cluster>) -> Vec<String> {
    let mut clusters = runs_from_the_left(clusters);
    clusters.dedup_by(|next, last| {
        let (next, last) = (&next.glyph, &last.glyph);
        next.text == last.text && next.width > 0.0 && (next.x - last.x).abs() < last.size * BOLD
    });
    let mut texts: Vec<String> = Vec::with_capacity(clusters.len());
    let mut last: Option<&Cluster> = None;
    for cluster in &clusters {
        let glyph = &cluster.glyph;
        if let Some(last) = last {
            let painted_later = if cluster.place > last.place {
                glyph
            } else {
                &last.glyph
            };
            let blank = if last.glyph.width > 0.0 {
                BLANK
            } else {
                BLANK_UNKNOWN
            };
            let is_gap = glyph.x > last.glyph.end() + glyph.size * blank
                && (painted_later.begins_string || cluster.place.abs_diff(last.place) > 1);
            if is_gap && !is_blank(glyph) && !is_blank(&last.glyph) {
                texts.push(" ".to_owned());
            }
        }
        texts.push(glyph.text.clone());
        last = Some(cluster);
    }
    texts
}

/// The runs of a line from the left. The blank at the end of one may reach into the next, so that glyphs cannot be
/// ordered one by one.
fn runs_from_the_left(clusters: Vec<Cluster>) -> Vec<Cluster> {
    let mut runs: Vec<Vec<Cluster>> = Vec::new();
    for cluster in clusters {
        let (x, size) = (cluster.glyph.x, cluster.glyph.size);
        let last = runs.last().and_then(|run| run.last());
        let goes_on = last.is_some_and(|last| {
            let reach = if last.glyph.width > 0.0 {
                SAME_RUN
            } else {
                BLANK_UNKNOWN
            };
            x >= last.glyph.x - size * BLANK && x <= last.glyph.end() + size * reach
        });
        match runs.last_mut().filter(|_| goes_on) {
            Some(run) => run.push(cluster),
            None => runs.push(vec![cluster]),
        }
    }
    let start = |run: &[Cluster]| run.first().map_or(0.0, |first| first.glyph.x);
    runs.sort_by(|a, b| start(a).total_cmp(&start(b)));
    runs.into_iter().flatten().collect()
}

fn is_blank(glyph: &Glyph) -> bool {
    glyph.text.chars().all(char::is_whitespace)
}
