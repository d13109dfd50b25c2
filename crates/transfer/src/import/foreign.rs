//! What the exports of other programs have in common: messages that name their parents, from which a chat of
//! ours is built.

use super::assets::{Asset, AssetFound, Assets};
use super::hash::hash;
use super::own::{bound_head, within_bounds};
use super::{ImportNotes, Incoming, MAX_AHEAD_MS, MAX_MESSAGE};
use sash_chat::{Head, Id, Image, MAX_IMAGES, Message, Outcome, Position, Role, file_block};
use sash_log::Stamped;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_with::{DefaultOnError, apply};
use std::collections::BTreeMap;

/// How an export is read. A chat that an earlier version imported is known by what that version read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// With every word of its answers.
    #[default]
    Now,
    /// As versions did that left out sources, models and parts of answers.
    Former,
}

/// A chat of another program.
#[derive(Debug, Default)]
pub struct Foreign {
    pub reading: Reading,
    /// A short name of the program, which is part of every derived id.
    pub program: &'static str,
    /// The chat's id in that program.
    pub id: String,
    pub title: Option<String>,
    pub created: Option<u64>,
    pub model: Option<String>,
    pub system: Option<String>,
    pub nodes: Vec<ForeignNode>,
    /// The last message of the branch that was shown.
    pub current: Option<String>,
    pub notes: ImportNotes,
}

/// A message of another program.
#[derive(Debug, Default)]
pub struct ForeignNode {
    pub id: String,
    pub parent: Option<String>,
    /// The ids of its children, in order.
    pub children: Vec<String>,
    pub role: Role,
    pub content: String,
    pub images: Vec<Image>,
    /// What the model thought. A node with thinking and no content passes it on to the next answer.
    pub thinking: String,
    pub model: Option<String>,
    pub tool: Option<String>,
    pub created: Option<u64>,
    pub outcome: Outcome,
}

/// The programs in whose answers the thinking of a model may be between its own tags.
const PROGRAMS_WITH_TAGS: [&str; 4] = ["open-webui", "hollama", "librechat", "lm-studio"];

impl ForeignNode {
    /// Moves what is between `<think>` tags at the beginning of the text to the thinking.
    fn fold_thinking(&mut self) {
        let begun = self.content.trim_start().strip_prefix("<think>");
        if let Some((thought, said)) = begun.and_then(|rest| rest.split_once("</think>")) {
            let (thought, said) = (thought.trim().to_owned(), said.trim_start().to_owned());
            append(&mut self.thinking, &thought);
            self.content = said;
        }
    }

    /// Whether the node becomes a message. An empty one is skipped, and its children take its parent.
    fn is_kept(&self) -> bool {
        !self.content.trim().is_empty()
            || !self.images.is_empty()
            || self.outcome != Outcome::Complete
    }

    /// Adds a file that goes with the message, by the names that the other program has for it: an image becomes one of
    /// the message's, a text a part of its text. Of anything else, and of a file that is not there, only the kind and
    /// the name stay.
    pub fn attach(&mut self, file: &AttachedFile<'_>, assets: &Assets, notes: &mut ImportNotes) {
        let (asset, title) = match assets.find(file.names) {
            AssetFound::Read(asset, title) => (Some(asset), Some(title)),
            // The chat is read again when the file is known.
            AssetFound::Wanted => return,
            AssetFound::Absent => (None, None),
        };
        let name = file.title.or(title).filter(|name| !name.is_empty());
        match asset {
            Some(Asset::Image(image)) if self.images.iter().any(|known| known == image) => return,
            Some(Asset::Image(image)) if self.images.len() < MAX_IMAGES => {
                self.images.push(image.clone());
                return;
            }
            Some(Asset::Text(text)) if self.content.len() + text.len() <= MAX_MESSAGE / 2 => {
                let block = file_block(name.unwrap_or("file"), text);
                // Files come before what was written, as in a question that was written here.
                let written = std::mem::replace(&mut self.content, block);
                append(&mut self.content, &written);
                return;
            }
            Some(Asset::Image(_)) => notes.images_over += 1,
            Some(Asset::ImageRefused) => notes.images_refused += 1,
            Some(Asset::Recording) => notes.recordings += 1,
            Some(Asset::Text(_) | Asset::Other) => notes.other_files += 1,
            None => match file.what {
                "image" => notes.images_absent += 1,
                "audio" | "video" => notes.recordings += 1,
                _ => notes.files_absent += 1,
            },
        }
        append(&mut self.content, &bracket(file.what, name));
    }
}

