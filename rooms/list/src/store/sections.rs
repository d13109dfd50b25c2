//! The list of chats in sections: pinned, folders, days and months.

use sash_chat::{Folder, Id};
use sash_log::ChatListEntry;
use std::collections::BTreeMap;
use time::{Duration, OffsetDateTime};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The moment for which a list is made, where the person is.
#[derive(Clone, Copy, PartialEq)]
pub struct Today {
    /// The number of the local day since 1970.
    day: i64,
    /// Local UTC offset in milliseconds, positive east of Greenwich.
    offset: i64,
}

impl Today {
    /// The local day of a moment, in milliseconds since 1970.
    pub fn at(now: u64, offset: i64) -> Self {
        Self {
            day: local_day(now, offset),
            offset,
        }
    }
}

/// The number of the local day since 1970.
fn local_day(at: u64, offset: i64) -> i64 {
    i64::try_from(at)
        .unwrap_or(i64::MAX / 2)
        .saturating_add(offset)
        .div_euclid(DAY_MS)
}

/// What the chats of a section have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionKind {
    /// They are pinned.
    Pinned,
    /// They are in a folder.
    Folder(Id),
    /// They were used today.
    Today,
    /// They were used yesterday.
    Yesterday,
    /// They were used on one of the five days before.
    LastWeek,
    /// They were used in a month: the year, and the month from 1 on.
    Month(i64, u8),
    /// They are sorted by name.
    ByName,
    /// They are archived.
    Archived,
}

/// A section of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// What its chats have in common.
    pub kind: SectionKind,
    /// Its chats, in their order.
    pub chats: Vec<Id>,
    /// Whether its heading alone is shown.
    pub is_closed: bool,
}

/// Divides the chats into sections. `chats` has the one used last first; that order stays within a section unless it is
/// sorted by name. Pinned chats stand in the order in which they were pinned, and each chat in one section alone.
pub fn sections(
    chats: &[ChatListEntry],
    folders: &[Folder],
    by_name: bool,
    archive_shown: bool,
    today: Today,
) -> Vec<Section> {
    // An empty folder is shown: chats are moved to it.
    let folder = |folder: &Folder| (SectionKind::Folder(folder.id), Vec::new());
    let mut sections: BTreeMap<SectionKind, Vec<&ChatListEntry>> =
        folders.iter().map(folder).collect();
    for chat in chats {
        let folder = chat.folder.map(SectionKind::Folder);
        let kind = match folder.filter(|folder| sections.contains_key(folder)) {
            _ if chat.archived => SectionKind::Archived,
            _ if chat.pinned.is_some() => SectionKind::Pinned,
            Some(folder) => folder,
            None if by_name => SectionKind::ByName,
            None => kind_of_day(chat.touched, today),
        };
        sections.entry(kind).or_default().push(chat);
    }
    let mut sections: Vec<_> = sections.into_iter().collect();
    sections.sort_by_cached_key(|(kind, _)| place(*kind, folders));
    let section = |(kind, mut chats): (SectionKind, Vec<&ChatListEntry>)| {
        match kind {
            SectionKind::Pinned => chats.sort_by_key(|chat| (chat.pinned, chat.id)),
            _ if by_name => chats.sort_by_cached_key(|chat| (chat.title.to_lowercase(), chat.id)),
            _ => {}
        }
        let is_closed = match kind {
            SectionKind::Archived => !archive_shown,
            SectionKind::Folder(id) => folders.iter().any(|f| f.id == id && f.closed),
            _ => false,
        };
        Section {
            kind,
            chats: chats.into_iter().map(|chat| chat.id).collect(),
            is_closed,
        }
    };
    sections.into_iter().map(section).collect()
}

/// Where a section stands: folders in their order, the latest month first.
fn place(kind: SectionKind, folders: &[Folder]) -> (u8, i64) {
    match kind {
        SectionKind::Pinned => (0, 0),
        SectionKind::Folder(id) => {
            let found = folders.iter().zip(0..).find(|(folder, _)| folder.id == id);
            (1, found.map_or(0, |(_, at)| at))
        }
        SectionKind::Today => (2, 0),
        SectionKind::Yesterday => (3, 0),
        SectionKind::LastWeek => (4, 0),
        SectionKind::Month(year, month) => (5, -(year * 12 + i64::from(month))),
        SectionKind::ByName => (6, 0),
        SectionKind::Archived => (7, 0),
    }
}

/// The section of a chat that was used at a moment. One of the future, by a clock that was set back, is of today.
fn kind_of_day(touched: u64, today: Today) -> SectionKind {
    let day = local_day(touched, today.offset);
    match today.day.saturating_sub(day) {
        ..=0 => SectionKind::Today,
        1 => SectionKind::Yesterday,
        2..7 => SectionKind::LastWeek,
        _ => {
            let (year, month) = month_of(day);
            SectionKind::Month(year, month)
        }
    }
}

