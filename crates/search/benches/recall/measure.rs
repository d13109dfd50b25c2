//! The share of what questions need that is found, by messages and by tokens.

use super::dialogue::{DialogueTurn, Sample};
use super::embedded::SampleVectors;
use sash_chat::{Id, Message, Role};
use sash_search::MessageIndex;
use sash_search::recall::{Recalled, join_near};
use sash_search::vectors::{NearMessage, QuantizedVector, VectorIndex, join_rankings};
use std::collections::BTreeMap;

/// How many of the first messages are looked at.
pub const FIRST: [usize; 4] = [5, 10, 25, 50];
/// How many tokens of the first messages are looked at.
pub const TOKENS: [usize; 4] = [128, 256, 512, 1024];

/// The category of questions that share no word with their answer; they are measured apart.
pub const NO_SHARED_WORD: u64 = 6;

/// A way to rank the turns for a question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// The newest first.
    Last,
    /// Sash's own.
    Sash,
    /// Sash's own, joined with vectors.
    Joined,
}

/// Sums over questions of the share of needed turns that was found.
#[derive(Clone, Copy, Default)]
pub struct Shares {
    pub questions: u32,
    pub first: [f64; FIRST.len()],
    pub tokens: [f64; TOKENS.len()],
}

/// The figures of one ranking over some samples.
#[derive(Default)]
pub struct Figures {
    pub all: Shares,
    pub categories: BTreeMap<u64, Shares>,
}

/// What `recall` gives for questions with and without an answer.
#[derive(Default)]
pub struct Decisions {
    pub answerable: u32,
    /// Of the answerable questions, those for which something is recalled.
    pub recalled: u32,
    /// Of these, those for which a needed turn is recalled.
    pub right: u32,
    pub unanswerable: u32,
    /// Of the unanswerable questions, those for which something is recalled all the same.
    pub wrong: u32,
    pub messages: u32,
}

/// The index of a sample. Each session is a chat, since a date may be missing.
fn index(sample: &Sample) -> MessageIndex {
    let mut index = MessageIndex::default();
    for (at, turn) in (0..).zip(&sample.turns) {
        let chat = Id(turn.session as u64);
        let created_ms = turn.created_ms.unwrap_or_default();
        let message = Message {
            content: turn.text.clone(),
            ..Message::new(Id(at), None, at as u32, Role::User, created_ms)
        };
        index.add_said_by(&turn.speaker, chat, &message, 0);
    }
    index
}

/// The index of a sample's vectors.
fn vector_index(sample: &Sample, embedded: &SampleVectors) -> VectorIndex {
    let mut index = VectorIndex::default();
    for (at, (turn, vector)) in (0..).zip(sample.turns.iter().zip(&embedded.turns)) {
        index.add(Id(turn.session as u64), Id(at), vector);
    }
    index
}

/// Measures a ranking on all questions with evidence. Without vectors `Joined` is `Sash`.
pub fn measure(samples: &[(Sample, SampleVectors)], ranking: Ranking) -> Figures {
    let mut figures = Figures::default();
    for (sample, embedded) in samples {
        let (index, vectors) = (index(sample), vector_index(sample, embedded));
        let words = index.all();
        for (at, question) in sample.questions.iter().enumerate() {
            if question.needed.is_empty() {
                continue;
            }
            let by_words = || words.rank(question.prompt(), &|_, _| true);
            let order: Vec<usize> = match ranking {
                Ranking::Last => (0..sample.turns.len()).rev().collect(),
                Ranking::Sash => places(&by_words()),
                Ranking::Joined => join(&by_words(), &near(&vectors, embedded.questions.get(at))),
            };
            let shares = shares(&order, &question.needed, &sample.turns);
            if question.category != Some(NO_SHARED_WORD) {
                figures.all.add(&shares);
            }
            if let Some(category) = question.category {
                figures.categories.entry(category).or_default().add(&shares);
            }
        }
    }
    figures
}

fn near(vectors: &VectorIndex, question: Option<&QuantizedVector>) -> Vec<NearMessage> {
    let near = question.map(|question| vectors.rank(question, &|_, _| true));
    near.unwrap_or_default()
}

