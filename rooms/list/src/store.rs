//! The list of chats as it is shown: its rows, and which of them are selected.

mod arranging;
mod sections;

use crate::settings::{ListSettings, ListSettingsStoreFields};
pub use sections::{Section, SectionKind};
use sections::{Today, sections};

use reactive_graph::computed::Memo;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Folder, Id};
use sash_stores::{Kernel, PartStore, uses};
use sash_words::t;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListRow {
    /// The heading of a section.
    Heading(SectionKind),
    /// A chat, and whether it stands in a folder.
    Chat(Id, bool),
}

impl ListRow {
    /// Whether the row can have focus: a chat, or the heading of a section that can be closed.
    #[must_use]
    pub fn takes_focus(self) -> bool {
        match self {
            Self::Chat(..) => true,
            Self::Heading(kind) => {
                matches!(kind, SectionKind::Folder(_) | SectionKind::Archived)
            }
        }
    }

    /// The chat of the row.
    #[must_use]
    pub fn chat(self) -> Option<Id> {
        match self {
            Self::Chat(id, _) => Some(id),
            Self::Heading(_) => None,
        }
    }
}

/// The list of chats as it is shown.
#[derive(Clone, Copy)]
pub struct ChatList {
    kernel: Kernel,
    /// Its settings.
    pub settings: PartStore<ListSettings>,
    /// The sections.
    pub sections: Memo<Vec<Section>>,
    /// The rows, those of closed sections left out.
    pub rows: Memo<Arc<Vec<ListRow>>>,
    /// Whether the archived chats are shown.
    pub archive_shown: RwSignal<bool>,
    /// The selected chats; `None` while none can be selected.
    pub selected: RwSignal<Option<BTreeSet<Id>>>,
    /// The selected chats that are still in the list, in its order.
    pub selection: Memo<Vec<Id>>,
    /// Where a range of selected chats begins.
    anchor: RwSignal<Option<Id>>,
    /// The chats of the dialog that moves chats to a folder; `None` while it is closed.
    pub moving: RwSignal<Option<Vec<Id>>>,
    /// The folder of the dialog with a folder, in which `None` is a new one; `None` while it is closed.
    pub editing: RwSignal<Option<Option<Id>>>,
    /// The row that was to be scrolled into view last: it is each time that this is set.
    pub revealed: RwSignal<Option<ListRow>>,
    today: RwSignal<Today>,
}

uses!(ChatList.kernel: notices storage chats answers);

impl ChatList {
    /// Creates the store; its rows follow the chats, the folders and the settings.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let (edges, chats) = (kernel.edges(), kernel.chats());
        let settings: PartStore<ListSettings> = kernel.settings().part();
        let today = RwSignal::new(Today::at(edges.now(), edges.utc_offset()));
        let archive_shown = RwSignal::new(false);
        let by_name = settings.current.chats_by_name();
        let sections = Memo::new(move |_| {
            let (by_name, archive_shown) = (by_name.get(), archive_shown.get());
            chats.folders.with(|folders| {
                chats
                    .list
                    .with(|list| sections(list, folders, by_name, archive_shown, today.get()))
            })
        });
        let rows = Memo::new(move |_| Arc::new(sections.with(|all| rows(all))));
        let selected = RwSignal::new(None::<BTreeSet<Id>>);
        let selection = Memo::new(move |_| {
            selected.with(|selected| {
                let is_selected = |id: &Id| selected.as_ref().is_some_and(|all| all.contains(id));
                chats.list.with(|list| {
                    let ids = list.iter().map(|entry| entry.id);
                    ids.filter(is_selected).collect()
                })
            })
        });
        Self {
            kernel,
            settings,
            sections,
            rows,
            archive_shown,
            selected,
            selection,
            anchor: RwSignal::new(None),
            moving: RwSignal::new(None),
            editing: RwSignal::new(None),
            revealed: RwSignal::new(None),
            today,
        }
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// Makes *Today* the present day, which may have changed while the page was open.
    pub fn refresh_today(self) {
        let edges = self.kernel.edges();
        let today = Today::at(edges.now(), edges.utc_offset());
        if self.today.get_untracked() != today {
            self.today.set(today);
        }
    }

    /// Whether chats are being selected.
    #[must_use]
    pub fn is_selecting(self) -> bool {
        self.selected.with(Option::is_some)
    }

    /// Whether a chat is selected.
    #[must_use]
    pub fn is_selected(self, chat: Id) -> bool {
        self.selected
            .with(|selected| selected.as_ref().is_some_and(|all| all.contains(&chat)))
    }

    /// Selects a chat, or no longer; begins to select where that was not so.
    pub fn toggle(self, chat: Id) {
        self.anchor.set(Some(chat));
        self.selected.update(|selected| {
            let all = selected.get_or_insert_default();
            if !all.remove(&chat) {
                all.insert(chat);
            }
        });
    }

