//! Answers that wait for the test.

use futures::channel::oneshot;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Answers of one kind that the test sends later, oldest first. A clone is the same answers.
#[derive(Clone, Default)]
pub struct Slow(Rc<RefCell<VecDeque<oneshot::Receiver<()>>>>);

impl Slow {
    /// Makes the next answer wait for the test, which sends it or drops the sender.
    #[must_use]
    pub fn hold_back(&self) -> oneshot::Sender<()> {
        let (send, sent) = oneshot::channel();
        self.0.borrow_mut().push_back(sent);
        send
    }

    /// Waits until the test sends the next answer; not at all if it holds none back. Returns whether it is sent: the test may
    /// drop the sender instead.
    pub fn next(&self) -> impl Future<Output = bool> + use<> {
        let held_back = self.0.borrow_mut().pop_front();
        async {
            match held_back {
                Some(held_back) => held_back.await.is_ok(),
                None => true,
            }
        }
    }
}
