//! The files of an archive. They lie in one folder, `sash`, so that unpacking fills no other.

use std::path::{Path, PathBuf};

use super::licences;
use super::target::Target;
use crate::{Result, compress, place};

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path in the archive, with slashes.
    pub name: String,
    /// The file that is packed.
    pub file: PathBuf,
    /// Whether it is a program.
    pub executable: bool,
}

/// The files of the archive of a target, by name: the program, what it needs as a service, changelog and licences.
pub fn entries(target: &Target, program: &Path) -> Result<Vec<Entry>> {
    let mut entries = vec![Entry {
        executable: true,
        ..entry(&target.program("sash"), program)
    }];
    for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(entry(name, &place::root().join(name)));
    }
    for folder in [licences::folder(), place::root().join("packaging/licences")] {
        entries.extend(below(&folder, "licences/")?);
    }
    for (folder, path) in target.packaging() {
        entries.extend(below(&place::root().join("packaging").join(folder), path)?);
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    match entries.windows(2).find(|two| two[0].name == two[1].name) {
        None => Ok(entries),
        Some(two) => Err(format!(
            "{} and {} would be one file of the archive",
            two[0].file.display(),
            two[1].file.display()
        )),
    }
}

fn entry(name: &str, file: &Path) -> Entry {
    Entry {
        name: format!("sash/{name}"),
        file: file.to_owned(),
        executable: false,
    }
}

/// All files below a folder.
fn below(folder: &Path, prefix: &str) -> Result<Vec<Entry>> {
    let name = |file: &Path| {
        let parts = file.strip_prefix(folder).unwrap_or(file).components();
        let parts: Vec<_> = parts
            .map(|part| part.as_os_str().to_string_lossy())
            .collect();
        format!("{prefix}{}", parts.join("/"))
    };
    let files = compress::files(folder)?;
    Ok(files.iter().map(|file| entry(&name(file), file)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::target::RELEASED;
    use super::*;

    #[test]
    fn an_archive_has_the_program_its_licences_and_what_its_system_starts_it_by() {
        let names = |triple: &str| {
            let target = Target::parse(triple).unwrap();
            let entries = entries(&target, Path::new("target/sash")).unwrap();
            let programs = entries.iter().filter(|entry| entry.executable).count();
            assert_eq!(programs, 1, "{triple}");
            let names = entries.into_iter().map(|entry| entry.name);
            names.collect::<Vec<_>>()
        };
        std::fs::create_dir_all(licences::folder()).unwrap();
        let has = |names: &[String], name: &str| names.iter().any(|there| there == name);
        for triple in RELEASED {
            let names = names(triple);
            assert!(names.is_sorted(), "{names:?}");
            for name in ["CHANGELOG.md", "LICENSE-MIT", "licences/jemalloc.txt"] {
                assert!(has(&names, &format!("sash/{name}")), "{triple}: {name}");
            }
        }
        let linux = names("aarch64-unknown-linux-musl");
        for name in [
            "sash",
            "systemd/sash.service",
            "Containerfile",
            "compose.yaml",
        ] {
            assert!(has(&linux, &format!("sash/{name}")), "{name}: {linux:?}");
        }
        assert!(has(&names("x86_64-pc-windows-msvc"), "sash/sash.exe"));
        let plists = names("aarch64-apple-darwin");
        assert!(plists.iter().any(|name| name.ends_with(".plist")));
    }
}
