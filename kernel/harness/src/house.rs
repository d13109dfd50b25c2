//! The kernel's stores of one tab, connected as the page connects them, and helpers that read them.

use crate::machine::{Machine, settle};
use any_spawner::Executor;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use sash_chat::{
    BuiltinTool, Chat, Id, Image, ImageFormat, ImageHash, PromptDraft, RecalledBlock, Think, Tool,
};
use sash_log::Kinds;
use sash_stores::hooks::UndoId;
use sash_stores::{Kernel, KernelStores, RememberedTab, ScaledImage, StorageState};
use sash_wire::{DoneReason, Fault, Frame, ModelInfo, Usage};
use std::ops::Deref;

/// The kernel's stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    /// The handle over the stores, as a room has it.
    pub kernel: Kernel,
    stores: KernelStores,
}

impl Deref for House {
    type Target = KernelStores;

    fn deref(&self) -> &KernelStores {
        &self.stores
    }
}

impl From<Kernel> for House {
    fn from(kernel: Kernel) -> Self {
        let stores = kernel.stores();
        Self { kernel, stores }
    }
}

impl House {
    /// The stores of a new tab; Ollama answered once and has one model.
    #[must_use]
    pub fn new(machine: &Machine) -> Self {
        Self::reopened(machine, None)
    }

    /// The stores of a reloaded tab in which the chat `remembered` was open.
    #[must_use]
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        let house = Self::starting(machine, remembered);
        settle();
        house
    }

    /// The same before anything that waits has gone on.
    #[must_use]
    pub fn starting(machine: &Machine, remembered: Option<Id>) -> Self {
        Self::starting_with(machine, remembered, Kinds::default(), |_| ()).0
    }

    /// The stores of a reloaded tab over a log of these kinds, and those of a room, which `make` makes before the kernel
    /// starts, as the root of the page does.
    #[must_use]
    pub fn with_room<T>(
        machine: &Machine,
        remembered: Option<Id>,
        kinds: Kinds,
        make: impl FnOnce(Kernel) -> T,
    ) -> (Self, T) {
        let made = Self::starting_with(machine, remembered, kinds, make);
        settle();
        made
    }

    fn starting_with<T>(
        machine: &Machine,
        remembered: Option<Id>,
        kinds: Kinds,
        make: impl FnOnce(Kernel) -> T,
    ) -> (Self, T) {
        let tab = RememberedTab {
            chat: remembered,
            panel_shown: false,
        };
        let log = machine.log(kinds);
        let kernel = Kernel::new(machine.edges(), log, StorageState::default(), tab);
        let room = make(kernel);
        kernel.start();
        (kernel.into(), room)
    }

    /// Another version of a question, with its images.
    #[must_use]
    pub fn version(self, question: Id, text: &str) -> PromptDraft {
        PromptDraft {
            text: text.to_owned(),
            ..self.chats.prompt_of(question)
        }
    }

    /// Types a draft into the composer.
    pub fn write(self, draft: &str) {
        self.drafts.set_text(draft);
        settle();
    }

    /// Asks a question that is answered at once. Returns the ids of question and answer.
    pub fn exchange(self, machine: &Machine, question: &str, answer: &str) -> (Id, Id) {
        machine.answer(says(&[answer]));
        assert!(self.answers.ask(question.to_owned()), "{question}");
        machine.pass(100.0);
        match self.chats.path.get_untracked()[..] {
            [.., question, answer] => (question, answer),
            _ => panic!("a question and its answer"),
        }
    }

    /// Begins so many chats, each with a question and its answer. Returns their ids.
    pub fn begin_chats(self, machine: &Machine, number: usize) -> Vec<Id> {
        let chat = |n| {
            self.chats.begin_chat();
            self.exchange(machine, &format!("Question {n}"), "Yes.");
            self.chat()
        };
        (0..number).map(chat).collect()
    }

    /// Begins a temporary chat with a question, its answer, an image, a system prompt and a draft, which all are this marker.
    pub fn begin_marked(self, machine: &Machine, marker: &str) {
        self.chats.begin_temporary();
        settle();
        let image = ScaledImage {
            bytes: marker.into(),
            preview: marker.to_owned(),
            ..ScaledImage::default()
        };
        self.add_image(machine, image);
        self.exchange(machine, marker, marker);
        self.steering.set_system(marker);
        self.write(marker);
        machine.pass(5_000.0);
    }

    /// Has a talk of a database that then leaves the window. Returns the id of the answer about it.
    pub fn talk_of_a_database(self, machine: &Machine) -> Id {
        for (question, answer) in [
            (
                "The search page is slow.",
                "Add an index on the title column, and run ANALYZE on the SQLite database once a month.",
            ),
            ("And pictures?", "Save them as WebP, and load them late."),
            ("And caching?", "Name each picture by its hash."),
            ("And fonts?", "Load two at most."),
        ] {
            self.exchange(machine, question, answer);
        }
        self.chats.path.get_untracked()[1]
    }

    /// Adds a model that offers these values of `think`, and chooses it.
    pub fn choose_thinker(self, machine: &Machine, think: &[Think]) {
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "thinker:latest".to_owned(),
            think: think.to_vec(),
            ..ModelInfo::default()
        });
        self.engine.refresh();
        settle();
        self.chats.choose_model("thinker");
        settle();
    }

    /// Adds an image to the draft, as one that is kept.
    pub fn add_image(self, machine: &Machine, scaled: ScaledImage) -> ImageHash {
        let image = scaled.describe();
        let hash = image.hash;
        machine.keep_image(hash, scaled.bytes, self.chats.may_store(self.chat()));
        self.attachments.record_kept([hash]);
        self.drafts.images.update(|images| images.push(image));
        settle();
        hash
    }

    /// Answers whether an engine may have drafts.
    pub fn answer_drafts(self, engine: &str, allowed: bool) {
        let engines = self.engine.engines.get_untracked();
        let info = engines.iter().find(|info| info.name == engine);
        let info = info.unwrap_or_else(|| panic!("no engine {engine}"));
        self.settings.answer_drafts(info, allowed);
    }

    /// The id of the open chat.
    pub fn chat(self) -> Id {
        self.chats.open_id_untracked()
    }

    /// The texts of the shown branch.
    pub fn texts(self) -> Vec<String> {
        self.chats.open.with_untracked(texts)
    }

    /// The texts that a reload would show of a chat.
    pub fn kept(self, chat: Id) -> Vec<String> {
        let kept = self.storage.with_log(|log| log.load(chat)).flatten();
        kept.as_ref().map(texts).unwrap_or_default()
    }

    /// The titles in the list of chats.
    pub fn titles(self) -> Vec<String> {
        self.chats
            .list
            .with_untracked(|all| all.iter().map(|chat| chat.title.clone()).collect())
    }

    /// What the toast offers to undo.
    pub fn offered(self) -> UndoId {
        let toast = self.notices.toast.get_untracked();
        let undo = toast.and_then(|toast| toast.undo);
        undo.unwrap_or_else(|| panic!("the toast offers nothing"))
    }

    /// Undoes what the toast offers.
    pub fn undo_offer(self) {
        self.history.undo(self.offered(), false);
    }

    /// The text of the toast.
    pub fn toast(self) -> Option<String> {
        let toast = self.notices.toast.get_untracked();
        toast.map(|toast| toast.text)
    }
}

