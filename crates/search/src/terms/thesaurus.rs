//! A small general thesaurus of everyday English: what a question calls "an instrument" an answer calls "a cello".
//! Used on the question only, so that the index holds what was written.
//!
//! Ours, because what there is does not fit into a page: WordNet's database has 10 MB, the crates `thesaurus` and
//! `wordnet` bring theirs whole or expect the files. Each line of `thesaurus.txt` is one subject, `heads: members`,
//! written from general knowledge and not from any set of questions; it adds 7 kB to the page.

use super::stem;
use sash_text::TextLanguage;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The stems that are related to a stem: those of its subject where it names one, and those that name its
/// subjects where it belongs to some. Members of one subject are not related: a cat is no dog.
pub(crate) fn related(term: &str) -> &'static [String] {
    static RELATED: LazyLock<BTreeMap<String, Vec<String>>> =
        LazyLock::new(|| read(include_str!("thesaurus.txt")));
    RELATED.get(term).map_or(&[], Vec::as_slice)
}

fn read(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut related: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let Some((heads, members)) = line.split_once(':') else {
            continue;
        };
        let stems = |words: &str| -> Vec<String> {
            let words = words.split_whitespace();
            words
                .map(|word| stem(word, TextLanguage::English))
                .collect()
        };
        let (heads, members) = (stems(heads), stems(members));
        let mut relate = |one: &str, other: &str| {
            let others = related.entry(one.to_owned()).or_default();
            if one != other && !others.iter().any(|known| known == other) {
                others.push(other.to_owned());
            }
        };
        for head in &heads {
            heads.iter().for_each(|other| relate(head, other));
            for member in &members {
                relate(head, member);
                relate(member, head);
            }
        }
    }
    related
}
