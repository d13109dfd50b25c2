//! The beginning of a request, and whether an engine has read all of it before.

use super::{AnswerFormat, Chat, Id, Message, Outcome, Receipt};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The words that go to an engine before the prompt of a request. Before the person sends anything, they may go only to
/// an engine that has read all of them already.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beginning {
    /// The messages.
    pub messages: BTreeSet<Id>,
    /// The questions that go with what was recalled for them.
    pub recalled: BTreeSet<Id>,
    /// The questions whose images go.
    pub with_images: BTreeSet<Id>,
    /// The system prompt.
    pub system: Option<String>,
    /// The number of the summary.
    pub summary: Option<u32>,
    /// The form that the answer must have.
    pub format: Option<AnswerFormat>,
    /// The options of the request that may be words.
    pub options: Map<String, Value>,
    /// Whether a tool goes that the person described. Receipts have the names of tools alone, so nothing says that the
    /// engine has read this description.
    pub has_own_tool: bool,
}

impl Beginning {
    /// Whether the engine at an address has read all of it, as the receipts of its answers in this chat say. `address` is
    /// the digest that such receipts have; an engine of which none is known has read nothing.
    #[must_use]
    pub fn was_read_at(mut self, chat: &Chat, address: &str) -> bool {
        if address.is_empty() || self.has_own_tool {
            return false;
        }
        // The newest first: mostly the last receipt names everything.
        for message in chat.tree.messages().rev() {
            if self.is_empty() {
                return true;
            }
            if let Some(receipt) = receipt_of(message, address) {
                self.messages.remove(&message.id);
                self.take_out(chat, receipt);
            }
        }
        self.is_empty()
    }

    /// Takes out what a receipt names.
    fn take_out(&mut self, chat: &Chat, receipt: &Receipt) {
        for id in &receipt.sent {
            self.messages.remove(id);
            // A receipt only counts the images that were not sent, so any of these may be one of them.
            if receipt.images.unseen == 0 && receipt.images.gone == 0 {
                self.with_images.remove(id);
            }
        }
        for id in &receipt.recalled {
            self.recalled.remove(id);
        }
        if self.system.as_deref() == chat.head.system_at(receipt.system) {
            self.system = None;
        }
        self.summary = self.summary.filter(|_| self.summary != receipt.summary);
        if self.format == receipt.format {
            self.format = None;
        }
        let options = receipt.options.as_ref();
        self.options
            .retain(|name, value| options.and_then(|all| all.get(name)) != Some(value));
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The receipt of an answer of the engine at an address, if that engine has read the request. An answer that failed before
/// its first word may never have reached it. A version that the person wrote is no answer, whatever receipt it has.
fn receipt_of<'a>(message: &'a Message, address: &str) -> Option<&'a Receipt> {
    let is_answered = !message.content.is_empty()
        || !message.thinking.is_empty()
        || message.tool_calls.is_some()
        || matches!(message.outcome, Outcome::Complete | Outcome::CutOff);
    let receipt = message.receipt.as_ref()?;
    let is_of_it = receipt.engine_address.as_deref() == Some(address);
    (is_of_it && is_answered && message.edited.is_none()).then_some(receipt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Head, ImageCount, Role};
    use serde_json::json;

    const HERE: &str = "here";
    const BOX: &str = "box";

    /// Question 1 and answer 2 of `here`; question 3, with what was recalled for it and an image, and answer 4 of `box`,
    /// which read all before it with the first system prompt, the first summary, a form and a stop word. Question 5 was
    /// never sent.
    fn chat() -> Chat {
        let mut chat = Chat::new(Head::new(Id(100), 0));
        chat.head.systems = vec!["Be brief.".to_owned(), "Be long.".to_owned()];
        let read = |sent: &[u64]| Receipt {
            sent: sent.iter().copied().map(Id).collect(),
            engine_address: Some(HERE.to_owned()),
            ..Receipt::default()
        };
        let of_box = Receipt {
            engine_address: Some(BOX.to_owned()),
            recalled: vec![Id(3)],
            system: Some(0),
            summary: Some(0),
            format: Some(AnswerFormat::Json),
            options: Some(json!({"stop": ["END"], "top_k": 3})),
            images: ImageCount {
                sent: 1,
                ..ImageCount::default()
            },
            ..read(&[1, 2, 3])
        };
        let receipts = [None, Some(read(&[1])), None, Some(of_box), None];
        for (seq, receipt) in (1..).zip(receipts) {
            add(&mut chat, seq, receipt);
        }
        chat
    }

    /// Adds a message at the end: a question, or an answer where it has a receipt.
    fn add(chat: &mut Chat, id: u32, receipt: Option<Receipt>) {
        let role = match receipt {
            Some(_) => Role::Assistant,
            None => Role::User,
        };
        let parent = (id > 1).then(|| Id(u64::from(id) - 1));
        chat.insert(Message {
            content: format!("text {id}"),
            receipt,
            ..Message::new(Id(u64::from(id)), parent, id, role, 0)
        });
    }

    fn messages(ids: &[u64]) -> Beginning {
        Beginning {
            messages: ids.iter().copied().map(Id).collect(),
            ..Beginning::default()
        }
    }

