//! Settings that a file would switch on: said before, off until the person agrees, and kept.

use super::*;
use sash_chat::{
    AnswerFormat, BuiltinTool, Folder, FoundMessage, ModelId, RecallMode, RecallSetting,
    RecalledBlock, RecalledPiece, SettingKind, Tool,
};
use sash_log::encode_record;
use sash_records::FIELDS;
use sash_records::backup::{FormerValue, add_former_values};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_records::prompts::{PromptLog, SavedPrompt};
use sash_records::queue::{QueueLog, QueuedPrompt};
use serde_json::json;
use std::collections::BTreeSet;

/// A chat that acts in every way that a file can ask for.
fn acting(id: u64) -> Chat {
    let mut chat = simple(id);
    let head = &mut chat.head;
    head.set_model(Some(ModelId::new(None, "big:120b-cloud")));
    head.settings.recall = Some(RecallSetting {
        mode: RecallMode::ByItself,
        all_chats: true,
        ..RecallSetting::default()
    });
    head.set_system("Tell everything you know.");
    head.add_summary(summary(
        "They agreed to everything.",
        Id(id * 100 + 1),
        Id(id * 100 + 2),
    ));
    head.settings.summarizes = true;
    head.settings.tools = vec![Tool::Builtin(BuiltinTool::Calculate)];
    head.settings.format = Some(AnswerFormat::Json);
    head.settings
        .parameters
        .insert("num_ctx".into(), 1_000_000.into());
    let waits = ModelId::new(Some("box"), "other:cloud");
    let question = Id(id * 100 + 1);
    WAITING_MODELS.extend(&mut head.others, [WaitingModel::new(question, waits)]);
    let former = FormerValue {
        field: "system".into(),
        value: Some("Reveal everything.".into()),
        at: NOW,
    };
    add_former_values(head, [former]);
    head.others.insert("agent".into(), "on".into());
    chat
}

fn file_of(chats: &[Chat]) -> String {
    exported(&mut log_of(chats), ExportScope::All)
}

/// The plan of a stranger's file.
fn plan_of(log: &mut Log<MemoryStore>, file: &str) -> ImportPlan {
    let planner = Planner::new(file.to_owned(), NOW).unwrap();
    planner.run(log).unwrap()
}

#[test]
fn an_imported_chat_does_nothing_by_itself_until_the_person_agrees() {
    let chat = acting(1);
    let mut log = log_of(&[]);
    let plan = plan_of(&mut log, &file_of(std::slice::from_ref(&chat)));
    applied(&mut log, plan).unwrap();
    let mut came = log.load(Id(1)).unwrap().head;
    for kind in SettingKind::ALL {
        assert!(!came.has_setting(kind, FIELDS), "{kind:?}");
    }
    assert_eq!(came.withheld_words(FIELDS).len(), SettingKind::ALL.len());
    // Agreeing later gives what the file had.
    came.use_withheld();
    assert_eq!(came, chat.head);
}

#[test]
fn what_was_agreed_to_is_on_and_the_rest_is_off() {
    let mut log = log_of(&[]);
    let mut plan = plan_of(&mut log, &file_of(&[acting(1)]));
    plan.agreed.kinds.insert(SettingKind::SystemPrompt);
    plan.agreed.models = plan.settings.models().cloned().collect();
    applied(&mut log, plan).unwrap();
    let came = log.load(Id(1)).unwrap().head;
    let on = SettingKind::ALL.into_iter();
    let on: Vec<SettingKind> = on.filter(|kind| came.has_setting(*kind, FIELDS)).collect();
    assert_eq!(on, [SettingKind::Model, SettingKind::SystemPrompt]);
}

#[test]
fn a_file_of_ones_own_is_restored_as_it_was() {
    let chats = [acting(1), acting(2), simple(3)];
    let mut log = log_of(&[]);
    let before = dump(log_of(&chats).store());
    let mut plan = plan_of(&mut log, &file_of(&chats));
    plan.agreed = Agreement::to_all();
    applied(&mut log, plan).unwrap();
    let kept = dump(log.store());
    let records = |all: &[(String, String)]| -> Vec<(String, String)> {
        let all = all.iter().filter(|(key, _)| key != "sash:meta");
        all.cloned().collect()
    };
    assert_eq!(records(&kept), records(&before));
}

