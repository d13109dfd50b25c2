//! Tests of `select`, case by case; `tests/native/prompt/sessions.rs` tests random sessions.

use super::*;
use crate::window::{ContextFit, Estimate};
use crate::{Outcome, Policy};

fn message(id: u64, role: Role) -> Message {
    let parent = (id > 1).then(|| Id(id - 1));
    Message {
        content: format!("message {id}"),
        ..Message::new(Id(id), parent, u32::try_from(id).unwrap(), role, 0)
    }
}

fn branch(n: u64) -> Vec<Message> {
    let role = |i| {
        if i % 2 == 1 {
            Role::User
        } else {
            Role::Assistant
        }
    };
    (1..=n).map(|i| message(i, role(i))).collect()
}

fn of(roles: &[Role]) -> Vec<Message> {
    let roles = roles.iter().zip(1..);
    roles.map(|(role, i)| message(i, *role)).collect()
}

fn head(policy: Policy) -> Head {
    let mut head = Head::new(Id(0), 0);
    head.settings.policy = policy;
    head
}

fn window(messages: &[Message], head: &Head) -> Window {
    let refs: Vec<&Message> = messages.iter().collect();
    select(&refs, head, Estimate::default(), Parts::summary_of(head))
}

/// The window for a model whose template requires a question first.
fn question_first(messages: &[Message], head: &Head) -> Window {
    let refs: Vec<&Message> = messages.iter().collect();
    select(
        &refs,
        head,
        FirstMessageRule::Question,
        Parts::summary_of(head),
    )
}

fn sent(messages: &[Message], head: &Head) -> Vec<u64> {
    window(messages, head).ids().iter().map(|id| id.0).collect()
}

fn next_out(messages: &[Message], policy: Policy) -> Vec<u64> {
    let window = window(messages, &head(policy));
    window.next_out.iter().map(|id| id.0).collect()
}

#[test]
fn the_first_prompt_sends_nothing_with_it() {
    for policy in [Policy::default(), Policy::Everything, Policy::Exchanges(5)] {
        let window = window(&[], &head(policy));
        assert_eq!(window, Window::default());
    }
}

#[test]
fn the_third_prompt_sends_answer_question_answer() {
    assert_eq!(sent(&branch(4), &head(Policy::default())), [2, 3, 4]);
}

#[test]
fn fewer_messages_than_the_window_all_go_and_none_is_left() {
    let window = window(&branch(2), &head(Policy::default()));
    assert_eq!(window.ids(), [Id(1), Id(2)]);
    assert_eq!(window.left_out, 0);
}

#[test]
fn exactly_the_window_goes() {
    let window = window(&branch(3), &head(Policy::default()));
    assert_eq!(window.ids(), [Id(1), Id(2), Id(3)]);
    assert_eq!(window.left_out, 0);
}

#[test]
fn nought_means_none() {
    let steady = Policy::Steady {
        keep: 0,
        grow_to: 0,
    };
    for policy in [
        Policy::Messages(0),
        Policy::Exchanges(0),
        Policy::Tokens(0),
        steady,
    ] {
        assert_eq!(sent(&branch(5), &head(policy)), [0u64; 0], "{policy:?}");
    }
}

#[test]
fn everything_means_all() {
    let all: Vec<u64> = (1..=999).collect();
    assert_eq!(sent(&branch(999), &head(Policy::Everything)), all);
}

#[test]
fn twenty_of_twenty_five_are_the_newest() {
    let newest: Vec<u64> = (6..=25).collect();
    assert_eq!(sent(&branch(25), &head(Policy::Messages(20))), newest);
}

#[test]
fn what_slides_out_is_what_the_prompt_after_the_next_lacks() {
    // A question and an answer are added; three messages stay.
    assert_eq!(next_out(&branch(4), Policy::Messages(3)), [2, 3]);
    assert_eq!(next_out(&branch(2), Policy::Messages(3)), [1]);
    assert_eq!(next_out(&branch(4), Policy::Messages(1)), [4]);
    assert_eq!(next_out(&branch(10), Policy::Exchanges(5)), [1, 2]);
    assert_eq!(next_out(&branch(8), Policy::Exchanges(5)), [0u64; 0]);
    assert_eq!(next_out(&branch(10), Policy::Everything), [0u64; 0]);
    let steady = Policy::Steady {
        keep: 4,
        grow_to: 12,
    };
    assert_eq!(next_out(&branch(10), steady), [0u64; 0]);
    assert_eq!(
        next_out(&branch(12), steady),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    );
}

