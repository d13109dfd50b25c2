//! The three-way merge of what two browsers say of a chat, field by field.

use sash_log::checksum;
use sash_records::backup::HeadFields;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The checksum of each field.
pub type FieldChecksums = BTreeMap<String, String>;

/// Fields of which the value that gives way is not kept: nobody would miss it.
const NOT_MISSED: [&str; 5] = ["distinct", "at", "pinned", "archived", "withheld"];

/// The merged fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedFields {
    /// The fields.
    pub fields: HeadFields,
    /// The values of this browser that gave way to others.
    pub former: Vec<(String, Option<Value>)>,
}

/// The checksums of fields.
#[must_use]
pub fn checksums(fields: &HeadFields) -> FieldChecksums {
    let checksums = fields
        .iter()
        .map(|(name, value)| (name.clone(), checksum(&value.to_string())));
    checksums.collect()
}

/// Merges what this browser says (`ours`) with what the folder says (`theirs`). A field that one side has changed since
/// `base` has that side's value. Where both changed it the folder's counts, since it was there first, and ours is kept.
/// Without a base what is set on one side alone is set.
#[must_use]
pub fn merge_fields(
    base: Option<&FieldChecksums>,
    ours: &HeadFields,
    theirs: &HeadFields,
) -> MergedFields {
    let mut merged = MergedFields::default();
    let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    for name in names {
        let (our, their) = (ours.get(name), theirs.get(name));
        let is_as_in = |value: Option<&Value>, base: &FieldChecksums| {
            value.map(|value| checksum(&value.to_string())).as_ref() == base.get(name)
        };
        let chosen = match base {
            _ if our == their => our,
            Some(base) if is_as_in(their, base) => our,
            None if their.is_none() => our,
            Some(base) if is_as_in(our, base) => their,
            None if our.is_none() => their,
            _ => {
                let is_entry = name.contains('/') && !name.starts_with("parameters/");
                if !is_entry && !NOT_MISSED.contains(&name.as_str()) {
                    merged.former.push((name.clone(), our.cloned()));
                }
                their
            }
        };
        if let Some(value) = chosen {
            merged.fields.insert(name.clone(), value.clone());
        }
    }
    merged
}

/// Merges whether something is in the trash. Without a base it is, because it can be restored from there.
#[must_use]
pub fn merge_flag(base: Option<&FieldChecksums>, name: &str, ours: bool, theirs: bool) -> bool {
    match base.map(|base| base.contains_key(name)) {
        _ if ours == theirs => ours,
        Some(was) if was == theirs => ours,
        Some(_) => theirs,
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> HeadFields {
        let pairs = text
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        pairs
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect()
    }

    fn check(base: Option<&str>, ours: &str, theirs: &str, expected: &str, former: &[&str]) {
        let base = base.map(|base| checksums(&fields(base)));
        let merged = merge_fields(base.as_ref(), &fields(ours), &fields(theirs));
        assert_eq!(merged.fields, fields(expected), "{ours} and {theirs}");
        let names: Vec<&str> = merged
            .former
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, former, "{ours} and {theirs}");
    }

    #[test]
    fn fields_merge_one_by_one() {
        check(Some("title=a"), "title=b", "title=a", "title=b", &[]);
        check(Some("title=a"), "title=a", "title=b", "title=b", &[]);
        check(Some("title=a"), "", "title=a", "", &[]);
        check(Some("title=a"), "title=a", "", "", &[]);
        check(
            Some("title=a"),
            "title=a think=on",
            "title=b",
            "title=b think=on",
            &[],
        );
    }

    #[test]
    fn where_both_changed_a_field_the_folders_value_counts_and_the_other_is_kept() {
        check(Some("title=a"), "title=b", "title=c", "title=c", &["title"]);
        check(Some("title=a"), "", "title=c", "title=c", &["title"]);
        check(Some("title=a"), "title=b", "", "", &["title"]);
        check(Some("at=a"), "at=b", "at=c", "at=c", &[]);
        check(
            Some(""),
            "parameters/seed=1",
            "parameters/seed=2",
            "parameters/seed=2",
            &["parameters/seed"],
        );
    }

    #[test]
    fn entries_of_lists_are_joined() {
        check(
            Some("pins/1=t pins/2=t"),
            "pins/1=t pins/3=t",
            "pins/2=t pins/4=t",
            "pins/3=t pins/4=t",
            &[],
        );
    }

    #[test]
    fn without_a_base_what_is_set_stays_set() {
        check(None, "title=b", "think=on", "title=b think=on", &[]);
        check(None, "title=b", "title=c", "title=c", &["title"]);
    }

    #[test]
    fn the_side_that_changed_it_says_whether_something_is_in_the_trash() {
        let deleted = checksums(&fields("deleted=x"));
        for (base, ours, theirs, expected) in [
            (Some(&deleted), false, true, false),
            (Some(&deleted), true, false, false),
            (Some(&FieldChecksums::new()), true, false, true),
            (Some(&FieldChecksums::new()), false, true, true),
            (None, true, false, true),
            (None, false, false, false),
        ] {
            assert_eq!(merge_flag(base, "deleted", ours, theirs), expected);
        }
    }
}
