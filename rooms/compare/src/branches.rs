//! The branches of a chat: answers beside each other, and the map of all places where the chat forks.

use sash_chat::{Id, Message, MessageTree, Position, Role};
use std::collections::{BTreeSet, HashMap};

/// The most rows of a map.
pub const MAX_BRANCH_ROWS: usize = 1000;

/// A message with versions beside it, as a row of the map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BranchRow {
    /// The message.
    pub id: Id,
    /// How many forks lead to it, its own included: 1 at the first.
    pub level: usize,
    /// Its place among its versions, from 1, and how many there are.
    pub place: usize,
    /// How many versions there are.
    pub versions: usize,
    /// Whether the branch that is shown goes through it.
    pub is_shown: bool,
    /// How many messages follow it before the next fork or the end, itself included.
    pub messages: usize,
}

/// The map of a chat's branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchMap {
    /// The rows, each before those that it leads to; versions in the order of writing.
    pub rows: Vec<BranchRow>,
    /// How many rows more there would be.
    pub left_out: usize,
    /// The number of branches: the ends of the tree.
    pub branches: usize,
}

/// An answer and what was asked after it on the newest branch through it: questions, and of each exchange its last
/// answer.
#[must_use]
pub fn column(tree: &MessageTree, answer: Id) -> Vec<Id> {
    let leaf = tree.position_through(answer).map(|at| at.leaf);
    let path = tree.path_to(leaf);
    let from = path.iter().position(|m| m.id == answer);
    let path = path.get(from.unwrap_or(path.len())..).unwrap_or_default();
    let mut column: Vec<&Message> = Vec::new();
    for message in path {
        let is_answer = message.role == Role::Assistant;
        let follows_answer = column
            .last()
            .is_some_and(|last| last.role == Role::Assistant);
        if is_answer && follows_answer {
            column.pop();
        }
        if is_answer || message.role == Role::User {
            column.push(message);
        }
    }
    column.iter().map(|message| message.id).collect()
}

/// The map of the branches, with the one at a position shown. Reads each message a fixed number of times.
#[must_use]
pub fn branch_map(tree: &MessageTree, at: Option<Position>) -> BranchMap {
    let shown: BTreeSet<Id> = tree.path(at).iter().map(|m| m.id).collect();
    let children = living_children(tree);
    // The versions of what follows a message, the last one first.
    let following = |id: Option<Id>, level: usize| {
        let versions = children.get(&id).map(Vec::as_slice).unwrap_or_default();
        let row = |(at, id): (usize, &Id)| BranchRow {
            id: *id,
            level: level + usize::from(versions.len() > 1),
            place: at + 1,
            versions: versions.len(),
            is_shown: shown.contains(id),
            messages: 1,
        };
        let rows = versions.iter().enumerate().rev().map(row);
        rows.collect::<Vec<_>>()
    };
    let mut map = BranchMap::default();
    // Messages to go on from; the next one last.
    let mut next = following(None, 0);
    while let Some(row) = next.pop() {
        let after = following(Some(row.id), row.level);
        map.branches += usize::from(after.is_empty());
        next.extend(after);
        if row.versions < 2 {
            if let Some(last) = map.rows.last_mut().filter(|_| map.left_out == 0) {
                last.messages += 1;
            }
        } else if map.rows.len() == MAX_BRANCH_ROWS {
            map.left_out += 1;
        } else {
            map.rows.push(row);
        }
    }
    map
}