#[test]
fn an_answer_without_text_is_neither_sent_nor_counted() {
    let mut messages = branch(6);
    messages[3].outcome = Outcome::failed("x");
    messages[3].content = " \n".into();
    messages[5].content = String::new();
    assert_eq!(sent(&messages, &head(Policy::Messages(3))), [2, 3, 5]);
}

#[test]
fn an_answer_that_broke_off_goes_as_far_as_it_came() {
    for outcome in [
        Outcome::Stopped,
        Outcome::Interrupted,
        Outcome::failed("the runner died"),
    ] {
        let mut messages = branch(4);
        messages[3].outcome = outcome.clone();
        messages[1].outcome = outcome;
        assert_eq!(sent(&messages, &head(Policy::Messages(3))), [2, 3, 4]);
    }
}

#[test]
fn questions_without_an_answer_in_a_row_are_all_kept_in_order() {
    let messages = of(&[Role::User, Role::User, Role::User]);
    assert_eq!(sent(&messages, &head(Policy::Messages(3))), [1, 2, 3]);
    assert_eq!(sent(&messages, &head(Policy::Exchanges(1))), [1, 2, 3]);
}

#[test]
fn a_pin_goes_in_its_place_outside_the_count() {
    let mut head = head(Policy::Messages(2));
    head.pin(Id(3), true);
    assert_eq!(sent(&branch(10), &head), [3, 9, 10]);
    head.pin(Id(10), true);
    assert_eq!(sent(&branch(10), &head), [3, 8, 9, 10]);
    head.settings.policy = Policy::Messages(0);
    assert_eq!(sent(&branch(10), &head), [3, 10]);
    assert_eq!(window(&branch(10), &head).entries[0].reason, Reason::Pin);
}

#[test]
fn what_is_mute_never_goes_and_makes_room() {
    let mut head = head(Policy::Messages(3));
    head.mute(Id(9), true);
    assert_eq!(sent(&branch(10), &head), [7, 8, 10]);
    head.settings.policy = Policy::Everything;
    assert_eq!(sent(&branch(10), &head).len(), 9);
}

#[test]
fn a_cleared_chat_starts_fresh() {
    let mut head = head(Policy::Everything);
    head.settings.cleared.push(Id(4));
    assert_eq!(sent(&branch(4), &head), [0u64; 0]);
    assert_eq!(sent(&branch(6), &head), [5, 6]);
    assert_eq!(window(&branch(6), &head).cleared, Some(Id(4)));
    // Another branch, without the cleared message, is not cleared.
    assert_eq!(sent(&branch(3), &head), [1, 2, 3]);
    head.settings.cleared.clear();
    assert_eq!(sent(&branch(4), &head).len(), 4);
}

#[test]
fn an_answer_without_its_question_is_marked() {
    let orphans = |head: &Head| -> Vec<u64> {
        let entries = window(&branch(6), head).entries;
        entries
            .iter()
            .filter(|e| e.orphan)
            .map(|e| e.id.0)
            .collect()
    };
    assert_eq!(orphans(&head(Policy::Messages(3))), [4]);
    assert_eq!(orphans(&head(Policy::Exchanges(2))), [0u64; 0]);
    let mut pinned = head(Policy::Exchanges(1));
    pinned.pin(Id(2), true);
    assert_eq!(orphans(&pinned), [2]);
}

/// A question answered through two calls of a tool, and one answered at once.
fn with_tools() -> Vec<Message> {
    use Role::{Assistant, Tool, User};
    let mut messages = of(&[
        User, Assistant, Tool, Assistant, Tool, Assistant, User, Assistant,
    ]);
    for call in [1, 3] {
        messages[call].content.clear();
        messages[call].tool_calls = Some(serde_json::json!([{"function": {"name": "f"}}]));
    }
    messages
}

