//! The constants of the ranking.

/// The constants of the ranking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// BM25's k1: how soon repetitions of a word stop counting.
    pub(crate) k1: f32,
    /// BM25's b: how much less a long text counts.
    pub(crate) b: f32,
    /// The share of the score of the message before.
    pub(crate) before: f32,
    /// The same where the message before asks something, so that this one may be its answer.
    pub(crate) answer: f32,
    /// The share of the score of the message after.
    pub(crate) after: f32,
    /// The share of the scores of messages further away, divided by the words in between.
    pub(crate) beyond: f32,
    /// The share of the score of the whole sitting.
    pub(crate) sitting: f32,
    /// How much more a message counts that has the kind of thing asked for: a time, a number, a name.
    pub(crate) asked: f32,
    /// The weight of words by which a question is put, rather than asked about.
    pub(crate) frame: f32,
    /// The weight of a speaker's name in the query.
    pub(crate) speaker: f32,
    /// The weight of a speaker's name in a text, relative to the speaker's own messages.
    pub(crate) addressed: f32,
    /// The weight of a term that is spelled almost like a word of the query that the log does not have.
    pub(crate) typo: f32,
    /// The same for a word that the log has.
    pub(crate) typo_known: f32,
    /// The weight of a compound for its part, and of a part for its compound.
    pub(crate) compound: f32,
    /// The weight of a related word.
    pub(crate) related: f32,
}

impl Weights {
    /// BM25 with two neighbours and the sitting, which the offer uses: its thresholds were tuned with them.
    pub(crate) const MILD: Self = Self {
        k1: 0.6,
        b: 0.2,
        before: 0.2,
        answer: 0.2,
        after: 0.2,
        beyond: 0.0,
        sitting: 0.3,
        asked: 0.0,
        frame: 1.0,
        speaker: 1.0,
        addressed: 1.0,
        typo: 0.0,
        typo_known: 0.0,
        compound: 0.0,
        related: 0.0,
    };

    /// The recall's. Every value is a mild one: each helps on edited and on careless talk and with a model, while
    /// stronger ones hurt one of them. README.md of this crate has the gain of each.
    pub(crate) const RECALL: Self = Self {
        answer: 0.35,
        beyond: 0.75,
        asked: 0.2,
        frame: 0.5,
        speaker: 1.4,
        addressed: 0.6,
        typo: 0.3,
        typo_known: 0.2,
        compound: 0.3,
        related: 0.3,
        ..Self::MILD
    };

    /// BM25 alone, as a point of reference.
    pub(crate) const PLAIN: Self = Self {
        k1: 0.9,
        b: 0.4,
        before: 0.0,
        answer: 0.0,
        after: 0.0,
        sitting: 0.0,
        ..Self::MILD
    };
}
