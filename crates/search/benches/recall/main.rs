//! Measures the recall on dialogues with labelled questions: which of the turns that a question needs are found.
//!
//! `cargo bench -p sash-search --bench recall -- FILE…`, or `cargo xtask bench recall FILE…`. The files are
//! dialogues in the JSON of LoCoMo; without any, the small sets of `tests/data/recall` are read.

mod calendar;
mod dialogue;
mod measure;

use measure::{FIRST, Figures, Ranking, Shares, TOKENS};
use std::process::ExitCode;

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let files = match named.is_empty() {
        true => own(),
        false => named,
    };
    for file in &files {
        if let Err(why) = print(file) {
            eprintln!("{file}: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The sets of the repository.
fn own() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/recall");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<String> = entries
        .filter(|entry| entry.path().extension().is_some_and(|name| name == "json"))
        .map(|entry| entry.path().display().to_string())
        .collect();
    files.sort();
    files
}

fn print(file: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let samples = dialogue::read(&text)?;
    let turns: usize = samples.iter().map(|sample| sample.turns.len()).sum();
    println!("{file}: {} dialogues, {turns} turns", samples.len());
    let columns = FIRST.map(|k| format!("@{k}")).join("   ");
    println!(
        "{:<24} {:>9}   {columns}   tokens: {}",
        "recall in per cent",
        "questions",
        TOKENS.map(|n| n.to_string()).join("  ")
    );
    for (name, ranking) in [
        ("last n", Ranking::Last),
        ("plain BM25", Ranking::Plain),
        ("Sash", Ranking::Sash),
    ] {
        let Figures { all, categories } = measure::measure(&samples, ranking);
        line(name, &all);
        for (category, shares) in categories {
            line(&format!("  category {category}"), &shares);
        }
    }
    let all = measure::decide(&samples);
    println!(
        "with the threshold: {} of {} questions recall something, {} a needed turn, {:.1} messages each; {} of {} \
         questions without an answer recall something\n",
        all.recalled,
        all.answerable,
        all.right,
        f64::from(all.messages) / f64::from(all.recalled.max(1)),
        all.wrong,
        all.unanswerable
    );
    Ok(())
}

fn line(name: &str, shares: &Shares) {
    let cells = |sums: &[f64]| {
        let cells: Vec<String> = sums
            .iter()
            .map(|sum| format!("{:>5.1}", shares.mean(*sum)))
            .collect();
        cells.join(" ")
    };
    println!(
        "{name:<24} {:>9} {}         {}",
        shares.questions,
        cells(&shares.first),
        cells(&shares.tokens)
    );
}
