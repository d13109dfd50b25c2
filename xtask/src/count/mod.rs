//! `cargo xtask count`: the lines of the program by part, and the numbers that only fall.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `parts` | which part of the program a file belongs to |
//! | `numbers` | counts, from what `modules` read |
//! | `known` | the numbers as they were written down |

mod known;
mod numbers;
mod parts;
#[cfg(test)]
mod tests;

use crate::Result;
use numbers::{Numbers, Place};
use std::fmt::Write;

/// Prints the numbers. With `--write` those that fell are written down, with `--places` it says where each comes from.
pub fn count(arguments: &[String]) -> Result {
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if let Some(unknown) = arguments
        .iter()
        .find(|argument| !matches!(argument.as_str(), "--write" | "--places"))
    {
        return Err(format!("`cargo xtask count` takes no {unknown}"));
    }
    let numbers = numbers::numbers()?;
    println!("{}", lines_by_part(&numbers));
    for (name, places) in &numbers.falling {
        println!("{:>6} {name}", sum(places));
        if has("--places") && places.iter().any(|place| !place.what.is_empty()) {
            for place in places {
                println!("       {}: {}", place.file, place.what);
            }
        }
    }
    if has("--write") {
        let counted = numbers.falling.iter();
        let counted = counted.map(|(name, places)| (*name, sum(places)));
        known::write(&known::read().unwrap_or_default(), counted)?;
    }
    Ok(())
}

/// What is wrong with the numbers: those that rose, and those to write down.
pub fn problems() -> Result<Vec<String>> {
    let numbers = numbers::numbers()?;
    let known = known::read()?;
    let mut problems = Vec::new();
    for (name, places) in &numbers.falling {
        let (number, former) = (sum(places), known.get(*name).copied());
        match former {
            Some(former) if number > former => {
                problems.push(format!(
                    "{name}: {number}, and was {former}: see `cargo xtask count --places`"
                ));
            }
            Some(former) if number == former => {}
            _ => problems.push(format!(
                "{name}: {number}, and {} says {}: run `cargo xtask count --write`",
                known::FILE,
                former.map_or_else(|| "nothing".to_owned(), |former| former.to_string())
            )),
        }
    }
    Ok(problems)
}

fn sum(places: &[Place]) -> usize {
    places.iter().map(|place| place.amount).sum()
}

/// The table of the lines.
fn lines_by_part(numbers: &Numbers) -> String {
    let mut table = String::new();
    let mut rooms = 0;
    for (part, lines) in &numbers.lines {
        if part.starts_with("room ") {
            rooms += lines;
        }
        // Writing to a string does not fail.
        writeln!(table, "{lines:>6} {part}").ok();
    }
    writeln!(table, "{rooms:>6} all rooms").ok();
    table
}
