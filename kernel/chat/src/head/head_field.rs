//! Fields of a head that belong to features of the page. A feature has the name of its field and the type of its entries; the
//! head keeps the entries as they are written, beside the fields that a later version of Sash wrote.

use super::FieldRule;
use super::field_rule::set_entries;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::marker::PhantomData;

/// A field of a feature, with the type of its entries.
#[derive(Debug)]
pub struct HeadField<T>(&'static FieldRule, PhantomData<fn() -> T>);

impl<T: DeserializeOwned + Serialize> HeadField<T> {
    /// The field of a rule.
    #[must_use]
    pub const fn new(rule: &'static FieldRule) -> Self {
        Self(rule, PhantomData)
    }

    /// The entries among the fields of a head. One that cannot be read is left out.
    #[must_use]
    pub fn read(&self, fields: &Map<String, Value>) -> Vec<T> {
        let entries = self.0.entries(fields).iter();
        entries
            .filter_map(|entry| T::deserialize(entry).ok())
            .collect()
    }

    /// Adds entries.
    pub fn extend(&self, fields: &mut Map<String, Value>, added: impl IntoIterator<Item = T>) {
        let added = added.into_iter();
        let added = added.filter_map(|entry| serde_json::to_value(entry).ok());
        let entries = self.0.entries(fields).iter().cloned().chain(added);
        set_entries(fields, self.0.name(), entries.collect());
    }

    /// Removes the entries that are not to stay, and those that cannot be read.
    pub fn retain(&self, fields: &mut Map<String, Value>, mut stays: impl FnMut(&T) -> bool) {
        let stays = |entry: &&Value| T::deserialize(*entry).is_ok_and(|entry| stays(&entry));
        let entries = self.0.entries(fields).iter().filter(stays).cloned();
        set_entries(fields, self.0.name(), entries.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FieldRules, IdsThere, ImportedEntry, SettingKind};
    use super::*;
    use crate::Id;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Entry {
        question: Id,
    }

    impl ImportedEntry for Entry {
        const MOST: usize = 2;

        fn for_chat(self, name: &IdsThere<'_>) -> Option<Self> {
            name(self.question).map(|question| Self { question })
        }
    }

    static KEPT: FieldRule = FieldRule::new("kept");
    static BROUGHT: FieldRule = FieldRule::new("brought")
        .forked()
        .imported::<Entry>(SettingKind::Model);
    const RULES: FieldRules = FieldRules(&[&KEPT, &BROUGHT]);

    fn fields() -> Map<String, Value> {
        let mut fields = Map::new();
        for field in [HeadField::new(&KEPT), HeadField::new(&BROUGHT)] {
            field.extend(&mut fields, [1, 2, 3, 4].map(|n| Entry { question: Id(n) }));
        }
        fields.insert("newer".into(), 7.into());
        fields
    }

    #[test]
    fn no_file_brings_a_field_whose_rule_does_not_say_so() {
        let mut fields = fields();
        RULES.import(&mut fields, &|id| (id > Id(1)).then_some(Id(id.0 + 7)));
        let expected = json!({"brought": [{"question": Id(9)}, {"question": Id(10)}], "newer": 7});
        assert_eq!(Value::Object(fields), expected);
    }

    #[test]
    fn a_fork_has_the_fields_whose_rules_say_so_and_those_without_a_rule() {
        let mut fields = fields();
        RULES.fork(&mut fields);
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        assert_eq!(names, ["brought", "newer"]);
    }

    #[test]
    fn an_entry_that_cannot_be_read_costs_itself_and_what_a_later_version_wrote_stays() {
        let entries = json!([{"question": Id(1), "tone": 3}, 4, {"question": Id(2)}]);
        let mut fields = Map::from_iter([("kept".to_owned(), entries)]);
        let kept = HeadField::<Entry>::new(&KEPT);
        assert_eq!(
            kept.read(&fields),
            [Entry { question: Id(1) }, Entry { question: Id(2) }]
        );
        kept.retain(&mut fields, |entry| entry.question == Id(1));
        assert_eq!(fields["kept"], json!([{"question": Id(1), "tone": 3}]));
        kept.retain(&mut fields, |_| false);
        assert!(fields.is_empty(), "{fields:?}");
        fields.insert("kept".into(), "no list".into());
        assert_eq!(kept.read(&fields), []);
    }
}
