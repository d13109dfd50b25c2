//! A head as a set of fields that two browsers may change apart from each other.

use sash_chat::{FieldRules, Head, Id};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The fields of a head by name. What has a number in the record (a system prompt, a summary) is here as its text, an
/// entry of a list (`pins/<message>`) or a parameter (`parameters/top_k`) is a field of its own, and a model is one field
/// with its engine.
pub type HeadFields = BTreeMap<String, Value>;

/// What is no field: what belongs to this browser, never changes, or only grows.
const NO_FIELDS: [&str; 6] = ["id", "created", "systems", "summaries", "packed", "rev"];

fn is_no_field(name: &str, rules: FieldRules) -> bool {
    NO_FIELDS.contains(&name) || rules.of(name).is_some()
}

/// The lists of messages.
const LISTS: [&str; 4] = ["pins", "mutes", "cleared", "unrecalled"];

/// What is a field in another form than in the record.
const OTHERWISE: [&str; 5] = ["system", "summary", "model", "engine", "parameters"];

/// The fields that are set.
#[must_use]
pub fn head_fields(head: &Head, rules: FieldRules) -> HeadFields {
    let mut record = record(head);
    record.retain(|name, _| !is_no_field(name, rules));
    record.retain(|name, _| !OTHERWISE.contains(&name.as_str()));
    let mut fields = HeadFields::new();
    for list in LISTS {
        for id in list_of(head, list) {
            fields.insert(format!("{list}/{id}"), Value::Bool(true));
        }
        record.remove(list);
    }
    for (name, value) in &head.settings.parameters {
        fields.insert(format!("parameters/{name}"), value.clone());
    }
    if let Some(text) = head.system_at(head.settings.system) {
        fields.insert("system".to_owned(), text.into());
    }
    if let Some(summary) = head.summary_numbered(head.settings.summary) {
        fields.insert("summary".to_owned(), summary.text.as_str().into());
    }
    if head.model.is_some() {
        fields.insert("model".to_owned(), json!([head.engine, head.model]));
    }
    fields.extend(record);
    fields
}

/// Gives the head these fields and no others. One whose value cannot be read is as if it were not set.
pub fn set_head_fields(head: &mut Head, rules: FieldRules, fields: &HeadFields) {
    let mut record = record(head);
    record.retain(|name, _| is_no_field(name, rules));
    let mut lists: BTreeMap<&str, Vec<Id>> = LISTS
        .map(|list| (list, in_order(head, list, fields)))
        .into();
    let pins = lists.get("pins").cloned().unwrap_or_default();
    if let Some(mutes) = lists.get_mut("mutes") {
        mutes.retain(|id| !pins.contains(id));
    }
    for (list, ids) in lists {
        record.insert(list.to_owned(), json!(ids));
    }
    let mut parameters = Map::new();
    let known = head
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
        if !name.contains('/') && !is_no_field(name, rules) && !is_otherwise {
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
    let inherited = std::mem::take(&mut head.inherited);
    *head = Head { inherited, ..read };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    head.set_system(&text("system").unwrap_or_default());
    let summary = text("summary");
    let summaries = head.summaries.iter().rev();
    head.settings.summary = summary.and_then(|text| {
        let mut having = summaries.filter(|summary| summary.text == text);
        having.next().map(|summary| summary.number)
    });
}

fn record(head: &Head) -> Map<String, Value> {
    match serde_json::to_value(head) {
        Ok(Value::Object(record)) => record,
        // A head is a struct whose maps have texts for keys.
        _ => Map::new(),
    }
}

fn list_of<'a>(head: &'a Head, name: &str) -> &'a [Id] {
    let settings = &head.settings;
    match name {
        "pins" => &settings.pins,
        "mutes" => &settings.mutes,
        "cleared" => &settings.cleared,
        _ => &settings.unrecalled,
    }
}

/// The entries of a list that the fields have: those that are here first, in their order.
fn in_order(head: &Head, list: &str, fields: &HeadFields) -> Vec<Id> {
    let is_set = |id: &Id| fields.contains_key(&format!("{list}/{id}"));
    let mut ids: Vec<Id> = list_of(head, list).iter().copied().filter(is_set).collect();
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

#[cfg(test)]
mod tests {
    use super::super::{FormerValue, add_former_values, former_values, restore_value};
    use super::*;
    use crate::FIELDS;
    use sash_chat::{ModelId, Policy, Summary};

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
        head.others.insert("mood".into(), "good".into());
        head
    }

    #[test]
    fn a_head_is_its_fields() {
        let whole = head();
        let fields = head_fields(&whole, FIELDS);
        assert_eq!(fields["system"], "Be kind.");
        assert_eq!(fields["mood"], "good");
        let mut again = whole.clone();
        set_head_fields(&mut again, FIELDS, &fields);
        assert_eq!(again, whole);
        let mut empty = Head::new(Id(1), 5);
        empty.summaries.clone_from(&whole.summaries);
        set_head_fields(&mut empty, FIELDS, &fields);
        assert_eq!(head_fields(&empty, FIELDS), fields);
        set_head_fields(&mut empty, FIELDS, &HeadFields::new());
        assert_eq!(
            head_fields(&empty, FIELDS),
            head_fields(&Head::new(Id(1), 5), FIELDS)
        );
    }

    #[test]
    fn a_hostile_field_costs_itself() {
        let mut fields = head_fields(&head(), FIELDS);
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
        set_head_fields(&mut read, FIELDS, &fields);
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
        add_former_values(&mut head, [former.clone(), former.clone()]);
        assert_eq!(former_values(&head.others).len(), 1);
        restore_value(&mut head, FIELDS, &former, 2);
        assert_eq!(head.title(), Some("Another"));
        assert_eq!(former_values(&head.others)[0].value, Some("A title".into()));
        let unset = FormerValue {
            field: "system".into(),
            value: None,
            at: 3,
        };
        add_former_values(&mut head, [unset.clone()]);
        restore_value(&mut head, FIELDS, &unset, 4);
        assert_eq!(head.settings.system, None);
    }
}
