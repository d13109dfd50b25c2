//! The stores of one tab: the kernel's, those of the backup, and those of rooms that it works with.

use super::device::Device;
use super::server::{KEY, Server};
use crate::call::KEEPS_BACKUP;
use crate::store::{
    Backup, BackupCalls, BackupEdges, BackupPhase, BackupState, ProblemReason, RestoreChat,
};
use any_spawner::Executor;
use futures::FutureExt;
use futures::future::ready;
use import::{ImportState, Imports};
use reactive_graph::prelude::*;
use sash_chat::{Head, Id, Image, ImageFormat, Message, Role};
use sash_harness::{Answer, reactive_in};
use sash_log::image::hash_image;
use sash_records::KINDS;
use sash_records::prompts::{PromptLog, SavedPrompt};
use sash_stores::DeletedId;
use sash_stores::edges::Call;
use sash_wire::Fault;
use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;
use storage::Library;

/// Longer than changes are collected, handed over and fetched.
pub const SOON_MS: f64 = 8_000.0;
/// Longer than the longest pause between two attempts.
pub const LATER_MS: f64 = 700_000.0;

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// The server, which all browsers share.
    pub server: Server,
    /// The directory of the device.
    pub device: Device,
}

impl Deref for Machine {
    type Target = sash_harness::Machine;

    fn deref(&self) -> &sash_harness::Machine {
        &self.of_kernel
    }
}

impl Machine {
    /// Another browser with the same server, whose storage is empty.
    pub fn another_browser(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_browser(),
            device: Device::default(),
            ..self.clone()
        }
    }

    /// Another browser with a copy of this one's storage.
    pub fn copied_browser(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.copied_browser(),
            ..self.another_browser()
        }
    }

    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_tab(),
            ..self.clone()
        }
    }

    fn call<Q: 'static, R: 'static>(&self, answer: fn(&Server, Q) -> Answer<R>) -> Call<Q, R> {
        let machine = self.clone();
        Call::new(move |request| match machine.offline.get() {
            true => ready(Err(Fault::ConnectionLost)).boxed_local(),
            false => answer(&machine.server, request),
        })
    }

    fn edges_of_backup(&self) -> BackupEdges {
        BackupEdges {
            calls: BackupCalls {
                list: self.call(Server::list),
                news: self.call(Server::news),
                put: self.call(Server::put),
                get: self.call(Server::get),
                put_image: self.call(Server::put_image),
                get_image: self.call(Server::get_image),
                gone: self.call(Server::gone),
                purge: self.call(Server::purge),
                remove: self.call(Server::remove),
            },
            directories: Rc::new(self.device.clone()),
            browser_name: format!("Browser {}", self.browser),
        }
    }
}

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    pub backup: Backup,
    /// The trash.
    pub library: Library,
    pub imports: Imports,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    /// The stores of a new tab.
    pub fn new(machine: &Machine) -> Self {
        Self::reopened(machine, None)
    }

    /// The stores of a reloaded tab in which the chat `remembered` was open.
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        let edges = machine.edges_of_backup();
        let (of_kernel, (backup, library, imports)) =
            sash_harness::House::with_room(machine, remembered, KINDS, |kernel| {
                let backup = Backup::new(kernel, edges);
                (
                    backup,
                    Library::new(kernel, |message| message.content.clone()),
                    Imports::new(kernel),
                )
            });
        Self {
            of_kernel,
            backup,
            library,
            imports,
        }
    }

    /// How the backup stands.
    pub fn state(self) -> BackupState {
        self.backup.state.get_untracked()
    }

    /// Where it stands.
    pub fn phase(self) -> BackupPhase {
        self.state().phase
    }

    /// What is in the way of each chat.
    pub fn reasons(self) -> Vec<(Id, ProblemReason)> {
        let problems = self.state().problems.into_iter();
        problems
            .map(|problem| (problem.chat, problem.reason))
            .collect()
    }

    /// This browser's id.
    pub fn install(self) -> Id {
        let install = self.storage.with_log(|log| log.install());
        install.flatten().expect("an id")
    }

    /// The head of a chat.
    pub fn head(self, chat: Id) -> Head {
        let head = self.storage.with_log(|log| log.head(chat));
        head.flatten().expect("a head")
    }

    /// Writes a message at the end of a chat, or a chat of one message.
    pub fn write_message(self, chat: Id, id: u64, text: &str, images: Vec<Image>) {
        let loaded = self.storage.with_log(|log| log.load(chat)).flatten();
        if loaded.is_none() {
            let head = Head::new(chat, 5);
            assert!(self.storage.write(|log| log.save_head(&head)));
        }
        let newest = loaded.as_ref().and_then(|chat| chat.newest());
        let seq = loaded.as_ref().map_or(1, sash_chat::Chat::next_seq);
        let message = Message {
            content: text.to_owned(),
            images,
            ..Message::new(Id(id), newest.map(|m| m.id), seq, Role::User, 0)
        };
        assert!(self.storage.write(|log| log.save_message(chat, &message)));
    }

    /// The prompts, by name.
    pub fn prompts(self) -> Vec<SavedPrompt> {
        let list = self.storage.with_log(|log| log.list_prompts());
        list.expect("a log")
    }

    /// The texts of the prompts, in their order.
    pub fn prompt_texts(self) -> Vec<String> {
        let mut texts: Vec<String> = self.prompts().into_iter().map(|it| it.text).collect();
        texts.sort();
        texts
    }

    /// Keeps a prompt, or writes the one with this id anew. Returns its id.
    pub fn keep_prompt(self, id: Option<Id>, name: &str, text: &str) -> Id {
        let id = id.unwrap_or_else(|| self.kernel.edges().new_id());
        let known = self.storage.with_log(|log| log.saved_prompt(id)).flatten();
        let prompt = SavedPrompt {
            rev: known.map_or(0, |known| known.rev + 1),
            ..SavedPrompt::new(id, name, text)
        };
        // Without room it waits.
        self.storage.write(|log| log.save_prompt(&prompt));
        id
    }

    /// Deletes a prompt.
    pub fn delete_prompt(self, id: Id) {
        let known = self.storage.with_log(|log| log.saved_prompt(id)).flatten();
        let known = known.expect("a prompt");
        let deleted = SavedPrompt {
            deleted: Some(self.kernel.edges().now()),
            rev: known.rev + 1,
            ..known
        };
        self.storage.write(|log| log.save_prompt(&deleted));
    }

    /// Moves a chat, or messages of it, to the trash.
    pub fn trash(self, chat: Id, messages: &[Id]) -> Vec<DeletedId> {
        self.storage.with_log(|log| match messages {
            [] => log.delete(chat, 0).expect("room"),
            some => some.iter().for_each(|id| {
                let message = log.find_message(chat, *id).expect("a message");
                log.remove_message(chat, &message, 0).expect("room");
            }),
        });
        match messages {
            [] => vec![(chat, None)],
            some => some.iter().map(|message| (chat, Some(*message))).collect(),
        }
    }

    /// Deletes a chat, or messages of it, and empties the trash of them, as the page does; `too`: from the backup too.
    pub fn purge(self, machine: &Machine, chat: Id, messages: &[Id], too: bool) {
        let all = self.trash(chat, messages);
        Executor::spawn_local(async move {
            if too {
                self.backup.purge_deleted(all.clone()).await;
            }
            self.library.purge(all).await;
        });
        machine.pass(100.0);
    }

    /// What the backup has.
    pub fn list_chats(self, machine: &Machine) -> Vec<RestoreChat> {
        let listed = click(machine, self.backup.list_chats());
        listed.expect("an end").expect("a list")
    }

    /// Plans the import of these chats of the backup, of which there is something to import, and imports them.
    pub fn restore(self, machine: &Machine, mut chats: Vec<RestoreChat>) {
        self.backup.take_out_of_trash(&mut chats);
        self.imports.read_parts(self.backup.read_chats(chats));
        machine.pass(60_000.0);
        assert_eq!(self.imports.state.get_untracked(), ImportState::Planned);
        self.imports.run();
        machine.pass(60_000.0);
        let done = self.imports.state.get_untracked();
        assert!(matches!(done, ImportState::Done(_)), "{done:?}");
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}

