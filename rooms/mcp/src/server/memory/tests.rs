use super::*;

const HOUR: u64 = 60 * 60 * 1000;

fn exchange(chat: u64, question: &str, answer: &str) -> Exchange {
    Exchange {
        chat: Id(chat),
        asked: 1,
        question: question.to_owned(),
        answer: answer.to_owned(),
        outcome: Outcome::Complete,
        model: ModelId::new(None, "tiny"),
        system: None,
        turn: None,
    }
}

fn memory(chats: usize, text_bytes: usize) -> ChatMemory {
    ChatMemory::new(ChatMemoryLimits {
        chats,
        text_bytes,
        ..ChatMemoryLimits::default()
    })
}

fn ids(memory: &mut ChatMemory, now: u64) -> Vec<u64> {
    memory.list(now).iter().map(|s| s.chat.head.id.0).collect()
}

fn texts(memory: &mut ChatMemory, chat: u64) -> Vec<String> {
    let stored = memory.get(Id(chat), 0).unwrap();
    stored
        .chat
        .path()
        .iter()
        .map(|m| m.content.clone())
        .collect()
}

#[test]
fn a_chat_is_made_of_its_exchanges_and_knows_its_times() {
    let mut memory = ChatMemory::default();
    assert!(memory.get(Id(1), 5).is_none());
    memory.append(exchange(1, "a", "b"), 5);
    let mut second = exchange(1, "c", "d");
    second.asked = 6;
    second.model = ModelId::new(Some("box"), "large");
    let stored = memory.append(second, 9);
    assert_eq!((stored.exchanges(), stored.last_activity), (2, 9));
    let head = &stored.chat.head;
    assert_eq!((head.id, head.created), (Id(1), 1));
    assert_eq!(head.settings.policy, Policy::Exchanges(5));
    assert_eq!(head.model_id(), Some(ModelId::new(Some("box"), "large")));
    let roles: Vec<_> = stored
        .chat
        .path()
        .iter()
        .map(|m| (m.role, m.created))
        .collect();
    let times = [
        (Role::User, 1),
        (Role::Assistant, 5),
        (Role::User, 6),
        (Role::Assistant, 9),
    ];
    assert_eq!(roles, times);
    assert_eq!(texts(&mut memory, 1), ["a", "b", "c", "d"]);
}

#[test]
fn a_chat_is_forgotten_24_hours_after_its_last_question() {
    let mut memory = ChatMemory::default();
    memory.append(exchange(1, "a", "b"), 0);
    memory.append(exchange(2, "a", "b"), 0);
    // A question that fails is a use, and no activity.
    assert!(memory.begin(Id(2), 20 * HOUR).is_some());
    assert_eq!(memory.get(Id(2), 20 * HOUR).unwrap().last_activity, 0);
    assert_eq!(ids(&mut memory, 24 * HOUR - 1), [2, 1]);
    // To look at a chat is no use.
    assert!(memory.get(Id(1), 24 * HOUR - 1).is_some());
    assert_eq!(ids(&mut memory, 24 * HOUR), [2]);
    assert!(memory.begin(Id(1), 24 * HOUR).is_none());
    assert!(memory.get(Id(2), 44 * HOUR).is_none());
    assert_eq!(memory.text_bytes(), 0);
}

#[test]
fn a_clock_that_goes_back_forgets_nothing() {
    let mut memory = ChatMemory::default();
    memory.append(exchange(1, "a", "b"), 30 * HOUR);
    assert_eq!(ids(&mut memory, 0), [1]);
    assert_eq!(memory.remove_inactive(1, 0), (0, 1));
}

#[test]
fn the_chat_used_longest_ago_makes_room_for_a_new_one() {
    let mut memory = memory(3, 1000);
    for chat in 1..=3 {
        memory.append(exchange(chat, "a", "b"), 0);
    }
    // The clock stands still: the order of use decides.
    assert!(memory.begin(Id(1), 0).is_some());
    memory.append(exchange(4, "a", "b"), 0);
    assert!(memory.get(Id(2), 0).is_none());
    memory.append(exchange(5, "a", "b"), 0);
    let mut left = ids(&mut memory, 0);
    left.sort_unstable();
    assert_eq!(left, [1, 4, 5]);
}

