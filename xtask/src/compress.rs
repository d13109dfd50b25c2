//! Writes a `.br` and a `.gz` beside each file of the client's release build, so that the server
//! never compresses anything itself. Node.js does the work; it comes with both formats.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Result, exec, place};

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
pub fn folder(folder: &Path) -> Result {
    let files = files(folder)?.into_iter().filter(|file| {
        file.extension()
            .is_some_and(|e| WORTH_IT.iter().any(|w| e == *w))
    });
    exec::run(
        exec::command("node")
            .arg(place::root().join("xtask/src/compress.mjs"))
            .args(files),
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_give_back_what_went_in() {
        let folder = std::env::temp_dir().join(format!("sash-compress-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = "The sash slides. ".repeat(1_000);
        let file = folder.join("a.txt");
        fs::write(&file, &text).unwrap();
        fs::write(folder.join("a.png"), &text).unwrap();
        super::folder(&folder).unwrap();
        for (extension, decompress) in [("br", "brotliDecompressSync"), ("gz", "gunzipSync")] {
            let small = beside(&file, extension);
            assert!(fs::metadata(&small).unwrap().len() < 200);
            let script = format!(
                "process.stdout.write(require('zlib').{decompress}(require('fs').readFileSync(process.argv[1])))"
            );
            let back = exec::output(exec::command("node").arg("-e").arg(script).arg(small));
            assert_eq!(back.unwrap(), text);
        }
        assert!(!beside(&folder.join("a.png"), "br").exists());
        fs::remove_dir_all(&folder).ok(); // A leftover folder is harmless.
    }
}
