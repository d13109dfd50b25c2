//! A cache of the server's answers.

use fnv::FnvHasher;
use std::hash::Hasher;
use std::rc::Rc;

/// Limits of the cache: blocks, and total bytes of their runs.
const BLOCKS: usize = 300;
const BYTES: usize = 1 << 20;

/// Hash of a language and a code: two blocks with the same key have the same colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u64, usize);

impl Key {
    /// FNV-1a, together with the length.
    pub(super) fn new(language: &str, code: &str) -> Self {
        let mut hasher = FnvHasher::default();
        for text in [language, "\0", code] {
            hasher.write(text.as_bytes());
        }
        Self(hasher.finish(), code.len())
    }
}

/// The runs of blocks, oldest first.
#[derive(Default)]
pub(super) struct Known {
    blocks: Vec<(Key, Rc<str>)>,
    bytes: usize,
}

impl Known {
    pub(super) fn get(&self, key: Key) -> Option<Rc<str>> {
        let found = self.blocks.iter().find(|(known, _)| *known == key);
        found.map(|(_, runs)| Rc::clone(runs))
    }

    pub(super) fn keep(&mut self, key: Key, runs: Rc<str>) {
        self.bytes += runs.len();
        self.blocks.push((key, runs));
        while self.blocks.len() > BLOCKS || self.bytes > BYTES {
            let (_, oldest) = self.blocks.remove(0);
            self.bytes -= oldest.len();
        }
    }
}
