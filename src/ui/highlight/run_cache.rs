//! A cache of the server's answers.

use fnv::FnvHasher;
use std::hash::Hasher;
use std::rc::Rc;

/// Limits of the cache: blocks, and total bytes of their runs.
const MAX_CACHED_BLOCKS: usize = 300;
const MAX_CACHED_BYTES: usize = 1 << 20;

/// Hash of a language and a code: two blocks with the same key have the same colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeHash(u64, usize);

impl CodeHash {
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
pub(super) struct RunCache {
    blocks: Vec<(CodeHash, Rc<str>)>,
    bytes: usize,
}

impl RunCache {
    pub(super) fn get(&self, key: CodeHash) -> Option<Rc<str>> {
        let found = self.blocks.iter().find(|(known, _)| *known == key);
        found.map(|(_, runs)| Rc::clone(runs))
    }

    pub(super) fn keep(&mut self, key: CodeHash, runs: Rc<str>) {
        self.bytes += runs.len();
        self.blocks.push((key, runs));
        while self.blocks.len() > MAX_CACHED_BLOCKS || self.bytes > MAX_CACHED_BYTES {
            let (_, oldest) = self.blocks.remove(0);
            self.bytes -= oldest.len();
        }
    }
}