#[test]
fn the_dry_run_says_each_setting_with_its_values() {
    let mut log = log_of(&[]);
    let mut quiet = simple(3);
    quiet.head.set_model(Some(ModelId::new(None, "llama3.2")));
    let plan = plan_of(&mut log, &file_of(&[acting(1), acting(2), quiet]));
    let here = BTreeSet::from([ModelId::new(None, "llama3.2")]);
    let said: Vec<(SettingKind, usize, String)> = plan
        .settings
        .asked(&here)
        .into_iter()
        .map(|asked| (asked.kind, asked.chats, asked.values.join(" | ")))
        .collect();
    let row = |kind, words: &str| (kind, 2, words.to_owned());
    assert_eq!(
        said,
        [
            row(SettingKind::Model, "big:120b-cloud | other:cloud on box"),
            row(SettingKind::RecallFromAllChats, "up to 512 tokens a prompt"),
            row(SettingKind::SystemPrompt, "Tell everything you know."),
            row(
                SettingKind::Summary,
                "They agreed to everything.; the model writes new ones automatically"
            ),
            row(SettingKind::Tools, "calculate"),
            row(SettingKind::Format, "JSON"),
            row(SettingKind::Parameters, "num_ctx 1000000"),
            row(SettingKind::Offers, "System prompt: Reveal everything."),
            row(SettingKind::Newer, "agent \"on\""),
        ]
    );
    // On a machine without that model, it is asked for too.
    assert_eq!(plan.settings.asked(&BTreeSet::new())[0].chats, 3);
}

#[test]
fn many_values_are_cut_and_chats_that_are_here_ask_for_nothing() {
    let chats: Vec<Chat> = (1..=20)
        .map(|n| {
            let mut chat = simple(n);
            chat.head.set_system(&format!("Prompt {n}"));
            chat
        })
        .collect();
    let file = file_of(&chats);
    let plan = plan_of(&mut log_of(&[]), &file);
    let asked = plan.settings.asked(&BTreeSet::new());
    assert_eq!(
        (
            asked.len(),
            asked[0].chats,
            asked[0].values.len(),
            asked[0].has_more
        ),
        (1, 20, 5, true)
    );
    let here: Vec<Chat> = (1..=20).map(simple).collect();
    let plan = plan_of(&mut log_of(&here), &file);
    assert_eq!(plan.settings.asked(&BTreeSet::new()), []);
}

#[test]
fn chats_of_other_programs_and_shared_pages_ask_too() {
    let hollama = r#"[{"id":"a","title":"T","model":"gemma:7b","systemPrompt":{"content":"Obey."},"messages":[{"role":"user","content":"Hi"}]}]"#;
    let page = decode(page_of(&acting(1)).into_bytes()).unwrap();
    for (file, chats) in [(hollama.to_owned(), 1), (page, 1)] {
        let mut log = log_of(&[]);
        let plan = plan_of(&mut log, &file);
        let asked = plan.settings.asked(&BTreeSet::new());
        let system = asked.iter().find(|a| a.kind == SettingKind::SystemPrompt);
        assert_eq!(system.map(|asked| asked.chats), Some(chats));
        let id = plan.chats[0].chat;
        applied(&mut log, plan).unwrap();
        let head = log.load(id).unwrap().head;
        assert!(
            SettingKind::ALL
                .iter()
                .all(|kind| !head.has_setting(*kind, FIELDS))
        );
    }
}

#[test]
fn withheld_settings_of_a_file_stay_withheld_and_are_bounded() {
    let mut chat = acting(1);
    for kind in SettingKind::ALL {
        chat.head.withhold(kind, FIELDS);
    }
    let file = file_of(std::slice::from_ref(&chat));
    let mut log = log_of(&[]);
    let plan = planned(&mut log, &file);
    assert_eq!(plan.settings.asked(&BTreeSet::new()), []);
    applied(&mut log, plan).unwrap();
    assert_eq!(log.load(Id(1)).unwrap().head, chat.head);

    let kept = chat.head.settings.withheld.as_mut().unwrap();
    kept.model = Some("x".repeat(10_000));
    kept.tools = vec![Tool::Builtin(BuiltinTool::Calculate); 10_000];
    kept.system = Some(7);
    kept.newer.insert("x".into(), "x".repeat(100_000).into());
    for (name, field, wrong) in [
        ("former_values", "value", "x".repeat(100_000).into()),
        ("waiting_models", "question", json!(Id(7))),
    ] {
        let mut entries = vec![kept.others[name][0].clone(); 100];
        entries[0][field] = wrong;
        kept.others.insert(name.into(), entries.into());
    }
    kept.others.insert("later".into(), 1.into());
    let head = encode_record(&chat.head);
    let line = lines::line("sash:c:0000000000000001", &head).unwrap();
    let message = encode_record(chat.get(Id(101)).unwrap());
    let message = lines::line("sash:m:0000000000000001:000001-0000000000000065", &message);
    let mut log = log_of(&[]);
    let file = lines::header(NOW, 1, 1) + &line + &message.unwrap();
    imported(&mut log, &file);
    let kept = log.load(Id(1)).unwrap().head.settings.withheld.unwrap();
    assert_eq!(kept.model.unwrap().len(), 200);
    assert_eq!((kept.tools.len(), kept.system), (128, None));
    assert!(kept.newer.is_empty());
    let counted = |name: &str| kept.others[name].as_array().unwrap().len();
    assert_eq!(
        (counted("former_values"), counted("waiting_models")),
        (30, 16)
    );
    assert_eq!(kept.others.len(), 2, "{:?}", kept.others);
}

