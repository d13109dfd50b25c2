//! A branch of a chat as a chat of its own.

use sash_chat::{Chat, FieldRules, Head, Id, Message, RecalledPiece, Receipt, Summary};
use sash_words::plain_t;
use std::collections::HashMap;

/// A new chat with the messages of another one up to `through`, under new ids, and with its settings. `None` if that chat
/// does not have the message.
///
/// What names a message of the branch names its copy. A receipt may name others, of another branch or deleted: it
/// keeps their ids, and [`Head::forked_from`] says in which chat they are.
#[must_use]
pub fn fork(
    chat: &Chat,
    rules: FieldRules,
    through: Id,
    created: u64,
    mut new_id: impl FnMut() -> Id,
) -> Option<Chat> {
    let branch = chat.path_to(Some(through));
    branch.last().filter(|last| last.id == through)?;
    let mut copies = Copies {
        chat: chat.head.id,
        ids: HashMap::with_capacity(branch.len()),
    };
    let id = new_id();
    for message in &branch {
        copies.ids.insert(message.id, new_id());
    }
    let title = plain_t!(chat.fork_of, title = chat.title());
    let mut head = copies.head(&chat.head, id, created, title);
    let withheld = head.settings.withheld.iter_mut();
    for others in withheld
        .map(|kept| &mut kept.others)
        .chain([&mut head.others])
    {
        rules.fork(others);
    }
    let mut fork = Chat::new(head);
    let mut parent = None;
    for (seq, message) in (1..).zip(branch) {
        let copy = copies.message(message, parent, seq);
        parent = Some(copy.id);
        fork.insert(copy);
    }
    Some(fork)
}

/// The new ids of the messages that are copied.
struct Copies {
    /// The chat that they are copied from.
    chat: Id,
    ids: HashMap<Id, Id>,
}

impl Copies {
    /// The copy of a message, or the message itself if it is not copied.
    fn of(&self, id: Id) -> Id {
        self.ids.get(&id).copied().unwrap_or(id)
    }

    /// The copies of those messages that are copied.
    fn only(&self, ids: &[Id]) -> Vec<Id> {
        let copies = ids.iter().filter_map(|id| self.ids.get(id));
        copies.copied().collect()
    }

    fn all(&self, ids: &[Id]) -> Vec<Id> {
        ids.iter().map(|id| self.of(*id)).collect()
    }

    fn head(&self, of: &Head, id: Id, created: u64, title: String) -> Head {
        // Every field is named, so that the compiler asks of a new one whether the fork has it.
        let Head {
            id: _,
            title: _,
            distinct: _,
            created: _,
            model,
            engine,
            // It stands among those used last.
            pinned: _,
            archived: _,
            // It stays in the folder, whose settings are the chat's.
            folder,
            inherited,
            settings,
            summaries,
            systems,
            at: _,
            // Their rules say which of them stay with the original.
            others,
            forked_from: _,
            packed: _,
            rev: _,
        } = of.clone();
        let mut head = Head {
            title: Some(title),
            model,
            engine,
            folder,
            inherited,
            settings,
            summaries,
            systems,
            others,
            forked_from: Some(of.id),
            ..Head::new(id, created)
        };
        let settings = &mut head.settings;
        for marked in [
            &mut settings.pins,
            &mut settings.mutes,
            &mut settings.cleared,
            &mut settings.unrecalled,
        ] {
            *marked = self.only(marked);
        }
        // One whose last message is on another branch goes with no request here.
        let is_here = |summary: &Summary| self.ids.contains_key(&summary.through);
        head.summaries.retain(is_here);
        for summary in &mut head.summaries {
            summary.from = self.of(summary.from);
            summary.through = self.of(summary.through);
        }
        head
    }

    fn message(&self, of: &Message, parent: Option<Id>, seq: u32) -> Message {
        let mut copy = Message {
            id: self.of(of.id),
            parent,
            seq,
            edited: of.edited.map(|id| self.of(id)),
            ..of.clone()
        };
        if let Some(block) = &mut copy.recalled {
            block.pieces.iter_mut().for_each(|piece| self.piece(piece));
        }
        if let Some(receipt) = &mut copy.receipt {
            self.receipt(receipt);
        }
        copy
    }

    /// A quoted message that is not copied is one of another chat now.
    fn piece(&self, piece: &mut RecalledPiece) {
        let own = piece.chat.is_none_or(|chat| chat == self.chat);
        match self.ids.get(&piece.message).filter(|_| own) {
            Some(copy) => (piece.message, piece.chat) = (*copy, None),
            None => _ = piece.chat.get_or_insert(self.chat),
        }
    }

