//! Taking in chats from a file: what would become of it first, then, if the person wants it, all of it or nothing.

use super::Library;
use super::sizes::amount;
use crate::browser::storage::{ROOM, used};
use crate::browser::{clock, file, ids, page};
use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el};
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_log::transfer::{
    Fate, Import, ImportError, MAX_FILE, Plan, Planner, Progress, Step, decode,
};
use web_sys::{Event, File};

/// How many chats of a file are listed.
const LISTED: usize = 200;

#[derive(Clone, Debug, PartialEq)]
enum State {
    /// No file is chosen.
    Idle,
    /// A file is being looked at, so far in parts of a hundred.
    Looking(u64),
    /// It was looked at; the plan waits.
    Planned,
    /// It is being taken in.
    Running(u64),
    /// What came of it.
    Done(String),
    /// Why nothing came of it.
    Failed(String),
}

#[derive(Clone, Copy)]
struct Room {
    library: Library,
    state: RwSignal<State>,
    plan: StoredValue<Option<Plan>, LocalStorage>,
    /// Whether the person wants it to end.
    stop: RwSignal<bool>,
}

/// The section.
pub fn import_section(library: Library) -> El {
    let room = Room {
        library,
        state: RwSignal::new(State::Idle),
        plan: StoredValue::new_local(None),
        stop: RwSignal::new(false),
    };
    let state = room.state;
    el("section")
        .child(el("h3").text("Import"))
        .child(el("p").class("library-note").text(
            "An export of Sash, Open WebUI, ChatGPT or Hollama. You see what would be imported first; nothing that is here is replaced.",
        ))
        .choose(
            move || match state.get() {
                State::Looking(_) => State::Looking(0),
                State::Running(_) => State::Running(0),
                state => state,
            },
            move |state| Some(match state {
                State::Idle => choose_file(room),
                State::Looking(_) => progress(room, "Looking at the file"),
                State::Planned => planned(room),
                State::Running(_) => progress(room, "Importing"),
                State::Done(words) => ended(room, words, "note"),
                State::Failed(words) => ended(room, words, "note note-failed"),
            }),
        )
}

fn choose_file(room: Room) -> El {
    let field = el("input")
        .attr("type", "file")
        .attr("id", "import-file")
        .attr("aria-label", "File to import")
        .attr("accept", ".jsonl,.json,.txt")
        .on("change", move |event: Event| {
            if let Some(file) = file::chosen(&event) {
                room.stop.set(false);
                room.state.set(State::Looking(0));
                spawn_local(async move {
                    let next = look(room, &file).await;
                    if room.state.try_set(next).is_none() {
                        page::focus_soon("import-title".to_owned());
                    }
                });
            }
        });
    el("div").child(field)
}

/// Reads a file and plans its import.
async fn look(room: Room, file: &File) -> State {
    // Before it is in memory.
    if file.size() > MAX_FILE as f64 {
        return State::Failed(ImportError::TooLong(file.size() as u64).to_string());
    }
    let Some(bytes) = file::read(file).await else {
        return State::Failed("The file could not be read.".to_owned());
    };
    let planner = decode(bytes).and_then(|text| Planner::new(text, clock::now()));
    let mut planner = match planner {
        Ok(planner) => planner,
        Err(error) => return State::Failed(error.to_string()),
    };
    loop {
        match room.library.with_log(|log| planner.step(log)) {
            Some(Ok(Some(so_far))) => {
                let _ = room.state.try_set(State::Looking(percent(so_far)));
            }
            Some(Ok(None)) => break,
            Some(Err(error)) => return State::Failed(error.to_string()),
            None => return State::Idle,
        }
        if room.stop.try_get_untracked() != Some(false) {
            return State::Idle;
        }
        clock::pause().await;
    }
    let plan = planner.finish();
    let _ = room.plan.try_update_value(|kept| *kept = Some(plan));
    State::Planned
}

fn percent(progress: Progress) -> u64 {
    progress.done * 100 / progress.of.max(1)
}

fn progress(room: Room, what: &str) -> El {
    let done = move || match room.state.get() {
        State::Looking(done) | State::Running(done) => done.to_string(),
        _ => String::new(),
    };
    el("div")
        .class("storage-row")
        .child(
            el("progress")
                .attr("aria-label", what)
                .attr("max", "100")
                .live_attr("value", done),
        )
        .child(button("").text("Stop").click(move || room.stop.set(true)))
}