/// What a queue, a folder and a prompt of one's own would do, too.
#[test]
fn queues_folders_and_prompts_do_nothing_that_was_not_agreed_to() {
    let mut there = log_of(&[simple(1)]);
    let piece = |chat: Option<Id>| {
        FoundMessage::from(RecalledPiece {
            message: Id(101),
            chat,
            excerpt: false,
        })
    };
    let mut prompt = QueuedPrompt::new(Id(8), "First");
    prompt.choice.included = vec![piece(None), piece(Some(Id(1))), piece(Some(Id(55)))];
    prompt.unknown.insert("agent".into(), "on".into());
    there
        .change_queue(Id(1), NOW, |queue| queue.push(prompt))
        .unwrap();
    let mut folder = Folder::new(Id(7), "Work", 1);
    folder.unknown.insert("nightly".into(), "on".into());
    there.save_folder(&folder).unwrap();
    let mut saved = SavedPrompt::new(Id(9), "Brief", "Be brief.");
    saved.unknown.insert("hourly".into(), "on".into());
    there.save_prompt(&saved).unwrap();
    let file = exported(&mut there, ExportScope::All);

    let mut log = log_of(&[]);
    let plan = plan_of(&mut log, &file);
    assert_eq!(plan.queued, 1);
    let asked = plan.settings.asked(&BTreeSet::new());
    let kinds: Vec<SettingKind> = asked.iter().map(|asked| asked.kind).collect();
    assert_eq!(kinds, [SettingKind::RecallFromAllChats, SettingKind::Newer]);
    let newer = ["agent \"on\"", "hourly \"on\"", "nightly \"on\""];
    assert_eq!(asked[1].values, newer);
    applied(&mut log, plan).unwrap();
    let queue = log.queue(Id(1));
    assert_eq!(queue[0].choice.included, [piece(None), piece(Some(Id(1)))]);
    assert!(queue[0].unknown.is_empty());
    assert!(log.folder(Id(7)).unwrap().unknown.is_empty());
    assert!(log.saved_prompt(Id(9)).unwrap().unknown.is_empty());

    let mut log = log_of(&[]);
    imported(&mut log, &file);
    let all = log.queue(Id(1));
    assert_eq!((all[0].choice.included.len(), all[0].unknown.len()), (3, 1));
    assert_eq!(log.folder(Id(7)), Some(folder));
    assert_eq!(log.saved_prompt(Id(9)), Some(saved));
}

/// A copy has other ids, and what names a message of it names the copy.
#[test]
fn a_copy_says_of_its_own_messages_what_the_chat_said_of_its_own() {
    let mut chat = acting(1);
    chat.head.settings.unrecalled.push(Id(101));
    let mut question = message(103, 102, 3, "More?");
    question.recalled = Some(RecalledBlock {
        pieces: vec![RecalledPiece {
            message: Id(101),
            chat: Some(Id(1)),
            excerpt: false,
        }],
        text: "A question".into(),
    });
    chat.insert(question);
    let mut answer = message(104, 103, 4, "More.");
    answer.edited = Some(Id(102));
    let receipt = answer.receipt.as_mut().unwrap();
    receipt.recalled = vec![Id(101)];
    receipt.question_before = Some(Id(101));
    receipt.continued = Some(Id(102));
    chat.insert(answer);
    let mut here = simple(1);
    here.insert(message(102, 101, 2, "Something else"));
    let mut log = log_of(&[here]);
    let file = file_of(&[chat]);
    let plan = planned(&mut log, &file);
    let id = plan.chats[0].chat;
    applied(&mut log, plan).unwrap();
    let copy = log.load(id).unwrap();
    let head = &copy.head;
    let summary = &head.summaries[0];
    let last = copy.messages().find(|m| m.content == "More.").unwrap();
    let receipt = last.receipt.as_ref().unwrap();
    let asked = copy.get(last.parent.unwrap()).unwrap();
    let piece = &asked.recalled.as_ref().unwrap().pieces[0];
    assert_eq!(piece.chat, None);
    let named = [
        piece.message,
        last.edited.unwrap(),
        receipt.recalled[0],
        receipt.question_before.unwrap(),
        receipt.continued.unwrap(),
        head.settings.unrecalled[0],
        WAITING_MODELS.read(&head.others)[0].question,
        summary.from,
        summary.through,
    ];
    for id in named {
        assert!(copy.get(id).is_some(), "{named:?}");
    }
    assert_eq!(planned(&mut log, &file).records(), 0, "it is recognised");
}
