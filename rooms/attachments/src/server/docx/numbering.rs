//! The numbers and bullets of lists, which a document counts nowhere.

use super::elements::{attribute, each_element};
use quick_xml::events::BytesStart;
use std::collections::BTreeMap;
use std::io::BufRead;

/// The levels of a list.
const LEVELS: usize = 9;

/// The lists of a document, and how far they are counted.
#[derive(Debug, Default)]
pub struct Numbering {
    /// The levels of each form of a list.
    forms: BTreeMap<String, [Level; LEVELS]>,
    lists: BTreeMap<String, List>,
    /// How far the lists of each form are counted: they go on from one to the next.
    counters: BTreeMap<String, [Option<u32>; LEVELS]>,
    /// The lists that were begun.
    begun: Vec<String>,
}

/// A list, and what it has instead of the levels of its form.
#[derive(Debug, Default)]
struct List {
    form: String,
    levels: [Option<Level>; LEVELS],
    /// Where its levels begin.
    starts: [Option<u32>; LEVELS],
}

#[derive(Clone, Debug, Default)]
struct Level {
    format: String,
    text: String,
    start: Option<u32>,
}

impl Numbering {
    /// Reads the file of lists.
    pub fn read(part: impl BufRead) -> Self {
        let (mut numbering, mut place) = (Self::default(), NumberingPosition::default());
        each_element(part, |element| numbering.learn(element, &mut place));
        numbering
    }

    fn learn(&mut self, tag: &BytesStart<'_>, place: &mut NumberingPosition) {
        let value = attribute(tag, "val").unwrap_or_default();
        match tag.local_name().as_ref() {
            "abstractNum" => {
                place.form = attribute(tag, "abstractNumId").unwrap_or_default();
                place.list = None;
            }
            "num" => place.list = attribute(tag, "numId"),
            "abstractNumId" => {
                if let Some(id) = place.list.clone() {
                    let list = self.lists.entry(id).or_default();
                    list.form = value;
                }
            }
            "lvl" | "lvlOverride" => {
                let level = attribute(tag, "ilvl").and_then(|level| level.parse().ok());
                place.level = level.unwrap_or(0);
            }
            "startOverride" => {
                let list = place.list.as_ref();
                let list = list.and_then(|list| self.lists.get_mut(list));
                if let Some(start) = list.and_then(|list| list.starts.get_mut(place.level)) {
                    *start = value.parse().ok();
                }
            }
            name @ ("numFmt" | "lvlText" | "start") => {
                let Some(level) = self.level(place) else {
                    return;
                };
                match name {
                    "numFmt" => level.format = value,
                    "lvlText" => level.text = value,
                    _ => level.start = value.parse().ok(),
                }
            }
            _ => {}
        }
    }

    /// The level that is being read: of a form, or of the one list that has another level than its form.
    fn level(&mut self, place: &NumberingPosition) -> Option<&mut Level> {
        let Some(list) = &place.list else {
            let form = self.forms.entry(place.form.clone()).or_default();
            return form.get_mut(place.level);
        };
        let level = self.lists.get_mut(list)?.levels.get_mut(place.level)?;
        Some(level.get_or_insert_default())
    }

    /// Counts a paragraph of a list, and returns what stands before its text.
    pub fn label(&mut self, list: &str, level: usize) -> Option<String> {
        let List {
            form,
            levels,
            starts,
        } = self.lists.get(list)?;
        let counters = self.counters.entry(form.clone()).or_default();
        let form = self.forms.get(form);
        let form = |at: usize| {
            let own = levels.get(at).and_then(Option::as_ref);
            own.or_else(|| form.and_then(|form| form.get(at)))
        };
        let own = form(level)?;
        if !self.begun.iter().any(|begun| begun == list) {
            self.begun.push(list.to_owned());
            for (counter, start) in counters.iter_mut().zip(starts) {
                if start.is_some() {
                    *counter = None;
                }
            }
        }
        let start = |at: usize| {
            let changed = starts.get(at).copied().flatten();
            changed
                .or_else(|| form(at).and_then(|level| level.start))
                .unwrap_or(1)
        };
        for (at, counter) in counters.iter_mut().enumerate() {
            *counter = match (*counter, at) {
                (counter, at) if at < level => counter.or(Some(start(at))),
                (Some(number), at) if at == level => Some(number.saturating_add(1)),
                (None, at) if at == level => Some(start(at)),
                _ => None,
            };
        }
        match own.format.as_str() {
            "bullet" => return Some("-".to_owned()),
            "none" => return None,
            _ => {}
        }
        let mut label = own.text.clone();
        for (at, counter) in counters.iter().enumerate() {
            let format = form(at).map_or("", |level| level.format.as_str());
            label = label.replace(
                &format!("%{}", at + 1),
                &number(counter.unwrap_or(0), format),
            );
        }
        Some(label).filter(|label| !label.trim().is_empty())
    }
}

/// Where in the file the reader is.
#[derive(Default)]
struct NumberingPosition {
    form: String,
    /// The list, behind the forms.
    list: Option<String>,
    level: usize,
}

fn number(n: u32, format: &str) -> String {
    match format {
        "lowerLetter" => letters(n).to_lowercase(),
        "upperLetter" => letters(n),
        "lowerRoman" => roman(n).to_lowercase(),
        "upperRoman" => roman(n),
        "decimalZero" => format!("{n:02}"),
        _ => n.to_string(),
    }
}

/// A, B, … Z, AA, BB, as Word counts.
fn letters(n: u32) -> String {
    let (times, place) = (n.saturating_sub(1) / 26 + 1, n.saturating_sub(1) % 26);
    let letter = char::from(b'A' + u8::try_from(place).unwrap_or(0));
    String::from(letter).repeat(usize::try_from(times.min(10)).unwrap_or(1))
}

fn roman(n: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let (mut left, mut out) = (n % 4000, String::new());
    for (value, sign) in SIGNS {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    out
}