/// What would become of the file.
fn planned(room: Room) -> El {
    let back = move || {
        room.plan.set_value(None);
        room.state.set(State::Idle);
        page::focus_soon("import-file".to_owned());
    };
    let report = room.plan.with_value(|plan| plan.as_ref().map(report));
    let (report, adds) = report.unwrap_or_else(|| (el("div"), false));
    let start = move || {
        let plan = room.plan.try_update_value(Option::take).flatten();
        if let Some(plan) = plan {
            room.stop.set(false);
            room.state.set(State::Running(0));
            spawn_local(async move {
                let next = run(room, plan).await;
                room.library.session.refresh_from_log();
                let _ = room.state.try_set(next);
                room.library.note_change();
            });
        }
    };
    let import = adds.then(|| button("primary").text("Import").click(start));
    report.child(
        el("div")
            .class("storage-row")
            .maybe(import)
            .child(button("").text("Another file").click(back)),
    )
}

/// The report, and whether there is anything to take in that has room.
fn report(plan: &Plan) -> (El, bool) {
    let fresh = plan.count(|fate| matches!(fate, Fate::New | Fate::Copy(_)));
    let more = plan.count(|fate| matches!(fate, Fate::More(_)));
    let here = plan.count(|fate| fate == Fate::Here);
    let skipped = plan.count(|fate| matches!(fate, Fate::Skipped(_)));
    let mut parts = Vec::new();
    for (count, what) in [
        (fresh, "new"),
        (more, "with new messages"),
        (here, "here already"),
        (skipped, "left out"),
    ] {
        if count > 0 {
            parts.push(format!("{} {what}", grouped(count as u64)));
        }
    }
    let title = format!("{}: {}", plural(plan.chats.len(), "chat"), parts.join(", "));
    let mut list = el("ul")
        .class("import-list")
        .attr("tabindex", "0")
        .attr("aria-label", "Chats of the file");
    for chat in plan.chats.iter().take(LISTED) {
        list = list.child(
            el("li")
                .child(
                    el("span")
                        .class("result-title")
                        .attr("dir", "auto")
                        .text(&chat.title),
                )
                .child(el("span").class("library-note").text(&format!(
                    "{} · {}",
                    plural(chat.messages, "message"),
                    chat.fate
                ))),
        );
    }
    if plan.chats.len() > LISTED {
        let rest = plural(plan.chats.len() - LISTED, "chat");
        list = list.child(
            el("li")
                .class("library-note")
                .text(&format!("and {rest} more")),
        );
    }
    let mut report = el("div")
        .class("import-report")
        .child(
            el("p")
                .attr("id", "import-title")
                .attr("tabindex", "-1")
                .child(el("strong").text(&title)),
        )
        .child(list);
    for sentence in plan.notes.sentences() {
        report = report.child(el("p").class("library-note").text(&sentence));
    }
    let free = ROOM.saturating_sub(used()) as u64;
    let needs = plan.needs_at_most();
    let adds = plan.records() > 0;
    if adds {
        let fits = needs <= free;
        let words = format!(
            "It needs {} of storage; {} are free.",
            amount(usize::try_from(needs).unwrap_or(usize::MAX)),
            amount(usize::try_from(free).unwrap_or(usize::MAX))
        );
        report = report.child(match fits {
            true => el("p").class("library-note").text(&words),
            false => el("p").class("note note-failed").text(&format!(
                "{words} Pack idle chats or empty the trash first."
            )),
        });
        return (report, fits);
    }
    (
        report.child(
            el("p")
                .class("library-note")
                .text("There is nothing to import."),
        ),
        false,
    )
}

/// Does what the plan says. What came of it.
async fn run(room: Room, plan: Plan) -> State {
    let chats = plan.count(|fate| matches!(fate, Fate::New | Fate::Copy(_) | Fate::More(_)));
    let begun = room
        .library
        .with_log(|log| Import::begin(plan, log, ids::new_id()));
    let mut import = match begun {
        Some(Ok(import)) => import,
        Some(Err(stopped)) => return State::Failed(stopped.to_string()),
        None => return State::Idle,
    };
    loop {
        match room.library.with_log(|log| import.step(log)) {
            Some(Ok(Step::More(so_far))) => {
                let _ = room.state.try_set(State::Running(percent(so_far)));
            }
            Some(Ok(Step::Done(_))) => {
                return State::Done(format!("{} imported.", plural(chats, "chat")));
            }
            Some(Err(stopped)) => return State::Failed(stopped.to_string()),
            None => return State::Idle,
        }
        if room.stop.try_get_untracked() == Some(true) {
            room.library.with_log(|log| import.stop(log));
            return State::Failed("Stopped. Nothing was imported.".to_owned());
        }
        clock::pause().await;
    }
}

fn ended(room: Room, words: &str, class: &str) -> El {
    let back = move || {
        room.state.set(State::Idle);
        page::focus_soon("import-file".to_owned());
    };
    el("div")
        .class("storage-row")
        .child(el("p").class(class).attr("role", "status").text(words))
        .child(button("").text("Another file").click(back))
}
