//! The files of all languages against each other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The languages besides English, each with the forms of a plural that it needs, by CLDR. Hebrew has a form for two of a
/// thing as well: a text may do without it, and the general form is used.
const FORMS: &[(&str, &[&str])] = &[("de", &["one", "other"]), ("he", &["one", "other"])];

/// What German says like English: names, words of the field, what is typed, and what is nothing but its arguments.
const SAME_IN_GERMAN: &[&str] = &[
    "common.json chats",
    "common.json name",
    "common.json ollama",
    "common.json plain_text",
    "common.json prompt",
    "common.json system",
    "composer.json ok",
    "export.json format",
    "export.json markdown",
    "list.json sash",
    "markdown.json code",
    "markdown.json code_label",
    "models.json example_model",
    "models.json hugging_face_name",
    "models.json in_container_host",
    "models.json in_container_listen",
    "models.json modelfile",
    "models.json ollama_com_download",
    "models.json ollama_com_library",
    "models.json ollama_flag",
    "models.json ollama_serve",
    "models.json qwen3_4b",
    "page.json option",
    "palette.json alt",
    "palette.json chat",
    "palette.json esc",
    "palette.json f2",
    "parameters.json json",
    "parameters.json schema",
    "parameters.json schema_example",
    "prompts.json prompts",
    "prompts.json text_label",
    "settings.json engines",
    "settings.json normal",
    "transcript.json per_second",
];

/// A namespace's texts by the file's name.
type Texts = BTreeMap<String, Map<String, Value>>;

/// What is in a folder; nothing where there is none.
fn entries_of(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.is_dir().then(|| std::fs::read_dir(folder).unwrap());
    let entries = entries.into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// The texts of a language: those of this crate, and those that rooms and parts of the chat have in folders of their own.
fn texts(locale: &str) -> Texts {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = entries_of(&own.join("locales").join(locale));
    let files = files.into_iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, path)
    });
    let parts = ["kernel", "rooms"].map(|parts| entries_of(&own.join("../..").join(parts)));
    let parts = parts.into_iter().flatten().filter_map(|part| {
        let name = part.file_name().unwrap().to_string_lossy();
        let words = part.join("words");
        let file = (format!("{name}.json"), words.join(format!("{locale}.json")));
        words.is_dir().then_some(file)
    });
    files
        .chain(parts)
        .map(|(name, path)| {
            let text = std::fs::read_to_string(&path).unwrap();
            (name, serde_json::from_str(&text).unwrap())
        })
        .collect()
}

/// A key without the form of its plural, and that form. Others than these end words of English (`so_many`).
fn without_form(key: &str) -> (&str, Option<&str>) {
    match key.rsplit_once('_') {
        Some((base, form @ ("one" | "two" | "other"))) => (base, Some(form)),
        _ => (key, None),
    }
}

/// The names between `{{` and `}}`.
fn arguments(text: &str) -> BTreeSet<String> {
    let parts = text.split("{{").skip(1);
    let names = parts.filter_map(|part| part.split_once("}}"));
    names.map(|(name, _)| name.trim().to_owned()).collect()
}

/// What a key has in all its forms.
#[derive(Default)]
struct Entry {
    arguments: BTreeSet<String>,
    forms: BTreeSet<String>,
    /// Whether the text is put behind another one, or before it.
    joined: [bool; 2],
}

fn entries(texts: &Map<String, Value>) -> BTreeMap<String, Entry> {
    let mut entries = BTreeMap::<String, Entry>::new();
    for (key, text) in texts {
        let text = text.as_str().unwrap();
        let (base, form) = without_form(key);
        let entry = entries.entry(base.to_owned()).or_default();
        entry.arguments.extend(arguments(text));
        entry.forms.extend(form.map(str::to_owned));
        // A Hebrew prefix takes no space before what it belongs to.
        let ends: &[char] = &[' ', '\n', '־'];
        entry.joined = [text.starts_with([' ', '\n']), text.ends_with(ends)];
    }
    entries
}

#[test]
fn every_language_has_the_same_keys_with_the_same_arguments() {
    let english = texts("en");
    for (locale, forms) in FORMS {
        let translated = texts(locale);
        assert!(english.keys().eq(translated.keys()), "{locale}");
        for (file, original) in &english {
            let (original, translated) = (entries(original), entries(&translated[file]));
            let (of_english, of_other) = (original.keys(), translated.keys());
            assert!(of_english.eq(of_other), "the keys of {locale}/{file}");
            for (key, original) in &original {
                let (name, entry) = (format!("{locale}/{file}: {key}"), &translated[key]);
                assert_eq!(original.arguments, entry.arguments, "{name}");
                assert_eq!(original.joined, entry.joined, "spaces of {name}");
                let is_plural = original.forms.contains("other");
                let has_all = forms.iter().all(|form| entry.forms.contains(*form));
                assert!(has_all == is_plural, "forms of {name}");
                let known = |form: &String| forms.contains(&form.as_str()) || form == "two";
                assert!(entry.forms.iter().all(known), "forms of {name}");
            }
        }
    }
}

#[test]
fn no_text_is_left_in_english() {
    let (english, german) = (texts("en"), texts("de"));
    let mut same = BTreeSet::new();
    for (file, original) in &english {
        for (key, text) in original {
            let text = text.as_str().unwrap();
            let arguments = arguments(text).into_iter();
            let words = arguments.fold(text.to_owned(), |words, name| words.replace(&name, ""));
            if words.contains(char::is_alphabetic) && german[file][key] == text {
                same.insert(format!("{file} {key}"));
            }
        }
    }
    let allowed: BTreeSet<String> = SAME_IN_GERMAN.iter().map(|&key| key.to_owned()).collect();
    let wrong: Vec<_> = same.symmetric_difference(&allowed).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn german_writes_its_own_quotation_marks_and_addresses_one_person() {
    for (file, texts) in texts("de") {
        for (key, text) in texts {
            let text = text.as_str().unwrap();
            let (opened, closed) = (text.matches('„').count(), text.matches('“').count());
            assert_eq!(opened, closed, "{file} {key}: {text}");
            assert!(!text.contains(['”', '’']), "{file} {key}: {text}");
            let formal = [" Ihnen", "en Sie ", " Ihre Chats", " Ihr Prompt"];
            let formal = formal.iter().any(|word| text.contains(word));
            assert!(!formal, "{file} {key}: {text}");
        }
    }
}
