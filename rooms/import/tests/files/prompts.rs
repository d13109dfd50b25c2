//! The prompts that a person keeps go along: out, and in again.

use super::*;
use sash_records::prompts::{MAX_SAVED_PROMPTS, PromptLog, SavedPrompt};
use serde_json::json;

fn with_prompts(names: &[&str]) -> Log<MemoryStore> {
    let mut log = open(MemoryStore::default());
    write(&mut log, &simple(1));
    for (id, name) in (90..).zip(names) {
        let mut prompt = SavedPrompt::new(Id(id), name, "Explain {{what}}.");
        prompt.unknown.insert("colour".into(), json!("red"));
        log.save_prompt(&prompt).unwrap();
    }
    log
}

fn names(log: &mut Log<MemoryStore>) -> Vec<String> {
    let prompts = log.list_prompts().into_iter();
    prompts.map(|prompt| prompt.name).collect()
}

#[test]
fn the_export_of_all_chats_has_the_prompts_and_an_import_adds_them_once() {
    let mut log = with_prompts(&["Explain", "Mail"]);
    let mut gone = SavedPrompt::new(Id(99), "Gone", "x");
    gone.deleted = Some(NOW);
    log.save_prompt(&gone).unwrap();
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    let plan = planned(&mut other, &file);
    assert_eq!(plan.new_prompts(), ["Explain", "Mail"]);
    assert_eq!(other.store().keys().len(), 1, "a dry run writes nothing");
    applied(&mut other, plan).unwrap();
    assert_eq!(other.saved_prompt(Id(90)), log.saved_prompt(Id(90)));
    assert_eq!(exported(&mut other, ExportScope::All), file);
    assert_eq!(planned(&mut other, &file).records(), 0);
    // One chat is given to others: the prompts stay here.
    assert!(!exported(&mut log, ExportScope::One(Id(1))).contains("Explain"));
}

#[test]
fn what_is_here_stays_as_it_is_and_another_prompt_of_its_name_gets_a_number() {
    let mut log = with_prompts(&["Explain", "Mail"]);
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    // The same prompt, rewritten here; and another one of a name of the file.
    let rewritten = SavedPrompt::new(Id(90), "Explain well", "Explain {{what}} well.");
    other.save_prompt(&rewritten).unwrap();
    other
        .save_prompt(&SavedPrompt::new(Id(5), "mail", "Mine"))
        .unwrap();
    let plan = planned(&mut other, &file);
    applied(&mut other, plan).unwrap();
    assert_eq!(names(&mut other), ["Explain well", "mail", "Mail 2"]);
    assert_eq!(other.saved_prompt(Id(90)), Some(rewritten));
    // One that was deleted here comes back beside its record.
    let mut second = other.saved_prompt(Id(91)).unwrap();
    second.deleted = Some(NOW);
    other.save_prompt(&second).unwrap();
    let plan = planned(&mut other, &file);
    applied(&mut other, plan).unwrap();
    assert_eq!(names(&mut other), ["Explain well", "mail", "Mail 2"]);
    assert!(other.saved_prompt(Id(91)).unwrap().deleted.is_some());
}

#[test]
fn damaged_and_hostile_prompts_cost_themselves_and_too_many_are_said() {
    let mut log = with_prompts(&["Explain"]);
    log.save_prompt(&SavedPrompt::new(Id(100), "Long", &"x".repeat(20_001)))
        .unwrap();
    log.save_prompt(&SavedPrompt::new(Id(101), " ", "x"))
        .unwrap();
    let file = exported(&mut log, ExportScope::All);
    let broken = file.replace("Explain {{what}}.", "Explain {{that}}.");
    let mut other = open(MemoryStore::default());
    let plan = planned(&mut other, &broken);
    assert_eq!((plan.notes.damaged, plan.new_prompts().len()), (3, 0));
    let plan = planned(&mut other, &file);
    assert_eq!(
        (plan.notes.damaged, plan.new_prompts()),
        (2, vec!["Explain"])
    );

    for n in 0..MAX_SAVED_PROMPTS as u64 {
        let prompt = SavedPrompt::new(Id(1000 + n), &format!("p{n}"), "x");
        other.save_prompt(&prompt).unwrap();
    }
    let plan = planned(&mut other, &file);
    assert_eq!((plan.new_prompts().len(), plan.left_out_prompts()), (0, 1));
}

#[test]
fn an_import_that_stops_takes_its_prompts_back() {
    let mut log = with_prompts(&["Explain"]);
    // More than one step writes.
    for seq in 3..40 {
        let long = message(900 + u64::from(seq), 0, seq, &"word ".repeat(4000));
        log.save_message(Id(1), &long).unwrap();
    }
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    let before = other.store().keys();
    let begin = |log: &mut Log<MemoryStore>| {
        let plan = planned(log, &file);
        let mut import = Import::begin(plan, Vec::new(), log, Id(0xabc)).unwrap();
        import.step(log).unwrap();
        assert_eq!(names(log), ["Explain"]);
        import
    };
    begin(&mut other).stop(&mut other);
    assert_eq!(other.store().keys(), before);
    // A killed browser leaves the manifest, and the next start takes back what it names.
    begin(&mut other);
    assert!(names(&mut open(other.store().clone())).is_empty());
}