/// A file that a message points to.
pub struct AttachedFile<'a> {
    /// What the message calls it: ids and names, the surest first.
    pub names: &'a [&'a str],
    /// The name that is shown.
    pub title: Option<&'a str>,
    /// What it is: `image`, `file` and so on.
    pub what: &'a str,
}

/// A part of a message, or a file beside it: text, or an object.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum MessagePart {
    Text(String),
    Fields(PartFields),
    Other(IgnoredAny),
}

/// The fields of a part. ChatGPT calls its kind `content_type`, Open WebUI `type`.
#[apply(_ => #[serde_as(deserialize_as = "DefaultOnError")])]
#[serde_with::serde_as]
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PartFields {
    pub text: Option<String>,
    pub content_type: Option<String>,
    pub r#type: Option<String>,
    pub name: Option<String>,
    pub asset_pointer: Option<String>,
}

impl MessagePart {
    pub fn into_fields(self) -> PartFields {
        match self {
            MessagePart::Text(text) => PartFields {
                text: Some(text),
                ..PartFields::default()
            },
            MessagePart::Fields(fields) => fields,
            MessagePart::Other(_) => PartFields::default(),
        }
    }
}

/// One step of the walk.
struct WalkStep {
    node: usize,
    /// The message that becomes the parent.
    parent: Option<Id>,
    /// An ancestor that has thinking and no content.
    thought: Option<usize>,
}

