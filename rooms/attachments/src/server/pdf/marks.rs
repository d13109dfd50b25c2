//! Accents and vowel points: glyphs of their own that are painted over a letter.

use super::bidi::is_right_to_left;
use super::glyph::Glyph;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A letter with its marks; `place` is its place in the order of painting.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The letter; its text has the marks too.
    pub glyph: Glyph,
    /// Its number in the order of painting.
    pub place: usize,
}

/// The letters of a line, each with its marks.
pub fn clusters(line: &[Glyph]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> = Vec::with_capacity(line.len());
    // The marks that belong to the next letter, in the order of painting.
    let mut waiting: Vec<&Glyph> = Vec::new();
    for (place, glyph) in line.iter().enumerate() {
        // What the font's map does not know.
        if glyph.text.chars().all(char::is_control) {
            continue;
        }
        if is_mark(glyph) {
            let next = line.iter().skip(place).find(|glyph| !is_mark(glyph));
            match belongs_to_next(clusters.last().map(|cluster| &cluster.glyph), next) {
                true => waiting.push(glyph),
                false => {
                    if let Some(last) = clusters.last_mut() {
                        last.glyph.text.push_str(&glyph.text);
                    }
                }
            }
            continue;
        }
        // Where several glyphs are one letter with its points, the maps of some programs name one of the glyphs by
        // chance. It has no width, and a mark follows.
        let is_rest = glyph.width <= 0.0 && glyph.text.chars().all(|c| c.is_ascii_alphanumeric());
        let mark_follows = || line.get(place + 1).is_some_and(is_mark);
        if is_rest && mark_follows() {
            continue;
        }
        let mut glyph = glyph.clone();
        for mark in waiting.drain(..).rev() {
            glyph.begins_string |= mark.begins_string;
            glyph.text.push_str(&mark.text);
        }
        clusters.push(Cluster { glyph, place });
    }
    for cluster in &mut clusters {
        if cluster.glyph.text.chars().any(is_combining_mark) {
            cluster.glyph.text = cluster.glyph.text.nfc().collect();
        }
    }
    clusters
}

fn is_mark(glyph: &Glyph) -> bool {
    !glyph.text.is_empty() && glyph.text.chars().all(is_combining_mark)
}

/// Whether a mark belongs to the letter that is painted after it: where letters that are read from right to left are
/// painted from left to right, a mark comes before its letter.
fn belongs_to_next(last: Option<&Glyph>, next: Option<&Glyph>) -> bool {
    let is_letter = |glyph: &Glyph| glyph.text.chars().any(is_right_to_left);
    match (last, next) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(last), Some(next)) => match (is_letter(last), is_letter(next)) {
            (true, true) => next.x > last.x,
            (_, next_is_letter) => next_is_letter,
        },
    }
}
