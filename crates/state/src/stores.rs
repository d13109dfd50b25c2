//! All stores, created in one place and in an order without cycles.

use crate::shown_branch::ShownBranch;
use crate::{
    AllChats, Backup, BackupAge, BackupEvent, BringBack, ChatList, Embeddings, Library, Mentions,
    Models, Pulls, Recalls, RoomEdges, SideBySide, WhatIf,
};
use reactive_graph::owner::StoredValue;
use sash_stores::{Edges, Kernel, KernelStores, PageLog, RememberedTab, StorageState, handle};

handle! {
    /// All stores of one tab: a handle of eight bytes, with a method for each. They live as long as the owner under which they
    /// were made.
    pub struct Stores;

    /// The stores of the rooms, above those of the kernel.
    pub struct AllStores {
        /// The handle over the kernel's stores.
        kernel: Kernel,
        /// The list of chats as it is shown.
        chat_list: ChatList,
        /// The installed models.
        models: Models,
        /// Pulls of models.
        pulls: Pulls,
        /// Messages outside the window that a draft refers to.
        mentions: Mentions,
        /// The index of all chats.
        all_chats: AllChats,
        /// Vectors of messages.
        embeddings: Embeddings,
        /// Messages outside the window that go with the draft by themselves.
        recalls: Recalls,
        /// The same question with another window.
        what_if: WhatIf,
        /// One question and several models.
        side_by_side: SideBySide,
        /// Operations on all chats.
        library: Library,
        /// The backup.
        backup: Backup,
        /// Whether it is old.
        backup_age: BackupAge,
        /// What comes back from it.
        bring_back: BringBack,
    }
}

impl AllStores {
    /// Creates the stores of a tab over an opened log.
    #[must_use]
    pub fn new(
        edges: Edges,
        rooms: RoomEdges,
        log: PageLog,
        state: StorageState,
        tab: RememberedTab,
    ) -> Self {
        let kernel = Kernel::new(edges, log, state, tab);
        let KernelStores {
            attachments, tabs, ..
        } = kernel.stores();
        let index = ShownBranch::new(kernel);
        let all_chats = AllChats::new(kernel);
        let embeddings = Embeddings::new(kernel, rooms.recall);
        let library = Library::new(kernel, embeddings);
        let backup = Backup::new(kernel, rooms.backup);
        let recalls = Recalls::new(kernel, index, all_chats, embeddings);
        backup.events().on(move |event| match event {
            BackupEvent::Joined(key, there) => {
                tabs.on_storage_event(Some(&key.to_string()), *there);
            }
            BackupEvent::Purged(gone, images) => {
                edges.spawn(library.forget(gone.clone(), images.clone()));
            }
        });
        attachments
            .absent()
            .add(move |image| backup.fetch_absent(image));
        Self {
            kernel,
            chat_list: ChatList::new(kernel),
            models: Models::new(kernel, rooms.models),
            pulls: Pulls::new(kernel, rooms.models.pull),
            all_chats,
            embeddings,
            recalls,
            mentions: Mentions::new(kernel, recalls, index),
            what_if: WhatIf::new(kernel),
            side_by_side: SideBySide::new(kernel),
            library,
            backup,
            backup_age: BackupAge::new(kernel, backup),
            bring_back: BringBack::new(kernel, backup),
        }
    }
}

impl Stores {
    /// Creates the stores of a tab over an opened log, under the current owner.
    #[must_use]
    pub fn new(
        edges: Edges,
        rooms: RoomEdges,
        log: PageLog,
        state: StorageState,
        tab: RememberedTab,
    ) -> Self {
        Self(StoredValue::new(AllStores::new(
            edges, rooms, log, state, tab,
        )))
    }
}
