//! The styles of paragraphs. Their ids are in the language of the program; their names are not.

use super::elements::{attribute, each_element};
use std::collections::BTreeMap;
use std::io::BufRead;

/// How many styles are followed from one to that on which it is based.
const MAX_BASES: usize = 10;

/// The styles by their ids.
#[derive(Debug, Default)]
pub struct Styles(BTreeMap<String, Style>);

#[derive(Debug, Default)]
struct Style {
    name: String,
    base: String,
    outline: Option<usize>,
    list: Option<String>,
    level: Option<usize>,
}

impl Styles {
    /// Reads the file of styles.
    pub fn read(part: impl BufRead) -> Self {
        let (mut styles, mut id) = (BTreeMap::<String, Style>::new(), String::new());
        each_element(part, |element| {
            let value = || attribute(element, "val").unwrap_or_default();
            if element.local_name().as_ref() == "style" {
                id = attribute(element, "styleId").unwrap_or_default();
                styles.insert(id.clone(), Style::default());
            } else if let Some(style) = styles.get_mut(&id) {
                match element.local_name().as_ref() {
                    "name" => style.name = value().to_lowercase(),
                    "basedOn" => style.base = value(),
                    "outlineLvl" => style.outline = value().parse().ok(),
                    "numId" => style.list = Some(value()),
                    "ilvl" => style.level = value().parse().ok(),
                    _ => {}
                }
            }
        });
        Self(styles)
    }

    /// A style and those on which it is based.
    fn bases<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Style> {
        let next = |style: &&'a Style| self.0.get(&style.base);
        std::iter::successors(self.0.get(id), next).take(MAX_BASES)
    }

    /// The level of a heading, from 1; 0 for any other style.
    pub fn heading(&self, id: &str) -> usize {
        if !self.0.contains_key(id) {
            return heading_by_name(&id.to_lowercase()).unwrap_or(0);
        }
        let level = self.bases(id).find_map(|style| {
            let outline = style
                .outline
                .filter(|level| *level < 9)
                .map(|level| level + 1);
            heading_by_name(&style.name).or(outline)
        });
        level.unwrap_or(0)
    }

    /// The list of a style, and the level in it.
    pub fn list(&self, id: &str) -> (Option<String>, Option<usize>) {
        let list = self.bases(id).find_map(|style| style.list.clone());
        (list, self.bases(id).find_map(|style| style.level))
    }
}

/// `heading 2`, `Heading2`, `title`.
fn heading_by_name(name: &str) -> Option<usize> {
    match name.strip_prefix("heading") {
        Some(level) => level.trim().parse().ok(),
        None => (name == "title").then_some(1),
    }
}
