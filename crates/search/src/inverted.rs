//! An inverted index: for each word, the documents that contain it, and how often.

use std::collections::BTreeMap;
use std::ops::Bound;

/// The most documents of an index; 24 bits of a posting hold a document's number.
const MAX_DOCUMENTS: usize = 1 << 24;

/// A document that contains a word: its number times 256, plus the occurrences (at most 255).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting(u32);

impl Posting {
    /// The number of the document.
    pub(crate) fn document(self) -> usize {
        (self.0 >> 8) as usize
    }

    /// How often the document contains the word, at most 255.
    pub(crate) fn count(self) -> u32 {
        self.0 & 0xff
    }
}

/// The words of numbered documents. Takes about 4 bytes for each different word of each document.
#[derive(Debug, Default)]
pub(crate) struct InvertedIndex {
    /// The postings of each word, in ascending order of documents.
    postings: BTreeMap<Box<str>, Vec<Posting>>,
    documents: usize,
}

impl InvertedIndex {
    /// Adds a document without words, and returns its number. Returns `None` when the index is full, which a log
    /// with room for some ten thousand messages does not reach.
    pub(crate) fn add_document(&mut self) -> Option<usize> {
        let number = self.documents;
        (number < MAX_DOCUMENTS).then(|| {
            self.documents += 1;
            number
        })
    }

    /// Removes the documents that do not pass `keep` (number), and all words that only they have. The others get new
    /// numbers in the same order; returns the new number of each former one.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) -> Vec<Option<u32>> {
        let mut kept = 0;
        let numbers: Vec<Option<u32>> = (0..self.documents)
            .map(|number| {
                keep(number).then(|| {
                    kept += 1;
                    kept - 1
                })
            })
            .collect();
        self.documents = kept as usize;
        self.postings.retain(|_, postings| {
            postings.retain_mut(|posting| match numbers[posting.document()] {
                Some(number) => {
                    posting.0 = number << 8 | posting.count();
                    true
                }
                None => false,
            });
            !postings.is_empty()
        });
        numbers
    }

    /// Counts a word of the newest document.
    pub(crate) fn count(&mut self, word: &str) {
        let Some(newest) = self.documents.checked_sub(1) else {
            return;
        };
        let first = Posting((newest as u32) << 8 | 1);
        match self.postings.get_mut(word) {
            Some(postings) => match postings.last_mut() {
                Some(last) if last.document() == newest => {
                    last.0 += u32::from(last.count() < 0xff);
                }
                _ => postings.push(first),
            },
            None => _ = self.postings.insert(word.into(), vec![first]),
        }
    }

    /// The documents that contain the word, in ascending order.
    pub(crate) fn postings(&self, word: &str) -> &[Posting] {
        self.postings.get(word).map_or(&[], Vec::as_slice)
    }

    /// Each word with this prefix, and its postings, in alphabetical order.
    pub(crate) fn words_with_prefix(
        &self,
        prefix: &str,
    ) -> impl Iterator<Item = (&str, &[Posting])> {
        let from = (Bound::Included(prefix), Bound::Unbounded);
        self.postings
            .range::<str, _>(from)
            .take_while(move |(word, _)| word.starts_with(prefix))
            .map(|(word, postings)| (&**word, postings.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(postings: &[Posting]) -> Vec<(usize, u32)> {
        let pair = |posting: &Posting| (posting.document(), posting.count());
        postings.iter().map(pair).collect()
    }

    fn index(documents: &[&str]) -> InvertedIndex {
        let mut index = InvertedIndex::default();
        for document in documents {
            index.add_document().unwrap();
            document.split(' ').for_each(|word| index.count(word));
        }
        index
    }

    #[test]
    fn a_word_knows_its_documents_and_how_often_they_contain_it() {
        let index = index(&["a rose is a rose", "is", "a"]);
        assert_eq!(found(index.postings("a")), [(0, 2), (2, 1)]);
        assert_eq!(found(index.postings("is")), [(0, 1), (1, 1)]);
        assert_eq!(found(index.postings("thorn")), []);
    }

    #[test]
    fn a_prefix_finds_all_words_that_begin_with_it() {
        let index = index(&["ros rose roses", "rot", "so"]);
        let words: Vec<_> = index
            .words_with_prefix("ros")
            .map(|(_, postings)| found(postings))
            .collect();
        assert_eq!(words, [[(0, 1)], [(0, 1)], [(0, 1)]]);
        assert_eq!(index.words_with_prefix("x").count(), 0);
    }

    #[test]
    fn a_document_that_is_removed_leaves_no_word_of_it() {
        let mut index = index(&["a rose is a rose", "secret a", "a"]);
        let numbers = index.retain(|number| number != 1);
        assert_eq!(numbers, [Some(0), None, Some(1)]);
        assert_eq!(found(index.postings("a")), [(0, 2), (1, 1)]);
        assert!(!index.postings.contains_key("secret"));
        assert_eq!(index.add_document(), Some(2));
    }

    #[test]
    fn more_than_255_occurrences_are_255() {
        let index = index(&[&"a ".repeat(300), "a"]);
        assert_eq!(found(index.postings("a")), [(0, 255), (1, 1)]);
    }

    #[test]
    fn words_without_a_document_are_ignored() {
        let mut index = InvertedIndex::default();
        index.count("a");
        assert_eq!(found(index.postings("a")), []);
    }
}
