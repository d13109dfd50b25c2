//! Joins the rankings of messages: of the branch and of other chats, by words and by vectors.

use super::Recalls;
use crate::branch_index::may_be_sent;
use reactive_graph::prelude::*;
use sash_chat::{Chat, Id};
use sash_search::recall::Recalled;
use sash_search::vectors::join_rankings;
use std::collections::{BTreeMap, BTreeSet};

/// The most messages that are tried for one block. Those of other chats are read for it.
const MAX_CANDIDATES: usize = 24;

impl Recalls {
    /// Joins what words found with what vectors find. A message that words did not find goes only if it stands out of
    /// the rest.
    pub(super) fn join_vectors(
        self,
        prompt: &str,
        open: &Chat,
        by_words: Vec<Recalled>,
        may_go: &dyn Fn(Id) -> bool,
    ) -> Vec<Recalled> {
        if !self.embeddings.has_prompt_vector(prompt) {
            return by_words;
        }
        let chats = self.chats;
        let path = |path: &Vec<Id>| path.iter().copied().collect();
        let branch: BTreeSet<Id> = chats.path.with_untracked(path);
        let others = match self.steering.recall_setting.get_untracked().all_chats {
            true => chats.touched_times(),
            false => BTreeMap::new(),
        };
        let near = self.embeddings.near(prompt, &|chat, message| {
            may_go(message)
                && match chat == open.head.id {
                    true => branch.contains(&message) && may_be_sent(open, message),
                    false => others.contains_key(&chat),
                }
        });
        let words = by_words
            .iter()
            .map(|one| ((one.chat, one.message), one.score));
        let words: Vec<((Id, Id), f32)> = words.collect();
        let mut by_words: BTreeMap<(Id, Id), Recalled> =
            words.iter().map(|(key, _)| *key).zip(by_words).collect();
        let near = near.into_iter().filter_map(|near| {
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
}

/// The messages found in the branch and in other chats, in turns: their scores cannot be compared.
pub(super) fn interleave(own: Vec<Recalled>, others: Vec<Recalled>) -> Vec<Recalled> {
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
