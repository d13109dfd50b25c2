//! The folders of a file: which of them are here already, by id or by name, and which are created.

use super::settings::add_newer;
use super::{Agreement, MAX_FOLDERS};
use sash_chat::{Folder, Head, Id, SettingKind};
use sash_form::parse_folder;
use sash_log::{FOLDER, Key, KeyValue, Log, encode_record};
use std::collections::{BTreeMap, BTreeSet};

/// The folders of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct PlannedFolders {
    /// The folder here that each one of the file becomes.
    becomes: BTreeMap<Id, Id>,
    /// Those that are not here, in their order.
    created: Vec<Folder>,
    /// Those that chats of the file name.
    named: BTreeSet<Id>,
    /// Those of them that chats name which are new here and are chosen.
    needed: BTreeSet<Id>,
}

impl PlannedFolders {
    /// Reads the folders from their lines. Returns how many lines are damaged.
    pub(super) fn read<'a, S: KeyValue>(
        &mut self,
        lines: impl Iterator<Item = &'a str>,
        log: &mut Log<S>,
    ) -> usize {
        let mut damaged = 0;
        let mut found: Vec<Folder> = Vec::new();
        for line in lines {
            match parse_folder(line) {
                Some(folder) if folder.deleted.is_some() => {}
                Some(folder) if found.len() < MAX_FOLDERS => found.push(folder),
                _ => damaged += 1,
            }
        }
        found.sort_by_key(|folder| (folder.order, folder.id));
        let here = log.list_folders();
        let mut last = here.last().map_or(i64::MIN, |folder| folder.order);
        for mut folder in found {
            let by_id = here.iter().find(|known| known.id == folder.id);
            let by_name = || here.iter().find(|known| known.is_named(&folder.name));
            let planned = || {
                self.created
                    .iter()
                    .find(|known| known.is_named(&folder.name))
            };
            let known = by_id.or_else(by_name).or_else(planned);
            if let Some(known) = known {
                self.becomes.insert(folder.id, known.id);
                continue;
            }
            let of_file = folder.id;
            // A folder that was deleted here still has its record.
            let taken = |id: Id| {
                log.store()
                    .get(&Key::Record(FOLDER, id).to_string())
                    .is_some()
                    || self.created.iter().any(|known| known.id == id)
            };
            let free = (0..).map(|n| Id(of_file.0.wrapping_add(n)));
            folder.id = free.into_iter().find(|id| !taken(*id)).unwrap_or(of_file);
            // After those that are here, in the order of the file.
            folder.order = folder.order.max(last.saturating_add(1));
            last = folder.order;
            self.becomes.insert(of_file, folder.id);
            self.created.push(folder);
        }
        damaged
    }

    /// Puts a chat of the file into the folder that its folder becomes; one that the file does not have is none.
    pub(super) fn apply(&self, head: &mut Head) {
        let here = head.folder.and_then(|id| self.becomes.get(&id));
        head.folder = here.copied();
    }

    /// Records which folder a chat is in, with what it would have from a folder that is created: that is shown to the
    /// person like settings of its own.
    pub(super) fn record(&mut self, head: &Head) -> Head {
        let mut whole = head.clone();
        let Some(id) = head.folder else {
            return whole;
        };
        self.named.insert(id);
        if let Some(folder) = self.created.iter().find(|folder| folder.id == id) {
            add_settings(&mut whole, folder);
        }
        whole
    }

    /// Sets the folders of the new chats that are chosen. A folder whose chats are all here already, without it, is not
    /// created: the person has taken them out.
    pub(super) fn set_needed(&mut self, needed: BTreeSet<Id>) {
        self.needed = needed;
    }

    /// The folders that are created.
    fn wanted(&self) -> impl Iterator<Item = &Folder> {
        let is_wanted = |f: &&Folder| self.needed.contains(&f.id) || !self.named.contains(&f.id);
        self.created.iter().filter(is_wanted)
    }

    /// What the folders without chats would switch on.
    pub(super) fn acting_heads(&self) -> Vec<Head> {
        let empty = self.created.iter().filter(|f| !self.named.contains(&f.id));
        let heads = empty.map(|folder| {
            let mut head = Head::new(folder.id, 0);
            add_settings(&mut head, folder);
            head
        });
        heads.collect()
    }

    /// The names of the folders that are created.
    pub(super) fn created(&self) -> impl Iterator<Item = &str> {
        self.wanted().map(|folder| folder.name.as_str())
    }

    /// The keys of their records.
    pub(super) fn keys(&self) -> impl Iterator<Item = Key> {
        self.wanted().map(|folder| Key::Record(FOLDER, folder.id))
    }

    /// Their records, without the settings that were not agreed to.
    pub(super) fn records(&self, agreed: &Agreement) -> Vec<(Key, String)> {
        self.wanted()
            .map(|folder| record_of(folder, agreed))
            .collect()
    }

    /// The record of a folder with all of its settings; `None` for one that is not created.
    pub(super) fn whole_record(&self, id: Id) -> Option<(Key, String)> {
        let folder = self.created.iter().find(|folder| folder.id == id)?;
        Some(record_of(folder, &Agreement::to_all()))
    }
}

/// The record of a folder, without the settings that were not agreed to.
fn record_of(folder: &Folder, agreed: &Agreement) -> (Key, String) {
    let mut folder = folder.clone();
    let is_here = folder
        .model_id()
        .is_some_and(|m| agreed.models.contains(&m));
    // Every field is named, so that the compiler asks of a new one whether it acts.
    let Folder {
        id: _,
        name: _,
        order: _,
        closed: _,
        system,
        model,
        engine,
        parameters,
        deleted: _,
        rev: _,
        unknown,
    } = &mut folder;
    if !is_here && !agreed.kinds.contains(&SettingKind::Model) {
        (*model, *engine) = (None, None);
    }
    if !agreed.kinds.contains(&SettingKind::SystemPrompt) {
        *system = None;
    }
    if !agreed.kinds.contains(&SettingKind::Parameters) {
        parameters.clear();
    }
    if !agreed.kinds.contains(&SettingKind::Newer) {
        unknown.clear();
    }
    (Key::Record(FOLDER, folder.id), encode_record(&folder))
}

/// Adds to a head what it would have from a folder.
fn add_settings(head: &mut Head, folder: &Folder) {
    head.inherited = Some(folder.clone()).into();
    let parameters = head.effective_parameters();
    let model = head.effective_model();
    let system = head.system_prompt().map(|system| system.text.to_owned());
    head.settings.parameters = parameters;
    add_newer(head, &folder.unknown);
    head.set_model(model);
    if let Some(system) = system {
        head.set_system(&system);
    }
}