/// Has the server say that it keeps a backup.
pub fn keep_backup(machine: &Machine, house: House, on: bool) {
    machine.say(KEEPS_BACKUP, on);
    house.engine.refresh();
    machine.pass(100.0);
}

/// A browser whose server keeps a backup, with its key.
pub fn backed_up(machine: &Machine, house: House) {
    keep_backup(machine, house, true);
    assert!(house.backup.set_key(KEY));
    machine.pass(SOON_MS);
    assert_eq!(house.phase(), BackupPhase::Done);
}

/// A browser that is in step with the others.
pub fn in_step(machine: &Machine, house: House) {
    house.backup.set_in_step(true);
    backed_up(machine, house);
}

/// Runs a test of two browsers that are in step.
pub fn two_browsers(test: impl FnOnce(&Machine, House, &Machine, House)) {
    reactive(|machine, house| {
        let there = machine.another_browser();
        let other = House::new(&there);
        in_step(machine, house);
        in_step(&there, other);
        test(machine, house, &there, other);
    });
}

/// A chat that begins with a question in one browser and is open in the other one, too.
pub fn shared_chat(machine: &Machine, house: House, other: House, question: &str) -> Id {
    house.exchange(machine, question, "Yes");
    machine.pass(SOON_MS);
    other.chats.open_chat(house.chat());
    house.chat()
}

/// Runs to its end what a click begins.
pub fn click<T: 'static>(machine: &Machine, run: impl Future<Output = T> + 'static) -> Option<T> {
    let done = Rc::new(RefCell::new(None));
    let result = Rc::clone(&done);
    Executor::spawn_local(async move { *result.borrow_mut() = Some(run.await) });
    machine.pass(SOON_MS);
    done.take()
}

/// The bytes of an image of one pixel.
pub fn png(n: u8) -> Vec<u8> {
    let mut bytes =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\0\0\0\0".to_vec();
    bytes.push(n);
    bytes
}

/// An image, which this browser has.
pub fn image(machine: &Machine, n: u8) -> Image {
    let image = Image {
        hash: hash_image(&png(n)),
        format: ImageFormat::Png,
        size: png(n).len() as u64,
        width: 1,
        height: 1,
        preview: String::new(),
    };
    let kept = (png(n), 0);
    machine.images.borrow_mut().insert(image.hash, kept);
    image
}

/// How many images the directory has.
pub fn images(machine: &Machine) -> usize {
    let paths = machine.server.files().paths();
    paths
        .iter()
        .filter(|path| path.starts_with("images/"))
        .count()
}
