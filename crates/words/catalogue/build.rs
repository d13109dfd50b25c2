//! Makes the module of keys out of the files in `crates/words/locales`, one namespace a file.

use leptos_i18n_codegen::gen_code;
use leptos_i18n_parser::parse_locales::options::{Config, ParseOptions};
use leptos_i18n_parser::parse_locales::parse_locales;
use std::error::Error;
use std::path::PathBuf;

const LOCALES: &str = "../locales";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LOCALES}");
    let mut namespaces = Vec::new();
    for file in std::fs::read_dir(format!("{LOCALES}/en"))? {
        let path = file?.path();
        let name = path.file_stem().unwrap_or_default();
        namespaces.push(name.to_string_lossy().into_owned());
    }
    namespaces.sort();
    // Texts are also made as strings, not only as views.
    let options = ParseOptions::new().interpolate_display(true);
    let config = Config::new("en")?
        .add_locales(["de", "he"])?
        .add_namespaces(namespaces)?
        .locales_path(LOCALES)
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
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("i18n.rs"), module.to_string())?;
    Ok(())
}
