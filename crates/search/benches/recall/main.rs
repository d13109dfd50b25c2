//! Measures the recall on dialogues with labelled questions: which of the turns that a question needs are found.
//!
//! `cargo bench -p sash-search --bench recall -- FILE…`, or `cargo xtask bench recall FILE…`. The files are
//! dialogues in the JSON of LoCoMo; without any, the small sets of `tests/data/recall` are read, and then all of them as
//! one log. Vectors are joined where a file of them stands beside the set.

mod calendar;
mod dialogue;
mod embedded;
mod measure;

use dialogue::Sample;
use embedded::SampleVectors;
use measure::{FIRST, Figures, Ranking, Shares, TOKENS};
use std::path::Path;
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
    let mut all = Vec::new();
    for file in &files {
        match read(file) {
            Ok(samples) => {
                print(file, &samples);
                all.extend(samples);
            }
            Err(why) => {
                eprintln!("{file}: {why}");
                return ExitCode::FAILURE;
            }
        }
    }
    if files.len() > 1 {
        print("all as one log", &[embedded::one_log(all)]);
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

/// The samples of a file with their vectors, none without a file of them.
fn read(file: &str) -> Result<Vec<(Sample, SampleVectors)>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let samples = dialogue::read(&text)?;
    let vectors = match std::fs::read(Path::new(file).with_extension("i8")) {
        Ok(bytes) => {
            embedded::read(&bytes, &samples).ok_or("the vectors are those of another set")?
        }
        Err(_) => vec![SampleVectors::default(); samples.len()],
    };
    Ok(samples.into_iter().zip(vectors).collect())
}

fn print(file: &str, samples: &[(Sample, SampleVectors)]) {
    let turns: usize = samples.iter().map(|(sample, _)| sample.turns.len()).sum();
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
        ("Sash", Ranking::Sash),
        ("with vectors", Ranking::Joined),
    ] {
        let has_vectors = samples
            .iter()
            .all(|(_, embedded)| !embedded.turns.is_empty());
        if ranking == Ranking::Joined && !has_vectors {
            continue;
        }
        let Figures { all, categories } = measure::measure(samples, ranking);
        line(name, &all);
        for (category, shares) in categories {
            line(&format!("  category {category}"), &shares);
        }
    }
    for (name, ranking) in [
        ("words", Ranking::Sash),
        ("words and vectors", Ranking::Joined),
    ] {
        let all = measure::decide(samples, ranking);
        println!(
            "thresholds of {name}: {} of {} questions recall something, {} a needed turn, {:.1} messages each; {} of \
             {} questions without an answer recall something",
            all.recalled,
            all.answerable,
            all.right,
            f64::from(all.messages) / f64::from(all.recalled.max(1)),
            all.wrong,
            all.unanswerable
        );
    }
    let recalled = samples.iter();
    let recalled =
        recalled.flat_map(|(sample, vectors)| measure::recalled_questions(sample, vectors));
    let recalled: Vec<bool> = recalled.collect();
    let found = recalled.iter().filter(|found| **found).count();
    println!(
        "with vectors {found} of {} questions recall a needed turn",
        recalled.len()
    );
    println!();
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
