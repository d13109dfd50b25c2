//! The content of a shared file: what its page shows, and nothing else.

use sash_chat::{Chat, ChatSettings, Head, Id, Inherited, Message, SettingKind, Tool};
use sash_records::FIELDS;
use sash_words::{plain_t, t};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How much of a chat is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareScope {
    /// The branch that is being read, and nothing that it replaced.
    Branch,
    /// All branches: the one that is being read, and below it, folded, the messages of the others.
    AllBranches,
}

/// What is shared of a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The messages.
    pub scope: ShareScope,
    /// Whether questions keep their quotes of messages that are not shared themselves: of other chats, other
    /// branches, or deleted.
    pub quotes: bool,
    /// Whether the system prompts are in the file. Without them a receipt still says that there was one.
    pub systems: bool,
}

impl ShareScope {
    /// The messages of a chat that are shared: those of the branch that is being read first.
    #[must_use]
    pub fn messages(self, chat: &Chat) -> Vec<&Message> {
        let mut messages = chat.path();
        if self == Self::AllBranches {
            let shown: BTreeSet<Id> = messages.iter().map(|message| message.id).collect();
            messages.extend(chat.messages().filter(|m| !shown.contains(&m.id)));
        }
        messages
    }
}

impl Share {
    /// The messages as they are shared, in the order of [`ShareScope::messages`]. One whose quotes are left out is
    /// owned.
    pub(super) fn messages(self, chat: &Chat) -> Vec<Cow<'_, Message>> {
        let messages = self.scope.messages(chat);
        let ids = ids_of(&messages);
        let shared = messages.into_iter().map(|message| {
            match self.quotes || !quotes_others(message, chat.head.id, &ids) {
                true => Cow::Borrowed(message),
                false => Cow::Owned(Message {
                    recalled: None,
                    ..message.clone()
                }),
            }
        });
        shared.collect()
    }
}

/// What a shared file holds besides the messages. The person is told before it is saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShareExtras {
    /// The system prompts: the present one, and those with which answers were given.
    pub systems: usize,
    /// Whether a summary goes along.
    pub summary: bool,
    /// The settings that go along: each with its value.
    pub settings: Vec<(SettingKind, String)>,
    /// The questions that quote messages which are not shared.
    pub quoting: usize,
}

impl ShareExtras {
    /// What is shared besides the messages of this scope.
    #[must_use]
    pub fn of(chat: &Chat, scope: ShareScope) -> Self {
        let messages = scope.messages(chat);
        let ids = ids_of(&messages);
        let head = shared_head(chat, &messages, true);
        let quoting = messages
            .iter()
            .filter(|message| quotes_others(message, chat.head.id, &ids));
        let settings = [
            SettingKind::Tools,
            SettingKind::Format,
            SettingKind::Parameters,
        ];
        let settings = settings
            .into_iter()
            .filter(|kind| head.has_setting(*kind, FIELDS));
        Self {
            systems: head.systems.iter().filter(|text| !text.is_empty()).count(),
            summary: head.settings.summary.is_some(),
            settings: settings
                .map(|kind| (kind, head.setting_words(kind, FIELDS)))
                .collect(),
            quoting: quoting.count(),
        }
    }

    /// Whether the file holds the messages alone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What goes along in any case, a sentence each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let systems = match self.systems {
            0 => None,
            1 => Some(t!(export.shares_system_prompt).to_owned()),
            n => Some(t!(export.shares_system_prompts, n = &n)),
        };
        let summary = self.summary.then(|| t!(export.shares_summary).to_owned());
        let settings = self.settings.iter().map(|(kind, words)| {
            let name = match kind {
                SettingKind::Tools => t!(export.shares_tools),
                SettingKind::Format => t!(export.shares_format),
                _ => t!(export.shares_parameters),
            };
            t!(export.shares_setting, name = &name, words = &words)
        });
        systems.into_iter().chain(summary).chain(settings).collect()
    }
}

/// Takes the system prompts out of a chat that is about to be written into a file for reading. Their places stay, so that
/// receipts still say that there was one.
pub fn leave_out_systems(head: &mut Head) {
    head.settings.system = None;
    head.inherited = Inherited::default();
    head.systems.iter_mut().for_each(String::clear);
}

fn ids_of(messages: &[&Message]) -> BTreeSet<Id> {
    messages.iter().map(|message| message.id).collect()
}

