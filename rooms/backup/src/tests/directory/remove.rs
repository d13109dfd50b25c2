use super::*;
use crate::form::{ALL_BROWSERS, SHELF};

fn remove(place: &Place, browser: Id) -> (usize, Vec<Id>) {
    let removed = block_on(place.directory().remove_browser(browser)).unwrap();
    let chats = removed.only_here.into_iter().map(|(chat, _)| chat);
    (removed.copies, chats.collect())
}

#[test]
fn copies_go_whose_messages_are_all_in_other_ones() {
    let place = Place::new();
    place.put(A, &[(1, "One"), (2, "Two")]);
    assert_eq!(remove(&place, A), (0, vec![CHAT]));
    place.put(B, &[(1, "One")]);
    assert_eq!(remove(&place, A), (0, vec![CHAT]));
    // The beginning of an answer is not the answer.
    let begun = message_line(&interrupted(2, "Two"));
    place
        .put_lines(B, chat_lines(&[(1, "One")]) + &begun)
        .unwrap();
    assert_eq!(remove(&place, A), (0, vec![CHAT]));
    place.put(B, &[(1, "One"), (2, "Two"), (3, "Three")]);
    place.purge(A, &[3], false);
    assert_eq!(remove(&place, A), (1, vec![]));
    assert!(place.text(A).is_empty() && place.text(B).contains("Two"));
    // What it deleted stays deleted, and the other one is the only one now.
    assert_eq!(place.put(B, &[(3, "Three")]).dropped, [Id(3)]);
    assert_eq!(remove(&place, B), (0, vec![CHAT]));
    assert_eq!(remove(&place, A), (0, vec![]));
}

#[test]
fn what_cannot_be_told_stays() {
    let place = Place::new();
    place.put(A, &[(1, "One")]);
    place.put(B, &[(1, "One")]);
    place.set(&path(A), place.text(A) + "words of a person\n");
    assert_eq!(remove(&place, A), (0, vec![CHAT]));
    assert!(place.has("words of a person"));
    // It is set aside with the next write of its browser.
    place.put(B, &[(2, "Two")]);
    place.set(&path(B), chat_lines(&[(1, "One"), (2, "Two")]));
    place.put(A, &[(1, "One")]);
    assert_eq!(remove(&place, A), (0, vec![CHAT]));
}

#[test]
fn a_shelf_goes_whose_prompts_are_all_in_other_ones() {
    let place = Place::new();
    let prompt = |id: u64, text: &str, deleted: Option<u64>| {
        let record = serde_json::json!(
            {"id": Id(id), "name": "A", "text": text, "deleted": deleted}
        );
        lines::line(&format!("sash:p:{}", Id(id)), &encode_record(&record)).unwrap()
    };
    let put = |browser, lines| {
        let shelf = PutRequest {
            chat: SHELF,
            ..request(browser, lines)
        };
        place.pass();
        block_on(place.directory().put(&shelf)).unwrap();
    };
    put(A, prompt(1, "Text", None) + &prompt(2, "", Some(5)));
    put(B, prompt(1, "Another", None));
    assert_eq!(remove(&place, A), (0, vec![SHELF]));
    put(B, prompt(1, "Text", None));
    assert_eq!(remove(&place, A), (1, vec![]));
    assert_eq!(place.files.paths(), [format!("shelf/{B}.jsonl")]);
    // An earlier Sash wrote down how often it was rewritten.
    let rewritten =
        serde_json::json!({"id": Id(1), "name": "A", "text": "Text", "deleted": null, "rev": 3});
    let rewritten = lines::line(&format!("sash:p:{}", Id(1)), &encode_record(&rewritten)).unwrap();
    place.set("prompts-and-folders.jsonl", earlier(&rewritten, 1, ""));
    assert_eq!(remove(&place, ALL_BROWSERS), (1, vec![]));
}

#[test]
fn files_of_an_earlier_sash_go_like_a_browser() {
    let place = Place::new();
    let lines = chat_lines(&[(1, "One"), (2, "Two")]);
    let file = "chats/0000000000000007.jsonl";
    place.set(file, earlier(&lines, 4, "A title"));
    place.set("chats/0000000000000009.jsonl", earlier("", 5, ""));
    place.put(A, &[(1, "One")]);
    assert_eq!(remove(&place, ALL_BROWSERS), (1, vec![CHAT]));
    place.put(A, &[(1, "One"), (2, "Two")]);
    assert_eq!(remove(&place, ALL_BROWSERS), (1, vec![]));
    assert_eq!(place.files.paths(), [path(A)]);
}
