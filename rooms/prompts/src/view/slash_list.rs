//! The list of prompts and commands that `/` opens in the prompt field.

use super::KEEP;
use crate::{SavedPrompts, slash_query};
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_records::prompts::SavedPrompt;
use sash_stores::{ChatEvent, Kernel};
use sash_text::NameIndex;
use sash_ui_kit::{ListEnds, walk};
use sash_view::composer::{FieldHooks, Listbox};
use sash_view::stores::use_kernel;
use sash_words::t;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// The id of the list.
const LIST_ID: &str = "slash-list";
/// The most entries that are shown.
const MAX_SHOWN: usize = 60;

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum SlashEntry {
    /// A prompt of the person's own, which goes into the field.
    Prompt(SavedPrompt),
    /// A command, which is run: its name, and its words.
    Command(&'static str, &'static str),
}

impl SlashEntry {
    /// Its words.
    fn name(&self) -> &str {
        match self {
            Self::Prompt(prompt) => &prompt.name,
            // The field is empty once the list is gone.
            Self::Command(KEEP, _) => t!(prompts.new_prompt_ellipsis),
            Self::Command(_, words) => words,
        }
    }

    /// The words by which it is found.
    fn searched(&self) -> String {
        match self {
            Self::Command("start-afresh", _) => format!("{} clear", self.name()),
            _ => self.name().to_owned(),
        }
    }
}

/// The list: what is searched for, what is found, and which entry Enter chooses.
#[derive(Clone, Copy)]
struct SlashList {
    kernel: Kernel,
    prompts: SavedPrompts,
    /// Notes that the command of a name was used.
    record_use: Callback<&'static str>,
    /// What is searched for; `None` while the list is closed.
    query: RwSignal<Option<String>>,
    /// Whether Escape closed the list for what is written.
    dismissed: StoredValue<bool>,
    field: FieldHooks,
    found: Memo<Vec<SlashEntry>>,
    active: RwSignal<usize>,
}

impl SlashList {
    /// A closed list.
    fn new(record_use: Callback<&'static str>) -> Self {
        let (kernel, prompts) = (use_kernel(), SavedPrompts::expect());
        let query = RwSignal::new(None::<String>);
        kernel.chats().events().on(move |event| {
            if *event == ChatEvent::Left {
                query.set(None);
            }
        });
        // Another chat or tab may bring other text into the field: the list is not of that.
        let written = kernel.drafts().written;
        let is_of = move |query: &str| written.with(|now| slash_query(now) == Some(query));
        let found = Memo::new(move |_| match query.get() {
            Some(query) if is_of(&query) => find(kernel, prompts, &query),
            _ => Vec::new(),
        });
        Self {
            kernel,
            prompts,
            record_use,
            query,
            dismissed: StoredValue::new(false),
            field: FieldHooks::expect(),
            found,
            active: RwSignal::new(0),
        }
    }

    /// Follows the prompt field, before which the list stands. Keys are the list's while it is shown.
    fn follow_field(self) {
        self.field.listbox.set(Some(Listbox {
            id: LIST_ID,
            active: Signal::derive(move || self.active_id()),
        }));
        self.field.events.add(move |event| {
            match event.type_().as_str() {
                "input" => self.on_input(&event_target_value(event)),
                "blur" => self.close(),
                _ => return event.dyn_ref().is_some_and(|key| self.on_keydown(key)),
            }
            false
        });
    }

    /// Whether the list is shown.
    fn is_shown(self) -> bool {
        self.found.with(|found| !found.is_empty())
    }

    /// The id of the entry that Enter chooses.
    fn active_id(self) -> Option<String> {
        self.is_shown().then(|| option_id(self.active.get()))
    }

    /// Opens or closes the list for what is written now, in the field and in the store.
    fn on_input(self, written: &str) {
        if !written.starts_with('/') {
            self.dismissed.set_value(false);
        }
        let query = slash_query(written).filter(|_| !self.dismissed.get_value());
        self.active.set(0);
        self.query.set(query.map(str::to_owned));
    }

    /// Says what is found when the list comes up, and no more while it is typed on.
    fn announce_when_shown(self) {
        let is_shown = Memo::new(move |_| self.is_shown());
        Effect::new(move || {
            if is_shown.get() {
                let count = self.found.with_untracked(Vec::len);
                let number = count.to_string();
                let words = t!(prompts.list_announced, count = count, number = number);
                self.kernel.notices().announce(words);
            }
        });
    }