fn texts(chat: &Chat) -> Vec<String> {
    let path = chat.path().into_iter();
    path.map(|message| message.content.clone()).collect()
}

/// Runs a test with an owner of its own, and with an executor on this thread for effects.
pub fn under_owner(test: impl FnOnce()) {
    // The executor is set once per process; later calls fail harmlessly.
    Executor::init_futures_executor().ok();
    let owner = Owner::new();
    owner.with(test);
    owner.cleanup();
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}

/// Runs a test of the stores that `open` makes of a new tab, whose environment may be that of a room.
pub fn reactive_in<M: Default, H>(open: impl FnOnce(&M) -> H, test: impl FnOnce(&M, H)) {
    under_owner(|| {
        let machine = M::default();
        let house = open(&machine);
        test(&machine, house);
    });
}

/// Runs a test with a second tab, opened when both have the chat "Hi" with its answer.
pub fn two_tabs(test: impl FnOnce(&Machine, House, &Machine, House)) {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = House::new(&there);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        test(machine, house, &there, other);
    });
}

/// An image of one pixel.
pub fn small_image() -> Image {
    Image {
        hash: ImageHash([1; 32]),
        format: ImageFormat::Png,
        width: 1,
        height: 1,
        size: 1,
        preview: String::new(),
    }
}

/// A quote of this text.
#[must_use]
pub fn quoted(text: &str) -> RecalledBlock {
    RecalledBlock {
        pieces: Vec::new(),
        text: text.to_owned(),
    }
}

/// Tools that are built in.
#[must_use]
pub fn builtin_tools(tools: &[BuiltinTool]) -> Vec<Tool> {
    tools.iter().copied().map(Tool::Builtin).collect()
}

/// A frame with a piece of an answer.
pub fn text(text: &str) -> Result<Frame, Fault> {
    let text = text.to_owned();
    Ok(Frame::Text { text })
}

/// A complete answer of these words.
pub fn says(words: &[&str]) -> Vec<Result<Frame, Fault>> {
    let done = Frame::Done {
        reason: DoneReason::Stop,
        usage: Usage::default(),
    };
    let words = words.iter().map(|word| text(word));
    words.chain([Ok(done)]).collect()
}

/// An answer of these words that a limit of length ended.
pub fn cut_off(words: &str) -> Vec<Result<Frame, Fault>> {
    let done = Frame::Done {
        reason: DoneReason::Length,
        usage: Usage::default(),
    };
    vec![text(words), Ok(done)]
}
