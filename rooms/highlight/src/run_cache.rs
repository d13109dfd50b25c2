//! A cache of the server's answers.

use fnv::FnvHasher;
use std::hash::Hasher;
use std::rc::Rc;

/// Limits of the cache: blocks, and total bytes of their runs.
const MAX_CACHED_BLOCKS: usize = 300;
const MAX_CACHED_BYTES: usize = 1 << 20;

/// Hash of a language and a code: two blocks with the same key have the same colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CodeHash(u64, usize);

impl CodeHash {
    /// FNV-1a, together with the length.
    pub fn new(language: &str, code: &str) -> Self {
        let mut hasher = FnvHasher::default();
        for text in [language, "\0", code] {
            hasher.write(text.as_bytes());
        }
        Self(hasher.finish(), code.len())
    }
}

/// The runs of blocks, oldest first.
#[derive(Default)]
pub struct RunCache {
    blocks: Vec<(CodeHash, Rc<str>)>,
    bytes: usize,
}

impl RunCache {
    pub fn get(&self, key: CodeHash) -> Option<Rc<str>> {
        let found = self.blocks.iter().find(|(known, _)| *known == key);
        found.map(|(_, runs)| Rc::clone(runs))
    }

    pub fn keep(&mut self, key: CodeHash, runs: Rc<str>) {
        self.bytes += runs.len();
        self.blocks.push((key, runs));
        while self.blocks.len() > MAX_CACHED_BLOCKS || self.bytes > MAX_CACHED_BYTES {
            let (_, oldest) = self.blocks.remove(0);
            self.bytes -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_bounded_and_the_oldest_goes() {
        let mut known = RunCache::default();
        let key = |n: usize| CodeHash::new("Rust", &n.to_string());
        for n in 0..1000 {
            known.keep(key(n), Rc::from("k1"));
        }
        assert!(known.get(key(0)).is_none() && known.get(key(699)).is_none());
        assert!(known.get(key(700)).is_some() && known.get(key(999)).is_some());
        let large: Rc<str> = "k1 ".repeat(200_000).into();
        known.keep(key(1), Rc::clone(&large));
        known.keep(key(2), Rc::clone(&large));
        assert!(known.get(key(1)).is_none() && known.get(key(2)).is_some());
        assert!(
            CodeHash::new("a", "b") != CodeHash::new("ab", "")
                && CodeHash::new("a", "b") != CodeHash::new("b", "b")
        );
    }
}
