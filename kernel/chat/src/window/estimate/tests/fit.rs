//! The factors of `families.rs`, fitted:
//! `cargo test --release -p sash-chat fit_the_factors -- --ignored --nocapture` prints them.

use super::*;
use crate::window::size::{COUNTS, Count};

/// What a text weighs: its relative error counts, but less in a text of few tokens.
const SLACK_TOKENS: f64 = 10.0;
/// The weight of the average of all vocabularies among the texts.
const PRIOR_WEIGHT: f64 = 0.005;
const ROUNDS: usize = 400;

/// Tokens of the marks that a template puts around a message.
const MESSAGE_TOKENS: f64 = 5.0;

/// Tokens of what a family's templates explain of tools, beside their definitions: llama.cpp's collection of templates
/// (`models/templates`), rendered with one tool and with three.
fn tool_tokens(name: &str) -> f64 {
    match name {
        // Qwen 2.5 and 3, Qwen 3.5 and 3 Coder.
        "qwen2" => 100.0,
        "qwen35" => 205.0,
        "llama-bpe" => 100.0,
        // Gemma 4, gpt-oss, Mistral: special tokens alone.
        "gemma" | "gpt-4o" => 5.0,
        "llama" => 10.0,
        // Granite.
        "starcoder" => 140.0,
        // Command R7B.
        "command-r" => 700.0,
        // The median of all.
        _ => 90.0,
    }
}

type Row = ([f64; COUNTS], f64);

/// Least squares of the relative error, by coordinate descent.
fn fitted(rows: &[Row], prior: [f64; COUNTS]) -> [f64; COUNTS] {
    let mut factors = prior;
    for _ in 0..ROUNDS {
        for i in 0..COUNTS {
            let (mut upper, mut lower) = (PRIOR_WEIGHT * prior[i], PRIOR_WEIGHT);
            for (counts, counted) in rows.iter().filter(|(counts, _)| counts[i] > 0.0) {
                let all: f64 = counts
                    .iter()
                    .zip(factors)
                    .map(|(n, factor)| n * factor)
                    .sum();
                let rest = counted - all + counts[i] * factors[i];
                let weight = (counted + SLACK_TOKENS).powi(-2);
                upper += weight * counts[i] * rest;
                lower += weight * counts[i] * counts[i];
            }
            // Only the English words make a text cheaper.
            let least = if i == Count::EnglishWords as usize {
                -1.0
            } else {
                0.0
            };
            factors[i] = (upper / lower).max(least);
        }
    }
    factors
}

#[test]
#[ignore = "prints the factors of families.rs"]
fn fit_the_factors() {
    let texts = texts();
    let rows = |names: &[&str]| -> Vec<Row> {
        let fit = texts.iter().filter(|text| !text.held_out);
        let pairs = fit.flat_map(|text| names.iter().map(move |name| (text, text.counted[name])));
        pairs
            .map(|(text, counted)| (text.size.counts.map(f64::from), counted as f64))
            .collect()
    };
    let print = |name: &str, mut factors: [f64; COUNTS]| {
        factors[Count::Messages as usize] = MESSAGE_TOKENS;
        factors[Count::Tools as usize] = tool_tokens(name);
        println!(
            "{name} {:?}",
            factors.map(|factor| (factor * 100.0).round() as i64)
        );
    };
    let known = names().into_iter().filter(|name| !UNKNOWN.contains(name));
    let known: Vec<&str> = known.collect();
    let average = fitted(&rows(&known), [0.5; COUNTS]);
    print("AVERAGE", average);
    for name in known {
        let joint: &[&str] = match name {
            "starcoder" => &["starcoder", "refact"],
            "refact" => continue,
            name => &[name],
        };
        print(name, fitted(&rows(joint), average));
    }
}
