//! The recall: `benches/recall` prints, for each file of dialogues, how much of what its questions need is found.

use super::row::BenchRow;
use crate::{Result, exec};
use std::path::absolute;

/// The small sets of the repository; a row for each reports what is among the first ten.
pub fn measure() -> Result<Vec<BenchRow>> {
    let text = exec::output(&mut command(&[]))?;
    let rows = rows(&text);
    match rows.is_empty() {
        true => Err(format!("the recall printed something else:\n{text}")),
        false => Ok(rows),
    }
}

/// Measures the dialogues of `files` and prints all figures.
pub fn files(files: &[String]) -> Result {
    let absolute: Vec<String> = files
        .iter()
        .map(|file| match absolute(file) {
            Ok(path) if path.is_file() => Ok(path.display().to_string()),
            _ => Err(format!("{file} is no file")),
        })
        .collect::<Result<_>>()?;
    exec::run(&mut command(&absolute))
}

fn command(files: &[String]) -> std::process::Command {
    let mut command = exec::cargo();
    command.args(["bench", "--quiet", "--package", "sash-search"]);
    command.args(["--bench", "recall", "--"]).args(files);
    command
}

fn rows(text: &str) -> Vec<BenchRow> {
    let mut set = "";
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some((path, _)) = line.split_once(".json: ") {
            set = path.rsplit('/').next().unwrap_or(path);
        } else if let Some(figures) = line.strip_prefix("Sash ") {
            // The number of questions, then what is among the first 5, 10, 25 and 50.
            if let Some(share) = figures.split_whitespace().nth(2) {
                let what = format!("recall among ten messages, {set}");
                rows.push(BenchRow::reported(what, format!("{share} %"), ""));
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_told_by_its_name_and_its_recall() {
        let text = "/home/a/life.json: 1 dialogues, 122 turns\n\
            last n                          61  64.8  65.3  67.8  70.0\n\
            Sash                            61  69.4  79.8  82.8  90.0\n";
        let rows = rows(text);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].what, "recall among ten messages, life");
        assert_eq!(rows[0].value, "79.8 %");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = files(&["/nowhere/a.json".to_owned()]).expect_err("there is no such file");
        assert_eq!(error, "/nowhere/a.json is no file");
    }
}
