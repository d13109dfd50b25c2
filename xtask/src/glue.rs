//! The names by which program and glue know one another, shortened, and what nobody calls left out.
//!
//! wasm-bindgen gives each of some two hundred functions a name with a random tail, once in either file:
//! nothing in the client compresses worse. And its glue is written before wasm-opt finds what the
//! program does not need.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::{Result, compress};

/// Shortens every program below `folder`, with its glue.
pub fn folder(folder: &Path) -> Result {
    for program in compress::files(folder)? {
        let path = program.to_string_lossy();
        let Some(glue) = path
            .strip_suffix("_bg.wasm")
            .map(|stem| format!("{stem}.js"))
        else {
            continue;
        };
        let failed = |e: std::io::Error| format!("{path} and its glue cannot be shortened: {e}");
        let module = fs::read(&program).map_err(failed)?;
        let script = fs::read_to_string(&glue).map_err(failed)?;
        let (module, script) = shorten(&module, &script)
            .ok_or_else(|| format!("{path} is no program that can be shortened"))?;
        fs::write(&program, module).map_err(failed)?;
        fs::write(&glue, script).map_err(failed)?;
    }
    Ok(())
}

/// Program and glue with short names; `None` if the program is not of the expected form.
fn shorten(module: &[u8], script: &str) -> Option<(Vec<u8>, String)> {
    let sections = sections(module)?;
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    for (id, body) in &sections {
        match id {
            2 => imports = read_imports(body)?,
            7 => exports = read_exports(body)?,
            _ => {}
        }
    }
    let imported = |name: &str| imports.iter().any(|import| import.name == name);
    let exported = |name: &str| exports.iter().any(|export| export.name == name);
    let script = called(script, imported, exported);

    // Names that only wasm-bindgen gives. A short one is nobody else's: `$` begins no other word there.
    let mut short = BTreeMap::new();
    if !words(&script).any(|word| word.starts_with('$') && word.len() > 1) {
        let names = imports
            .iter()
            .map(|i| i.name)
            .chain(exports.iter().map(|e| e.name));
        for name in names.filter(|name| name.contains("__")) {
            let next = format!("${:x}", short.len());
            short.entry(name).or_insert(next);
        }
    }
    let mut out = module.get(..8)?.to_vec();
    let renamed = |name: &str| short.get(name).cloned().unwrap_or_else(|| name.to_owned());
    for (id, body) in sections {
        let mut fresh = Vec::new();
        match id {
            2 => {
                number(&mut fresh, imports.len());
                for import in &imports {
                    text(&mut fresh, import.module);
                    text(&mut fresh, &renamed(import.name));
                    fresh.extend_from_slice(import.rest);
                }
            }
            7 => {
                number(&mut fresh, exports.len());
                for export in &exports {
                    text(&mut fresh, &renamed(export.name));
                    fresh.extend_from_slice(export.rest);
                }
            }
            _ => fresh.extend_from_slice(body),
        }
        out.push(id);
        number(&mut out, fresh.len());
        out.extend_from_slice(&fresh);
    }
    let script = words(&script)
        .map(|word| short.get(word).map_or(word, String::as_str))
        .collect();
    Some((out, script))
}

