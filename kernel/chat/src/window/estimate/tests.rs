//! The estimate against real vocabularies. `tests/data/estimate` has texts of many kinds and, for each, the tokens that
//! each vocabulary makes of it; half of the texts decide the factors (`fit_the_factors`), the other half tests them.

use super::*;
use crate::window::Calibration;
use std::collections::BTreeMap;

mod fit;

const TEXTS: &str = include_str!("../../../tests/data/estimate/texts.txt");
const COUNTS_OF_TEXTS: &str = include_str!("../../../tests/data/estimate/counts.tsv");

/// The last columns: vocabularies whose name the estimate does not know, which decided no factor.
const UNKNOWN: [&str; 3] = ["gpt-neox", "baichuan", "aquila"];

struct Text {
    kind: &'static str,
    held_out: bool,
    size: Size,
    counted: BTreeMap<&'static str, u64>,
}

fn texts() -> Vec<Text> {
    let mut rows = COUNTS_OF_TEXTS.lines().map(|line| line.split('\t'));
    let names: Vec<&str> = rows.next().unwrap().collect();
    let texts = TEXTS.trim_start_matches("=== ").split("\n=== ");
    let texts = texts.zip(rows).map(|(text, row)| {
        let (head, text) = text.split_once('\n').unwrap();
        let (kind, part) = head.split_once(' ').unwrap();
        let counted = row.map(|count| count.parse().unwrap());
        Text {
            kind,
            held_out: part == "held",
            size: Size::of_part(text.trim_end_matches('\n')),
            counted: names.iter().copied().zip(counted).collect(),
        }
    });
    texts.collect()
}

fn names() -> Vec<&'static str> {
    COUNTS_OF_TEXTS
        .lines()
        .next()
        .unwrap()
        .split('\t')
        .collect()
}

fn off(guessed: u64, counted: u64) -> f64 {
    (guessed as f64 / counted as f64 - 1.0) * 100.0
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Of each vocabulary the mean error before the first answer, and of each kind of text the mean deviation.
fn errors(texts: &[Text], name: &str) -> (f64, BTreeMap<&'static str, f64>) {
    let estimate = Estimate::of_tokenizer(name);
    let mut kinds = BTreeMap::<&str, Vec<f64>>::new();
    let mut all = Vec::new();
    for text in texts.iter().filter(|text| text.held_out) {
        let off = off(estimate.part(text.size), text.counted[name]);
        kinds.entry(text.kind).or_default().push(off);
        all.push(off.abs());
    }
    let kinds = kinds.into_iter().map(|(kind, off)| (kind, mean(&off)));
    (mean(&all), kinds.collect())
}

#[test]
fn before_the_first_answer_no_vocabulary_is_off_by_more_than_a_tenth() {
    let texts = texts();
    assert!(texts.iter().filter(|text| text.held_out).count() >= 100);
    let mut faults = Vec::new();
    for name in names() {
        let (mean, kinds) = errors(&texts, name);
        print!("\n{name:15} {mean:5.1} |");
        for (kind, off) in kinds {
            print!(" {kind} {off:+.0}");
            if off.abs() > 30.0 && !UNKNOWN.contains(&name) {
                faults.push(format!("{name}: {kind} {off:+.0} %"));
            }
        }
        if mean > 10.0 && !UNKNOWN.contains(&name) {
            faults.push(format!("{name}: {mean:.1} %"));
        }
    }
    println!();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A person writes on in his own way: the texts of one kind, in an order that a seed decides.
#[test]
fn after_three_answers_of_a_chat_the_mean_error_is_four_per_cent_at_most() {
    let texts = texts();
    let mut faults = Vec::new();
    for name in names() {
        let mut errors = Vec::new();
        let kinds: std::collections::BTreeSet<&str> = texts.iter().map(|text| text.kind).collect();
        for kind in kinds {
            let of_kind = texts.iter().filter(|text| text.kind == kind);
            let of_kind: Vec<&Text> = of_kind.collect();
            for start in 0..of_kind.len() {
                let mut calibration = Calibration::new("m");
                let mut size = Size::default();
                let mut counted = 0;
                for n in 0..4 {
                    // Each prompt goes with all that was said before it.
                    let text = of_kind[(start + n) % of_kind.len()];
                    size += text.size;
                    size.count(crate::window::size::Count::Messages, 1);
                    counted += text.counted[name] + 5;
                    let guessed = calibration.estimate(name).whole(size);
                    if n == 3 {
                        errors.push(off(guessed, counted + 3).abs());
                    }
                    calibration.learn(name, size, counted + 3);
                }
            }
        }
        let mean = mean(&errors);
        println!("{name:15} {mean:4.1}");
        if mean > 4.0 && !UNKNOWN.contains(&name) {
            faults.push(format!("{name}: {mean:.1} %"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A chat about everything: three prompts of any kinds, then one of another.
#[test]
fn three_answers_of_other_kinds_do_no_harm() {
    let texts = texts();
    let held_out: Vec<&Text> = texts.iter().filter(|text| text.held_out).collect();
    for name in names() {
        let mut errors = Vec::new();
        for start in 0..held_out.len() {
            let mut calibration = Calibration::new("m");
            for n in 0..4 {
                let text = held_out[(start * 7 + n * 41) % held_out.len()];
                let mut size = text.size;
                size.count(crate::window::size::Count::Messages, 1);
                let counted = text.counted[name] + 5;
                if n == 3 {
                    errors.push(off(calibration.estimate(name).part(size), counted).abs());
                }
                calibration.learn(name, size, counted + 3);
            }
        }
        let mean = mean(&errors);
        println!("{name:15} {mean:4.1} mixed");
        assert!(
            mean <= 8.0 || UNKNOWN.contains(&name),
            "{name}: {mean:.1} %"
        );
    }
}

/// Definitions of tools with the page that a template adds to them, rendered by llama.cpp's templates for one tool of
/// 66 tokens; an answer before it cannot teach that.
#[test]
fn a_first_request_with_tools_has_the_explanation_of_the_template() {
    for (name, rendered) in [
        ("qwen2", 66 + 100),
        ("qwen35", 66 + 206),
        ("llama-bpe", 66 + 83),
        ("gemma", 65 + 1),
        ("starcoder", 64 + 122),
        ("command-r", 64 + 751),
    ] {
        let definition = Size::of_part(TOOL);
        let mut size = definition;
        size.count(crate::window::size::Count::Tools, 1);
        let guessed = Estimate::of_tokenizer(name).part(size);
        let off = off(guessed, rendered);
        assert!(off.abs() < 20.0, "{name}: {guessed} for {rendered}");
    }
}

const TOOL: &str = r#"{"type": "function", "function": {"name": "calculate", "description": "Evaluates an arithmetic expression exactly, with units.", "parameters": {"type": "object", "properties": {"expression": {"type": "string", "description": "The expression"}}, "required": ["expression"]}}}"#;
