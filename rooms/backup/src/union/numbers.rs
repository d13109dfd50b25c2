//! System prompts and summaries, which receipts name by a number of their own chat.

use sash_chat::{Head, MAX_SUMMARIES, Message, Summary};
use std::collections::BTreeMap;

/// The numbers that the system prompts and summaries of a copy have here.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    systems: BTreeMap<u32, u32>,
    summaries: BTreeMap<u32, u32>,
}

impl Numbers {
    /// Adds to the lists of a head what only the other one has. An entry never changes its number. Where a chat has as many
    /// summaries as it keeps, the one in use comes alone: two browsers would swap all others for ever.
    pub fn merge(head: &mut Head, theirs: &Head) -> Self {
        let mut numbers = Self::default();
        let mut places: BTreeMap<String, u32> = head.systems.iter().cloned().zip(0..).collect();
        for (number, text) in (0..).zip(&theirs.systems) {
            let place = *places.entry(text.clone()).or_insert_with(|| {
                head.systems.push(text.clone());
                u32::try_from(head.systems.len() - 1).unwrap_or(u32::MAX)
            });
            numbers.systems.insert(number, place);
        }
        let in_use = head.settings.summary;
        for summary in theirs.summaries.iter().take(MAX_SUMMARIES) {
            let mut known = head.summaries.iter();
            let known = known.find(|known| place(known) == place(summary));
            let mut number = known.map(|known| known.number);
            let is_in_use = theirs.settings.summary == Some(summary.number);
            if number.is_none() && (is_in_use || head.summaries.len() < MAX_SUMMARIES) {
                head.add_summary(summary.clone());
                head.settings.summary = in_use;
                number = head.summaries.last().map(|added| added.number);
            }
            let number = number.map(|number| (summary.number, number));
            numbers.summaries.extend(number);
        }
        numbers
    }

    /// Gives the receipt of a message the numbers of this browser. A text that is not here has none.
    pub fn translate(&self, message: &mut Message) {
        if let Some(receipt) = &mut message.receipt {
            let system = receipt.system.and_then(|n| self.systems.get(&n));
            let summary = receipt.summary.and_then(|n| self.summaries.get(&n));
            (receipt.system, receipt.summary) = (system.copied(), summary.copied());
        }
    }
}

/// What tells a summary from others, whatever its number is.
fn place(summary: &Summary) -> (u64, &str) {
    (summary.created, summary.text.as_str())
}
