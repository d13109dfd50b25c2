//! A branch as a page: what it holds, what it must not, and that it comes in again as the same chat.

use super::*;
use sash_chat::{
    AnswerFormat, Outcome, OwnTool, RecallMode, RecallSetting, RecalledBlock, RecalledPiece, Tool,
};
use sash_records::FIELDS;
use sash_records::backup::{FormerValue, add_former_values};
use serde_json::json;

fn imported_chat(page: String, id: Id) -> (Chat, Vec<ImportOutcome>) {
    let mut log = open(MemoryStore::default());
    let fates = imported(&mut log, &decode(page.into_bytes()).unwrap());
    (unpacked(log.load(id).unwrap()), fates)
}

/// A chat with everything that a page shows.
fn whole() -> Chat {
    let mut chat = simple(7);
    chat.head.set_system("Be brief. <script>");
    chat.head.title = Some("Tides & \"moons\" </title>".to_owned());
    let mut answer = chat.get(Id(702)).cloned().unwrap();
    answer.content =
        "# Yes\r\n\n$x^2$ and `a<b`\n\n```rust\nfn a() {}\n```\n\n</template><script>".to_owned();
    answer.thinking = "Hm. </details>".to_owned();
    answer.tool_calls =
        Some(json!([{"id": "c1", "function": {"name": "f", "arguments": {"x": "</pre>&lt;"}}}]));
    chat.insert(answer);
    chat.insert(Message {
        content: "result &amp; </template>".to_owned(),
        tool_name: Some("f".to_owned()),
        role: Role::Tool,
        ..message(703, 702, 3, "")
    });
    chat.insert(Message {
        outcome: Outcome::Stopped,
        ..message(704, 703, 4, "Half")
    });
    chat
}

#[test]
fn a_page_comes_in_again_as_the_same_chat() {
    let chat = whole();
    let (read, fates) = imported_chat(page_of(&chat), chat.head.id);
    assert_eq!(fates, [ImportOutcome::New]);
    assert_eq!(read.head, chat.head);
    let messages = |chat: &Chat| chat.messages().cloned().collect::<Vec<_>>();
    assert_eq!(messages(&read), messages(&chat));
    // And again is nothing new.
    let mut log = open(MemoryStore::default());
    write(&mut log, &chat);
    let text = decode(page_of(&chat).into_bytes()).unwrap();
    assert_eq!(imported(&mut log, &text), [ImportOutcome::Here]);
}