/// The year and the month of a day since 1970.
fn month_of(day: i64) -> (i64, u8) {
    let day = OffsetDateTime::UNIX_EPOCH
        .date()
        .checked_add(Duration::days(day));
    day.map_or((1970, 1), |day| (day.year().into(), day.month().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;
    /// 2026-03-01T12:00:00Z.
    const NOON: u64 = 1_772_366_400_000;

    fn chat(id: u64, touched: u64) -> ChatListEntry {
        ChatListEntry {
            id: Id(id),
            title: format!("Chat {id}"),
            touched,
            pinned: None,
            archived: false,
            folder: None,
        }
    }

    fn before(hours: i64) -> u64 {
        u64::try_from(i64::try_from(NOON).unwrap() - hours * HOUR).unwrap()
    }

    fn in_numbers(section: Section) -> (SectionKind, Vec<u64>) {
        (section.kind, section.chats.iter().map(|id| id.0).collect())
    }

    fn kinds(chats: &[ChatListEntry], offset: i64) -> Vec<(SectionKind, Vec<u64>)> {
        let found = sections(chats, &[], false, false, Today::at(NOON, offset));
        found.into_iter().map(in_numbers).collect()
    }

    #[test]
    fn days_begin_at_midnight_where_the_person_is() {
        let chats = [chat(1, before(1)), chat(2, before(12)), chat(3, before(13))];
        let (today, yesterday) = (SectionKind::Today, SectionKind::Yesterday);
        assert_eq!(
            kinds(&chats, 0),
            [(today, vec![1, 2]), (yesterday, vec![3])]
        );
        // One hour to the east midnight was an hour earlier.
        assert_eq!(kinds(&chats, HOUR), [(today, vec![1, 2, 3])]);
        assert_eq!(
            kinds(&chats, -HOUR),
            [(today, vec![1]), (yesterday, vec![2, 3])]
        );
        // The other side of the date line: it is past midnight there.
        assert_eq!(
            kinds(&chats, 13 * HOUR),
            [(today, vec![1]), (yesterday, vec![2, 3])]
        );
    }

    #[test]
    fn a_week_ends_where_months_begin() {
        let days = [0, 1, 2, 6, 7, 28, 59, 60, 365];
        let chats: Vec<_> = (1..)
            .zip(days)
            .map(|(id, days)| chat(id, before(24 * days)))
            .collect();
        assert_eq!(
            kinds(&chats, 0),
            [
                (SectionKind::Today, vec![1]),
                (SectionKind::Yesterday, vec![2]),
                (SectionKind::LastWeek, vec![3, 4]),
                (SectionKind::Month(2026, 2), vec![5, 6]),
                (SectionKind::Month(2026, 1), vec![7]),
                (SectionKind::Month(2025, 12), vec![8]),
                (SectionKind::Month(2025, 3), vec![9]),
            ]
        );
    }

    #[test]
    fn a_clock_that_jumps_neither_hides_a_chat_nor_doubles_a_section() {
        // By the clock of then the first was written in a week, and the third before it was set right.
        let chats = [
            chat(1, before(-24 * 7)),
            chat(2, before(2)),
            chat(3, before(24 * 40)),
            chat(4, before(1)),
            chat(5, u64::MAX),
            chat(6, 0),
        ];
        assert_eq!(
            kinds(&chats, 0),
            [
                (SectionKind::Today, vec![1, 2, 4, 5]),
                (SectionKind::Month(2026, 1), vec![3]),
                (SectionKind::Month(1970, 1), vec![6]),
            ]
        );
    }

    #[test]
    fn months_have_the_days_of_the_calendar() {
        for (day, month) in [
            (0, (1970, 1)),
            (30, (1970, 1)),
            (31, (1970, 2)),
            (58, (1970, 2)),
            (59, (1970, 3)),
            (-1, (1969, 12)),
            // 2024-02-29 and the day after it, 2000-02-29, 2100-03-01.
            (19_782, (2024, 2)),
            (19_783, (2024, 3)),
            (11_016, (2000, 2)),
            (47_541, (2100, 3)),
        ] {
            assert_eq!(month_of(day), month, "{day}");
        }
    }

    #[test]
    fn each_chat_is_in_one_section_and_pins_keep_their_order() {
        let mut chats: Vec<_> = (1..=8).map(|id| chat(id, before(0))).collect();
        (chats[0].pinned, chats[1].pinned) = (Some(20), Some(10));
        chats[1].folder = Some(Id(70));
        chats[2].folder = Some(Id(70));
        (chats[3].archived, chats[3].folder) = (true, Some(Id(70)));
        chats[4].pinned = Some(5);
        chats[4].archived = true;
        // A folder that is deleted is none.
        chats[5].folder = Some(Id(99));
        let mut folders = [
            Folder::new(Id(70), "Work", 0),
            Folder::new(Id(71), "Empty", 1),
        ];
        folders[0].closed = true;
        let found = sections(&chats, &folders, false, false, Today::at(NOON, 0));
        let closed = found.iter().filter(|section| section.is_closed);
        let closed: Vec<_> = closed.map(|section| section.kind).collect();
        assert_eq!(closed, [SectionKind::Folder(Id(70)), SectionKind::Archived]);
        let found: Vec<_> = found.into_iter().map(in_numbers).collect();
        assert_eq!(
            found,
            [
                (SectionKind::Pinned, vec![2, 1]),
                (SectionKind::Folder(Id(70)), vec![3]),
                (SectionKind::Folder(Id(71)), vec![]),
                (SectionKind::Today, vec![6, 7, 8]),
                (SectionKind::Archived, vec![4, 5]),
            ]
        );
    }

    #[test]
    fn sorted_by_name_there_are_no_days() {
        let mut chats = [
            chat(1, before(0)),
            chat(2, before(99)),
            chat(3, before(9999)),
        ];
        for (chat, title) in chats.iter_mut().zip(["beta", "Alpha", "éclair"]) {
            chat.title = title.into();
        }
        let found = sections(&chats, &[], true, false, Today::at(NOON, 0));
        let found: Vec<_> = found.into_iter().map(in_numbers).collect();
        assert_eq!(found, [(SectionKind::ByName, vec![2, 1, 3])]);
    }
}
