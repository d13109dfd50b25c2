//! Whether a draft clearly refers to a message that stays outside the window.
//!
//! The constants were chosen on `tests/tuned.txt`; no source has any for this. Around them the outcome is
//! flat: a tenth more or less moves one or two offers in forty.

use super::draft::{Draft, read};
use super::index::Index;
use super::score::{Fit, rarity};
use sash_chat::Id;

/// What the shared words must say together: two ordinary words, or one name or identifier.
const ENOUGH: f32 = 1.7;
/// The same in a draft that looks back ("the index you suggested"): one ordinary word.
const ENOUGH_BACK: f32 = 0.9;
/// The share that must be shared of all that the draft's words say; the rest is of another subject.
const SHARE: f32 = 0.45;
/// The same in a draft that looks back.
const SHARE_BACK: f32 = 0.3;
/// How rare a word must be, beside one of a question and its answer alone, to say anything.
const RARE: f32 = 0.3;
/// How much better than a message of another talk, or one in the window, the offered one must fit.
const CLEARLY: f32 = 1.1;
/// The share of what a message says that makes the next one its answer.
const ANSWERS: f32 = 0.6;
/// Messages this near one another are of the same talk.
const NEAR: usize = 6;

/// A message outside the window that a draft refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The message.
    pub id: Id,
    /// The words that say so, at least one, as they stand in the draft and in its order.
    pub words: Vec<String>,
}

/// What the words of a draft say among the messages of one branch.
#[derive(Default)]
struct Weighed {
    /// What each word says: by its looks, times its rarity.
    says: Vec<f32>,
    /// All of that together.
    all: f32,
    /// Which words are found and say something, a bit for each.
    telling: u64,
}

impl Weighed {
    /// What some of the words say together.
    fn of(&self, words: u64) -> f32 {
        let mut sum = 0.0;
        for (bit, says) in self.says.iter().enumerate() {
            if words >> bit & 1 == 1 {
                sum += says;
            }
        }
        sum
    }
}

impl Index {
    /// The message outside the window to which `draft` clearly refers, if there is one. The first 64
    /// different words of the draft are read.
    ///
    /// `visible` says whether a message goes with the next prompt, `may` whether one that does not may be
    /// offered at all (a muted or deleted one may not). Both are asked only about messages that share a
    /// telling word with the draft.
    ///
    /// A word tells by its looks (names and identifiers most, words of talk such as "thanks" or "example"
    /// nothing) and by its rarity in the branch, and only if no visible message holds it. A message is
    /// offered if the telling words it shares say enough together, and enough of all that the draft says,
    /// and if it fits the draft clearly better than every visible message and every one of another talk.
    /// Between a question and its answer that takes up its words, the answer is offered.
    #[must_use]
    pub fn mentioned(
        &self,
        draft: &str,
        visible: &dyn Fn(Id) -> bool,
        may: &dyn Fn(Id) -> bool,
    ) -> Option<Mention> {
        let parted = read(draft);
        let weighed = self.weigh(&parted);
        if weighed.telling == 0 {
            return None;
        }
        let mut query = Vec::new();
        for word in &parted.words {
            // Words of talk help to choose between messages, a little.
            query.push((word.stem.as_str(), word.times * word.says.max(0.2)));
        }
        let fits = self.fit(&query);

        let mut hidden = Vec::new();
        let (mut seen, mut rival) = (0u64, 0.0f32);
        for (at, fit) in fits.iter().enumerate() {
            if fit.holds & weighed.telling == 0 {
                continue;
            }
            let id = self.messages[at].id;
            if visible(id) {
                seen |= fit.holds;
                rival = rival.max(fit.score);
            } else if may(id) {
                hidden.push(at);
            }
        }
        let telling = weighed.telling & !seen;
        let best = best(&fits, &hidden, telling)?;
        let fit = fits[best];
        for &other in &hidden {
            if other.abs_diff(best) > NEAR {
                rival = rival.max(fits[other].score);
            }
        }
        let mut at = best;
        let mut shared = fit.holds & telling;
        let next = fits.get(best + 1).map_or(0, |next| next.holds & telling);
        let answers = weighed.of(next) >= ANSWERS * weighed.of(shared);
        if answers && hidden.contains(&(best + 1)) {
            (at, shared) = (best + 1, next);
        }

        let says = weighed.of(shared);
        let (enough, share) = if parted.back {
            (ENOUGH_BACK, SHARE_BACK)
        } else {
            (ENOUGH, SHARE)
        };
        if says < enough || says < share * weighed.all || fits[at].score < CLEARLY * rival {
            return None;
        }
        let mut words = Vec::new();
        for (bit, word) in parted.words.iter().enumerate() {
            if shared >> bit & 1 == 1 {
                words.push(draft[word.at.clone()].to_owned());
            }
        }
        Some(Mention {
            id: self.messages[at].id,
            words,
        })
    }

    fn weigh(&self, draft: &Draft) -> Weighed {
        let mut weighed = Weighed::default();
        let messages = self.len();
        for (bit, word) in draft.words.iter().enumerate() {
            let holding = self.term(&word.stem).messages;
            let rare = (rarity(messages, holding) / rarity(messages, 2)).min(1.0);
            if holding > 0 && rare >= RARE && word.says > 0.0 {
                weighed.telling |= 1 << bit;
            }
            weighed.says.push(word.says * rare);
            weighed.all += word.says * rare;
        }
        weighed
    }
}

/// Of the messages at `hidden` that hold any of the words, the one that fits best; of equals, the newest.
fn best(fits: &[Fit], hidden: &[usize], words: u64) -> Option<usize> {
    let mut best: Option<usize> = None;
    for &at in hidden {
        let better = best.is_none_or(|best| fits[at].score >= fits[best].score);
        if fits[at].holds & words != 0 && better {
            best = Some(at);
        }
    }
    best
}
