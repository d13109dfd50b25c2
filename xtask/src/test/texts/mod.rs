//! Checks that the page's texts stand in the catalogue, `crates/words/locales` and the folders `words` of the rooms, and nowhere
//! else, and that nobody shows a text of another room.
//!
//! The code of the page is read token by token. What is a text is told from where a literal stands (between tags, in an
//! attribute that is read) and, elsewhere, from how it looks: two words, or a capital letter. One word in small letters is
//! a text in a function or constant that has words of the catalogue (`t!`), and where it is announced: it is probably part
//! of a sentence there. What looks like a text and is none (a media query, a header, a class, what goes to the console) is
//! listed in `NOT_SHOWN`.

mod source;
#[cfg(test)]
mod tests;

use super::tally::Tally;
use crate::modules::{PAGE, ROOMS, entries, is_server_half, read, rust_files};
use crate::{Result, place};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the page's texts are made besides [`PAGE`], from the root of the workspace.
const PATHS: &[&str] = &[
    "crates/state/src",
    "kernel/chat/src/head/setting.rs",
    "kernel/chat/src/policy_words.rs",
    "kernel/log/src/image.rs",
    "kernel/stores/src",
    "kernel/wire/src/fault",
    "kernel/wire/src/parameters.rs",
];

/// What looks like a text and is none, each with the end of its file's name: names of keys and programs, classes,
/// selectors, names of errors, what the model reads.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("attachments/src/view/encoding_choice.rs", "Unicode"),
    ("attachments/src/view/encoding_choice.rs", "macintosh"),
    ("attachments/src/view/encoding_choice.rs", "Big5"),
    ("attachments/src/view/encoding_choice.rs", "Shift_JIS"),
    ("import/src/plan/formats.rs", "Zstandard"),
    ("view/src/page.rs", "shown"),
    ("view/src/page.rs", "hidden"),
    ("composer/mod.rs", "send"),
    ("composer/mod.rs", "stop"),
    ("panel/words.rs", "fits"),
    ("panel/words.rs", "unknown"),
    ("wire/src/parameters.rs", "seed"),
    ("wire/src/parameters.rs", "stop"),
    ("wire/src/parameters.rs", "temperature"),
    (
        "browser-kit/src/keys.rs",
        "(pointer: coarse) and (hover: none)",
    ),
    (
        "speech/src/view/spoken.rs",
        "button, figcaption, .host, .note, [aria-hidden=true], .visually-hidden",
    ),
    ("phone/src/view/plain_http.rs", "tailscale serve 7274"),
    (
        "phone/src/view/plain_http.rs",
        "sash --allow-host MACHINE.TAILNET.ts.net",
    ),
    (
        "phone/src/view/start_command.rs",
        "sash --listen 0.0.0.0:7274 --token auto",
    ),
    (
        "list/src/view/swipe.rs",
        "[role=slider], input, textarea, select, pre, .table, .formula, dialog, .menu",
    ),
    (
        "transcript/message.rs",
        ".message-text, button, a, input, textarea, select, summary, img, pre",
    ),
    (
        "transcript/row.rs",
        ":focus-within, [data-state=running], [data-state=waiting], :has(.edit, .receipt, .waiting-calls, details[open]:not([data-unfolded]), details[data-unfolded]:not([open]))",
    ),
    ("", "AltGraph"),
    ("", "ArrowDown"),
    ("", "ArrowLeft"),
    ("", "ArrowRight"),
    ("", "ArrowUp"),
    ("ui-kit/src/icon_button.rs", "icon-button {class}"),
    ("", "ChatGPT"),
    ("", "Claude"),
    ("list/src/view/list_keys.rs", "Delete"),
    ("prompts/src/view/slash_list.rs", "{} clear"),
    ("", "Enter"),
    ("", "Escape"),
    ("attachments/src/view/add.rs", "Files"),
    ("", "Highlight"),
    (
        "",
        "%3Ccircle cx='12' cy='12' r='4' fill='%23d0452f' stroke='%23fff'/%3E",
    ),
    ("", "Hollama"),
    ("", "LM Studio"),
    ("", "LibreChat"),
    ("", "Notification"),
    ("", "Ollama"),
    ("", "Open WebUI"),
    ("", "QuotaExceededError"),
    ("", "Sash"),
    ("", "Tab"),
    (
        "",
        "a, b, code, del, em, i, ins, mark, s, span, strong, sub, sup, u",
    ),
    (
        "",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    ),
    ("", "formula display"),
    ("", "formula long longer"),
    ("", "formula long"),
    ("", "it was aborted"),
    ("", "markdown copied"),
    ("", "noopener noreferrer nofollow"),
    ("", "note note-failed"),
    ("", "part far"),
    ("", "part near"),
    ("", "raw rest"),
    ("", "table long"),
    (
        "",
        "textarea, select, input:not([type=radio], [type=checkbox])",
    ),
    ("", "there is no database"),
    ("", "(pointer: fine)"),
    ("answers/ask.rs", "Continue exactly where you stopped."),
    (
        "answers/next_request.rs",
        "{} characters of base64: {kind}, {width} × {height}",
    ),
    ("src/recalls.rs", "at an unknown time"),
    ("tools/src/store.rs", "Error: the clock has no date."),
    (
        "tools/src/store.rs",
        "Error: there is no argument “expression”.",
    ),
    ("tools/src/store.rs", "Error: {fault}"),
    ("view/src/commands.rs", "escape"),
    ("export/src/file/name.rs", "chat {name}"),
    ("import/src/plan/renamed.rs", "sash copy {}"),
    (
        "settings/engine_section.rs",
        "sash --openai vllm=http://127.0.0.1:8000",
    ),
];

