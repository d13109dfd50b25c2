//! Makes the module of keys out of the texts, one namespace a file: those of `crates/words/locales`, and those that a room or
//! a part of the chat has in its own folder `words`, a file for each language.

use leptos_i18n_codegen::gen_code;
use leptos_i18n_parser::parse_locales::options::{Config, ParseOptions};
use leptos_i18n_parser::parse_locales::parse_locales;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const LANGUAGES: [&str; 3] = ["en", "de", "he"];
const ROOT: &str = "../../..";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    // It names each room: a new one brings texts. A first folder `words` in a part that is there is seen once this file changes.
    println!("cargo::rerun-if-changed={ROOT}/Cargo.toml");
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let laid_out = out.join("locales");
    let namespaces = lay_out(&laid_out)?;
    // Texts are also made as strings, not only as views.
    let options = ParseOptions::new().interpolate_display(true);
    let config = Config::new(LANGUAGES[0])?
        .add_locales(&LANGUAGES[1..])?
        .add_namespaces(namespaces)?
        .locales_path(laid_out)
        .parse_options(options);
    let locales = parse_locales(None, config)?;
    // A key that a language lacks, or has alone, is shown to somebody in another language: nothing is built with one.
    for warning in locales.diag.warnings().iter() {
        println!("cargo::error={warning}");
    }
    for error in locales.diag.errors().iter() {
        println!("cargo::error={error}");
    }
    let module = gen_code(&locales, None, false, None, false)?;
    fs::write(out.join("i18n.rs"), module.to_string())?;
    Ok(())
}

/// Copies all texts to `<to>/<language>/<namespace>.json`, as the parser reads them. Returns the namespaces.
fn lay_out(to: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    for language in LANGUAGES {
        fs::create_dir_all(to.join(language))?;
    }
    let mut namespaces = Vec::new();
    println!("cargo::rerun-if-changed=../locales");
    for file in entries(Path::new("../locales").join(LANGUAGES[0]))? {
        namespaces.push(name_of(&file));
        for language in LANGUAGES {
            let path = Path::new(language).join(file.file_name().unwrap_or_default());
            fs::copy(Path::new("../locales").join(&path), to.join(&path))?;
        }
    }
    for parts in ["kernel", "rooms"] {
        for part in entries(Path::new(ROOT).join(parts))? {
            let words = part.join("words");
            if !words.is_dir() {
                continue;
            }
            // The texts alone: another edit of a room leaves the catalogue as it is.
            println!("cargo::rerun-if-changed={}", words.display());
            let name = name_of(&part);
            if namespaces.contains(&name) {
                return Err(format!("{name}: texts of this name stand in two places").into());
            }
            for language in LANGUAGES {
                let copy = to.join(language).join(format!("{name}.json"));
                fs::copy(words.join(format!("{language}.json")), copy)?;
            }
            namespaces.push(name);
        }
    }
    namespaces.sort();
    Ok(namespaces)
}

/// What is in a folder; nothing where there is none.
fn entries(folder: PathBuf) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    entries.collect()
}

/// The name of a folder, or of a file without its ending, as that of a namespace.
fn name_of(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.replace('-', "_")
}
