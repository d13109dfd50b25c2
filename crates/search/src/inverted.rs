//! An inverted index: for each word, the documents that contain it, and how often.

use std::collections::BTreeMap;
use std::ops::Bound;

/// The most documents of an index; 24 bits of a posting hold a document's number.
pub(crate) const MAX_DOCUMENTS: usize = 1 << 24;

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
}

impl InvertedIndex {
    /// Gives each document its new number, in the same order. Removes those without one (`None`), and all words that only
    /// they have.
    pub(crate) fn renumber(&mut self, numbers: &[Option<u32>]) {
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
    }

    /// Counts a word of a document, which has no lower number than those before; below [`MAX_DOCUMENTS`].
    pub(crate) fn count(&mut self, document: usize, word: &str) {
        let first = Posting((document as u32) << 8 | 1);
        match self.postings.get_mut(word) {
            Some(postings) => match postings.last_mut() {
                Some(last) if last.document() == document => {
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
        for (number, document) in documents.iter().enumerate() {
            let words = document.split(' ');
            words.for_each(|word| index.count(number, word));
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
        index.renumber(&[Some(0), None, Some(1)]);
        assert_eq!(found(index.postings("a")), [(0, 2), (1, 1)]);
        assert!(!index.postings.contains_key("secret"));
    }

    #[test]
    fn more_than_255_occurrences_are_255() {
        let index = index(&[&"a ".repeat(300), "a"]);
        assert_eq!(found(index.postings("a")), [(0, 255), (1, 1)]);
    }
}