/// Files whose texts are for the model.
const NOT_READ: &[&str] = &[
    "src/embeddings/prefix.rs",
    "src/side_request.rs",
    "summaries/src/request.rs",
    "titles/src/request.rs",
    "tools/src/read_file.rs",
];

/// Fails on a text outside the catalogue, and on one in it that nobody uses.
pub fn check() -> Result<Tally> {
    let root = place::root();
    let found = outside(&root)? + unused(&root)? + of_other_rooms(&root)?;
    Ok(match found {
        0 => Tally::PASSED,
        _ => Tally::FAILED,
    })
}

/// Prints the texts outside the catalogue. Returns how many there are.
fn outside(root: &Path) -> Result<usize> {
    let mut found = 0;
    for path in PAGE.iter().chain(PATHS).chain([&ROOMS]) {
        for file in rust_files(&root.join(path))? {
            let name = file.strip_prefix(root).unwrap_or(&file);
            let name = name.to_string_lossy().replace('\\', "/");
            // The server's half of a room shows nothing.
            if is_server_half(&name) || NOT_READ.iter().any(|end| name.ends_with(end)) {
                continue;
            }
            let code = read(&file)?;
            let texts = source::texts(&code).map_err(|error| format!("{name}: {error}"))?;
            for text in texts {
                let listed =
                    |(end, shown): &&(&str, &str)| name.ends_with(end) && text.value == *shown;
                if NOT_SHOWN.iter().any(|entry| listed(&entry)) {
                    continue;
                }
                found += 1;
                println!(
                    "{name}:{}: {:?} is not in the catalogue",
                    text.line, text.value
                );
            }
        }
    }
    Ok(found)
}

/// Where sources are that name keys of the catalogue.
const SOURCES: [&str; 4] = ["src", "crates", "kernel", ROOMS];

/// Prints the keys of the catalogue that no source names. Returns how many there are.
fn unused(root: &Path) -> Result<usize> {
    let mut sources = String::new();
    for folder in SOURCES {
        for file in rust_files(&root.join(folder))? {
            sources += &read(&file)?;
        }
    }
    let names = source::keys(&sources);
    let unused = keys(root)?.into_iter().filter(|key| !names.contains(key));
    let told = unused.inspect(|key| println!("{key} is in the catalogue and nowhere else"));
    Ok(told.count())
}

/// The keys of the catalogue, each with its namespace; those of `count` are the names of functions and left out.
fn keys(root: &Path) -> Result<BTreeSet<String>> {
    let mut keys = BTreeSet::new();
    for (space, path) in english(root)? {
        if space == "count" {
            continue;
        }
        let texts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&read(&path)?)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        for key in texts.keys() {
            let key = key
                .strip_suffix("_one")
                .or_else(|| key.strip_suffix("_other"))
                .unwrap_or(key);
            keys.insert(format!("{space}.{key}"));
        }
    }
    Ok(keys)
}

/// The English files of the catalogue, each with its namespace.
fn english(root: &Path) -> Result<Vec<(String, PathBuf)>> {
    let files = entries(&root.join("crates/words/locales/en"))?;
    let mut english: Vec<_> = files.into_iter().map(|file| (stem(&file), file)).collect();
    for parts in ["kernel", ROOMS] {
        for part in entries(&root.join(parts))? {
            let file = part.join("words/en.json");
            if file.is_file() {
                english.push((stem(&part).replace('-', "_"), file));
            }
        }
    }
    Ok(english)
}

/// Prints where a text of a room is named outside of that room. Returns how many such places there are.
fn of_other_rooms(root: &Path) -> Result<usize> {
    let rooms = entries(&root.join(ROOMS))?;
    let rooms: Vec<_> = rooms.iter().map(|room| stem(room)).collect();
    let texts = keys(root)?;
    let mut found = 0;
    for folder in SOURCES {
        for file in rust_files(&root.join(folder))? {
            let name = file.strip_prefix(root).unwrap_or(&file);
            let name = name.to_string_lossy().replace('\\', "/");
            let others = others_keys(&name, &read(&file)?, &rooms);
            // `titles.iter` is no text.
            for key in others.intersection(&texts) {
                found += 1;
                println!("{name}: {key} is a text of another room");
            }
        }
    }
    Ok(found)
}

/// The texts of rooms that a file names without being the room's own.
fn others_keys(file: &str, code: &str, rooms: &[String]) -> BTreeSet<String> {
    let is_of_other = |key: &String| {
        let space = key.split('.').next().unwrap_or_default();
        let room = rooms.iter().find(|room| room.replace('-', "_") == space);
        room.is_some_and(|room| !file.starts_with(&format!("rooms/{room}/")))
    };
    source::keys(code).into_iter().filter(is_of_other).collect()
}

/// The name of a folder, or of a file without its ending.
fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
