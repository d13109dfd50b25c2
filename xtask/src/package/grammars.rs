//! The licences of the grammars that colour code, which are no crates. The crate two-face has them in a file of its own form;
//! asking the crate for them would compile it, and with it what else the room of the colours is made of, for minutes.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;

use super::target::RELEASED;
use crate::{Result, exec};

const CRATE: &str = "two-face";
const FILE: &str = "generated/acknowledgements_full.bin";

/// What the crate says of where its files come from.
const HEAD: &str = "\
Most of the code for generating both theme and syntax dumps along with the
curation of said themes and syntaxes is taken from the
[`bat` project](https://github.com/sharkdp/bat).
";

/// The licences as Markdown, as the crate itself would print them.
pub fn licences() -> Result<String> {
    let file = crate_folder()?.join(FILE);
    let packed = fs::read(&file).map_err(|e| format!("{} is not readable: {e}", file.display()))?;
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed.as_slice())
        .read_to_end(&mut bytes)
        .map_err(|e| format!("{} cannot be unpacked: {e}", file.display()))?;
    markdown(&bytes).ok_or_else(|| {
        format!(
            "{} has another form than it had in {CRATE} 0.5.2",
            file.display()
        )
    })
}

/// The folder of the crate in cargo's registry.
fn crate_folder() -> Result<PathBuf> {
    let metadata = exec::cargo_metadata_for(RELEASED[0])?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == CRATE);
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    let folder = folder.ok_or_else(|| format!("`cargo metadata` names no folder of {CRATE}"))?;
    Ok(folder.to_owned())
}

/// The licences of the grammars and those of the themes; none if there is anything else.
fn markdown(bytes: &[u8]) -> Option<String> {
    let mut reader = Reader(bytes);
    let mut text = HEAD.to_owned();
    text += "\n# Syntaxes\n\n";
    reader.licences(&mut text)?;
    text += "# Themes\n\n";
    reader.licences(&mut text)?;
    reader.0.is_empty().then_some(text)
}

/// Reads what bincode wrote: numbers with the lowest byte first, lists and texts after their lengths.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A list of licences: each has the number of its kind, its words, and the path of its file.
    fn licences(&mut self, markdown: &mut String) -> Option<()> {
        for _ in 0..self.length()? {
            self.take(size_of::<u32>())?;
            let (words, path) = (self.text()?, self.text()?);
            *markdown += &format!(
                "<details>\n<summary>{path}</summary>\n\n````text\n{words}\n````\n</details>\n\n"
            );
        }
        Some(())
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.length()?;
        str::from_utf8(self.take(length)?).ok()
    }

    fn length(&mut self) -> Option<usize> {
        let bytes = self.take(size_of::<u64>())?.try_into().ok()?;
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_has_the_licences_of_its_grammars() {
        let text = licences().unwrap();
        let count = text.matches("</details>").count();
        assert!(count > 50, "{count}");
        assert!(text.contains("<summary>syntaxes/01_Packages/Rust/LICENSE.txt</summary>"));
        assert!(text.contains("Permission is hereby granted"));
    }

    #[test]
    fn a_file_of_another_form_is_refused() {
        let licence = |words: &str, path: &str| {
            let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
            [&1_u32.to_le_bytes()[..], &text(words), &text(path)].concat()
        };
        let (one, none) = (1_u64.to_le_bytes(), 0_u64.to_le_bytes());
        let mut bytes = [&one[..], &licence("Words.", "a/LICENSE"), &none].concat();
        let text = markdown(&bytes).unwrap();
        assert!(text.contains("<summary>a/LICENSE</summary>\n\n````text\nWords.\n````\n"));
        assert_eq!(markdown(&bytes[..bytes.len() - 1]), None);
        bytes.push(0);
        assert_eq!(markdown(&bytes), None);
    }
}
