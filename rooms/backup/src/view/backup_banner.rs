//! The lines of the backup above the transcript.

use super::TAB;
use super::words::{missing_words, old_words, unreached_words};
use crate::fault::fault_words;
use crate::store::{Backup, BackupPhase, BackupSettingsStoreFields};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use_interval_fn::use_interval_fn;
use sash_stores::Kernel;
use sash_ui_kit::{IconButton, IconName};
use sash_view::parts::BannerLine;
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// How often it is looked whether the backup is old, in milliseconds. A page that was just opened is about to write it.
const AGE_CHECK_MS: u64 = 60_000;

/// What a button does.
type Deed = fn(Kernel, Backup);

/// What kind of line it is.
enum NoticeKind {
    Warning,
    /// A warning that the person can close.
    Closable,
    Offer,
}

/// A line that is to be shown.
struct Notice {
    kind: NoticeKind,
    words: String,
    /// The buttons: their words, and what they do.
    offers: Vec<(&'static str, Deed)>,
}

impl Notice {
    fn new(kind: NoticeKind, words: impl Into<String>) -> Self {
        Self {
            kind,
            words: words.into(),
            offers: Vec::new(),
        }
    }

    fn offer(mut self, label: &'static str, act: Deed) -> Self {
        self.offers.push((label, act));
        self
    }
}

/// The lines of the backup.
#[component]
pub fn BackupBanner() -> impl IntoView {
    let (kernel, backup) = (use_kernel(), Backup::expect());
    let old = RwSignal::new(0);
    use_interval_fn(
        move || {
            old.set(untrack(|| backup.left_behind()));
            spawn_local(backup.check_permission());
        },
        AGE_CHECK_MS,
    );
    say_purged(kernel, backup);
    // A line that was closed stays closed until it says something else.
    let closed = RwSignal::new(Vec::<String>::new());
    let shown = move || {
        let mut notices = notices(kernel, backup, old.get());
        notices.retain(|notice| closed.with(|closed| !closed.contains(&notice.words)));
        notices
    };
    let line = move |notice: Notice| {
        let offers = notice.offers.into_iter().map(|(label, act)| {
            view! {
                <button type="button" class="link" on:click=move |_| act(kernel, backup)>
                    {label}
                </button>
            }
        });
        let offers = offers.collect_view();
        let words = StoredValue::new(notice.words);
        let close = move |_| closed.update(|closed| closed.push(words.get_value()));
        let is_plain = matches!(notice.kind, NoticeKind::Offer);
        let can_close = matches!(notice.kind, NoticeKind::Closable);
        let close = can_close.then(|| {
            view! { <IconButton label=t!(common.close) icon=IconName::Close on:click=close /> }
        });
        view! {
            <BannerLine words=move || words.get_value() is_plain>
                {offers}
                {close}
            </BannerLine>
        }
    };

    view! { <For each=shown key=|notice| notice.words.clone() children=line /> }
}

/// All that is to be said. `old` chats were found to be left behind.
fn notices(kernel: Kernel, backup: Backup, old: usize) -> Vec<Notice> {
    // That Sash itself does not answer is said already.
    let is_gone = kernel.engine().server_gone.get();
    let no_key_reminder = backup.settings.current.no_key_reminder().get();
    let mut all = Vec::new();
    backup.state.with(|state| {
        let problem = state.problem().filter(|_| !is_gone);
        if let (BackupPhase::NeedsPermission, Some(folder)) = (&state.phase, &state.device) {
            let words = t!(backup.folder_needs_permission, folder = folder);
            let notice = Notice::new(NoticeKind::Warning, words);
            all.push(notice.offer(t!(backup.allow_folder), |_, backup| {
                spawn_local(backup.allow_directory());
            }));
        } else if let Some(why) = problem {
            let words = t!(backup.not_written_why, why = fault_words(why));
            all.push(Notice::new(NoticeKind::Warning, words).offer(t!(parts.show), show_section));
        } else if old > 0 && !state.has_everything() {
            let words = old_words(backup, old);
            all.push(Notice::new(NoticeKind::Warning, words).offer(t!(parts.show), show_section));
        }
        if state.phase == BackupPhase::NeedsKey(None) && !no_key_reminder {
            let notice = Notice::new(NoticeKind::Offer, t!(backup.needs_key));
            let notice = notice.offer(t!(backup.enter_key), show_section);
            all.push(notice.offer(t!(library.stop_reminding), |_, backup| {
                let settings = backup.settings;
                settings.change(|settings| settings.no_key_reminder = true);
            }));
        }
        if state.other_key.is_some() {
            let notice = Notice::new(NoticeKind::Warning, t!(backup.other_key))
                .offer(t!(backup.use_other_key), |_, backup| {
                    backup.answer_other_key(true)
                })
                .offer(t!(backup.keep_this_key), |_, backup| {
                    backup.answer_other_key(false)
                });
            all.push(notice);
        }
        if let Some(number) = state.offer {
            let chats = count::chats(number);
            let words = t!(backup.offer_chats, count = number as u64, chats = chats);
            let mut notice = Notice::new(NoticeKind::Offer, words);
            // A directory of this device is that of one browser.
            if state.device.is_none() {
                notice = notice.offer(t!(backup.sync), |_, backup| {
                    backup.set_in_step(true);
                    backup.answer_offer();
                });
            }
            let notice = notice
                .offer(t!(backup.restore_offered), |kernel, backup| {
                    backup.answer_offer();
                    backup.state.update(|state| state.lists_chats = true);
                    show_section(kernel, backup);
                })
                .offer(t!(backup.not_here), |_, backup| backup.answer_offer());
            all.push(notice);
        }
        // Where nothing can be written, that is said already.
        if problem.is_none()
            && let Some(words) = missing_words(state)
        {
            all.push(Notice::new(NoticeKind::Closable, words).offer(t!(parts.show), show_section));
        }
        let unreached = state.unreached();
        if !unreached.is_empty() {
            let words = unreached_words(&unreached);
            all.push(Notice::new(NoticeKind::Closable, words));
        }
    });
    all
}

/// Shows the section of the backup.
fn show_section(kernel: Kernel, _: Backup) {
    kernel.view().show_all_chats(TAB);
}

/// Says once that what was deleted for good here is deleted from the backup too.
fn say_purged(kernel: Kernel, backup: Backup) {
    Effect::new(move |was_waiting: Option<bool>| {
        let (waits, is_done) = backup.state.with(|state| {
            let is_done = state.phase == BackupPhase::Done;
            (!state.to_purge().is_empty(), is_done)
        });
        let was_waiting = was_waiting == Some(true);
        if was_waiting && !waits && is_done {
            kernel.notices().show(t!(backup.purge_done));
        }
        waits || was_waiting && !is_done
    });
}
