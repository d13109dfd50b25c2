//! Builds a chat of one that another program exported.

use super::own::{bound_head, within_bounds};
use super::{ImportNotes, Incoming, MAX_AHEAD_MS};
use chat_exports::{
    self as exports, Assets, ExportedChat, ExportedMessage, ImageKey, ListItem, NoChat,
    ReaderVersion, hash, read_item,
};
use sash_chat::{Head, Id, Image, Message, Outcome, Position, Role};
use sash_log::Stamped;
use std::collections::BTreeMap;

/// The programs in whose answers the thinking of a model may be between its own tags.
const PROGRAMS_WITH_TAGS: [&str; 4] = ["open-webui", "hollama", "librechat", "lm-studio"];

/// The images of messages, by the names that readers have for them.
pub(super) type Images = BTreeMap<ImageKey, Image>;

/// Reads an item of a list as a chat of another program. The [files](Assets::take_wanted) that it points to and that are
/// not there yet are asked for.
pub(super) fn read(
    item: &ListItem,
    assets: &Assets,
    images: &Images,
    now: u64,
) -> Result<Incoming, NoChat> {
    let read = read_item(item, assets)?;
    let mut chat = incoming(read.chat, images, now);
    let former = incoming(read.former, images, now).messages;
    if former != chat.messages {
        chat.former = former;
    }
    Ok(chat)
}

/// Builds the chat. The walk visits parents before their children, terminates on cycles, and skips no node that has text.
fn incoming(chat: ExportedChat, images: &Images, now: u64) -> Incoming {
    let notes = ImportNotes {
        exported: chat.notes,
        ..ImportNotes::default()
    };
    let tree = Tree {
        chat,
        images,
        notes,
    };
    tree.into_incoming(now)
}

/// A chat that is being built.
struct Tree<'a> {
    chat: ExportedChat,
    images: &'a Images,
    notes: ImportNotes,
}

/// One step of the walk.
struct WalkStep {
    node: usize,
    /// The message that becomes the parent.
    parent: Option<Id>,
    /// An ancestor that has thinking and no content.
    thought: Option<usize>,
}

