//! The page's files: embedded in a release from `dist-release/`, read from `dist/` at run time in a debug build.

use sash_door::assets::{File, Files};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

#[derive(rust_embed::Embed)]
#[cfg_attr(debug_assertions, folder = "dist/")]
#[cfg_attr(not(debug_assertions), folder = "dist-release/")]
// 4 MB that no browser asks for.
#[cfg_attr(not(debug_assertions), exclude = "*.wasm")]
#[allow_missing = true]
struct Dist;

/// The client that was built into this binary.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedClient;

impl Files for EmbeddedClient {
    fn get(&self, path: &str) -> Option<File> {
        match Dist::get(path) {
            Some(file) => Some(File {
                hash: file.metadata.sha256_hash(),
                bytes: file.data,
            }),
            None => decompress(path),
        }
    }

    fn hash(&self, path: &str) -> Option<[u8; 32]> {
        if let Some(file) = Dist::get(path) {
            return Some(file.metadata.sha256_hash());
        }
        // Decompressing 4 MB for each request of the page's program would hold up its start.
        static HASHES: Mutex<BTreeMap<String, [u8; 32]>> = Mutex::new(BTreeMap::new());
        let mut hashes = HASHES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = hashes.get(path) {
            return Some(*hash);
        }
        let hash = decompress(path)?.hash;
        hashes.insert(path.to_owned(), hash);
        Some(hash)
    }
}

/// A file that is embedded only in its compressed forms: the page's program, which browsers take compressed.
fn decompress(path: &str) -> Option<File> {
    let packed = Dist::get(&format!("{path}.gz"))?;
    let mut bytes = Vec::new();
    let mut decoder = flate2::read::GzDecoder::new(&*packed.data);
    decoder.read_to_end(&mut bytes).ok()?; // Our own build wrote it.
    Some(File {
        hash: Sha256::digest(&bytes).into(),
        bytes: bytes.into(),
    })
}