#[test]
fn a_page_has_no_script_and_loads_nothing() {
    let page = page_of(&whole());
    for bad in [
        "<script", "http:", "https:", "<link", "<iframe", "@import", "url(",
    ] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert_eq!(page.matches("</template>").count(), 1);
    assert_eq!(page.matches("</title>").count(), 1);
    for part in [
        "<math",
        "<summary>Thinking</summary>",
        "Details and timing",
        "Calls <code>f</code>",
        "Stopped.",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// It had a name, a time, and nothing below them.
#[test]
fn an_answer_without_text_says_so_in_a_page_and_in_texts() {
    let mut chat = simple(7);
    let mut answer = chat.get(Id(702)).cloned().unwrap();
    answer.content = " \n".to_owned();
    for (thinking, said) in [
        ("", "This answer has no text."),
        ("Hm.", "This answer has no text, only thinking."),
    ] {
        answer.thinking = thinking.to_owned();
        chat.insert(answer.clone());
        let time = |_| String::new();
        for whole in [
            page_of(&chat),
            markdown(&chat, &time),
            export::text(&chat, &time),
        ] {
            assert!(whole.contains(said), "{whole}");
        }
    }
}

/// Whoever shares a branch does not share what it replaced.
#[test]
fn a_page_holds_the_shown_branch_alone() {
    let mut chat = whole();
    chat.head.set_system("Another, secret no more");
    chat.head.set_system("Be brief. <script>");
    chat.insert(message(750, 0, 9, "Another first question"));
    chat.insert(message(751, 750, 10, "with its answer"));
    chat.head.pin(Id(702), true);
    let page = page_of(&chat);
    assert!(page.contains("Another first question"));
    for gone in ["A question", "result", "secret", "Half"] {
        assert!(!page.contains(gone), "{gone}");
    }
    let (read, _) = imported_chat(page, chat.head.id);
    assert_eq!(read.messages().count(), 2);
    assert!(read.head.settings.pins.is_empty());
}

#[test]
fn a_page_of_all_branches_comes_in_again_with_all_of_them() {
    let mut chat = whole();
    chat.insert(message(750, 0, 9, "Another first question"));
    chat.insert(message(751, 750, 10, "with its answer"));
    chat.head.at = chat.tree.position_through(Id(704));
    let page = page_with(&chat, ShareScope::AllBranches);
    // The import counts them all.
    assert!(page.contains(&format!(
        ">{} messages, 2 of them in other branches, begun today",
        chat.messages().count()
    )));
    let (shown, others) = page.split_once("Messages of other branches").unwrap();
    assert!(shown.contains("A question") && !shown.contains("Another first question"));
    assert!(others.contains("Another first question"));
    let (read, fates) = imported_chat(page, chat.head.id);
    assert_eq!(fates, [ImportOutcome::New]);
    assert_eq!(read.head, chat.head);
    assert!(read.messages().eq(chat.messages()));
    // A deleted message is in neither; what followed it follows what was before it.
    chat.remove(Id(703), true);
    let (read, _) = imported_chat(page_with(&chat, ShareScope::AllBranches), chat.head.id);
    assert_eq!(read.get(Id(704)).unwrap().parent, Some(Id(702)));
    assert!(read.get(Id(703)).is_none());
}

#[test]
fn the_images_of_a_page_are_told_apart_from_its_text() {
    let share = Share {
        scope: ShareScope::Branch,
        quotes: true,
        systems: true,
    };
    let SharedPage { start, end, .. } = page_parts(&whole(), share);
    let bytes = b"\x89PNG\r\n\x1a\n and more";
    let file = format!(
        "{start}{}{end}",
        image_line(sash_chat::ImageHash([7; 32]), bytes)
    );
    let mut split = SplitFile::default();
    for piece in file.as_bytes().chunks(1000) {
        split.push(piece).unwrap();
    }
    let (text, images) = split.finish();
    assert_eq!(text, format!("{start}{end}").into_bytes());
    let [image] = &images[..] else {
        panic!("{images:?}");
    };
    let data = &file.as_bytes()[image.at.start as usize..image.at.end as usize];
    assert!(sash_log::image::encode_image(bytes).as_bytes() == data);
    let mut log = open(MemoryStore::default());
    assert_eq!(
        imported(&mut log, &decode(text).unwrap()),
        [ImportOutcome::New]
    );
}

#[test]
fn a_page_of_another_program_is_no_file_of_chats() {
    for page in [
        "<!doctype html><p>Hello</p>".to_owned(),
        page_of(&whole()).replace("sash-chat", "other"),
    ] {
        let text = decode(page.into_bytes()).unwrap();
        assert!(Planner::new(text, NOW).is_err());
    }
}

fn recalled(text: &str, pieces: &[(Option<Id>, Id)]) -> Option<RecalledBlock> {
    let piece = |(chat, message): &(Option<Id>, Id)| RecalledPiece {
        chat: *chat,
        message: *message,
        excerpt: false,
    };
    Some(RecalledBlock {
        pieces: pieces.iter().map(piece).collect(),
        text: text.to_owned(),
    })
}

/// A chat whose last question quotes messages of its own, and the one before it of another chat.
fn quoting() -> Chat {
    let mut chat = whole();
    for (id, parent, text, piece) in [
        (705, 704, "Words of another chat", (Some(Id(9)), Id(901))),
        (706, 705, "Words of another branch", (None, Id(799))),
        (707, 706, "Words of this branch", (None, Id(701))),
    ] {
        chat.insert(Message {
            role: Role::User,
            recalled: recalled(text, &[piece]),
            ..message(id, parent, u32::try_from(id).unwrap() - 700, "Again?")
        });
    }
    chat
}

#[test]
fn versions_of_summaries_that_are_not_shown_are_not_shared() {
    let mut chat = whole();
    chat.head
        .add_summary(summary("A version that was wrong", Id(701), Id(702)));
    chat.head
        .add_summary(summary("The one in use", Id(701), Id(702)));
    let page = page_of(&chat);
    assert!(page.contains("The one in use") && !page.contains("A version that was wrong"));
    assert!(ShareExtras::of(&chat, ShareScope::Branch).summary);
    // Out of use, none is shown, so none is shared.
    chat.head.settings.summary = None;
    assert!(!page_of(&chat).contains("The one in use"));
    assert!(!ShareExtras::of(&chat, ShareScope::Branch).summary);
}

#[test]
fn quotes_of_what_is_not_shared_go_only_if_the_person_wants_them() {
    let chat = quoting();
    assert_eq!(ShareExtras::of(&chat, ShareScope::Branch).quoting, 2);
    let page = page_of(&chat);
    assert!(page.contains("Words of this branch"));
    assert!(!page.contains("Words of another"));
    assert_eq!(
        page.matches("It quoted messages that are not in this file.")
            .count(),
        2
    );
    let share = Share {
        scope: ShareScope::Branch,
        quotes: true,
        systems: true,
    };
    let page = shared(&chat, share);
    assert!(page.contains("Words of another chat") && page.contains("Words of another branch"));
    assert!(!page.contains("It quoted"));
    // A block that does not say what it quotes may quote anything.
    let mut chat = whole();
    chat.insert(Message {
        role: Role::User,
        recalled: recalled("Words of nobody knows whom", &[]),
        ..message(705, 704, 5, "Again?")
    });
    assert_eq!(ShareExtras::of(&chat, ShareScope::Branch).quoting, 1);
}

#[test]
fn a_page_without_its_quotes_is_the_chat_that_is_here() {
    let chat = quoting();
    let mut log = open(MemoryStore::default());
    write(&mut log, &chat);
    let text = decode(page_of(&chat).into_bytes()).unwrap();
    assert_eq!(imported(&mut log, &text), [ImportOutcome::Here]);
}

#[test]
fn what_the_file_holds_is_on_the_page_and_said_before() {
    let mut chat = whole();
    let mut answer = chat.get(Id(702)).cloned().unwrap();
    answer.receipt.as_mut().unwrap().system = Some(0);
    chat.insert(answer);
    chat.head.set_system("Be kind.");
    chat.head.settings.tools = vec![Tool::Own(OwnTool {
        name: "stock".into(),
        description: "Pieces in the secret store".into(),
        parameters: None,
    })];
    chat.head.settings.format = Some(AnswerFormat::Json);
    chat.head
        .settings
        .parameters
        .insert("top_k".into(), 3.into());
    chat.head.settings.recall = Some(RecallSetting {
        mode: RecallMode::ByItself,
        all_chats: true,
        ..RecallSetting::default()
    });
    chat.head.engine = Some("machine-of-a-friend".into());
    let mut imported_before = chat.head.clone();
    imported_before.withhold(sash_chat::SettingKind::RecallFromAllChats, FIELDS);
    chat.head.settings.withheld = imported_before.settings.withheld;
    let former = FormerValue {
        field: "system".into(),
        value: Some("What was given up.".into()),
        at: NOW,
    };
    add_former_values(&mut chat.head, [former]);
    let page = page_of(&chat);
    for shown in [
        "Be kind.",
        "Be brief.",
        "Pieces in the secret store",
        "top_k 3",
    ] {
        assert!(
            page.split("<template").next().unwrap().contains(shown),
            "{shown}"
        );
    }
    for unseen in [
        "machine-of-a-friend",
        "all_chats",
        "withheld",
        "What was given up.",
    ] {
        assert!(!page.contains(unseen), "{unseen}");
    }
    assert_eq!(
        ShareExtras::of(&chat, ShareScope::Branch).sentences(),
        [
            "2 system prompts: all that were used for these answers",
            "The tools: stock",
            "The answer format: JSON",
            "The parameters: top_k 3",
        ]
    );
    assert!(ShareExtras::of(&simple(1), ShareScope::Branch).is_empty());
}

#[test]
fn a_page_without_the_system_prompts_has_them_nowhere() {
    let mut chat = whole();
    let mut answer = chat.get(Id(702)).cloned().unwrap();
    answer.receipt.as_mut().unwrap().system = Some(0);
    chat.insert(answer);
    chat.head.set_system("Be kind.");
    for scope in [ShareScope::Branch, ShareScope::AllBranches] {
        let share = Share {
            scope,
            quotes: true,
            systems: false,
        };
        let page = shared(&chat, share);
        for gone in ["Be brief.", "Be kind.", "ystem prompt</summary>"] {
            assert!(!page.contains(gone), "{gone}");
        }
        // What the model read is still said.
        assert!(page.contains(" and a system prompt"));
        let (read, fates) = imported_chat(page, chat.head.id);
        assert_eq!(fates, [ImportOutcome::New]);
        assert_eq!(read.head.system_prompt().map(|system| system.text), None);
        // A prompt that is written there is not what the answers of the file had.
        let mut head = read.head;
        head.set_system("Be long.");
        assert_ne!(head.settings.system, Some(0));
    }
}

#[test]
fn a_page_without_the_system_prompts_is_the_chat_that_is_here() {
    let mut chat = whole();
    chat.head.set_system("Be kind.");
    let mut log = open(MemoryStore::default());
    write(&mut log, &chat);
    let page = shared(
        &chat,
        Share {
            scope: ShareScope::Branch,
            quotes: true,
            systems: false,
        },
    );
    let text = decode(page.into_bytes()).unwrap();
    assert_eq!(imported(&mut log, &text), [ImportOutcome::Here]);
    assert_eq!(log.load(chat.head.id).unwrap().head, chat.head);
}
