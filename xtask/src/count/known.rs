//! The file with the numbers as they were when somebody last wrote them down.

use crate::{Result, place};
use std::collections::BTreeMap;

/// The file, from the root of the workspace.
pub const FILE: &str = "xtask/counts.txt";

const HEAD: &str = "\
# Numbers that only fall. `cargo xtask check` refuses a higher one; `cargo xtask count --write` lowers those that fell.
# A number is raised by hand, with its reason in the commit. `cargo xtask count --places` says where each comes from.
";

/// The numbers by name.
pub type Known = BTreeMap<String, usize>;

/// Reads the file.
pub fn read() -> Result<Known> {
    let path = place::root().join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{FILE}: {error}"))?;
    parse(&text)
}

/// Writes the file: the lower one of a known number and one that was counted.
pub fn write<'a>(known: &Known, counted: impl Iterator<Item = (&'a str, usize)>) -> Result {
    let path = place::root().join(FILE);
    std::fs::write(&path, render(known, counted)).map_err(|error| format!("{FILE}: {error}"))
}

fn parse(text: &str) -> Result<Known> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.map(|line| {
        let (number, name) = line.trim_start().split_once(' ').unwrap_or_default();
        let number = number.parse();
        let number = number.map_err(|_| format!("{FILE}: this has no number: {line}"))?;
        Ok((name.to_owned(), number))
    });
    parsed.collect()
}

fn render<'a>(known: &Known, counted: impl Iterator<Item = (&'a str, usize)>) -> String {
    let lines = counted.map(|(name, number)| {
        let number = known.get(name).map_or(number, |known| number.min(*known));
        format!("{number:>6} {name}\n")
    });
    HEAD.to_owned() + &lines.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_fell_is_written_down_and_one_that_rose_is_not() {
        let known =
            parse("# a comment\n   120 lines of it\n     3 files over 400 lines\n").unwrap();
        let text = render(
            &known,
            [
                ("lines of it", 118),
                ("files over 400 lines", 4),
                ("new", 7),
            ]
            .into_iter(),
        );
        assert_eq!(
            text.strip_prefix(HEAD).unwrap(),
            "   118 lines of it\n     3 files over 400 lines\n     7 new\n"
        );
        assert!(parse("lines of it").is_err());
    }
}