    #[test]
    fn an_engine_has_read_what_the_receipts_of_its_answers_name_and_nothing_else() {
        let chat = chat();
        let of = |change: fn(&mut Beginning)| {
            let mut beginning = messages(&[1, 2, 3, 4]);
            change(&mut beginning);
            beginning
        };
        for (kind, beginning, here, there) in [
            ("nothing", messages(&[]), true, true),
            ("a question", messages(&[1]), true, true),
            ("its own answer", messages(&[2]), true, true),
            ("an answer of another engine", messages(&[4]), false, true),
            ("a question to another engine", messages(&[3]), false, true),
            ("the whole branch", messages(&[1, 2, 3, 4]), false, true),
            ("a question that was not sent", messages(&[5]), false, false),
            ("a message that is not there", messages(&[9]), false, false),
            (
                "recalled text",
                of(|b| b.recalled = [Id(3)].into()),
                false,
                true,
            ),
            (
                "other recalled text",
                of(|b| b.recalled = [Id(1)].into()),
                false,
                false,
            ),
            (
                "images",
                of(|b| b.with_images = [Id(3)].into()),
                false,
                true,
            ),
            (
                "system prompt",
                of(|b| b.system = Some("Be brief.".into())),
                false,
                true,
            ),
            (
                "a changed one",
                of(|b| b.system = Some("Be long.".into())),
                false,
                false,
            ),
            ("a summary", of(|b| b.summary = Some(0)), false, true),
            ("a newer summary", of(|b| b.summary = Some(1)), false, false),
            (
                "a form",
                of(|b| b.format = Some(AnswerFormat::Json)),
                false,
                true,
            ),
            (
                "another form",
                of(|b| b.format = Some(AnswerFormat::Schema(Map::new()))),
                false,
                false,
            ),
            (
                "a stop word",
                of(|b| _ = b.options.insert("stop".into(), json!(["END"]))),
                false,
                true,
            ),
            (
                "another stop word",
                of(|b| _ = b.options.insert("stop".into(), json!(["no"]))),
                false,
                false,
            ),
            (
                "a tool of the person's",
                of(|b| b.has_own_tool = true),
                false,
                false,
            ),
        ] {
            let read = [HERE, BOX].map(|at| beginning.clone().was_read_at(&chat, at));
            assert_eq!(read, [here, there], "{kind}");
            assert!(
                !beginning.was_read_at(&chat, ""),
                "{kind}, by an unknown engine"
            );
        }
    }

    #[test]
    fn an_answer_counts_only_if_its_engine_wrote_it() {
        let receipt = |chat: &Chat| chat.get(Id(4)).and_then(|m| m.receipt.clone());
        for (kind, change) in [
            (
                "written by hand",
                (|m| m.edited = Some(Id(4))) as fn(&mut Message),
            ),
            ("imported", |m| {
                m.receipt = m.receipt.take().map(|r| Receipt {
                    engine_address: None,
                    ..r
                })
            }),
            ("without a receipt", |m| m.receipt = None),
            ("failed before its first word", |m| {
                m.content.clear();
                m.outcome = Outcome::failed("No connection");
            }),
            ("stopped before its first word", |m| {
                m.content.clear();
                m.outcome = Outcome::Stopped;
            }),
        ] {
            let mut chat = chat();
            let of_box = receipt(&chat);
            add(&mut chat, 6, of_box);
            let mut answer = chat.get(Id(6)).cloned().expect("an answer");
            if let Some(receipt) = &mut answer.receipt {
                receipt.sent = vec![Id(5)];
            }
            assert!(messages(&[5]).was_read_at(&with(&chat, answer.clone()), BOX));
            change(&mut answer);
            let chat = with(&chat, answer);
            assert!(
                !messages(&[5]).was_read_at(&chat, BOX),
                "{kind}: the question"
            );
            assert!(!messages(&[6]).was_read_at(&chat, BOX), "{kind}: itself");
        }
    }

    fn with(chat: &Chat, message: Message) -> Chat {
        let mut chat = chat.clone();
        chat.insert(message);
        chat
    }

    #[test]
    fn images_that_a_receipt_only_counts_as_not_sent_were_not_read() {
        for images in [
            ImageCount {
                unseen: 1,
                ..ImageCount::default()
            },
            ImageCount {
                gone: 1,
                sent: 3,
                unseen: 0,
            },
        ] {
            let mut chat = chat();
            let mut answer = chat.get(Id(4)).cloned().expect("an answer");
            if let Some(receipt) = &mut answer.receipt {
                receipt.images = images;
            }
            chat.insert(answer);
            let beginning = Beginning {
                with_images: [Id(3)].into(),
                ..messages(&[3])
            };
            assert!(!beginning.was_read_at(&chat, BOX), "{images:?}");
        }
    }

    #[test]
    fn a_deleted_answer_tells_nothing() {
        let mut chat = chat();
        assert!(messages(&[3]).was_read_at(&chat, BOX));
        chat.remove(Id(4), true);
        assert!(!messages(&[3]).was_read_at(&chat, BOX));
    }
}