/// The messages that follow each message, in the order of writing; those at the beginning follow none.
fn living_children(tree: &MessageTree) -> HashMap<Option<Id>, Vec<Id>> {
    // Deleted ones pass on what is before them, so that a chain of them is not walked again for each child.
    let mut living: HashMap<Id, Option<Id>> = HashMap::with_capacity(tree.len());
    let mut children: HashMap<Option<Id>, Vec<Id>> = HashMap::new();
    for message in tree.all_messages() {
        let before = tree.parent_or_previous(message);
        let before = before.and_then(|before| living.get(&before.id).copied().flatten());
        if tree.is_removed(message.id) {
            living.insert(message.id, before);
        } else {
            living.insert(message.id, Some(message.id));
            children.entry(before).or_default().push(message.id);
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of these messages: id and parent; odd ones are questions.
    fn tree(messages: &[(u64, u64)]) -> MessageTree {
        let mut tree = MessageTree::default();
        for (seq, (id, parent)) in (1..).zip(messages) {
            let role = [Role::Assistant, Role::User][usize::from(id % 2 == 1)];
            let parent = Some(Id(*parent)).filter(|_| *parent > 0);
            tree.insert(Message::new(Id(*id), parent, seq, role, 0));
        }
        tree
    }

    /// The rows as text: level, id, place/versions, messages, and a star on the branch that is shown.
    fn rows(map: &BranchMap) -> Vec<String> {
        let row = |row: &BranchRow| {
            let star = if row.is_shown { "*" } else { "" };
            let BranchRow {
                level,
                id,
                place,
                versions,
                messages,
                ..
            } = row;
            format!("{level}:{} {place}/{versions} +{messages}{star}", id.0)
        };
        map.rows.iter().map(row).collect()
    }

    #[test]
    fn the_map_has_the_forks_alone_each_under_the_one_before_it() {
        let tree = tree(&[
            (1, 0),
            (2, 1),
            (4, 1),
            (3, 2),
            (6, 3),
            (8, 3),
            (5, 4),
            (10, 5),
        ]);
        let map = branch_map(&tree, None);
        assert_eq!(
            rows(&map),
            ["1:2 1/2 +2", "2:6 1/2 +1", "2:8 2/2 +1", "1:4 2/2 +3*"]
        );
        assert_eq!((map.branches, map.left_out), (3, 0));
    }

    #[test]
    fn a_chat_without_forks_has_an_empty_map_and_first_questions_can_be_versions() {
        assert_eq!(branch_map(&tree(&[]), None), BranchMap::default());
        let map = branch_map(&tree(&[(1, 0), (2, 1)]), None);
        assert_eq!((map.rows.len(), map.branches), (0, 1));
        let map = branch_map(&tree(&[(1, 0), (3, 0), (2, 3)]), None);
        assert_eq!(rows(&map), ["1:1 1/2 +1", "1:3 2/2 +2*"]);
    }

    #[test]
    fn deleted_messages_are_no_rows_and_what_follows_them_is_beside_the_others() {
        let mut tree = tree(&[(1, 0), (2, 1), (4, 1), (3, 2), (6, 1)]);
        tree.remove(Id(2), true);
        assert_eq!(
            rows(&branch_map(&tree, None)),
            ["1:4 1/3 +1", "1:3 2/3 +1", "1:6 3/3 +1*"]
        );
        tree.remove(Id(4), true);
        tree.remove(Id(3), true);
        assert!(branch_map(&tree, None).rows.is_empty());
    }

    #[test]
    fn a_thousand_branches_are_rows_and_more_are_counted() {
        let mut messages = vec![(1, 0)];
        messages.extend((1..=1200).map(|n| (2 * n, 1)));
        let map = branch_map(&tree(&messages), None);
        assert_eq!((map.rows.len(), map.left_out), (MAX_BRANCH_ROWS, 200));
        assert_eq!(map.branches, 1200);
        // As deep as it is long, with a fork at each step.
        let deep: Vec<(u64, u64)> = (1..5000_u64)
            .map(|n| (n, (n.saturating_sub(1) / 2) * 2))
            .collect();
        let map = branch_map(&tree(&deep), None);
        assert_eq!(map.rows.len(), MAX_BRANCH_ROWS);
        assert!(map.left_out > 3000);
    }

    #[test]
    fn a_column_is_an_answer_and_what_was_asked_after_it() {
        let mut tree = tree(&[(1, 0), (2, 1), (4, 1), (3, 2), (6, 3), (5, 4)]);
        assert_eq!(column(&tree, Id(2)), [Id(2), Id(3), Id(6)]);
        assert_eq!(column(&tree, Id(4)), [Id(4), Id(5)]);
        // Of an exchange with tools the last answer alone.
        for (id, parent, role) in [(8, 5, Role::Assistant), (10, 8, Role::Tool)] {
            tree.insert(Message::new(Id(id), Some(Id(parent)), id as u32, role, 0));
        }
        assert_eq!(column(&tree, Id(4)), [Id(4), Id(5), Id(8)]);
        let last = Message::new(Id(12), Some(Id(10)), 12, Role::Assistant, 0);
        tree.insert(last);
        assert_eq!(column(&tree, Id(4)), [Id(4), Id(5), Id(12)]);
        assert!(column(&tree, Id(99)).is_empty());
    }

    #[test]
    fn the_end_of_an_answer_that_calls_tools_is_behind_the_results() {
        let mut tree = tree(&[(1, 0), (2, 1), (4, 1)]);
        let mut message = |id: u64, parent: u64, role: Role, calls: bool| {
            let seq = u32::try_from(id).unwrap_or_default() + 10;
            tree.insert(Message {
                tool_calls: calls.then(|| serde_json::json!([{"function": {"name": "f"}}])),
                ..Message::new(Id(id), Some(Id(parent)), seq, role, 0)
            });
        };
        message(6, 1, Role::Assistant, true);
        message(7, 6, Role::Tool, false);
        message(8, 7, Role::Assistant, false);
        message(9, 8, Role::User, false);
        message(10, 9, Role::Assistant, false);
        assert_eq!(tree.answers_to(Id(1)), [Id(2), Id(4), Id(6)]);
        assert_eq!(column(&tree, Id(6)), [Id(8), Id(9), Id(10)]);
        assert_eq!(column(&tree, Id(2)), [Id(2)]);
    }
}
