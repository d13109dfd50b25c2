//! The first load, which loads everything: the files that `dist-release/index.html` makes a browser fetch,
//! and their sizes.

use std::fs;

use super::browser;
use super::row::BenchRow;
use crate::client::Build;
use crate::{Result, client, compress};

/// The limit for the page with all its files, in bytes after brotli: a little above the 2,259 kB that it has, a price and not a
/// goal. What it buys, and that nobody waits for it: `docs/decisions/059-the-chat-and-a-room-are-crates.md`.
const GATE: u64 = 2_260_000;
/// The limit for the number of requests of the first load, including the page itself.
const REQUESTS: usize = 6;

/// The size of the first load, and how soon the page is usable.
pub fn measure() -> Result<Vec<BenchRow>> {
    let mut rows = first_load()?;
    rows.extend(browser::measure("page.spec")?);
    Ok(rows)
}

/// Builds the client and returns a row for each file and the two gates.
pub fn first_load() -> Result<Vec<BenchRow>> {
    client::build(Build::Release)?;
    let names = files(Build::Release)?;
    let mut rows = Vec::new();
    let all = weigh(&names, &mut rows)?;
    rows.push(BenchRow::gate(
        "the page, everything in it, brotli",
        spell(all),
        &format!("gate {} kB", GATE / 1000),
        all[2] <= GATE,
    ));
    rows.push(requests(Build::Release)?);
    Ok(rows)
}

/// The gate of the number of requests. The client must have been built.
pub fn requests(build: Build) -> Result<BenchRow> {
    let number = files(build)?.len();
    Ok(BenchRow::gate(
        "requests for the first load",
        number.to_string(),
        &format!("at most {REQUESTS}"),
        number <= REQUESTS,
    ))
}

/// The files of the first load.
fn files(build: Build) -> Result<Vec<String>> {
    let index = build.folder().join("index.html");
    let page = fs::read_to_string(&index)
        .map_err(|e| format!("{} is not readable: {e}", index.display()))?;
    let mut names = vec!["index.html".to_owned()];
    names.extend(loaded(&page));
    Ok(names)
}

/// The total size of these files: raw, gzip, brotli. Adds a row for each file.
fn weigh(names: &[String], rows: &mut Vec<BenchRow>) -> Result<[u64; 3]> {
    let mut sum = [0; 3];
    for name in names {
        let file = Build::Release.folder().join(name);
        let size = |path: &std::path::Path| {
            fs::metadata(path)
                .map(|m| m.len())
                .map_err(|e| format!("{}, which the page loads: {e}", path.display()))
        };
        let sizes = [
            size(&file)?,
            size(&compress::beside(&file, "gz"))?,
            size(&compress::beside(&file, "br"))?,
        ];
        for (sum, size) in sum.iter_mut().zip(sizes) {
            *sum += size;
        }
        rows.push(BenchRow::reported(format!("  {name}"), spell(sizes), ""));
    }
    Ok(sum)
}

fn spell([raw, gzip, brotli]: [u64; 3]) -> String {
    format!("{raw:>7} raw {gzip:>7} gz {brotli:>7} br")
}

/// The local files that the page references in `src`, `href`, `data-js` or `data-wasm`, without
/// duplicates. Icon and manifest are fetched too, so they count.
pub fn loaded(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in [" src=", " href=", " data-js=", " data-wasm="] {
        for rest in page.split(attribute).skip(1) {
            // The minifier omits quotes where HTML allows it.
            let value = match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => rest[1..].split(quote).next(),
                _ => rest.split([' ', '>', '\n']).next(),
            };
            let name = value.unwrap_or_default().trim_start_matches(['.', '/']);
            let ours = !name.is_empty() && !name.contains(':') && !name.starts_with('#');
            // Browsers do not fetch a linked page by themselves.
            let ours = ours && !name.ends_with(".html");
            if ours && !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_counts_once_however_it_is_named() {
        let page = r##"<link rel=icon href=/icon.svg type=x><script src="/boot.js" data-js="/a.js" data-wasm=/a.wasm></script>
            <link rel="modulepreload" href="/a.js" crossorigin><a href="#log">skip</a><a href="https://example.org">x</a><a href=/export.html>y</a>"##;
        assert_eq!(loaded(page), ["boot.js", "icon.svg", "a.js", "a.wasm"]);
    }
}
