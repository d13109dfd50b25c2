//! What of an answer is of no form that Sash reads. It is counted and named, so that no answer is complete without it.

use sash_wire::Fault;
use serde_json::Value;

/// The most kinds that are named.
const MAX_KINDS: usize = 8;
/// The most characters of a kind's name.
const MAX_KIND_CHARS: usize = 40;
/// The most characters of the first part that are shown.
const MAX_EXCERPT_CHARS: usize = 80;

/// The parts of an answer that are not read.
#[derive(Debug, Default)]
pub struct UnreadParts {
    /// The kinds, in the order in which they came, and how many parts there are of each.
    kinds: Vec<(String, usize)>,
    /// Parts of further kinds.
    others: usize,
    /// The first characters of the first part.
    excerpt: String,
}

impl UnreadParts {
    /// Counts a part of this kind.
    pub fn add(&mut self, kind: &str, part: &Value) {
        if self.kinds.is_empty() {
            self.excerpt = excerpt(&part.to_string());
        }
        let kind: String = kind.chars().take(MAX_KIND_CHARS).collect();
        let is_full = self.kinds.len() >= MAX_KINDS;
        match self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None if is_full => self.others += 1,
            None => self.kinds.push((kind, 1)),
        }
    }

    /// The fault of an answer that has such parts.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        let named = self.kinds.iter().map(|(kind, count)| match count {
            1 => kind.clone(),
            count => format!("{kind} ({count})"),
        });
        let mut named: Vec<String> = named.collect();
        if self.others > 0 {
            named.push(format!("… ({})", self.others));
        }
        (!named.is_empty()).then(|| Fault::PartsUnread {
            parts: format!("{}: {}", named.join(", "), self.excerpt),
        })
    }
}

/// The first characters of what an engine sent, on one line.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut characters = text.trim().chars();
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut begin: String = characters
        .by_ref()
        .take(MAX_EXCERPT_CHARS)
        .map(plain)
        .collect();
    if characters.next().is_some() {
        begin.push('…');
    }
    begin
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_counted_by_kind_and_the_first_is_shown() {
        let mut unread = UnreadParts::default();
        assert_eq!(unread.fault(), None);
        unread.add("image_url", &json!({"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAA"}));
        unread.add("image_url", &json!(null));
        unread.add("audio", &json!({"type":"audio"}));
        let Some(Fault::PartsUnread { parts }) = unread.fault() else {
            panic!("parts");
        };
        assert!(parts.starts_with("image_url (2), audio: {\""), "{parts}");
        assert!(
            parts.ends_with('…') && parts.chars().count() < 120,
            "{parts}"
        );
        for kind in 0..20 {
            unread.add(&format!("k{kind}"), &json!(1));
        }
        let parts = unread.fault().unwrap().to_string();
        assert!(parts.contains("k5, … (14)"), "{parts}");
    }
}