    /// Closes the list.
    fn close(self) {
        if self.query.with_untracked(Option::is_some) {
            self.query.set(None);
        }
    }

    /// Handles a key while the list is shown. Returns whether it was one of the list's.
    fn on_keydown(self, event: &KeyboardEvent) -> bool {
        let count = self.found.with_untracked(Vec::len);
        let modified = event.shift_key() || event.ctrl_key() || event.alt_key() || event.meta_key();
        if count == 0 || modified {
            return false;
        }
        let at = self.active.get_untracked();
        match event.key().as_str() {
            key @ ("ArrowDown" | "ArrowUp") => {
                if let Some(to) = walk(key, at, count, ListEnds::Wrap) {
                    self.active.set(to);
                    page::scroll_to_id(&option_id(to));
                }
            }
            "Enter" | "Tab" => self.choose(at),
            "Escape" => {
                self.dismissed.set_value(true);
                self.close();
            }
            _ => return false,
        }
        event.prevent_default();
        true
    }

    /// Puts a prompt into the field, or runs a command: what was searched for is not a prompt.
    fn choose(self, at: usize) {
        let Some(entry) = self.found.with_untracked(|found| found.get(at).cloned()) else {
            return;
        };
        self.close();
        let (written, history) = (self.kernel.drafts().written, self.kernel.history());
        match entry {
            SlashEntry::Prompt(prompt) => self.prompts.choose(prompt, &written.get_untracked()),
            SlashEntry::Command(name, _) => {
                let before = history.last();
                written.set(String::new());
                self.record_use.run(name);
                self.kernel.commands().run(name);
                self.field.is_emptied.set_value(history.last() == before);
            }
        }
    }
}

/// The prompts, and the commands for this chat, that a query finds.
fn find(kernel: Kernel, prompts: SavedPrompts, query: &str) -> Vec<SlashEntry> {
    let prompts = prompts.list.get().into_iter();
    let commands = kernel.commands().all().into_iter();
    let commands = commands.filter(|command| command.is_of_chat && (command.can)());
    let all: Vec<SlashEntry> = prompts
        .map(SlashEntry::Prompt)
        .chain(commands.map(|command| SlashEntry::Command(command.name, (command.words)())))
        .collect();
    let names: Vec<String> = all.iter().map(SlashEntry::searched).collect();
    let places = NameIndex::new(names.iter().map(String::as_str)).find(query, MAX_SHOWN);
    places.into_iter().map(|at| all[at].clone()).collect()
}

fn option_id(at: usize) -> String {
    format!("slash-{at}")
}

/// The list above the field; nothing while it is closed or finds nothing.
#[component]
pub fn SlashListbox(
    /// Notes that the command of a name was used.
    record_use: Callback<&'static str>,
) -> impl IntoView {
    let list = SlashList::new(record_use);
    list.follow_field();
    list.announce_when_shown();

    view! {
        <Show when=move || list.is_shown()>
            <div
                class="slash-list"
                id=LIST_ID
                role="listbox"
                aria-label=t!(prompts.prompts_and_commands)
                // A list that scrolls has to be reachable by keyboard, and a textarea may not be its combobox.
                tabindex="0"
                // The field keeps focus.
                on:pointerdown=|event| event.prevent_default()
            >
                <ForEnumerate
                    each=move || list.found.get()
                    key=Clone::clone
                    children=move |at, entry| view! { <SlashOption entry at list /> }
                />
            </div>
        </Show>
    }
}

/// An entry: its name, and the beginning of its text or its keys.
#[component]
fn SlashOption(
    /// The entry.
    entry: SlashEntry,
    /// Its place in the list.
    at: ReadSignal<usize>,
    /// The list.
    list: SlashList,
) -> impl IntoView {
    let name = entry.name().to_owned();
    let (about, kind) = match &entry {
        SlashEntry::Prompt(prompt) => (prompt.first_line().to_owned(), t!(common.prompt)),
        SlashEntry::Command(name, _) => (list.kernel.commands().keys(name), ""),
    };

    view! {
        <div
            class="palette-option"
            role="option"
            id=move || option_id(at.get())
            aria-selected=move || (list.active.get() == at.get()).to_string()
            on:click=move |_| list.choose(at.get_untracked())
        >
            <span class="slash-name" dir="auto">
                {name}
            </span>
            <span class="slash-about" dir="auto">
                {about}
            </span>
            <span class="palette-kind">{kind}</span>
        </div>
    }
}