    /// Selects chats besides those that are selected.
    pub fn add(self, chats: impl Iterator<Item = Id>) {
        self.selected.update(|selected| {
            let all = selected.get_or_insert_default();
            all.extend(chats.inspect(|chat| self.anchor.set(Some(*chat))));
        });
    }

    /// Selects all chats from the one selected last to this one. Without such a one the range begins at the open chat.
    pub fn select_to(self, chat: Id) {
        let rows = self.rows.get_untracked();
        let at = |id: Id| rows.iter().position(|row| row.chat() == Some(id));
        let open = self.chats().open_id_untracked();
        let anchor = self.anchor.get_untracked();
        let from = anchor.and_then(at).or_else(|| at(open));
        let Some(to) = at(chat) else {
            return;
        };
        let from = from.unwrap_or(to);
        let range = rows.get(from.min(to)..=from.max(to)).unwrap_or_default();
        self.add(range.iter().filter_map(|row| row.chat()));
        self.anchor.set(rows.get(from).and_then(|row| row.chat()));
    }

    /// Selects every chat that is shown.
    pub fn select_all(self) {
        let rows = self.rows.get_untracked();
        let all = rows.iter().filter_map(|row| row.chat()).collect();
        self.selected.set(Some(all));
    }

    /// Begins to select chats, or stops.
    pub fn set_selecting(self, on: bool) {
        self.anchor.set(None);
        self.selected.set(on.then(BTreeSet::new));
    }

    /// Deletes the selected chats as one step, and stops what runs in them.
    pub fn delete_selected(self) {
        let chats = self.selection.get_untracked();
        self.set_selecting(false);
        self.answers().delete_chats(&chats);
    }

    /// Archives the selected chats as one step; if all of them are archived, takes them out of the archive.
    pub fn archive_selected(self) {
        let chats = self.selection.get_untracked();
        let is_archived = self.are_archived(&chats);
        self.set_selecting(false);
        self.archive_chats(&chats, !is_archived);
    }

    /// Shows or hides the chats of a section that can be closed.
    pub fn close(self, section: SectionKind, closed: bool) {
        match section {
            SectionKind::Folder(id) => self.close_folder(id, closed),
            SectionKind::Archived => self.archive_shown.set(!closed),
            _ => {}
        }
    }

    /// Scrolls a folder into view: one that was just made stands below those that are there.
    pub fn reveal_folder(self, folder: Id) {
        let row = ListRow::Heading(SectionKind::Folder(folder));
        self.revealed.set(Some(row));
    }

    /// Saves what the dialog with a folder holds; `None` is a new one. If its name is taken, its settings are not lost: it
    /// gets the next free name.
    pub fn save_folder(self, editing: Option<Id>, draft: Folder) {
        let id = editing.unwrap_or_else(|| {
            let id = self.folder_named(&self.free_name(&draft.name));
            self.reveal_folder(id);
            id
        });
        self.change_folder(id, |folder| {
            if !draft.name.trim().is_empty() && editing.is_some() {
                folder.name = draft.name.trim().to_owned();
            }
            // Another tab may have deleted it meanwhile: what was written here is kept.
            folder.deleted = None;
            folder.system = draft.system;
            (folder.model, folder.engine) = (draft.model, draft.engine);
            folder.parameters = draft.parameters;
        });
    }

    /// The name, with a number if another folder has it.
    fn free_name(self, name: &str) -> String {
        let name = match name.trim() {
            "" => t!(list.new_folder),
            name => name,
        };
        let numbered = (2..).map(|n: u32| format!("{name} {n}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let folders = self.chats().folders.get_untracked();
        let is_free = |name: &String| !folders.iter().any(|folder| folder.is_named(name));
        names.find(is_free).unwrap_or_default()
    }

    /// Whether all of these chats are archived.
    #[must_use]
    pub fn are_archived(self, chats: &[Id]) -> bool {
        let chats: BTreeSet<Id> = chats.iter().copied().collect();
        self.chats().list.with_untracked(|list| {
            let mut these = list.iter().filter(|entry| chats.contains(&entry.id));
            these.all(|entry| entry.archived)
        })
    }
}

/// The rows of the sections; those of a closed one are left out.
fn rows(sections: &[Section]) -> Vec<ListRow> {
    let rows = sections.iter().flat_map(|section| {
        let in_folder = matches!(section.kind, SectionKind::Folder(_));
        let chats = section.chats.iter().filter(move |_| !section.is_closed);
        let chats = chats.map(move |id| ListRow::Chat(*id, in_folder));
        std::iter::once(ListRow::Heading(section.kind)).chain(chats)
    });
    rows.collect()
}