impl Foreign {
    /// Builds our chat. The walk visits parents before their children, terminates on cycles, and skips no
    /// node that has text.
    pub fn into_incoming(mut self, now: u64) -> Incoming {
        let chat = Id(hash(hash(0, self.program.as_bytes()), self.id.as_bytes()));
        let places = self.places();
        let following = self.following(&places);
        let current = self
            .current
            .as_deref()
            .and_then(|id| places.get(id))
            .copied();
        let mut seen = vec![false; self.nodes.len()];
        let mut became: Vec<Option<Id>> = vec![None; self.nodes.len()];
        let mut messages: Vec<Message> = Vec::new();
        let mut notes = self.notes;

        let roots = self.roots(&places);
        // After the roots, start at the nodes they do not reach: those in cycles.
        let starts = roots.into_iter().chain(0..self.nodes.len());
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
                if self.nodes[step.node].is_kept() || last && self.has_thoughts(&step) {
                    let mut before = thought
                        .take()
                        .map(|n| (n, std::mem::take(&mut self.nodes[n].thinking)))
                        .filter(|(_, thinking)| !thinking.trim().is_empty());
                    // What was thought and never answered is no part of the question that follows.
                    if let Some((n, thinking)) = before.take_if(|_| {
                        self.reading == Reading::Now
                            && matches!(self.nodes[step.node].role, Role::User | Role::System)
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
                } else if !self.nodes[step.node].thinking.trim().is_empty() {
                    // Of two thoughts in a row none is lost.
                    if let Some(n) = thought.filter(|_| self.reading == Reading::Now) {
                        let mut thinking = std::mem::take(&mut self.nodes[n].thinking);
                        append(&mut thinking, &self.nodes[step.node].thinking);
                        self.nodes[step.node].thinking = thinking;
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
            self.created
                .or(first)
                .unwrap_or(now)
                .min(now + MAX_AHEAD_MS),
        );
        head.title = self.title;
        head.model = self.model;
        if let Some(system) = &self.system {
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
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for node in std::mem::take(&mut self.nodes) {
            if places.contains_key(&node.id) {
                self.notes.doubled += 1;
            } else {
                places.insert(node.id.clone(), nodes.len());
                nodes.push(node);
            }
        }
        self.nodes = nodes;
        places
    }

    /// The children of each node, by the parent that each names, in the order that the parent lists.
    fn following(&self, places: &BTreeMap<String, usize>) -> Vec<Vec<usize>> {
        let mut order = vec![usize::MAX; self.nodes.len()];
        for node in &self.nodes {
            for (n, child) in node.children.iter().enumerate() {
                if let Some(child) = places.get(child) {
                    order[*child] = n;
                }
            }
        }
        let mut following = vec![Vec::new(); self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            let parent = node.parent.as_ref().and_then(|parent| places.get(parent));
            if let Some(parent) = parent {
                following[*parent].push(n);
            }
        }
        for list in &mut following {
            list.sort_unstable_by_key(|n: &usize| (order[*n], self.nodes[*n].created, *n));
        }
        following
    }

    /// The nodes without a parent, oldest first.
    fn roots(&mut self, places: &BTreeMap<String, usize>) -> Vec<usize> {
        let mut roots = Vec::new();
        for (n, node) in self.nodes.iter().enumerate() {
            match &node.parent {
                None => roots.push(n),
                Some(parent) if !places.contains_key(parent) => roots.push(n),
                Some(_) => {}
            }
        }
        roots.sort_unstable_by_key(|n| (self.nodes[*n].created, *n));
        roots
    }

    fn has_thoughts(&self, step: &WalkStep) -> bool {
        let before = step.thought.map(|n| &self.nodes[n].thinking);
        let own = &self.nodes[step.node].thinking;
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
        let node = &mut self.nodes[node];
        let is_answer = node.role == Role::Assistant && self.reading == Reading::Now;
        // The tags of the model, as programs keep them that do not know of thinking.
        if is_answer && PROGRAMS_WITH_TAGS.contains(&self.program) {
            node.fold_thinking();
        }
        let id = Id(hash(chat.0, node.id.as_bytes()));
        let seq = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
        let created = node.created.or(self.created).unwrap_or_default();
        let mut thinking = thought.unwrap_or_default();
        if !thinking.is_empty() && !node.thinking.is_empty() {
            thinking.push_str("\n\n");
        }
        thinking.push_str(&node.thinking);
        Message {
            content: std::mem::take(&mut node.content),
            images: std::mem::take(&mut node.images),
            thinking,
            // Where an answer does not name its model, the chat's gave it.
            model: match is_answer {
                true => node.model.take().or_else(|| self.model.clone()),
                false => node.model.take(),
            },
            tool_name: node.tool.take(),
            outcome: std::mem::take(&mut node.outcome),
            ..Message::new(id, parent, seq, node.role, created)
        }
    }
}

/// Reads a value as a type whose fields are read independently; a value that is not an object has none of
/// them.
pub fn read<T: DeserializeOwned + Default>(value: &Value) -> T {
    T::deserialize(value).unwrap_or_default()
}

/// A list field of an object; any other value is an empty list.
pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A note in brackets that replaces a part that is not text. It contains only a short name of the part.
pub fn bracket(what: &str, name: Option<&str>) -> String {
    let plain = |text: &str| -> String {
        let kept = text
            .chars()
            .filter(|c| !c.is_control() && !matches!(c, '[' | ']'));
        kept.take(100).collect()
    };
    match name.map(plain).filter(|name| !name.trim().is_empty()) {
        Some(name) => format!("[{}: {name}]", plain(what)),
        None => format!("[{}]", plain(what)),
    }
}

/// Code as a block, behind a fence longer than any in the code.
pub fn code_block(language: &str, code: &str) -> String {
    let language = language.chars().filter(char::is_ascii_alphanumeric);
    let language: String = language.take(20).collect();
    let longest = code.split(|c| c != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// Appends a part on a line of its own.
pub fn append(text: &mut String, part: &str) {
    if !text.is_empty() && !part.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(part);
}
