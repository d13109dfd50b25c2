//! A directory of the device, which the browser lets the person choose.

use crate::files::DirectoryFiles;
use crate::memory_files::MemoryFiles;
use crate::store::{DatabaseUnread, DeviceDirectories, DeviceDirectory};
use async_trait::async_trait;
use sash_chat::Id;
use sash_harness::Slow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A directory of the device. A clone is the same one.
#[derive(Clone, Default)]
pub struct Device {
    /// Whether the browser can do that.
    pub exists: Rc<Cell<bool>>,
    /// The files of the directory.
    pub files: Rc<MemoryFiles>,
    /// Whether the browser does not have to ask.
    pub is_allowed: Rc<Cell<bool>>,
    /// Whether the person says yes when they are asked.
    pub says_yes: Rc<Cell<bool>>,
    /// Whether the browser remembers no directory.
    pub forgets: Rc<Cell<bool>>,
    /// Whether the browser's database does not open.
    pub is_unread: Rc<Cell<bool>>,
    /// The directory that is remembered.
    pub remembered: Rc<RefCell<Option<DeviceDirectory>>>,
    /// How many were chosen.
    choices: Rc<Cell<u64>>,
    /// Answers about permissions and the remembered directory that the test sends later.
    pub slow: Slow,
}

impl Device {
    async fn later<T>(&self, answer: T) -> T {
        self.slow.next().await;
        answer
    }

    fn ask_person(&self) -> bool {
        self.is_allowed.set(self.says_yes.get());
        self.says_yes.get()
    }
}

#[async_trait(?Send)]
impl DeviceDirectories for Device {
    fn exist(&self) -> bool {
        self.exists.get()
    }

    async fn choose(&self) -> Option<DeviceDirectory> {
        self.ask_person().then(|| {
            self.choices.set(self.choices.get() + 1);
            DeviceDirectory {
                id: Id(self.choices.get()),
                name: "Chats".to_owned(),
                is_allowed: true,
                files: Rc::clone(&self.files) as Rc<dyn DirectoryFiles>,
                handle: Rc::new(()),
            }
        })
    }

    async fn remember(&self, directory: DeviceDirectory) -> bool {
        if !self.forgets.get() {
            *self.remembered.borrow_mut() = Some(directory);
        }
        !self.forgets.get()
    }

    async fn remembered(&self) -> Result<Option<DeviceDirectory>, DatabaseUnread> {
        let remembered = self.remembered.borrow().clone();
        let is_allowed = self.is_allowed.get();
        let found = remembered.map(|directory| DeviceDirectory {
            is_allowed,
            ..directory
        });
        let is_unread = self.is_unread.get();
        self.later(match is_unread {
            true => Err(DatabaseUnread),
            false => Ok(found),
        })
        .await
    }

    async fn is_allowed(&self, _: DeviceDirectory) -> bool {
        self.later(self.is_allowed.get()).await
    }

    async fn ask(&self, _: DeviceDirectory) -> bool {
        let answer = self.ask_person();
        self.later(answer).await
    }

    async fn forget(&self) {
        *self.remembered.borrow_mut() = None;
    }
}
