//! A branch as a page: what it holds, what it must not, and that it comes in again as the same chat.

use super::*;
use crate::transfer::{ShareScope, SharedPage};
use sash_chat::Outcome;
use serde_json::json;

fn page_of(chat: &Chat) -> String {
    page_with(chat, ShareScope::Branch)
}

fn page_with(chat: &Chat, scope: ShareScope) -> String {
    let SharedPage { start, end, .. } =
        shared_page(chat, scope, NOW, &|_| "today".to_owned(), &|_, _| None);
    start + &end
}

fn imported_chat(page: String, id: Id) -> (Chat, Vec<Fate>) {
    let mut log = open(MemoryStore::default());
    let fates = imported(&mut log, &decode(page.into_bytes()).unwrap());
    (log.load(id).unwrap(), fates)
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
    assert_eq!(fates, [Fate::New]);
    assert_eq!(read.head, chat.head);
    let messages = |chat: &Chat| chat.messages().cloned().collect::<Vec<_>>();
    assert_eq!(messages(&read), messages(&chat));
    // And again is nothing new.
    let mut log = open(MemoryStore::default());
    write(&mut log, &chat);
    let text = decode(page_of(&chat).into_bytes()).unwrap();
    assert_eq!(imported(&mut log, &text), [Fate::Here]);
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
        "What it read",
        "Calls <code>f</code>",
        "Stopped.",
    ] {
        assert!(page.contains(part), "{part}");
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
    assert!(read.head.pins.is_empty());
}

#[test]
fn a_page_of_all_branches_comes_in_again_with_all_of_them() {
    let mut chat = whole();
    chat.insert(message(750, 0, 9, "Another first question"));
    chat.insert(message(751, 750, 10, "with its answer"));
    chat.head.at = chat.position_through(Id(704));
    let page = page_with(&chat, ShareScope::AllBranches);
    let (shown, others) = page.split_once("Messages of other branches").unwrap();
    assert!(shown.contains("A question") && !shown.contains("Another first question"));
    assert!(others.contains("Another first question"));
    let (read, fates) = imported_chat(page, chat.head.id);
    assert_eq!(fates, [Fate::New]);
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
    let SharedPage { start, end, .. } = shared_page(
        &whole(),
        ShareScope::Branch,
        NOW,
        &|_| "today".to_owned(),
        &|_, _| None,
    );
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
    assert!(crate::image::encode_image(bytes).as_bytes() == data);
    let mut log = open(MemoryStore::default());
    assert_eq!(imported(&mut log, &decode(text).unwrap()), [Fate::New]);
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
