//! The vectors that stand beside a set, made by `tests/data/recall/vectors.py`, and several dialogues as one log.

use super::dialogue::{DialogueTurn, Sample};
use sash_search::vectors::QuantizedVector;

/// The numbers of a vector.
const DIMENSIONS: usize = 384;

/// The vectors of a sample: of its turns, and of its questions.
#[derive(Clone, Default)]
pub struct SampleVectors {
    pub turns: Vec<QuantizedVector>,
    pub questions: Vec<QuantizedVector>,
}

/// Reads the vectors of the samples of a file; `None` if they are not those of these samples.
pub fn read(bytes: &[u8], samples: &[Sample]) -> Option<Vec<SampleVectors>> {
    let vector = |bytes: &[u8]| {
        let numbers: Vec<f32> = bytes
            .iter()
            .map(|byte| f32::from(byte.cast_signed()))
            .collect();
        QuantizedVector::new(&numbers)
    };
    let mut vectors = bytes.chunks(DIMENSIONS).map(vector);
    let mut take = |count: usize| vectors.by_ref().take(count).collect::<Option<Vec<_>>>();
    let all: Option<Vec<SampleVectors>> = samples
        .iter()
        .map(|sample| {
            let (turns, questions) = (take(sample.turns.len())?, take(sample.questions.len())?);
            let complete =
                turns.len() == sample.turns.len() && questions.len() == sample.questions.len();
            complete.then_some(SampleVectors { turns, questions })
        })
        .collect();
    all.filter(|_| vectors.next().is_none())
}

/// Several dialogues as one log, one after the other: what is asked of each has the talk of the others around it.
pub fn one_log(samples: Vec<(Sample, SampleVectors)>) -> (Sample, SampleVectors) {
    let mut log = Sample {
        turns: Vec::new(),
        questions: Vec::new(),
    };
    let mut embedded = SampleVectors::default();
    for (sample, vectors) in samples {
        let from = log.turns.len();
        let session = log
            .turns
            .last()
            .map_or(0, |turn: &DialogueTurn| turn.session + 1);
        log.turns.extend(sample.turns.into_iter().map(|mut turn| {
            turn.session += session;
            turn
        }));
        log.questions
            .extend(sample.questions.into_iter().map(|mut question| {
                question
                    .needed
                    .iter_mut()
                    .for_each(|needed| *needed += from);
                question
            }));
        embedded.turns.extend(vectors.turns);
        embedded.questions.extend(vectors.questions);
    }
    (log, embedded)
}
