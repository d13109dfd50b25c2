//! The hash from which ids of imported chats are derived.

use fnv::FnvHasher;
use std::hash::Hasher;

/// 64-bit hash of a text: FNV-1a with a finalizer. Chats of earlier imports are recognised by it, so it must
/// never change.
pub fn hash(seed: u64, text: &[u8]) -> u64 {
    let mut hasher = FnvHasher::with_key(seed ^ FnvHasher::default().finish());
    hasher.write(text);
    let mut hash = hasher.finish();
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn names_made_of_a_file_are_those_of_earlier_imports() {
        assert_eq!(hash(0, b"sash"), 0xe4bf_da72_9fe7_9812);
        assert_eq!(hash(7, b""), 0xf121_e776_47e3_e933);
    }
}