/// The glue without the functions that the program does not import, and without the classes whose
/// objects it does not export. Told by the indentation that wasm-bindgen writes.
fn called(
    script: &str,
    imported: impl Fn(&str) -> bool,
    exported: impl Fn(&str) -> bool,
) -> String {
    let mut out = String::with_capacity(script.len());
    let mut until: Option<fn(&str) -> bool> = None;
    let mut gone: Vec<&str> = Vec::new();
    for line in script.lines() {
        if let Some(is_last) = until {
            until = until.filter(|_| !is_last(line));
            continue;
        }
        let import = line
            .strip_prefix("        __wb")
            .and_then(|l| l.split_once(": function("));
        let class = line
            .strip_prefix("export class ")
            .and_then(|l| l.strip_suffix(" {"));
        if import.is_some_and(|(name, _)| !imported(&format!("__wb{name}"))) {
            until = Some(|line| line.starts_with("        }") && line.ends_with(','));
        } else if let Some(class) = class
            && !exported(&format!("__wbg_{}_free", class.to_lowercase()))
        {
            gone.push(class);
            until = Some(|line| line == "}");
        } else if gone
            .iter()
            .any(|class| line.starts_with(&format!("const {class}Finalization =")))
        {
            until = Some(|line| line.ends_with(';'));
        } else if !gone
            .iter()
            .any(|class| line.starts_with(&format!("if (Symbol.dispose) {class}.")))
        {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// A script cut into words and what stands between them.
fn words(script: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut rest = script;
    std::iter::from_fn(move || {
        let first = is_word(rest.chars().next()?);
        let end = rest.find(|c| is_word(c) != first).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

struct Import<'a> {
    module: &'a str,
    name: &'a str,
    rest: &'a [u8],
}

struct Export<'a> {
    name: &'a str,
    rest: &'a [u8],
}

/// The sections of a module, with their numbers.
fn sections(module: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut rest = module.strip_prefix(b"\0asm\x01\0\0\0")?;
    let mut found = Vec::new();
    while let Some((id, after)) = rest.split_first() {
        rest = after;
        found.push((*id, take_sized(&mut rest)?));
    }
    Some(found)
}

/// Functions alone: what wasm-bindgen imports.
fn read_imports(mut body: &[u8]) -> Option<Vec<Import<'_>>> {
    let count = take_number(&mut body)?;
    (0..count)
        .map(|_| {
            let module = std::str::from_utf8(take_sized(&mut body)?).ok()?;
            let name = std::str::from_utf8(take_sized(&mut body)?).ok()?;
            let rest = body;
            (take(&mut body, 1)? == [0]).then_some(())?;
            take_number(&mut body)?;
            let rest = &rest[..rest.len() - body.len()];
            Some(Import { module, name, rest })
        })
        .collect()
}

fn read_exports(mut body: &[u8]) -> Option<Vec<Export<'_>>> {
    let count = take_number(&mut body)?;
    (0..count)
        .map(|_| {
            let name = std::str::from_utf8(take_sized(&mut body)?).ok()?;
            let rest = body;
            take(&mut body, 1)?;
            take_number(&mut body)?;
            let rest = &rest[..rest.len() - body.len()];
            Some(Export { name, rest })
        })
        .collect()
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    Some(taken)
}

/// Bytes after their number.
fn take_sized<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let count = take_number(rest)?;
    take(rest, count)
}

/// A number in LEB128, as everywhere in a module.
fn take_number(rest: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..32).step_by(7) {
        let [byte] = take(rest, 1)? else { return None };
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn number(out: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            return out.push(low);
        }
        out.push(low | 0x80);
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with these imports and exports.
    fn module(imports: &[&str], exports: &[&str]) -> Vec<u8> {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        let mut section = |id, names: &[&str], from: Option<&str>| {
            let mut body = Vec::new();
            number(&mut body, names.len());
            for name in names {
                from.iter().for_each(|from| text(&mut body, from));
                text(&mut body, name);
                body.extend([0, 0x81, 0x01]);
            }
            module.push(id);
            number(&mut module, body.len());
            module.extend(body);
        };
        section(2, imports, Some("./a_bg.js"));
        section(7, exports, None);
        section(11, &["data"], None);
        module
    }

    const GLUE: &str = "\
export class Stream {
    free() {
        wasm.__wbg_stream_free(ptr, 0);
    }
}
if (Symbol.dispose) Stream.prototype[Symbol.dispose] = Stream.prototype.free;

    const import0 = {
        __wbg_now_0123: function() {
            return wasm.__wbindgen_malloc(`${1}`);
        },
        __wbg_old_4567: function() { return handle(function () {
            return 1;
        }, arguments); },
    };
const StreamFinalization = (typeof X === 'undefined')
    ? {}
    : new X();
";

    #[test]
    fn both_sides_get_the_same_names_and_what_nobody_calls_goes() {
        let before = module(&["__wbg_now_0123"], &["memory", "__wbindgen_malloc"]);
        let (after, glue) = shorten(&before, GLUE).unwrap();
        assert_eq!(after, module(&["$0"], &["memory", "$1"]));
        let expected = "\n    const import0 = {\n        $0: function() {\n            return wasm.$1(`${1}`);\n        },\n    };\n";
        assert_eq!(glue, expected);
    }

    #[test]
    fn what_is_exported_stays() {
        let before = module(
            &["__wbg_now_0123", "__wbg_old_4567"],
            &["__wbg_stream_free"],
        );
        let (_, glue) = shorten(&before, GLUE).unwrap();
        assert_eq!(glue.lines().count(), GLUE.lines().count());
    }

    #[test]
    fn a_name_that_is_taken_is_not_given() {
        let before = module(&["__wbg_now_0123"], &["memory"]);
        let (after, _) = shorten(&before, "$0;").unwrap();
        assert_eq!(after, before);
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(shorten(b"\0asm", "").is_none());
        assert!(shorten(b"\0asm\x01\0\0\0\x02\x05\x01", "").is_none());
    }

    #[test]
    fn numbers_of_any_size_survive() {
        for value in [0, 1, 127, 128, 16_383, 16_384, 600_000] {
            let mut bytes = Vec::new();
            number(&mut bytes, value);
            assert_eq!(take_number(&mut &bytes[..]), Some(value));
        }
    }
}
