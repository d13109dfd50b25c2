//! The window of the open chat, and undo of each step.

use crate::house::reactive;
use reactive_graph::prelude::*;
use sash_chat::Policy;

#[test]
fn steering_is_taken_back_step_by_step() {
    reactive(|_, house| {
        house.steering.set_policy(Policy::Messages(7));
        house.steering.set_policy(Policy::Everything);
        let policy = || house.chats.open.with_untracked(|chat| chat.head.policy);
        assert_eq!(policy(), Policy::Everything);
        assert!(house.steering.undo());
        assert_eq!(policy(), Policy::Messages(7));
        assert!(house.steering.undo());
        assert_eq!(policy(), Policy::default());
        assert!(!house.steering.undo());
    });
}
