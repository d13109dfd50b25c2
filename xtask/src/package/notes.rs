//! The text of a release: its section of `CHANGELOG.md`.

use crate::modules::read;
use crate::{Result, exec, place};

/// The section of this version, without its heading. With a tag, the tag must be the version's.
pub fn notes(tag: Option<&str>) -> Result<String> {
    let version = version()?;
    if let Some(tag) = tag {
        check_tag(tag, &version)?;
    }
    section(&read(&place::root().join("CHANGELOG.md"))?, &version)
}

/// The version of Sash.
pub fn version() -> Result<String> {
    let metadata = exec::cargo_metadata()?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut sash = packages.filter(|package| package["name"] == "sash");
    let version = sash.next().and_then(|sash| sash["version"].as_str());
    let version = version.ok_or("`cargo metadata` names no version of sash")?;
    Ok(version.to_owned())
}

fn check_tag(tag: &str, version: &str) -> Result {
    match tag.strip_prefix('v') == Some(version) {
        true => Ok(()),
        false => Err(format!(
            "the tag {tag} is not v{version}, and {version} is the version in Cargo.toml: change one of them"
        )),
    }
}

/// The section whose heading is the version and its date, as in `## 0.1.0 - 2026-11-28`.
fn section(changelog: &str, version: &str) -> Result<String> {
    let headed = |section: &&str| {
        let heading = section.lines().next().unwrap_or_default();
        heading.split_once(" - ").is_some_and(|(name, date)| {
            name == version && date.len() == 10 && date.starts_with("20")
        })
    };
    let section = changelog.split("\n## ").skip(1).find(headed);
    let section = section.ok_or_else(|| {
        format!("CHANGELOG.md has no section `## {version} - YEAR-MONTH-DAY`, which is the text of the release")
    })?;
    let text = section.split_once('\n').map_or("", |(_, text)| text.trim());
    match text.is_empty() {
        true => Err(format!("the section {version} of CHANGELOG.md is empty")),
        false => Ok(format!("{text}\n")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\nWords.\n\n## Unreleased\n\n- not yet\n\n## 0.2.0 - 2027-01-02\n\n\
        ### Added\n\n- one\n- two\n\n## 0.1.1 - 2026-12-24\n\n## 0.1.0 - soon\n\n- first\n";

    #[test]
    fn a_release_says_its_section_alone() {
        let section = section(CHANGELOG, "0.2.0").unwrap();
        assert_eq!(section, "### Added\n\n- one\n- two\n");
    }

    #[test]
    fn a_section_that_is_absent_undated_or_empty_is_refused() {
        for (version, why) in [
            ("0.3.0", "no section `## 0.3.0 - "),
            ("0.1.0", "no section `## 0.1.0 - "),
            ("0.2", "no section `## 0.2 - "),
            ("0.1.1", "0.1.1 of CHANGELOG.md is empty"),
        ] {
            let said = section(CHANGELOG, version).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_tag_is_the_version_in_cargo_toml() {
        assert_eq!(check_tag("v0.2.0", "0.2.0"), Ok(()));
        for tag in ["0.2.0", "v0.2", "v0.2.00", "vv0.2.0", ""] {
            let why = check_tag(tag, "0.2.0").unwrap_err();
            assert!(why.contains("v0.2.0"), "{why}");
        }
        let why = notes(Some("v0.0.0-none")).unwrap_err();
        assert!(why.starts_with("the tag v0.0.0-none is not v"), "{why}");
    }
}