#[test]
fn the_text_of_all_chats_is_limited() {
    let mut memory = memory(10, 10);
    for chat in 1..=5 {
        memory.append(exchange(chat, "a", "b"), 0);
    }
    assert_eq!(memory.text_bytes(), 10);
    memory.append(exchange(6, "four", ""), 0);
    assert_eq!(memory.text_bytes(), 10);
    let mut left = ids(&mut memory, 0);
    left.sort_unstable();
    assert_eq!(left, [3, 4, 5, 6]);
}

#[test]
fn a_chat_over_the_limit_alone_loses_its_oldest_exchanges_and_stays_a_chat() {
    let mut memory = memory(10, 10);
    memory.append(exchange(9, "a", "b"), 0);
    for question in ["1", "2", "3"] {
        memory.append(exchange(1, question, "four"), 0);
    }
    assert_eq!(ids(&mut memory, 0), [1]);
    assert_eq!(texts(&mut memory, 1), ["2", "four", "3", "four"]);
    assert_eq!(memory.text_bytes(), 10);
    memory.append(exchange(1, "4", "more than ten"), 0);
    assert_eq!(texts(&mut memory, 1), ["4", "more than ten"]);
    memory.append(exchange(1, "5", "b"), 0);
    assert_eq!(texts(&mut memory, 1), ["5", "b"]);
}

#[test]
fn the_limits_hold_whatever_is_asked() {
    let mut memory = memory(7, 200);
    for n in 0..2000_u64 {
        let question = "q".repeat((n * 7919 % 40) as usize);
        memory.append(exchange(n * 31 % 11, &question, "answer"), n);
        if n % 13 == 0 {
            memory.remove(Id(n % 11), n);
        }
        let all = memory.list(n);
        assert!(all.len() <= 7);
        let sum: usize = all.iter().map(StoredChat::text_bytes).sum();
        assert!(sum <= 200);
    }
}

#[test]
fn chats_are_cleared_one_by_one_or_by_their_age() {
    let mut memory = ChatMemory::default();
    for (chat, at) in [(1, 0), (2, HOUR), (3, 2 * HOUR)] {
        memory.append(exchange(chat, "a", "b"), at);
    }
    assert_eq!(ids(&mut memory, 2 * HOUR), [3, 2, 1]);
    assert_eq!(memory.remove(Id(3), 2 * HOUR).unwrap().exchanges(), 1);
    assert!(memory.remove(Id(3), 2 * HOUR).is_none());
    let turn = Arc::clone(&memory.get(Id(1), 2 * HOUR).unwrap().turn);
    let busy = turn.try_lock().unwrap();
    assert_eq!(memory.remove_inactive(HOUR, 2 * HOUR), (1, 1));
    assert_eq!(ids(&mut memory, 2 * HOUR), [1], "one that is busy stays");
    drop(busy);
    assert_eq!(memory.remove_inactive(0, 2 * HOUR), (1, 0));
    assert_eq!(memory.text_bytes(), 0);
}

#[test]
fn a_chat_that_is_forgotten_while_it_answers_keeps_its_turn() {
    let mut memory = memory(1, 1000);
    let turn = memory.append(exchange(1, "a", "b"), 0).turn;
    let _answering = turn.try_lock().unwrap();
    memory.append(exchange(2, "a", "b"), 0);
    assert!(memory.get(Id(1), 0).is_none());
    let mut answered = exchange(1, "c", "d");
    answered.turn = Some(Arc::clone(&turn));
    memory.append(answered, 0);
    let stored = memory.get(Id(1), 0).unwrap();
    assert!(stored.turn.try_lock().is_err());
}

#[test]
fn a_system_prompt_replaces_the_one_before_and_counts_as_text() {
    let mut memory = ChatMemory::default();
    for (system, expected) in [
        (Some("one"), Some("one")),
        (None, Some("one")),
        (Some("2"), Some("2")),
        (Some(" "), None),
    ] {
        let mut next = exchange(1, "", "");
        next.system = system.map(str::to_owned);
        let stored = memory.append(next, 0);
        let head = &stored.chat.head;
        assert_eq!(head.system_at(head.settings.system), expected);
        let bytes = expected.map_or(0, str::len);
        assert_eq!(memory.text_bytes(), bytes);
    }
}
