//! The prompts that a person keeps.

use super::*;
use crate::prompts::{PROMPT, PromptLog, SavedPrompt};

fn names(log: &mut Log<impl KeyValue>) -> Vec<String> {
    let prompts = log.list_prompts().into_iter();
    prompts.map(|prompt| prompt.name).collect()
}

fn with_prompts() -> Log<MemoryStore> {
    let mut log = open(written());
    for (id, name) in [(80, "mail"), (81, "Review"), (82, "Explain")] {
        log.save_prompt(&SavedPrompt::new(Id(id), name, "{{x}}"))
            .unwrap();
    }
    open(log.store().clone())
}

#[test]
fn prompts_are_listed_by_name_and_those_that_were_deleted_can_come_back() {
    let mut log = with_prompts();
    assert_eq!(names(&mut log), ["Explain", "mail", "Review"]);
    let mut mail = log.saved_prompt(Id(80)).unwrap();
    mail.deleted = Some(9);
    log.save_prompt(&mail).unwrap();
    assert_eq!(names(&mut log), ["Explain", "Review"]);
    log.purge_prompts(1);
    let kept = log.saved_prompt(Id(80)).unwrap();
    assert_eq!(kept, mail, "the last one is kept");
    log.purge_prompts(0);
    let left = log.saved_prompt(Id(80)).unwrap();
    assert!(left.is_purged() && left.text.is_empty());
    let record = log
        .store()
        .get(&Key::Record(PROMPT, Id(80)).to_string())
        .unwrap();
    assert!(!record.contains("mail"), "{record}");
    assert_eq!(names(&mut log), ["Explain", "Review"]);
    assert_eq!(log.chat_list().len(), 1, "they are no chats");
}

#[test]
fn a_damaged_prompt_costs_itself_and_another_tab_makes_one_known() {
    let log = with_prompts();
    let mut store = log.store().clone();
    store
        .set("sash:p:0000000000000050", "1|00000000|{}")
        .unwrap();
    let mut store = SharedStore::of(store);
    let mut log = open(store.clone());
    assert_eq!(names(&mut log), ["Explain", "Review"]);
    assert_eq!(log.unreadable(), 1);
    let mut other = open(store.copy_now());
    other
        .save_prompt(&SavedPrompt::new(Id(90), "New", "x"))
        .unwrap();
    let key = Key::Record(PROMPT, Id(90)).to_string();
    store.set(&key, &other.store().get(&key).unwrap()).unwrap();
    assert_eq!(log.on_storage_event(&key, true), None);
    assert_eq!(names(&mut log), ["Explain", "New", "Review"]);
}
