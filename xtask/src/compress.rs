//! Writes a `.br` and a `.gz` beside each file of the client, so that the server never compresses
//! anything itself.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Result;

/// Extensions of files that compression makes smaller; images and fonts are compressed already.
const WORTH_IT: [&str; 9] = [
    "css",
    "html",
    "js",
    "json",
    "map",
    "svg",
    "txt",
    "wasm",
    "webmanifest",
];

/// Compresses every file below `folder` that has such an extension.
///
/// Brotli uses quality 11, its best, with a window of 4 MiB; gzip uses level 9. A build compresses
/// once, and downloads happen often.
pub fn folder(folder: &Path) -> Result {
    std::thread::scope(|scope| {
        let work: Vec<_> = files(folder)?
            .into_iter()
            .filter(|file| {
                file.extension()
                    .is_some_and(|e| WORTH_IT.iter().any(|w| e == *w))
            })
            .map(|file| scope.spawn(move || both(&file)))
            .collect();
        work.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("the compressor panicked".into()))
        })
    })
}

/// All files below `folder`, sorted.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |e: std::io::Error| format!("{} is not readable: {e}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

/// Appends an extension to a file name: `app.js` and `br` give `app.js.br`.
pub fn beside(file: &Path, extension: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

fn both(file: &Path) -> Result {
    let failed = |e: std::io::Error| format!("{} cannot be compressed: {e}", file.display());
    let bytes = fs::read(file).map_err(failed)?;
    fs::write(beside(file, "br"), brotli(&bytes).map_err(failed)?).map_err(failed)?;
    fs::write(beside(file, "gz"), gzip(&bytes).map_err(failed)?).map_err(failed)
}

fn brotli(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut out, 1 << 16, 11, 22);
    writer.write_all(bytes)?;
    drop(writer); // Dropping the writer writes the end of the stream.
    Ok(out)
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(bytes)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn both_formats_give_back_what_went_in() {
        let text = "The sash slides. ".repeat(1_000).into_bytes();
        let mut from_brotli = Vec::new();
        brotli::Decompressor::new(&*brotli(&text).unwrap(), 4_096)
            .read_to_end(&mut from_brotli)
            .unwrap();
        assert_eq!(from_brotli, text);
        let mut from_gzip = Vec::new();
        flate2::read::GzDecoder::new(&*gzip(&text).unwrap())
            .read_to_end(&mut from_gzip)
            .unwrap();
        assert_eq!(from_gzip, text);
    }
}
