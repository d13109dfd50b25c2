//! A head as a set of fields that two browsers may change apart from each other.

use super::{Head, RoomFields};
use crate::Id;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The fields of a head by name. What has a number in the record (a system prompt, a summary) is here as its text, an
/// entry of a list (`pins/<message>`) or a parameter (`parameters/top_k`) is a field of its own, and a model is one field
/// with its engine.
pub type HeadFields = BTreeMap<String, Value>;

/// What is no field: what belongs to this browser, never changes, or only grows.
const NO_FIELDS: [&str; 7] = [
    "id",
    "created",
    "systems",
    "summaries",
    "former_values",
    "packed",
    "rev",
];

fn is_no_field(name: &str) -> bool {
    NO_FIELDS.contains(&name) || RoomFields::has_name(name)
}

/// The lists of messages.
const LISTS: [&str; 4] = ["pins", "mutes", "cleared", "unrecalled"];

/// What is a field in another form than in the record.
const OTHERWISE: [&str; 5] = ["system", "summary", "model", "engine", "parameters"];

impl Head {
    /// The fields that are set.
    #[must_use]
    pub fn fields(&self) -> HeadFields {
        let mut record = self.record();
        record.retain(|name, _| !is_no_field(name));
        record.retain(|name, _| !OTHERWISE.contains(&name.as_str()));
        let mut fields = HeadFields::new();
        for list in LISTS {
            for id in self.list(list) {
                fields.insert(format!("{list}/{id}"), Value::Bool(true));
            }
            record.remove(list);
        }
        for (name, value) in &self.settings.parameters {
            fields.insert(format!("parameters/{name}"), value.clone());
        }
        if let Some(text) = self.system_at(self.settings.system) {
            fields.insert("system".to_owned(), text.into());
        }
        if let Some(summary) = self.summary_numbered(self.settings.summary) {
            fields.insert("summary".to_owned(), summary.text.as_str().into());
        }
        if self.model.is_some() {
            fields.insert("model".to_owned(), json!([self.engine, self.model]));
        }
        fields.extend(record);
        fields
    }

    /// Gives the head these fields and no others. One whose value cannot be read is as if it were not set.
    pub fn set_fields(&mut self, fields: &HeadFields) {
        let mut record = self.record();
        record.retain(|name, _| is_no_field(name));
        let mut lists: BTreeMap<&str, Vec<Id>> =
            LISTS.map(|list| (list, self.in_order(list, fields))).into();
        let pins = lists.get("pins").cloned().unwrap_or_default();
        if let Some(mutes) = lists.get_mut("mutes") {
            mutes.retain(|id| !pins.contains(id));
        }
        for (list, ids) in lists {
            record.insert(list.to_owned(), json!(ids));
        }
        let mut parameters = Map::new();
        let known = self
            .settings
            .parameters
            .keys()
            .map(|name| format!("parameters/{name}"));
        for field in known.chain(fields.keys().cloned()) {
            if let Some(name) = field.strip_prefix("parameters/")
                && let Some(value) = fields.get(&field)
            {
                parameters.insert(name.to_owned(), value.clone());
            }
        }
        record.insert("parameters".to_owned(), parameters.into());
        for (name, value) in fields {
            let is_otherwise = [&LISTS[..], &OTHERWISE].concat().contains(&name.as_str());
            if !name.contains('/') && !is_no_field(name) && !is_otherwise {
                record.insert(name.clone(), value.clone());
            }
        }
        if let Some(Value::Array(model)) = fields.get("model") {
            for (name, value) in ["engine", "model"].into_iter().zip(model) {
                record.insert(name.to_owned(), value.clone());
            }
        }
        // Each field reads what it cannot understand as not set, so the record as a whole can be read.
        let Ok(read) = serde_json::from_value::<Head>(record.into()) else {
            return;
        };
        let inherited = std::mem::take(&mut self.inherited);
        *self = Head { inherited, ..read };
        let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
        self.set_system(&text("system").unwrap_or_default());
        let summary = text("summary");
        let summaries = self.summaries.iter().rev();
        self.settings.summary = summary.and_then(|text| {
            let mut having = summaries.filter(|summary| summary.text == text);
            having.next().map(|summary| summary.number)
        });
    }

