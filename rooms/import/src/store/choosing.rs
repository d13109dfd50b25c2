//! The choice of chats of a file: all, so long as nothing else is said.

use super::Imports;
use super::report::about_chat;
use crate::plan::{ImportPlan, Planned};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_text::NameIndex;
use std::cmp::Reverse;
use std::collections::BTreeSet;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The chats of a file that the person looks for. An empty filter finds all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatFilter {
    /// Words that are all in the title.
    pub words: String,
    /// The first day of the last message, counted from 1970.
    pub from_day: Option<i64>,
    /// The last day of the last message, counted from 1970.
    pub to_day: Option<i64>,
}

impl ChatFilter {
    /// Whether it finds all chats.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.trim().is_empty() && self.from_day.is_none() && self.to_day.is_none()
    }

    /// The places of the chats that it finds.
    fn find(&self, plan: &ImportPlan, utc_offset: i64) -> BTreeSet<usize> {
        let titles = NameIndex::new(plan.chats.iter().map(|chat| chat.title.as_str()));
        let is_of_days = |place: &usize| {
            let chat = plan.chats.get(*place);
            chat.is_some_and(|chat| self.is_of_days(chat, utc_offset))
        };
        let named = titles.find(&self.words, plan.chats.len()).into_iter();
        named.filter(is_of_days).collect()
    }

    fn is_of_days(&self, chat: &Planned, utc_offset: i64) -> bool {
        let touched = i64::try_from(chat.touched).unwrap_or(i64::MAX);
        let day = touched.saturating_add(utc_offset).div_euclid(DAY_MS);
        self.from_day.is_none_or(|from| from <= day) && self.to_day.is_none_or(|to| day <= to)
    }
}

/// A chat of a file that can be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceRow {
    /// Its place in the file.
    pub place: usize,
    /// Its title.
    pub title: String,
    /// How many messages it has, and what happens to it.
    pub about: String,
    /// When its last message was written, in milliseconds since 1970.
    pub touched: u64,
}

/// How many chats of a file are imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenCount {
    /// Those that the person wants.
    pub chosen: usize,
    /// Those of which there is anything to import.
    pub all: usize,
}

impl Imports {
    /// How many chats are imported.
    #[must_use]
    pub fn chosen_count(self) -> ChosenCount {
        let count = |plan: &ImportPlan| ChosenCount {
            chosen: plan.chosen().count(),
            all: plan.chats.iter().filter(|c| c.adds_records()).count(),
        };
        self.with_plan(count).unwrap_or_default()
    }

    /// Whether the chat at a place of the file is imported.
    #[must_use]
    pub fn is_chosen(self, place: usize) -> bool {
        let is_chosen = |plan: &ImportPlan| plan.chats.get(place).is_some_and(Planned::is_chosen);
        self.with_plan(is_chosen).unwrap_or_default()
    }

    /// The chats that can be imported and that the filter finds, the newest first.
    #[must_use]
    pub fn found_chats(self, filter: &ChatFilter) -> Vec<ChoiceRow> {
        let offset = self.edges.utc_offset();
        let rows = |plan: &ImportPlan| {
            let found = filter.find(plan, offset);
            let chats = plan.chats.iter().enumerate();
            let found = chats.filter(|(place, c)| c.adds_records() && found.contains(place));
            let rows = found.map(|(place, chat)| ChoiceRow {
                place,
                title: chat.title.clone(),
                about: about_chat(chat),
                touched: chat.touched,
            });
            let mut rows: Vec<ChoiceRow> = rows.collect();
            rows.sort_by_key(|row| Reverse(row.touched));
            rows
        };
        // The choice changes nothing in the list.
        untrack(|| self.with_plan(rows)).unwrap_or_default()
    }

    /// Takes the chat at a place of the file along, or leaves it out.
    pub fn choose(self, place: usize, is_wanted: bool) {
        self.change_plan(|plan| {
            plan.choose(|at, chat| {
                if at == place {
                    is_wanted
                } else {
                    chat.is_chosen()
                }
            });
        });
    }

    /// Takes all chats along that the filter finds, or leaves them out.
    pub fn choose_found(self, filter: &ChatFilter, is_wanted: bool) {
        let offset = self.edges.utc_offset();
        self.change_plan(|plan| {
            let found = filter.find(plan, offset);
            plan.choose(|at, chat| match found.contains(&at) {
                true => is_wanted,
                false => chat.is_chosen(),
            });
        });
    }

    /// Takes only those chats along that the filter finds.
    pub fn choose_only_found(self, filter: &ChatFilter) {
        let offset = self.edges.utc_offset();
        self.change_plan(|plan| {
            let found = filter.find(plan, offset);
            plan.choose(|at, _| found.contains(&at));
        });
    }

    /// Takes the newest chats along, as many as fit into the `free` room, in characters.
    pub fn choose_newest(self, free: u64) {
        self.change_plan(|plan| plan.choose_newest(free));
    }

    fn with_plan<T>(self, f: impl FnOnce(&ImportPlan) -> T) -> Option<T> {
        self.read
            .with(|read| read.as_ref().map(|read| f(&read.plan)))
    }

    fn change_plan(self, change: impl FnOnce(&mut ImportPlan)) {
        self.read.update(|read| {
            if let Some(read) = read {
                change(&mut read.plan);
            }
        });
    }
}