    fn receipt(&self, receipt: &mut Receipt) {
        receipt.sent = self.all(&receipt.sent);
        receipt.recalled = self.all(&receipt.recalled);
        receipt.question_before = receipt.question_before.map(|id| self.of(id));
        receipt.continued = receipt.continued.map(|id| self.of(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FIELDS;
    use crate::compare::{WAITING_MODELS, WaitingModel};
    use sash_chat::{Beginning, ModelId, RecalledBlock, Role, SettingKind};

    /// Question 1, answers 2 and 3 beside each other, question 4 after answer 3, its answer 5.
    fn chat() -> Chat {
        let mut chat = Chat::new(Head::new(Id(100), 5));
        for (id, parent, role) in [
            (1, None, Role::User),
            (2, Some(1), Role::Assistant),
            (3, Some(1), Role::Assistant),
            (4, Some(3), Role::User),
            (5, Some(4), Role::Assistant),
        ] {
            let seq = u32::try_from(id).unwrap_or_default();
            chat.insert(Message {
                content: format!("text {id}"),
                ..Message::new(Id(id), parent.map(Id), seq, role, 7)
            });
        }
        chat
    }

    fn fork(chat: &Chat, through: u64) -> Option<Chat> {
        let mut next = 1000;
        super::fork(chat, FIELDS, Id(through), 9, || {
            next += 1;
            Id(next)
        })
    }

    #[test]
    fn a_fork_has_the_branch_up_to_a_message_under_new_ids() {
        let chat = chat();
        let fork = fork(&chat, 4).expect("a fork");
        let texts: Vec<&str> = fork.path().iter().map(|m| m.content.as_str()).collect();
        assert_eq!(texts, ["text 1", "text 3", "text 4"]);
        let ids: Vec<_> = fork.messages().map(|m| (m.id, m.parent, m.seq)).collect();
        let expected = [
            (Id(1002), None, 1),
            (Id(1003), Some(Id(1002)), 2),
            (Id(1004), Some(Id(1003)), 3),
        ];
        assert_eq!(ids, expected);
        assert_eq!((fork.head.id, fork.head.created), (Id(1001), 9));
        assert_eq!(fork.title(), "text 1 (fork)");
        assert_eq!(fork.head.forked_from, Some(Id(100)));
        assert!(super::tests::fork(&chat, 77).is_none());
    }

    #[test]
    fn what_names_a_message_names_its_copy_and_other_messages_stay_in_their_chat() {
        let mut chat = chat();
        let mut answer = chat.get(Id(3)).cloned().expect("an answer");
        answer.edited = Some(Id(2));
        answer.receipt = Some(Receipt {
            sent: vec![Id(1), Id(2)],
            continued: Some(Id(2)),
            recalled: vec![Id(1)],
            ..Receipt::default()
        });
        chat.insert(answer);
        let mut question = chat.get(Id(4)).cloned().expect("a question");
        let piece = |message, chat| RecalledPiece {
            message: Id(message),
            chat,
            excerpt: false,
        };
        let pieces = vec![piece(1, None), piece(2, None), piece(1, Some(Id(200)))];
        question.recalled = Some(RecalledBlock {
            pieces,
            text: "quoted".into(),
        });
        chat.insert(question);
        chat.head.pin(Id(1), true);
        chat.head.mute(Id(2), true);
        let waits = WaitingModel::new(Id(4), ModelId::new(None, "small"));
        WAITING_MODELS.extend(&mut chat.head.others, [waits]);
        let mut withheld = chat.head.clone();
        withheld.withhold(SettingKind::Model, FIELDS);
        chat.head.settings.withheld = withheld.settings.withheld;
        chat.head.set_system("Be brief.");
        for through in [2, 3] {
            chat.head.add_summary(Summary {
                number: 0,
                text: "s".into(),
                from: Id(1),
                through: Id(through),
                count: 2,
                model: None,
                prompt_tokens: None,
                answer_tokens: None,
                created: 0,
                edited: false,
                cut_off: false,
            });
        }
        let fork = fork(&chat, 5).expect("a fork");
        assert!(fork.head.others.is_empty());
        assert!(fork.head.withheld_words(FIELDS).is_empty());
        let answer = fork.get(Id(1003)).expect("the answer");
        assert_eq!(answer.edited, Some(Id(2)));
        let receipt = answer.receipt.clone().unwrap_or_default();
        assert_eq!(receipt.sent, [Id(1002), Id(2)]);
        assert_eq!(receipt.continued, Some(Id(2)));
        assert_eq!(receipt.recalled, [Id(1002)]);
        let question = fork.get(Id(1004)).expect("the question");
        let block = question.recalled.clone().unwrap_or_default();
        let expected = [
            piece(1002, None),
            piece(2, Some(Id(100))),
            piece(1, Some(Id(200))),
        ];
        assert_eq!(block.pieces, expected);
        assert_eq!(fork.head.settings.pins, [Id(1002)]);
        assert!(fork.head.settings.mutes.is_empty());
        assert_eq!(fork.head.systems, ["Be brief."]);
        assert_eq!(fork.summary().map(|s| s.through), Some(Id(1003)));
        assert_eq!(fork.head.summaries.len(), 1);
    }

    #[test]
    fn a_deleted_message_is_not_copied_and_what_follows_it_is() {
        let mut chat = chat();
        chat.remove(Id(3), true);
        let fork = fork(&chat, 5).expect("a fork");
        let texts: Vec<&str> = fork.path().iter().map(|m| m.content.as_str()).collect();
        assert_eq!(texts, ["text 1", "text 4", "text 5"]);
        assert!(super::tests::fork(&chat, 3).is_none());
    }

    #[test]
    fn the_receipts_of_a_fork_name_its_own_messages() {
        let mut chat = chat();
        let mut answer = chat.get(Id(5)).cloned().expect("an answer");
        answer.receipt = Some(Receipt {
            engine_address: Some("box".into()),
            sent: vec![Id(1), Id(3), Id(4)],
            ..Receipt::default()
        });
        chat.insert(answer);
        let fork = fork(&chat, 5).expect("a fork");
        let was_read = |ids: &[u64]| {
            let messages = ids.iter().copied().map(Id).collect();
            let beginning = Beginning {
                messages,
                ..Beginning::default()
            };
            beginning.was_read_at(&fork, "box")
        };
        assert!(was_read(&[1002, 1003, 1004]));
        assert!(!was_read(&[1]), "a message of another chat");
    }
}
