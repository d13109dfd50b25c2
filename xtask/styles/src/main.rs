//! Bundles `style/` into one stylesheet: each part of the page has its own file, and the page loads
//! one. Trunk calls this program before a build, because it copies a stylesheet unchanged, and each
//! `@import` in it would be a request of its own.

use lightningcss::bundler::{Bundler, FileProvider};
use lightningcss::printer::PrinterOptions;
use lightningcss::stylesheet::{MinifyOptions, ParserOptions};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Bundles `style/main.css` and its imports into `target/styles/sash.css`.
fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match write(&root.join("style/main.css"), &root.join("target/styles")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("styles: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn write(main: &Path, folder: &Path) -> Result<(), String> {
    let text = bundle(main)?;
    let file = folder.join("sash.css");
    // Do not write an unchanged file: a watching Trunk would rebuild forever.
    if fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&file, text))
        .map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

/// A stylesheet with its imports, minified.
fn bundle(main: &Path) -> Result<String, String> {
    let files = FileProvider::new();
    let mut bundler = Bundler::new(&files, None, ParserOptions::default());
    let mut sheet = bundler.bundle(main).map_err(|error| error.to_string())?;
    sheet
        .minify(MinifyOptions::default())
        .map_err(|error| error.to_string())?;
    let options = PrinterOptions {
        minify: true,
        ..PrinterOptions::default()
    };
    let printed = sheet.to_css(options).map_err(|error| error.to_string())?;
    Ok(printed.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_imported_stands_in_the_one_file() {
        let main = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../style/main.css");
        let text = bundle(&main).expect("the page's own stylesheets");
        assert!(!text.contains("@import"), "{text}");
        assert!(text.contains(".formula") && text.contains(".library"));
    }
}
