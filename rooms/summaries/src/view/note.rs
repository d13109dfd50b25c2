//! A summary at its place in the transcript: after the last message that it covers.

use crate::Summaries;
use leptos::html::Button;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_browser_kit::page;
use sash_chat::{Id, Summary};
use sash_log::DraftField;
use sash_markdown_view::MarkdownText;
use sash_ui_kit::{GrowingText, IconButton, IconName};
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::parts::{EditDraft, EditField, words_with_unsaved};
use sash_view::places::InsertedAfter;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The message after which the summary stands: that which is being written, that in use, or the newest one.
pub fn summary_place() -> Signal<Option<Id>> {
    let (summaries, chats) = (Summaries::expect(), use_kernel().chats());
    Signal::derive(move || {
        let open = chats.open_id();
        let written = summaries.draft.with(|draft| {
            let draft = draft.as_ref().filter(|draft| draft.chat == open)?;
            Some(draft.covers.through)
        });
        written.or_else(|| Some(summaries.shown()?.through))
    })
}

/// The summary that ends after a message: the one in use, or else the newest; or the one that is being written.
#[component]
pub fn SummaryNote() -> impl IntoView {
    let summaries = Summaries::expect();
    let InsertedAfter(after) = expect_context();
    let is_written = Memo::new(move |_| {
        let draft = summaries.draft;
        draft.with(|draft| {
            draft
                .as_ref()
                .is_some_and(|draft| draft.covers.through == after)
        })
    });
    let shown = Memo::new(move |_| {
        let shown = summaries.shown();
        shown.filter(|summary| summary.through == after)
    });

    view! {
        <div>
            <Show when=move || is_written.get()>
                <RunningSummary />
            </Show>
            <For
                each=move || shown.get()
                key=|summary| summary.number
                let:summary
            >
                <WrittenSummary summary />
            </For>
        </div>
    }
}

#[component]
fn WrittenSummary(
    /// The summary.
    summary: Summary,
) -> impl IntoView {
    let (summaries, kernel) = (Summaries::expect(), use_kernel());
    let number = summary.number;
    let conversation = FocusRefs::expect().conversation;
    let editing = RwSignal::new(false);
    let edit_button = NodeRef::<Button>::new();
    let in_use = Memo::new(move |_| {
        kernel
            .steering()
            .window
            .with(|window| window.summary == Some(number))
    });
    let versions = Memo::new(move |_| {
        let versions = summaries.versions();
        versions
            .iter()
            .map(|summary| summary.number)
            .collect::<Vec<_>>()
    });
    let place =
        move || versions.with(|all| all.iter().position(|n| *n == number).unwrap_or_default());
    let walk = move |step: isize| {
        let to = untrack(place).checked_add_signed(step);
        let to = to.and_then(|to| versions.with_untracked(|all| all.get(to).copied()));
        if to.is_some() {
            summaries.use_version(to);
        }
    };
    let heading = format!("summary-{number}");
    let toggle = move |_| {
        let used = in_use.get_untracked();
        summaries.use_version((!used).then_some(number));
    };
    // What can be done is in the buttons below.
    let cut_off = Memo::new(move |_| match summary.cut_off {
        true => Some(t!(summaries.cut_off)),
        false => {
            let newer = in_use.get().then(|| summaries.cut_off()).flatten();
            newer.map(|_| t!(summaries.newer_cut_off))
        }
    });
    let edit_words = move || {
        words_with_unsaved(
            kernel.drafts(),
            t!(common.edit),
            DraftField::Summary(number),
        )
    };
    let text = StoredValue::new(summary.text.clone());
    let is_running = Memo::new(|_| false);

    view! {
        <section class="summary" aria-labelledby=heading data-used=move || in_use.get()>
            <p class="summary-head">
                <strong id=format!("summary-{number}")>{title(&summary)}</strong>
                <span>{facts(&summary)}</span>
                <span class="summary-state">
                    {move || if in_use.get() { t!(summaries.sent_with_next) } else { t!(summaries.not_sent) }}
                </span>
            </p>
            <ShowLet some=cut_off let:words>
                <p class="note">{words}</p>
            </ShowLet>
            <Show
                when=move || editing.get()
                fallback=move || {
                    view! {
                        <div class="summary-text" dir="auto">
                            <MarkdownText text=ArcRwSignal::new(text.get_value()) running=is_running />
                        </div>
                    }
                }
            >
                <SummaryEdit number text=text.get_value() editing edit_button />
            </Show>
            <div class="summary-buttons" hidden=move || editing.get()>
                <button type="button" node_ref=edit_button on:click=move |_| editing.set(true)>
                    {edit_words}
                </button>
                <button
                    type="button"
                    aria-disabled=move || summaries.draft.with(Option::is_some).then_some("true")
                    on:click=move |_| {
                        summaries.write_again(number);
                        page::focus(conversation);
                    }
                >
                    {t!(summaries.write_anew)}
                </button>
                <button type="button" on:click=toggle>
                    {move || if in_use.get() { t!(summaries.take_it_out) } else { t!(summaries.use_it) }}
                </button>
                <Show when=move || { versions.with(Vec::len) > 1 }>
                    <span class="versions" role="group" aria-label=t!(summaries.versions)>
                        <IconButton
                            label=t!(common.previous_version)
                            icon=IconName::Left
                            attr:disabled=move || place() == 0
                            on:click=move |_| walk(-1)
                        />
                        <span>{move || format!("{}/{}", place() + 1, versions.with(Vec::len))}</span>
                        <IconButton
                            label=t!(common.next_version)
                            icon=IconName::Right
                            attr:disabled=move || { place() + 1 >= versions.with(Vec::len) }
                            on:click=move |_| walk(1)
                        />
                    </span>
                </Show>
            </div>
        </section>
    }
}