/// Whether a question quotes a message that is not among these.
fn quotes_others(message: &Message, chat: Id, ids: &BTreeSet<Id>) -> bool {
    message.recalled.as_ref().is_some_and(|block| {
        // Without pieces nobody knows what it quotes.
        block.pieces.is_empty()
            || block.pieces.iter().any(|piece| {
                piece.chat.is_some_and(|of| of != chat) || !ids.contains(&piece.message)
            })
    })
}

/// The head of a chat of which only these messages are shared: it refers to no others, and has nothing that the page
/// does not show. Without `with_systems` it has no system prompt either.
pub(super) fn shared_head(chat: &Chat, messages: &[&Message], with_systems: bool) -> Head {
    let ids = ids_of(messages);
    // Every field is named, so that the compiler asks of a new one whether the page shows it.
    let Head {
        id,
        title,
        distinct,
        created,
        model,
        engine: _,
        // Where the person keeps the chat in the list.
        pinned: _,
        archived: _,
        folder: _,
        inherited: _,
        settings,
        summaries,
        systems,
        at,
        // What was not used, and what nobody here knows.
        others: _,
        forked_from: _,
        packed: _,
        rev,
    } = chat.head.clone();
    let ChatSettings {
        policy,
        pins,
        mutes,
        cleared,
        // How the person recalls and summarizes, what came with another file, and the names of engines say nothing of
        // this chat.
        recall: _,
        unrecalled,
        summary,
        summarizes: _,
        system,
        think,
        format,
        tools,
        parameters,
        withheld: _,
    } = settings;
    let mut head = Head {
        title,
        distinct,
        model,
        summaries,
        systems,
        rev,
        at: at.filter(|at| ids.contains(&at.leaf)),
        settings: ChatSettings {
            policy,
            pins,
            mutes,
            cleared,
            unrecalled,
            summary,
            system,
            think,
            format,
            tools,
            parameters,
            ..ChatSettings::default()
        },
        ..Head::new(id, created)
    };
    let is_shown = |model: &String| messages.iter().any(|m| m.model.as_ref() == Some(model));
    head.model = head.model.filter(is_shown);
    for list in [
        &mut head.settings.pins,
        &mut head.settings.mutes,
        &mut head.settings.cleared,
        &mut head.settings.unrecalled,
    ] {
        list.retain(|id| ids.contains(id));
    }
    head.settings.system = head.settings.system.filter(|_| with_systems);
    // Receipts refer to system prompts by number, so those that are left out, or that nothing here refers to, leave an
    // empty place.
    let receipts = messages.iter().filter_map(|m| m.receipt.as_ref()?.system);
    let used = receipts.chain(head.settings.system);
    let used: BTreeSet<u32> = used.filter(|_| with_systems).collect();
    for (at, system) in (0..).zip(&mut head.systems) {
        if !used.contains(&at) {
            system.clear();
        }
    }
    // The page shows the summary in use. A summary of messages that are not in the file says what they said.
    let shown = chat.summary().map(|summary| summary.number);
    head.summaries.retain(|summary| {
        Some(summary.number) == shown
            && ids.contains(&summary.from)
            && ids.contains(&summary.through)
    });
    if head.summary_numbered(head.settings.summary).is_none() {
        head.settings.summary = None;
    }
    head
}

/// The settings of a shared chat in full.
pub(super) fn settings_text(head: &Head) -> String {
    let mut parts = Vec::new();
    if !head.settings.tools.is_empty() {
        let tool = |tool: &Tool| match tool {
            Tool::Builtin(tool) => tool.name().to_owned(),
            Tool::Own(_) => pretty(&tool.definition()["function"]),
        };
        let tools: Vec<String> = head.settings.tools.iter().map(tool).collect();
        parts.push(plain_t!(export.tools, list = tools.join("\n")));
    }
    if let Some(format) = &head.settings.format {
        parts.push(plain_t!(
            export.answer_format,
            number = pretty(&format.clone().into())
        ));
    }
    if !head.settings.parameters.is_empty() {
        let parameters = head.settings.parameters.iter();
        let parameters: Vec<String> = parameters
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        parts.push(plain_t!(export.parameters, list = parameters.join("\n")));
    }
    parts.join("\n\n")
}

fn pretty(value: &serde_json::Value) -> String {
    // Serializing JSON cannot fail.
    serde_json::to_string_pretty(value).unwrap_or_default()
}
