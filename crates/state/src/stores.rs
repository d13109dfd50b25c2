//! All stores, created in one place and in an order without cycles.

use crate::chats::PageLog;
use crate::earlier_questions::EarlierQuestions;
use crate::export_reminder::count_imports;
use crate::hooks::{Turn, Turns};
use crate::shown_branch::ShownBranch;
use crate::{
    AllChats, AnswerNotices, Answers, Attachments, Backup, BackupAge, BackupEvent, BringBack,
    ChatList, Chats, Commands, DraftQuestion, Drafts, Edges, Embeddings, EngineStore, History,
    Imports, Library, Mentions, Models, Notices, Numbers, Pastes, Prefills, Pulls, Queue,
    ReadAhead, ReadAloud, Reads, Recalls, RemoteAnswers, SavedPrompts, SettingsStore, SideBySide,
    Steering, Storage, StorageState, Summaries, Tabs, Titles, TokenCounts, View, WhatIf,
};
use reactive_graph::owner::StoredValue;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_chat::window::Parts;
use sash_wire::{PageAddress, SubPage};

/// All stores of one tab: a handle of eight bytes, with a method for each. They live as long as the owner under which they
/// were made.
#[derive(Clone, Copy)]
pub struct Stores(StoredValue<AllStores>);

macro_rules! all_stores {
    ($($(#[$doc:meta])+ $name:ident: $store:ty,)+) => {
        /// The stores themselves.
        #[derive(Clone, Copy)]
        pub struct AllStores {
            $($(#[$doc])+ pub $name: $store,)+
        }

        impl Stores {
            $($(#[$doc])+ #[must_use] pub fn $name(self) -> $store {
                self.0.with_value(|all| all.$name)
            })+
        }
    };
}

all_stores! {
    /// The visible parts of the page, and what to show next.
    view: View,
    /// The status line, and announcements to screen readers.
    notices: Notices,
    /// What can be undone.
    history: History,
    /// The log, its state, and the free room.
    storage: Storage,
    /// The person's settings for all chats.
    settings: SettingsStore,
    /// What can be done by the list of commands and by keys.
    commands: Commands,
    /// The state of the engines and their models.
    engine: EngineStore,
    /// The list of chats and the open one.
    chats: Chats,
    /// The unsent texts of the composer.
    drafts: Drafts,
    /// The question whether an engine may have them.
    draft_question: DraftQuestion,
    /// The prompts that the person keeps.
    prompts: SavedPrompts,
    /// Long texts that are pasted into the composer.
    pastes: Pastes,
    /// The window of the open chat.
    steering: Steering,
    /// Images of the draft and the window.
    attachments: Attachments,
    /// Answers that run in other tabs.
    remote: RemoteAnswers,
    /// Answers, from the prompt to the end.
    answers: Answers,
    /// Answers that ended while the page was not in view.
    answer_notices: AnswerNotices,
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
    /// The prompts that wait for the end of an answer.
    queue: Queue,
    /// The exact tokens of the next request.
    token_counts: TokenCounts,
    /// Summaries of what left the window.
    summaries: Summaries,
    /// The next prompt, read while it is written.
    read_ahead: ReadAhead,
    /// The same question with another window.
    what_if: WhatIf,
    /// One question and several models.
    side_by_side: SideBySide,
    /// Titles by the model.
    titles: Titles,
    /// Operations on all chats.
    library: Library,
    /// The import of a file.
    imports: Imports,
    /// The backup.
    backup: Backup,
    /// Whether it is old.
    backup_age: BackupAge,
    /// What comes back from it.
    bring_back: BringBack,
    /// What the answers of the log cost.
    numbers: Numbers,
    /// The walk through earlier questions.
    earlier_questions: EarlierQuestions,
    /// The answer that is read aloud.
    read_aloud: ReadAloud,
    /// What an address fills in.
    prefills: Prefills,
    /// Changes by other tabs.
    tabs: Tabs,
}

/// What a tab remembers over a reload.
#[derive(Clone, Copy, Default)]
pub struct RememberedTab {
    /// The chat that was open; none in a new tab.
    pub chat: Option<Id>,
    /// Whether the panel was shown.
    pub panel_shown: bool,
}

impl AllStores {
    /// Creates the stores of a tab over an opened log.
    #[must_use]
    pub fn new(edges: Edges, log: PageLog, state: StorageState, tab: RememberedTab) -> Self {
        let view = View::new(tab.panel_shown);
        let notices = Notices::new(edges);
        let history = History::new(notices);
        let storage = Storage::new(edges, log, state);
        let settings = SettingsStore::new(storage);
        let engine = EngineStore::new(edges, settings, notices);
        let chats = Chats::new(edges, view, notices, history, storage, settings, tab.chat);
        let drafts = Drafts::new(edges, history, storage, engine, chats, notices, tab.chat);
        let prompts = SavedPrompts::new(edges, notices, history, storage, chats, drafts);
        let steering = Steering::new(notices, history, settings, engine, chats, drafts);
        let attachments =
            Attachments::new(edges, notices, storage, engine, chats, drafts, steering);
        contribute_tools(steering, engine, chats);
        let remote = RemoteAnswers::new(edges, storage, chats);
        let reads = Reads::default();
        let answers = Answers::new(
            edges,
            notices,
            storage,
            settings,
            engine,
            chats,
            drafts,
            steering,
            attachments,
            remote,
            reads,
        );
        // Before other stores look which tab holds a chat: that would keep this one from holding it.
        answers.resume_all();
        let index = ShownBranch::new(edges, chats, answers);
        let all_chats = AllChats::new(edges, storage, chats);
        let summaries = Summaries::new(edges, notices, engine, chats, steering, answers);
        let turns = Turns::default();
        turns.add(Turn::Answer, move || answers.is_any_busy_in_any_tab());
        turns.add(Turn::Side, move || summaries.draft.with(Option::is_some));
        turns.add(Turn::Ahead, move || reads.is_running());
        let embeddings = Embeddings::new(edges, storage, settings, engine, chats, steering, turns);
        let library = Library::new(edges, storage, chats, answers, attachments, embeddings);
        let imports = Imports::new(edges, storage, engine, attachments, library, prompts);
        count_imports(edges, settings, imports);
        let backup = Backup::new(edges, notices, storage, settings, engine, chats);
        let recalls = Recalls::new(
            edges, notices, chats, drafts, steering, index, all_chats, embeddings,
        );
        let queue = Queue::new(
            edges, notices, history, chats, drafts, steering, remote, answers,
        );
        let read_ahead = ReadAhead::new(
            edges, notices, settings, engine, chats, drafts, steering, answers, turns, reads,
        );
        let tabs = Tabs::new(
            edges, notices, storage, settings, chats, drafts, prompts, remote, answers, queue,
        );
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
            view,
            notices,
            history,
            storage,
            settings,
            commands: Commands::new(settings),
            engine,
            chats,
            drafts,
            draft_question: DraftQuestion::new(edges, settings, engine, drafts, steering),
            prompts,
            pastes: Pastes::new(notices, settings, chats, drafts),
            steering,
            attachments,
            remote,
            answers,
            answer_notices: AnswerNotices::new(edges, settings, chats, answers),
            chat_list: ChatList::new(edges, settings, chats, answers),
            models: Models::new(edges, notices, settings, engine),
            pulls: Pulls::new(edges, notices, engine, chats),
            all_chats,
            embeddings,
            recalls,
            queue,
            mentions: Mentions::new(edges, notices, chats, drafts, steering, recalls, index),
            token_counts: TokenCounts::new(edges, chats, drafts, steering, engine, answers),
            summaries,
            read_ahead,
            what_if: WhatIf::new(edges, engine, chats, steering, answers),
            titles: Titles::new(edges, notices, chats, steering, answers),
            side_by_side: SideBySide::new(notices, chats, drafts, steering, answers),
            library,
            imports,
            backup,
            backup_age: BackupAge::new(edges, settings, chats, backup),
            bring_back: BringBack::new(edges, storage, backup, imports),
            numbers: Numbers::new(edges, storage),
            earlier_questions: EarlierQuestions::new(chats, drafts),
            read_aloud: ReadAloud::new(edges, notices, settings, chats),
            prefills: Prefills::new(notices, engine, chats, drafts),
            tabs,
        }
    }
}

impl Stores {
    /// Creates the stores of a tab over an opened log, under the current owner.
    #[must_use]
    pub fn new(edges: Edges, log: PageLog, state: StorageState, tab: RememberedTab) -> Self {
        Self(StoredValue::new(AllStores::new(edges, log, state, tab)))
    }

    /// The address of what is shown.
    #[must_use]
    pub fn address(self) -> PageAddress {
        let model = self.models().open.get();
        match self.view().sub_page.get() {
            Some(SubPage::Models) if model.is_some() => {
                PageAddress::Model(model.unwrap_or_default())
            }
            Some(page) => PageAddress::Sub(page),
            None => self.chats().address(),
        }
    }

    /// Shows what an address names. Returns whether there is such a chat.
    pub fn follow(self, address: PageAddress) -> bool {
        let (page, model) = match &address {
            PageAddress::Sub(page) => (Some(*page), None),
            PageAddress::Model(key) => (Some(SubPage::Models), Some(key)),
            PageAddress::NewChat | PageAddress::Chat(_) => (None, None),
        };
        if self.models().open.get_untracked().as_ref() != model {
            match model {
                Some(key) => self.models().show(key),
                None => self.models().open.set(None),
            }
        }
        if self.view().sub_page.get_untracked() != page {
            self.view().sub_page.set(page);
        }
        self.chats().follow(address)
    }
}

/// Has the tools of a chat go with its requests to a model that calls some.
fn contribute_tools(steering: Steering, engine: EngineStore, chats: Chats) {
    let own = chats.open_settings().tools();
    steering.contribute(move |request| {
        let calls = match request {
            Some((_, model)) => engine.uses_tools(model),
            None => steering
                .model
                .get()
                .is_some_and(|model| engine.uses_tools(&model)),
        };
        let tools = calls.then(|| match request {
            Some((head, _)) => head.settings.tools.clone(),
            None => own.get(),
        });
        Parts {
            tools: tools.unwrap_or_default(),
            ..Parts::default()
        }
    });
}