fn title(summary: &Summary) -> String {
    t!(
        summaries.summary_of,
        what = count::earlier_messages(summary.count as usize)
    )
}

/// Who wrote it, when, and with how many tokens.
fn facts(summary: &Summary) -> String {
    let by = match &summary.model {
        Some(model) if summary.edited => t!(summaries.by_model_edited, model = &model),
        Some(model) => t!(summaries.by_model, model = &model),
        None => t!(summaries.by_you).to_owned(),
    };
    let mut words = t!(
        summaries.author_and_date,
        by = &by,
        created = clock::date(summary.created)
    );
    if let Some(tokens) = summary.prompt_tokens {
        words += &t!(summaries.read, tokens = count::tokens(tokens as usize));
    }
    if let Some(tokens) = summary.answer_tokens {
        words += &t!(summaries.wrote, tokens = count::tokens(tokens as usize));
    }
    words
}

/// What has come of it, and a button that stops it.
#[component]
fn RunningSummary() -> impl IntoView {
    let summaries = Summaries::expect();
    let prompt = FocusRefs::expect().prompt;
    let title = move || {
        let count = summaries
            .draft
            .with(|draft| draft.as_ref().map_or(0, |draft| draft.covers.count));
        t!(
            summaries.summarising,
            what = count::earlier_messages(count as usize)
        )
    };
    let stop = move |_| {
        summaries.stop();
        page::focus(prompt);
    };

    view! {
        <section class="summary" aria-label=t!(summaries.being_written) aria-busy="true">
            <p class="summary-head">
                <strong>{title}</strong>
            </p>
            <GrowingText class="summary-text" text=summaries.answer.text />
            <div class="summary-buttons">
                <button type="button" on:click=stop>
                    {t!(common.stop)}
                </button>
            </div>
        </section>
    }
}

/// The text as a field. Keeping it makes a new version; an empty text takes the summary out.
#[component]
fn SummaryEdit(
    /// The number of the summary.
    number: u32,
    /// Its text.
    text: String,
    /// Whether the field is shown.
    editing: RwSignal<bool>,
    /// The button that shows it.
    edit_button: NodeRef<Button>,
) -> impl IntoView {
    let summaries = Summaries::expect();
    let draft = EditDraft::new(DraftField::Summary(number), text);
    let close = move |()| {
        editing.set(false);
        page::focus_soon(edit_button);
    };
    let keep = move |()| {
        summaries.edit(number, &draft.text.get_untracked());
        draft.end();
        close(());
    };

    view! {
        <div class="edit">
            <EditField
                draft
                id=format!("edit-summary-{number}")
                label=t!(summaries.edit_summary)
                save_words=t!(summaries.save_as_version)
                is_save_key=|_| false
                on_save=keep
                on_close=close
            />
        </div>
    }
}