    fn record(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(record)) => record,
            // A head is a struct whose maps have texts for keys.
            _ => Map::new(),
        }
    }

    fn list(&self, name: &str) -> &[Id] {
        let settings = &self.settings;
        match name {
            "pins" => &settings.pins,
            "mutes" => &settings.mutes,
            "cleared" => &settings.cleared,
            _ => &settings.unrecalled,
        }
    }

    /// The entries of a list that the fields have: those that are here first, in their order.
    fn in_order(&self, list: &str, fields: &HeadFields) -> Vec<Id> {
        let is_set = |id: &Id| fields.contains_key(&format!("{list}/{id}"));
        let mut ids: Vec<Id> = self.list(list).iter().copied().filter(is_set).collect();
        let names = fields
            .keys()
            .filter_map(|name| name.strip_prefix(list)?.strip_prefix('/'));
        for id in names.filter_map(|id| id.parse().ok()) {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormerValue, ModelId, Policy, Summary};

    fn head() -> Head {
        let mut head = Head::new(Id(1), 5);
        head.title = Some("A title".into());
        head.set_model(Some(ModelId::new(Some("box"), "llama3.2")));
        head.settings.policy = Policy::Messages(7);
        head.set_system("Be brief.");
        head.set_system("Be kind.");
        head.pin(Id(2), true);
        head.pin(Id(9), true);
        head.pin(Id(3), true);
        head.settings.parameters.insert("top_k".into(), 3.into());
        head.settings.parameters.insert("seed".into(), 4.into());
        head.add_summary(Summary {
            number: 0,
            text: "So far".into(),
            from: Id(2),
            through: Id(3),
            count: 2,
            model: None,
            prompt_tokens: None,
            answer_tokens: None,
            created: 0,
            edited: false,
            cut_off: false,
        });
        head.unknown.insert("mood".into(), "good".into());
        head
    }

    #[test]
    fn a_head_is_its_fields() {
        let whole = head();
        let fields = whole.fields();
        assert_eq!(fields["system"], "Be kind.");
        assert_eq!(fields["mood"], "good");
        let mut again = whole.clone();
        again.set_fields(&fields);
        assert_eq!(again, whole);
        let mut empty = Head::new(Id(1), 5);
        empty.summaries.clone_from(&whole.summaries);
        empty.set_fields(&fields);
        assert_eq!(empty.fields(), fields);
        empty.set_fields(&HeadFields::new());
        assert_eq!(empty.fields(), Head::new(Id(1), 5).fields());
    }

    #[test]
    fn a_hostile_field_costs_itself() {
        let mut fields = head().fields();
        for name in [
            "pins",
            "parameters",
            "model",
            "system",
            "policy",
            "id",
            "systems",
            "rev",
        ] {
            fields.insert(name.into(), json!({"x": []}));
        }
        fields.insert("pins/x".into(), Value::Bool(true));
        let mut read = head();
        read.set_fields(&fields);
        assert_eq!((read.id, read.systems.len(), read.rev), (Id(1), 2, 0));
        assert_eq!(read.settings.pins, [Id(2), Id(9), Id(3)]);
        assert_eq!((read.model, read.settings.system), (None, None));
    }

    #[test]
    fn a_value_that_gave_way_comes_back_and_the_other_one_is_kept() {
        let mut head = head();
        let former = FormerValue {
            field: "title".into(),
            value: Some("Another".into()),
            at: 1,
        };
        head.add_former_values([former.clone(), former.clone()]);
        assert_eq!(head.former_values.len(), 1);
        head.bring_back_value(&former, 2);
        assert_eq!(head.title(), Some("Another"));
        assert_eq!(head.former_values[0].value, Some("A title".into()));
        let unset = FormerValue {
            field: "system".into(),
            value: None,
            at: 3,
        };
        head.add_former_values([unset.clone()]);
        head.bring_back_value(&unset, 4);
        assert_eq!(head.settings.system, None);
    }
}