#[test]
fn calls_and_results_go_with_their_question_and_are_not_counted() {
    let steady = |n| Policy::Steady {
        keep: n,
        grow_to: n,
    };
    // The size of the first exchange is that of all six messages.
    let exchange = |messages: &[Message]| {
        let sizes = messages.iter().map(|m| Size::of_message(m, false));
        sizes
            .map(|size| Estimate::default().part(size))
            .sum::<u64>() as u32
    };
    let (first, second) = (exchange(&with_tools()[..6]), exchange(&with_tools()[6..]));
    for (policy, goes) in [
        (Policy::Messages(4), &[1, 2, 3, 4, 5, 6, 7, 8][..]),
        (Policy::Messages(3), &[6, 7, 8]),
        (Policy::Messages(2), &[7, 8]),
        (Policy::Exchanges(2), &[1, 2, 3, 4, 5, 6, 7, 8]),
        (Policy::Exchanges(1), &[7, 8]),
        (steady(4), &[1, 2, 3, 4, 5, 6, 7, 8]),
        (steady(3), &[7, 8]),
        (Policy::Tokens(first + second), &[1, 2, 3, 4, 5, 6, 7, 8]),
        (Policy::Tokens(first + second - 1), &[7, 8]),
        (Policy::Fits, &[1, 2, 3, 4, 5, 6, 7, 8]),
        (Policy::Everything, &[1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        assert_eq!(sent(&with_tools(), &head(policy)), goes, "{policy:?}");
    }
    assert_eq!(
        sent(&with_tools()[..6], &head(Policy::default())),
        [1, 2, 3, 4, 5, 6]
    );
}

#[test]
fn calls_and_results_are_in_no_count() {
    let window = window(&with_tools(), &head(Policy::Messages(3)));
    assert_eq!((window.messages(), window.left_out), (3, 1));
    assert_eq!(window.branch_messages(), 4);
    let stops: Vec<_> = window.stops.iter().map(|s| (s.id.0, s.messages)).collect();
    assert_eq!(stops, [(1, 4), (6, 3), (7, 2), (8, 1)]);
    let orphans = window.entries.iter().filter(|e| e.orphan);
    assert_eq!(orphans.map(|e| e.id.0).collect::<Vec<_>>(), [6]);
    // What falls out next is a question with its calls.
    assert_eq!(
        next_out(&with_tools()[..6], Policy::Messages(3)),
        [1, 2, 3, 4, 5]
    );
}

#[test]
fn what_a_question_is_given_its_calls_are_given_too() {
    let with = |change: &dyn Fn(&mut Head), policy| {
        let mut head = head(policy);
        change(&mut head);
        sent(&with_tools(), &head)
    };
    let all = Policy::Everything;
    // A mute of a call or a result takes that round, a mute of the question takes all.
    assert_eq!(with(&|h| h.mute(Id(2), true), all), [1, 4, 5, 6, 7, 8]);
    assert_eq!(with(&|h| h.mute(Id(5), true), all), [1, 2, 3, 6, 7, 8]);
    assert_eq!(with(&|h| h.mute(Id(1), true), all), [6, 7, 8]);
    // A pin of one is a pin of all, and takes no place of the count.
    for pinned in 1..=5 {
        let pin = |h: &mut Head| h.pin(Id(pinned), true);
        assert_eq!(with(&pin, Policy::Messages(1)), [1, 2, 3, 4, 5, 8]);
        assert_eq!(with(&pin, Policy::Messages(0)), [1, 2, 3, 4, 5]);
    }
    // A window cleared between a question and its answer has neither the question nor what was called for it.
    for cleared in 1..=5 {
        assert_eq!(
            with(&|h| h.settings.cleared.push(Id(cleared)), all),
            [6, 7, 8]
        );
    }
    let strict = question_first(&with_tools(), &head(Policy::Messages(3)));
    assert_eq!(strict.ids(), [1, 2, 3, 4, 5, 6, 7, 8].map(Id));
    assert_eq!(strict.question_before(), Some(Id(1)));
    let mut failed = with_tools();
    failed[1].outcome = Outcome::failed("x");
    assert_eq!(sent(&failed, &head(all)), [1, 4, 5, 6, 7, 8]);
}

#[test]
fn what_was_deleted_takes_no_other_call_along() {
    let without = |gone: &[u64]| {
        let mut messages = with_tools();
        messages.retain(|m| !gone.contains(&m.id.0));
        sent(&messages, &head(Policy::Everything))
    };
    assert_eq!(without(&[1]), [6, 7, 8]);
    assert_eq!(without(&[2]), [1, 4, 5, 6, 7, 8]);
    assert_eq!(without(&[3]), [1, 4, 5, 6, 7, 8]);
    assert_eq!(without(&[4]), [1, 2, 3, 6, 7, 8]);
    assert_eq!(without(&[6, 7]), [1, 2, 3, 4, 5, 8]);
    // The calls of a deleted question are not those of the question before.
    let mut messages = branch(2);
    let calls = with_tools().into_iter().map(|m| Message {
        id: Id(m.id.0 + 2),
        parent: Some(Id(m.id.0 + 1)),
        seq: m.seq + 2,
        ..m
    });
    messages.extend(calls.skip(1));
    assert_eq!(sent(&messages, &head(Policy::Everything)), [1, 2, 8, 9, 10]);
}

#[test]
fn no_more_results_go_than_there_were_calls() {
    use Role::{Assistant, Tool, User};
    let mut messages = of(&[User, Assistant, Tool, Tool, Tool, Assistant]);
    let call = |id: &str| serde_json::json!({"id": id, "function": {"name": "f"}});
    messages[1].tool_calls = Some(serde_json::json!([call("a"), call("b")]));
    let all = head(Policy::Everything);
    assert_eq!(sent(&messages, &all), [1, 2, 3, 4, 6]);
    for (at, id) in [(2, "x"), (3, "b"), (4, "a")] {
        messages[at].tool_call_id = Some(id.into());
    }
    assert_eq!(sent(&messages, &all), [1, 2, 4, 5, 6]);
    // A result that names its call stays when the one before it is deleted.
    messages.remove(3);
    assert_eq!(sent(&messages, &all), [1, 2, 5, 6]);
}

#[test]
fn a_call_without_text_and_result_is_not_sent() {
    let mut messages = of(&[Role::User, Role::Assistant, Role::User, Role::Assistant]);
    messages[1].content.clear();
    messages[1].tool_calls = Some(serde_json::json!([{"function": {"name": "f"}}]));
    assert_eq!(sent(&messages, &head(Policy::Everything)), [1, 3, 4]);
}

#[test]
fn a_stray_result_is_not_sent() {
    let messages = of(&[Role::Tool, Role::User, Role::Tool, Role::Assistant]);
    assert_eq!(sent(&messages, &head(Policy::Everything)), [2, 4]);
}

#[test]
fn the_system_prompt_is_in_the_size_and_outside_the_count() {
    let mut head = head(Policy::Messages(3));
    let without = window(&branch(5), &head).size;
    head.set_system("Answer in verse.");
    let with = window(&branch(5), &head);
    assert_eq!(with.size, without + Size::of("Answer in verse."));
    assert_eq!(with.entries.len(), 3);
}

#[test]
fn a_prompt_after_an_unanswered_question_is_no_message_more() {
    let window = window(&branch(1), &head(Policy::Messages(3)));
    assert_eq!(window.size_with("and?").messages(), 1);
    assert_eq!(Window::default().size_with("x").messages(), 1);
}

#[test]
fn the_edge_stands_at_one_of_its_stops_or_behind_them() {
    let messages = branch(8);
    let mut head = head(Policy::Messages(3));
    head.pin(Id(2), true);
    head.mute(Id(7), true);
    head.settings.cleared.push(Id(3));
    let all = window(&messages, &head);
    let stops: Vec<_> = all.stops.iter().map(|s| (s.id.0, s.messages)).collect();
    assert_eq!(stops, [(4, 4), (5, 3), (6, 2), (8, 1)]);
    assert_eq!(all.edge, 1);
    for (at, stop) in all.stops.iter().enumerate() {
        head.settings.policy = stop.policy;
        let window = window(&messages, &head);
        assert_eq!((window.edge, &window.stops), (at, &all.stops));
        let first = window.entries.iter().find(|e| e.reason == Reason::Policy);
        assert_eq!(first.map(|e| e.id), Some(stop.id));
    }
    head.settings.policy = Policy::Messages(0);
    assert_eq!(window(&messages, &head).edge, 4);
}

/// Messages of about 100 tokens each.
fn long_branch(n: u64) -> Vec<Message> {
    let mut all = branch(n);
    for message in &mut all {
        message.content = "word ".repeat(100);
    }
    all
}

fn fitting(messages: &[Message], head: &Head, context: u64, prompt: &str) -> (Window, u64) {
    let refs: Vec<&Message> = messages.iter().collect();
    let profile = ModelProfile {
        context: Some(context),
        ..ModelProfile::default()
    };
    let window = select(
        &refs,
        head,
        profile.before(prompt, 0),
        Parts::summary_of(head),
    );
    let tokens = profile.estimate.whole(window.size_with(prompt));
    (window, tokens)
}

#[test]
fn everything_that_fits_is_everything_until_the_context_is_full_and_fits_ever_after() {
    let head = head(Policy::Fits);
    let mut fullest = 0;
    for n in (0..120).step_by(2) {
        for (context, prompt) in [(4_096, "Why?"), (8_192, &*"word ".repeat(2_000))] {
            let (window, tokens) = fitting(&long_branch(n), &head, context, prompt);
            assert_eq!(
                ContextFit::of(tokens, Some(context)),
                ContextFit::Fits,
                "{n} {context}"
            );
            assert!(window.entries.first().is_none_or(|e| e.role == Role::User));
            if n < 28 {
                assert_eq!(window.left_out, 0, "{n} {context}");
            }
            fullest = fullest.max(tokens);
        }
    }
    assert!(fullest > 4_096, "{fullest}");
}

#[test]
fn everything_that_fits_counts_pins_and_the_system_prompt() {
    let mut head = head(Policy::Fits);
    let messages = long_branch(60);
    let (before, _) = fitting(&messages, &head, 4_096, "Why?");
    head.set_system(&"word ".repeat(900));
    head.pin(Id(1), true);
    let (after, tokens) = fitting(&messages, &head, 4_096, "Why?");
    assert!(after.contains(Id(1)));
    assert!(after.entries.len() < before.entries.len());
    assert_eq!(ContextFit::of(tokens, Some(4_096)), ContextFit::Fits);
}

#[test]
fn a_template_that_wants_a_question_first_gets_the_question_before() {
    let three = head(Policy::default());
    let window = question_first(&branch(8), &three);
    assert_eq!(window.ids(), [5, 6, 7, 8].map(Id));
    assert_eq!(window.question_before(), Some(Id(5)));
    assert_eq!(window.entries[0].reason, Reason::QuestionFirst);
    assert!(window.entries.iter().all(|entry| !entry.orphan));
    assert_eq!(window.left_out, 4);
    // The policy and its edge are the same as without the added question.
    let without = super::tests::window(&branch(8), &three);
    assert_eq!((window.edge, &window.stops), (without.edge, &without.stops));
    assert_eq!(without.question_before(), None);
    // Where the window begins with a question anyway, the policy is applied exactly.
    for policy in [
        Policy::Messages(4),
        Policy::Exchanges(2),
        Policy::Everything,
    ] {
        let head = head(policy);
        let window = question_first(&branch(8), &head);
        assert_eq!(
            window,
            super::tests::window(&branch(8), &head),
            "{policy:?}"
        );
    }
    assert_eq!(question_first(&[], &three), Window::default());
}

#[test]
fn what_slides_out_counts_the_question_before() {
    // At the next prompt, 7 is sent as the question of 8.
    let window = question_first(&branch(8), &head(Policy::default()));
    assert_eq!(window.next_out, [Id(5), Id(6)]);
    let window = question_first(&branch(8), &head(Policy::Messages(1)));
    assert_eq!(window.ids(), [Id(7), Id(8)]);
    assert_eq!(window.next_out, [Id(7), Id(8)]);
}

#[test]
fn an_answer_whose_question_may_not_go_stays_behind() {
    let sent = |messages: &[Message], head: &Head| -> Vec<u64> {
        let ids = question_first(messages, head).ids();
        ids.iter().map(|id| id.0).collect()
    };
    let mut mute = head(Policy::default());
    mute.mute(Id(5), true);
    assert_eq!(sent(&branch(8), &mute), [7, 8]);
    // A chat that begins with a greeting of the model.
    let greeted = of(&[Role::Assistant, Role::User, Role::Assistant]);
    assert_eq!(sent(&greeted, &head(Policy::Everything)), [2, 3]);
    // Nothing from before a clearing is added.
    let mut cleared = head(Policy::default());
    cleared.settings.cleared.push(Id(5));
    assert_eq!(sent(&branch(8), &cleared), [7, 8]);
    // A pin from before the clearing is sent, and so is its question.
    cleared.pin(Id(2), true);
    assert_eq!(sent(&branch(8), &cleared), [1, 2, 6, 7, 8]);
}

#[test]
fn a_call_whose_question_may_not_go_stays_behind_with_its_results() {
    use Role::{Assistant, Tool, User};
    let mut messages = of(&[Assistant, Tool, Tool, User, Assistant]);
    messages[0].tool_calls = Some(serde_json::json!([{"function": {"name": "f"}}]));
    let window = question_first(&messages, &head(Policy::Everything));
    assert_eq!(window.ids(), [Id(4), Id(5)]);
}

#[test]
fn results_of_tools_without_an_answer_stay_behind_where_the_template_wants_turns() {
    use Role::{Assistant, Tool, User};
    let mut messages = of(&[
        User, Assistant, Tool, Tool, User, Assistant, User, Assistant, Tool,
    ]);
    let call = serde_json::json!({"function": {"name": "f"}});
    let calls = serde_json::json!([call, call]);
    for call in [1, 7] {
        messages[call].tool_calls = Some(calls.clone());
        messages[call].content.clear();
    }
    let all = head(Policy::Everything);
    let sent = |messages: &[Message]| -> Vec<u64> {
        let ids = question_first(messages, &all).ids();
        ids.iter().map(|id| id.0).collect()
    };
    assert_eq!(sent(&messages), [1, 5, 6, 7]);
    // Text written with the call is an answer.
    messages[1].content = "Let me look.".into();
    assert_eq!(sent(&messages), [1, 2, 5, 6, 7]);
    // An answer to the results keeps them in the window.
    let answered = [&messages[..4], &messages[5..6]].concat();
    assert_eq!(sent(&answered), [1, 2, 3, 4, 6]);
    // Other templates accept results without an answer.
    assert_eq!(window(&messages, &all).entries.len(), 9);
}

/// What was muted or cleared counted as what had left the window, and the page said that the rule left it out.
#[test]
fn the_last_message_that_the_rule_leaves_out_is_above_the_edge() {
    let messages = branch(8);
    let mut head = head(Policy::Everything);
    head.mute(Id(1), true);
    assert_eq!(window(&messages, &head).last_left, None);
    head.settings.cleared.push(Id(4));
    head.settings.policy = Policy::Messages(4);
    assert_eq!(window(&messages, &head).last_left, None);
    head.settings.policy = Policy::Messages(3);
    assert_eq!(window(&messages, &head).last_left, Some(Id(5)));
    head.settings.policy = Policy::Messages(0);
    assert_eq!(window(&messages, &head).last_left, Some(Id(8)));
    // The question that a model needs first is sent, and so is a pin.
    head.settings.policy = Policy::Messages(3);
    assert_eq!(question_first(&messages, &head).last_left, None);
    head.pin(Id(5), true);
    assert_eq!(window(&messages, &head).last_left, None);
}
