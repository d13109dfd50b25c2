//! A chat as one HTML file, which opens anywhere and can be imported again.

use super::save::{push_images, saved_words};
use crate::{Share, ShareExtras, ShareScope, SharedPage, file_name, shared_page};
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::clock;
use sash_browser_kit::file::{self, FileParts};
use sash_chat::{Chat, Id, Message, Role};
use sash_markdown::code_blocks;
use sash_stores::Kernel;
use sash_stores::hooks::Command;
use sash_ui_kit::{DialogFrame, DialogWidth};
use sash_view::commands::has_messages;
use sash_view::stores::use_kernel;
use sash_words::{count, t};
use std::collections::BTreeMap;
use std::pin::Pin;

/// The colours of code, by its language and text; `None` for code that stays plain.
pub type ColorCode = fn(String, String) -> Pin<Box<dyn Future<Output = Option<String>>>>;

/// The question whether a chat is saved as a file with what it holds besides its messages.
#[derive(Clone, Copy)]
pub struct Sharing {
    kernel: Kernel,
    color_code: ColorCode,
    /// The chat that is about to be shared, how much of it, and what goes along.
    asked: RwSignal<Option<(Id, ShareScope, ShareExtras)>>,
}

impl Sharing {
    /// Gives the page the question.
    pub fn provide(kernel: Kernel, color_code: ColorCode) {
        provide_context(Self {
            kernel,
            color_code,
            asked: RwSignal::new(None),
        });
    }

    /// The question, from the context.
    pub fn expect() -> Self {
        expect_context()
    }

    /// Saves a chat as a file. If it holds more than the messages, the person is told first.
    pub fn share(self, chat: Id, scope: ShareScope) {
        let Some(loaded) = load(self.kernel, chat) else {
            return;
        };
        let extras = ShareExtras::of(&loaded, scope);
        if extras.is_empty() {
            let share = Share {
                scope,
                quotes: false,
                systems: true,
            };
            spawn_local(self.save(loaded, share));
        } else {
            self.asked.set(Some((chat, scope, extras)));
        }
    }

    /// Saves a chat as a page: as it is now, whatever is written while its code is coloured.
    async fn save(self, chat: Chat, share: Share) {
        let colors = self.colors_of(share.scope.messages(&chat)).await;
        let SharedPage { start, images, end } =
            shared_page(&chat, share, clock::now(), &clock::date, &|fence, code| {
                colors.get(&(fence.to_owned(), code.to_owned())).cloned()
            });
        let parts = FileParts::from(start);
        let unread = push_images(&parts, &images, &|_| ()).await;
        parts.push(&end);
        let name = file_name(&chat.title(), "html");
        file::download(&name, "text/html", parts);
        self.kernel.notices().show(match unread {
            0 => t!(export.shared_as, name = &name),
            unread => saved_words(&name, unread),
        });
    }

    /// The colours of the code in answers, by language and text. Code that the server does not colour stays plain.
    async fn colors_of(self, messages: Vec<&Message>) -> BTreeMap<(String, String), String> {
        let mut colors = BTreeMap::new();
        for answer in messages.iter().filter(|m| m.role == Role::Assistant) {
            for (fence, code) in code_blocks(&answer.content) {
                let key = (fence, code);
                if key.0.is_empty() || colors.contains_key(&key) {
                    continue;
                }
                if let Some(colored) = (self.color_code)(key.0.clone(), key.1.clone()).await {
                    colors.insert(key, colored);
                }
            }
        }
        colors
    }
}

/// Saves the chat as a page.
pub fn share_command() -> Command {
    let (kernel, sharing) = (use_kernel(), Sharing::expect());
    let (chats, answers) = (kernel.chats(), kernel.answers());
    let can = move || has_messages(kernel) && !answers.is_busy(chats.open_id());
    let run = move || sharing.share(chats.open_id_untracked(), ShareScope::Branch);
    let command = Command::new("share", || t!(export.share_dialog), run);
    command.of_chat().when(can)
}

/// Prints the chat.
pub fn print_command() -> Command {
    let kernel = use_kernel();
    let asked = kernel.view().print_asked;
    // After the list of commands is gone.
    let run = move || request_animation_frame(move || asked.notify());
    let command = Command::new("print", || t!(export.print_this_chat), run);
    command.of_chat().when(move || has_messages(kernel))
}

/// A chat from the log; if it cannot be read, the person is told.
fn load(kernel: Kernel, chat: Id) -> Option<Chat> {
    let loaded = kernel.storage().with_log(|log| log.load(chat));
    if loaded.as_ref().is_some_and(Option::is_none) {
        kernel.notices().show(t!(export.chat_unreadable));
    }
    loaded.flatten()
}

/// Says what a shared file holds besides the messages, before it is saved.
#[component]
pub fn ShareDialog() -> impl IntoView {
    let sharing = Sharing::expect().asked;
    let shown = Signal::derive(move || sharing.with(Option::is_some));

    view! {
        <DialogFrame
            class="share-dialog"
            title_id="share-title"
            title=t!(export.share_chat)
            width=DialogWidth::Narrow
            shown
            on_close=move || sharing.set(None)
        >
            <ShowLet some=move || sharing.get() let((chat, scope, extras))>
                <ShareForm chat scope extras />
            </ShowLet>
        </DialogFrame>
    }
}

/// What goes along, and the choice of it.
#[component]
fn ShareForm(
    /// The chat.
    chat: Id,
    /// Its messages that are shared.
    scope: ShareScope,
    /// What goes along.
    extras: ShareExtras,
) -> impl IntoView {
    let kernel = use_kernel();
    let (quotes, systems) = (RwSignal::new(false), RwSignal::new(true));
    let sharing = Sharing::expect();
    let close = move || sharing.asked.set(None);
    let has_systems = extras.systems > 0;
    let quoting_questions = extras.quoting;
    // What is left out by choice is not in the list.
    let sentences = Memo::new(move |_| {
        let included = match systems.get() {
            true => extras.clone(),
            false => ShareExtras {
                systems: 0,
                ..extras.clone()
            },
        };
        included.sentences()
    });
    let save = move |_| {
        let share = Share {
            scope,
            quotes: quotes.get_untracked(),
            systems: systems.get_untracked(),
        };
        if let Some(loaded) = load(kernel, chat) {
            spawn_local(sharing.save(loaded, share));
        }
        close();
    };
    let along = move || {
        view! {
            <p>{t!(export.also_in_file)}</p>
            <ul aria-label=t!(export.what_is_included)>
                <For each=move || sentences.get() key=Clone::clone let:words>
                    <li dir="auto">{words}</li>
                </For>
            </ul>
        }
    };
    let with_systems = has_systems.then(|| {
        view! {
            <label>
                <input type="checkbox" bind:checked=systems />
                {t!(export.include_system_prompts)}
            </label>
        }
    });
    let quoting = (quoting_questions > 0).then(|| {
        let questions = count::questions(quoting_questions);
        view! {
            <p>
                {t!(
                    export.quotes_from_outside,
                    count = quoting_questions as u64,
                    questions = &questions
                )}
            </p>
            <label>
                <input type="checkbox" bind:checked=quotes />
                {t!(export.include_these_quotes)}
            </label>
        }
    });

    view! {
        <div class="dialog-body">
            <Show when=move || sentences.with(|all| !all.is_empty())>{along}</Show>
            {with_systems}
            {quoting}
        </div>
        <div class="dialog-foot">
            <button type="button" on:click=move |_| close()>
                {t!(common.cancel)}
            </button>
            <button type="button" class="primary" on:click=save>
                {t!(export.save_the_file)}
            </button>
        </div>
    }
}
