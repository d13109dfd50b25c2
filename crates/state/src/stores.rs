//! All stores, created in one place and in an order without cycles.

use crate::{Backup, BackupAge, BackupEvent, BringBack, RoomEdges};
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
            storage,
            attachments,
            tabs,
            ..
        } = kernel.stores();
        let backup = Backup::new(kernel, rooms.backup);
        backup.events().on(move |event| match event {
            BackupEvent::Joined(key, there) => {
                tabs.on_storage_event(Some(&key.to_string()), *there);
            }
            BackupEvent::Purged(gone, images) => {
                storage.purged().emit(gone);
                edges.spawn(attachments.delete_unreferenced(images.clone()));
            }
        });
        attachments
            .absent()
            .add(move |image| backup.fetch_absent(image));
        Self {
            kernel,
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
