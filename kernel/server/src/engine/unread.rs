//! Parts of an answer that are of no form that Sash reads. Each is counted and named, so that no answer is complete without it.

use sash_wire::Fault;
use serde_json::Value;

/// The most kinds that are named.
const MAX_KINDS: usize = 8;
/// The most characters of a kind's name.
const MAX_KIND_CHARS: usize = 40;
/// The most characters of the first part that are shown.
const MAX_EXCERPT_CHARS: usize = 80;

/// Parts that are calls of tools. Servers send them beside the field in which calls are read.
const CALLS: [&str; 4] = ["tool_use", "tool_call", "tool_calls", "function_call"];

/// The parts of an answer that are not read.
#[derive(Debug, Default)]
pub struct UnreadParts {
    /// The kinds, in the order in which they came.
    kinds: Vec<UnreadKind>,
    /// Parts of further kinds.
    others: usize,
}

#[derive(Debug)]
struct UnreadKind {
    name: String,
    /// How many parts there are of it.
    count: usize,
    /// The first characters of the first one.
    excerpt: String,
}

impl UnreadParts {
    /// Counts a part of this kind.
    pub fn add(&mut self, kind: &str, part: &Value) {
        let name: String = kind.chars().take(MAX_KIND_CHARS).collect();
        let is_full = self.kinds.len() >= MAX_KINDS;
        match self.kinds.iter_mut().find(|known| known.name == name) {
            Some(known) => known.count += 1,
            None if is_full => self.others += 1,
            None => self.kinds.push(UnreadKind {
                name,
                count: 1,
                excerpt: excerpt(&part.to_string()),
            }),
        }
    }

    /// The fault of an answer that has such parts. Where its calls were read, parts that are calls are those again.
    #[must_use]
    pub fn fault(&self, has_calls: bool) -> Option<Fault> {
        let is_known = |kind: &&UnreadKind| has_calls && CALLS.contains(&kind.name.as_str());
        let kinds = self.kinds.iter().filter(|kind| !is_known(kind));
        let first = kinds.clone().next().map(|kind| kind.excerpt.as_str());
        let mut named: Vec<String> = kinds
            .map(|kind| match kind.count {
                1 => kind.name.clone(),
                count => format!("{} ({count})", kind.name),
            })
            .collect();
        if self.others > 0 {
            named.push(format!("… ({})", self.others));
        }
        (!named.is_empty()).then(|| Fault::PartsUnread {
            parts: format!("{}: {}", named.join(", "), first.unwrap_or_default()),
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
        assert_eq!(unread.fault(false), None);
        unread.add("image_url", &json!({"type":"image_url","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAA"}));
        unread.add("image_url", &json!(null));
        unread.add("audio", &json!({"type":"audio"}));
        let Some(Fault::PartsUnread { parts }) = unread.fault(false) else {
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
        let parts = unread.fault(false).unwrap().to_string();
        assert!(parts.contains("k5, … (14)"), "{parts}");
    }

    /// Regression: the calls of an answer were not run because they were also parts of its content.
    #[test]
    fn a_part_that_is_a_call_is_no_unread_one_where_the_calls_were_read() {
        let mut unread = UnreadParts::default();
        unread.add("tool_use", &json!({"type":"tool_use"}));
        assert_eq!(unread.fault(true), None);
        assert!(unread.fault(false).is_some());
        unread.add("video", &json!({"type":"video"}));
        let parts = unread.fault(true).unwrap().to_string();
        assert!(
            parts.contains("video: {") && !parts.contains("tool_use"),
            "{parts}"
        );
    }
}
