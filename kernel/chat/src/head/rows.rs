//! One row for each parameter of a chat: what becomes of it where it meets files, other browsers and other requests.

use super::{ChatSettings, SettingKind};
use crate::{AnswerFormat, Receipt, Think};
use sash_words::t;

/// A field of [`ChatSettings`], and what becomes of it.
pub struct SettingRow {
    /// Its name in the record.
    pub name: &'static str,
    /// As what it is off in an imported chat until the person agrees. `None`: it chooses among the messages of the chat
    /// itself, or how long the model takes for them.
    pub withheld: Option<SettingKind>,
    /// Its name where two browsers changed it. `None`: its name in the record.
    pub label: Option<fn() -> &'static str>,
    /// Its lines among the facts of an answer, besides the rule and the counts.
    pub facts: fn(&Receipt) -> Vec<String>,
    /// Why an answer is not carried on while it is set.
    pub stops_continuing: Option<fn() -> &'static str>,
    /// Whether it is set.
    pub is_set: fn(&ChatSettings) -> bool,
}

/// In a request beside the conversation (a summary, a title) as in the chat.
fn along<T: Clone>(value: &T) -> T {
    value.clone()
}

/// In no request beside the conversation.
fn not_along<T: Default>(_: &T) -> T {
    T::default()
}

fn none(_: &Receipt) -> Vec<String> {
    Vec::new()
}

macro_rules! rows {
    ($($field:ident: $withheld:expr, $label:expr, $side:expr, $facts:expr, $stops:expr;)*) => {
        impl ChatSettings {
            /// What becomes of each field, in the order in which it is shown.
            pub const ROWS: &[SettingRow] = &[$(SettingRow {
                name: stringify!($field),
                withheld: $withheld,
                label: $label,
                facts: $facts,
                stops_continuing: $stops,
                is_set: |settings| settings.$field != Self::default().$field,
            }),*];

            /// Whether a field is set that is withheld as this.
            pub(super) fn has_setting(&self, kind: SettingKind) -> bool {
                let mut rows = Self::ROWS.iter();
                rows.any(|row| row.withheld == Some(kind) && (row.is_set)(self))
            }

            /// Why an answer is not carried on with these settings; `None` if it may be.
            #[must_use]
            pub fn stops_continuing(&self) -> Option<&'static str> {
                let mut set = Self::ROWS.iter().filter(|row| (row.is_set)(self));
                set.find_map(|row| row.stops_continuing).map(|reason| reason())
            }

            /// The settings of a request beside the conversation.
            #[must_use]
            pub fn beside_conversation(&self) -> Self {
                // No `..`: a field without a row does not compile.
                Self { $($field: ($side)(&self.$field)),* }
            }
        }
    };
}

rows! {
    // Withheld as; its label; beside the conversation; facts of an answer; why an answer is not carried on.
    policy: None, Some(|| t!(chat.field_rule)), not_along, none, None;
    pins: None, None, not_along, none, None;
    mutes: None, None, not_along, none, None;
    cleared: None, None, not_along, none, None;
    recall: Some(SettingKind::RecallFromAllChats), Some(|| t!(chat.field_recall)), not_along, none, None;
    unrecalled: None, None, not_along, none, None;
    summary: Some(SettingKind::Summary), Some(|| t!(chat.field_summary)), not_along, none, None;
    summarizes: Some(SettingKind::Summary), None, not_along, none, None;
    system: Some(SettingKind::SystemPrompt), Some(|| t!(chat.field_system_prompt)), not_along, none, None;
    // Thinking about a summary or a title takes longer than writing it.
    think: None, Some(|| t!(chat.field_thinking)), |_| Some(Think::Off), thinking, None;
    format: Some(SettingKind::Format), Some(|| t!(chat.field_format)), not_along, format, Some(|| t!(state.format_is_fixed));
    tools: Some(SettingKind::Tools), Some(|| t!(chat.field_tools)), not_along, tools, None;
    // Other options would load the model anew.
    parameters: Some(SettingKind::Parameters), None, along, options, None;
    withheld: None, None, not_along, none, None;
}

fn thinking(receipt: &Receipt) -> Vec<String> {
    let think = receipt.think.iter();
    think
        .map(|think| t!(page.thinking, name = think.words()))
        .collect()
}

fn format(receipt: &Receipt) -> Vec<String> {
    let format = receipt.format.iter().map(AnswerFormat::name);
    format
        .map(|name| t!(page.answer_asked_for, name = name))
        .collect()
}

fn tools(receipt: &Receipt) -> Vec<String> {
    let names = Some(receipt.tools.join(", ")).filter(|_| !receipt.tools.is_empty());
    names
        .iter()
        .map(|list| t!(page.tools, list = list))
        .collect()
}

fn options(receipt: &Receipt) -> Vec<String> {
    let options = receipt.options.iter().filter_map(|all| all.as_object());
    options
        .flatten()
        .map(|(name, value)| t!(page.option, name = &name, value = &value))
        .collect()
}
