//! Joins the rankings of messages: of the branch and of other chats, by words and by vectors.

use super::Recalled;
use crate::vectors::{NearMessage, join_rankings};
use sash_chat::Id;
use std::collections::BTreeMap;

/// The most messages that are tried for one block. Those of other chats are read for it.
const MAX_CANDIDATES: usize = 24;

/// The messages found in the branch and in other chats, in turns: their scores cannot be compared.
#[must_use]
pub fn interleave(own: Vec<Recalled>, others: Vec<Recalled>) -> Vec<Recalled> {
    let (mut own, mut others) = (own.into_iter(), others.into_iter());
    let mut all = Vec::new();
    while all.len() < MAX_CANDIDATES {
        let before = all.len();
        all.extend(own.next());
        all.extend(others.next());
        if all.len() == before {
            break;
        }
    }
    all
}

/// Joins what words found with what vectors found. A message that words did not find goes only if it stands out of the
/// rest.
#[must_use]
pub fn join_near(by_words: Vec<Recalled>, near: &[NearMessage]) -> Vec<Recalled> {
    let key = |one: &Recalled| (one.chat, one.message);
    let words: Vec<((Id, Id), f32)> = by_words.iter().map(|one| (key(one), one.score)).collect();
    let mut by_words: BTreeMap<(Id, Id), Recalled> =
        by_words.into_iter().map(|one| (key(&one), one)).collect();
    let near = near.iter().filter_map(|near| {
        let key = (near.chat, near.message);
        (near.stands_out || by_words.contains_key(&key)).then_some((key, near.nearness))
    });
    let near: Vec<((Id, Id), f32)> = near.collect();
    let joined = join_rankings(&words, &near).into_iter();
    let recalled = joined.map(|(chat, message)| {
        let by_vector = || Recalled {
            chat,
            message,
            score: 0.0,
            words: Vec::new(),
        };
        by_words.remove(&(chat, message)).unwrap_or_else(by_vector)
    });
    recalled.take(MAX_CANDIDATES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(message: u64, score: f32) -> Recalled {
        Recalled {
            chat: Id(1),
            message: Id(message),
            score,
            words: vec!["wine".to_owned()],
        }
    }

    fn near(message: u64, nearness: f32, stands_out: bool) -> NearMessage {
        NearMessage {
            chat: Id(1),
            message: Id(message),
            nearness,
            stands_out,
        }
    }

    fn messages(all: &[Recalled]) -> Vec<u64> {
        all.iter().map(|one| one.message.0).collect()
    }

    #[test]
    fn messages_of_the_branch_and_of_other_chats_come_in_turns() {
        let own = vec![found(1, 0.9), found(2, 0.8), found(3, 0.7)];
        let all = interleave(own, vec![found(11, 0.2)]);
        assert_eq!(messages(&all), [1, 11, 2, 3]);
        let many = |first: u64| (first..first + 100).map(|id| found(id, 0.5)).collect();
        assert_eq!(interleave(many(0), many(1000)).len(), MAX_CANDIDATES);
    }

    #[test]
    fn what_no_word_found_goes_only_if_it_stands_out_and_has_no_words() {
        let joined = join_near(
            vec![found(1, 0.9), found(2, 0.2)],
            &[near(7, 0.9, true), near(8, 0.8, false), near(2, 0.1, false)],
        );
        assert_eq!(messages(&joined), [1, 7, 2]);
        assert_eq!(joined[1].words, Vec::<String>::new());
        assert_eq!(joined[2].words, ["wine"]);
    }
}