fn join(words: &[Recalled], near: &[NearMessage]) -> Vec<usize> {
    let words: Vec<(Id, f32)> = words.iter().map(|one| (one.message, one.score)).collect();
    let near: Vec<(Id, f32)> = near.iter().map(|one| (one.message, one.nearness)).collect();
    let joined = join_rankings(&words, &near).into_iter();
    joined.map(|id| id.0 as usize).collect()
}

/// What the threshold lets through: that of the words, and with `Joined` also that of the vectors.
pub fn decide(samples: &[(Sample, SampleVectors)], ranking: Ranking) -> Decisions {
    let mut all = Decisions::default();
    for (sample, embedded) in samples {
        let (index, vectors) = (index(sample), vector_index(sample, embedded));
        let words = index.all();
        for (at, question) in sample.questions.iter().enumerate() {
            if question.category == Some(NO_SHARED_WORD) {
                continue;
            }
            let found = words.recall(question.prompt(), &|_, _| true);
            let mut found: Vec<Id> = found.iter().map(|found| found.message).collect();
            if ranking == Ranking::Joined {
                let near = near(&vectors, embedded.questions.get(at)).into_iter();
                found.extend(near.filter(|near| near.stands_out).map(|near| near.message));
            }
            let some = u32::from(!found.is_empty());
            if question.needed.is_empty() {
                all.unanswerable += 1;
                all.wrong += some;
                continue;
            }
            let needed = |id: &Id| question.needed.contains(&(id.0 as usize));
            all.answerable += 1;
            all.recalled += some;
            all.right += u32::from(found.iter().any(needed));
            all.messages += found.len() as u32;
        }
    }
    all
}

/// Of each question with evidence whether a needed turn is recalled, by words or because its vector stands out.
pub fn recalled_questions(sample: &Sample, embedded: &SampleVectors) -> Vec<bool> {
    let (index, vectors) = (index(sample), vector_index(sample, embedded));
    let words = index.all();
    let questions = sample.questions.iter().zip(&embedded.questions);
    let asked = questions.filter(|(question, _)| !question.needed.is_empty());
    let recalled = asked.map(|(question, vector)| {
        let by_words = words.recall(question.prompt(), &|_, _| true);
        let near = vectors.rank(vector, &|_, _| true);
        let joined = join_near(by_words, &near).into_iter();
        let mut places = joined.map(|one| one.message.0 as usize);
        places.any(|at| question.needed.contains(&at))
    });
    recalled.collect()
}

fn places(ranked: &[Recalled]) -> Vec<usize> {
    ranked.iter().map(|one| one.message.0 as usize).collect()
}

/// The shares of `needed` among the first of `order`.
pub fn shares(order: &[usize], needed: &[usize], turns: &[DialogueTurn]) -> Shares {
    let share = |first: usize| {
        let found = order[..first].iter().filter(|at| needed.contains(at));
        found.count() as f64 / needed.len() as f64
    };
    let mut shares = Shares {
        questions: 1,
        ..Shares::default()
    };
    for (k, result) in FIRST.into_iter().zip(&mut shares.first) {
        *result = share(k.min(order.len()));
    }
    for (limit, result) in TOKENS.into_iter().zip(&mut shares.tokens) {
        let mut room = limit;
        let fits = order.iter().take_while(|at| {
            let left = room.checked_sub(cost(&turns[**at]));
            room = left.unwrap_or(0);
            left.is_some()
        });
        *result = share(fits.count());
    }
    shares
}

/// The tokens of a recalled line with its day and its speaker: a quarter of its characters.
pub fn cost(turn: &DialogueTurn) -> usize {
    let line = format!("[{}] {}: {}", turn.day, turn.speaker, turn.text);
    ((line.chars().count() as f64 / 4.0).round() as usize).max(1)
}

impl Shares {
    fn add(&mut self, one: &Self) {
        self.questions += one.questions;
        let pairs = self.first.iter_mut().zip(&one.first);
        for (sum, share) in pairs.chain(self.tokens.iter_mut().zip(&one.tokens)) {
            *sum += share;
        }
    }

    /// The mean over the questions, in per cent.
    pub fn mean(&self, sum: f64) -> f64 {
        100.0 * sum / f64::from(self.questions.max(1))
    }
}
