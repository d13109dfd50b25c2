//! In which files a number rose since it was written down.

use super::known::FILE;
use super::numbers::{Place, amount, measures_of};
use crate::{Result, exec};
use std::collections::BTreeSet;

/// A line for each file that changed since the numbers were written down and has more of this one than before.
pub fn where_it_rose(name: &str, places: &[Place]) -> Result<Vec<String>> {
    let base = git(&["log", "-1", "--format=%H", "--", FILE])?;
    let mut lines = Vec::new();
    for (former, file) in changed_since(base.trim())? {
        let own: Vec<&Place> = places.iter().filter(|place| place.file == file).collect();
        let now: usize = own.iter().map(|place| place.amount).sum();
        let before = match git(&["show", &format!("{}:{former}", base.trim())]) {
            Ok(text) => amount(name, &former, &measures_of(&text)?),
            // A new file.
            Err(_) => Some(0),
        };
        // What one part uses of another is not counted in one file, so what a changed file uses is listed.
        if now > before.unwrap_or_default() {
            let before = before.map_or_else(String::new, |before| format!(", was {before}"));
            lines.push(format!("  {file}: {now}{before}"));
            let named = own.iter().filter(|place| !place.what.is_empty());
            lines.extend(named.map(|place| format!("    {}", place.what)));
        }
    }
    Ok(lines)
}

/// The Rust files that differ from a commit, each with its name in it.
fn changed_since(commit: &str) -> Result<BTreeSet<(String, String)>> {
    let known = git(&["diff", "--name-status", "--find-renames", commit])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    let new = new.lines().map(|file| (file.to_owned(), file.to_owned()));
    let all = known.lines().filter_map(renamed).chain(new);
    Ok(all.filter(|(_, file)| file.ends_with(".rs")).collect())
}

/// The former and the present name in a line of `git diff --name-status`; `None` for a file that is gone.
fn renamed(line: &str) -> Option<(String, String)> {
    let mut words = line.split('\t');
    let (status, former) = (words.next()?, words.next()?);
    let name = words.next().unwrap_or(former);
    (status != "D").then(|| (former.to_owned(), name.to_owned()))
}

fn git(arguments: &[&str]) -> Result<String> {
    exec::output(exec::command("git").args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_file_is_compared_with_its_former_self() {
        let names = |line| renamed(line).map(|(former, name)| format!("{former} {name}"));
        assert_eq!(names("M\ta.rs").unwrap(), "a.rs a.rs");
        assert_eq!(names("R087\ta.rs\tb/a.rs").unwrap(), "a.rs b/a.rs");
        assert_eq!(names("D\ta.rs"), None);
    }
}
