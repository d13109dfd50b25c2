//! Which language a text is in, by its stop words.

use super::language::{LANGUAGES, TermLanguage};
use super::{lower_case, stop};
use crate::words::{SegmentKind, segments};

/// How many words are looked at: the language of a text is clear long before.
const LOOKED_AT: usize = 200;

/// By how many stop words another language must lead the one that was spoken before. One word is no proof: *die*,
/// *man* and *hat* are English, too.
const LEAD: u32 = 2;

impl TermLanguage {
    /// The language whose stop words occur most often in the text; that of the text before, if it is known, unless
    /// another one leads clearly. English where nothing tells. Stop words tell apart the languages of short texts
    /// better than statistics of letters, and need no table (Grefenstette, "Comparing two language identification
    /// schemes", 1995).
    pub(crate) fn of(text: &str, known: Option<Self>) -> Self {
        let mut counts = [0u32; LANGUAGES.len()];
        let mut lower = String::new();
        let words = segments(text).filter(|(kind, _)| *kind == SegmentKind::Word);
        for (_, at) in words.take(LOOKED_AT) {
            lower_case(&text[at], &mut lower);
            let languages = stop::languages_of(&lower);
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += u32::from(languages >> bit & 1);
            }
        }
        let (before, lead) = match known {
            Some(known) => (known, LEAD),
            None => (Self::default(), 1),
        };
        let mut found = (before, counts[before as usize] + lead - 1);
        for (language, count) in LANGUAGES.into_iter().zip(counts) {
            if count > found.1 {
                found = (language, count);
            }
        }
        found.0
    }
}