impl Tree<'_> {
    fn into_incoming(mut self, now: u64) -> Incoming {
        let chat = Id(hash(
            hash(0, self.chat.program.as_bytes()),
            self.chat.id.as_bytes(),
        ));
        let places = self.places();
        let following = self.following(&places);
        let current = self
            .chat
            .current
            .as_deref()
            .and_then(|id| places.get(id))
            .copied();
        let mut seen = vec![false; self.chat.nodes.len()];
        let mut became: Vec<Option<Id>> = vec![None; self.chat.nodes.len()];
        let mut messages: Vec<Message> = Vec::new();
        let mut notes = self.notes;

        let roots = self.roots(&places);
        // After the roots, start at the nodes they do not reach: those in cycles.
        let starts = roots.into_iter().chain(0..self.chat.nodes.len());
        for start in starts {
            let mut stack = vec![WalkStep {
                node: start,
                parent: None,
                thought: None,
            }];
            while let Some(step) = stack.pop() {
                if std::mem::replace(&mut seen[step.node], true) {
                    continue;
                }
                let mut parent = step.parent;
                let mut thought = step.thought;
                let last = following[step.node].is_empty();
                if is_kept(&self.chat.nodes[step.node]) || last && self.has_thoughts(&step) {
                    let mut before = thought
                        .take()
                        .map(|n| (n, std::mem::take(&mut self.chat.nodes[n].thinking)))
                        .filter(|(_, thinking)| !thinking.trim().is_empty());
                    // What was thought and never answered is no part of the question that follows.
                    if let Some((n, thinking)) = before.take_if(|_| {
                        self.chat.reading == ReaderVersion::Now
                            && matches!(
                                self.chat.nodes[step.node].role,
                                exports::ExportedRole::User | exports::ExportedRole::System
                            )
                    }) {
                        let message = self.message(n, chat, parent, messages.len(), Some(thinking));
                        match within_bounds(message, now) {
                            Some(message) => {
                                parent = Some(message.id);
                                messages.push(message);
                            }
                            None => notes.too_long += 1,
                        }
                    }
                    let before = before.map(|(_, thinking)| thinking);
                    let message = self.message(step.node, chat, parent, messages.len(), before);
                    match within_bounds(message, now) {
                        Some(message) => {
                            parent = Some(message.id);
                            messages.push(message);
                        }
                        None => notes.too_long += 1,
                    }
                } else if !self.chat.nodes[step.node].thinking.trim().is_empty() {
                    // Of two thoughts in a row none is lost.
                    if let Some(n) = thought.filter(|_| self.chat.reading == ReaderVersion::Now) {
                        let mut thinking = std::mem::take(&mut self.chat.nodes[n].thinking);
                        append(&mut thinking, &self.chat.nodes[step.node].thinking);
                        self.chat.nodes[step.node].thinking = thinking;
                    }
                    thought = Some(step.node);
                }
                became[step.node] = parent;
                let next = following[step.node].iter().rev();
                stack.extend(next.map(|node| WalkStep {
                    node: *node,
                    parent,
                    thought,
                }));
            }
        }

        let first = messages.iter().map(|m| m.created).find(|at| *at > 0);
        let mut head = Head::new(
            chat,
            self.chat
                .created
                .or(first)
                .unwrap_or(now)
                .min(now + MAX_AHEAD_MS),
        );
        head.title = self.chat.title;
        head.model = self.chat.model;
        if let Some(system) = &self.chat.system {
            head.set_system(system);
        }
        let leaf = current.and_then(|node| became[node]);
        head.at = leaf.zip(messages.last()).map(|(leaf, newest)| Position {
            leaf,
            seq: newest.seq,
        });
        let mut incoming = Incoming {
            head,
            messages,
            removed: Vec::new(),
            queue: Stamped::default(),
            deleted: None,
            foreign: true,
            former: Vec::new(),
            notes,
        };
        bound_head(&mut incoming, now);
        incoming
    }

    /// The index of each id; the first node with an id counts.
    fn places(&mut self) -> BTreeMap<String, usize> {
        let mut places = BTreeMap::new();
        let mut nodes = Vec::with_capacity(self.chat.nodes.len());
        for node in std::mem::take(&mut self.chat.nodes) {
            if places.contains_key(&node.id) {
                self.notes.doubled += 1;
            } else {
                places.insert(node.id.clone(), nodes.len());
                nodes.push(node);
            }
        }
        self.chat.nodes = nodes;
        places
    }

    /// The children of each node, by the parent that each names, in the order that the parent lists.
    fn following(&self, places: &BTreeMap<String, usize>) -> Vec<Vec<usize>> {
        let mut order = vec![usize::MAX; self.chat.nodes.len()];
        for node in &self.chat.nodes {
            for (n, child) in node.children.iter().enumerate() {
                if let Some(child) = places.get(child) {
                    order[*child] = n;
                }
            }
        }
        let mut following = vec![Vec::new(); self.chat.nodes.len()];
        for (n, node) in self.chat.nodes.iter().enumerate() {
            let parent = node.parent.as_ref().and_then(|parent| places.get(parent));
            if let Some(parent) = parent {
                following[*parent].push(n);
            }
        }
        for list in &mut following {
            list.sort_unstable_by_key(|n: &usize| (order[*n], self.chat.nodes[*n].created, *n));
        }
        following
    }

    /// The nodes without a parent, oldest first.
    fn roots(&mut self, places: &BTreeMap<String, usize>) -> Vec<usize> {
        let mut roots = Vec::new();
        for (n, node) in self.chat.nodes.iter().enumerate() {
            match &node.parent {
                None => roots.push(n),
                Some(parent) if !places.contains_key(parent) => roots.push(n),
                Some(_) => {}
            }
        }
        roots.sort_unstable_by_key(|n| (self.chat.nodes[*n].created, *n));
        roots
    }

    fn has_thoughts(&self, step: &WalkStep) -> bool {
        let before = step.thought.map(|n| &self.chat.nodes[n].thinking);
        let own = &self.chat.nodes[step.node].thinking;
        !own.trim().is_empty() || before.is_some_and(|t| !t.trim().is_empty())
    }

    fn message(
        &mut self,
        node: usize,
        chat: Id,
        parent: Option<Id>,
        before: usize,
        thought: Option<String>,
    ) -> Message {
        let node = &mut self.chat.nodes[node];
        let is_answer = node.role == exports::ExportedRole::Assistant
            && self.chat.reading == ReaderVersion::Now;
        // The tags of the model, as programs keep them that do not know of thinking.
        if is_answer && PROGRAMS_WITH_TAGS.contains(&self.chat.program) {
            fold_thinking(node);
        }
        let id = Id(hash(chat.0, node.id.as_bytes()));
        let seq = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
        let created = node.created.or(self.chat.created).unwrap_or_default();
        let mut thinking = thought.unwrap_or_default();
        if !thinking.is_empty() && !node.thinking.is_empty() {
            thinking.push_str("\n\n");
        }
        thinking.push_str(&node.thinking);
        let images = node.images.iter();
        let images = images.filter_map(|key| self.images.get(key).cloned());
        Message {
            content: std::mem::take(&mut node.content),
            images: images.collect(),
            thinking,
            // Where an answer does not name its model, the chat's gave it.
            model: match is_answer {
                true => node.model.take().or_else(|| self.chat.model.clone()),
                false => node.model.take(),
            },
            tool_name: node.tool.take(),
            outcome: outcome(std::mem::take(&mut node.outcome)),
            ..Message::new(id, parent, seq, role(node.role), created)
        }
    }
}

/// Moves what is between `<think>` tags at the beginning of the text to the thinking.
fn fold_thinking(node: &mut ExportedMessage) {
    let begun = node.content.trim_start().strip_prefix("<think>");
    if let Some((thought, said)) = begun.and_then(|rest| rest.split_once("</think>")) {
        let (thought, said) = (thought.trim().to_owned(), said.trim_start().to_owned());
        append(&mut node.thinking, &thought);
        node.content = said;
    }
}

/// Whether the node becomes a message. An empty one is skipped, and its children take its parent.
fn is_kept(node: &ExportedMessage) -> bool {
    !node.content.trim().is_empty()
        || !node.images.is_empty()
        || node.outcome != exports::ExportedOutcome::Complete
}

/// Appends a part on a line of its own.
fn append(text: &mut String, part: &str) {
    if !text.is_empty() && !part.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part);
}

fn role(role: exports::ExportedRole) -> Role {
    match role {
        exports::ExportedRole::System => Role::System,
        exports::ExportedRole::User => Role::User,
        exports::ExportedRole::Assistant => Role::Assistant,
        exports::ExportedRole::Tool => Role::Tool,
    }
}

fn outcome(outcome: exports::ExportedOutcome) -> Outcome {
    match outcome {
        exports::ExportedOutcome::Complete => Outcome::Complete,
        exports::ExportedOutcome::CutOff => Outcome::CutOff,
        exports::ExportedOutcome::Stopped => Outcome::Stopped,
        exports::ExportedOutcome::Interrupted => Outcome::Interrupted,
        exports::ExportedOutcome::Failed(why) => Outcome::failed(why),
    }
}
