//! What the rules cost, in bytes that are read and written and in operations.

use super::*;

/// Words of about six kilobytes.
fn words() -> String {
    "words ".repeat(1000)
}

fn chat_request(chat: u64, browser: Id, messages: &[Message]) -> PutRequest {
    let head = line(Key::Head(Id(chat)), &Head::new(Id(chat), 5));
    let lines = messages
        .iter()
        .map(|it| line(Key::Message(Id(chat), it.seq, it.id), it));
    PutRequest {
        chat: Id(chat),
        ..request(browser, head + &lines.collect::<String>())
    }
}

/// A directory with this many chats of one browser.
fn full_place(chats: u64) -> Place {
    let place = Place::new();
    let message = text(1, &words());
    for chat in 1..=chats {
        let request = chat_request(chat, A, std::slice::from_ref(&message));
        block_on(place.directory().put(&request)).unwrap();
    }
    place
}

/// What is done, and what it costs: bytes read, bytes written, operations.
fn cost<T>(place: &Place, done: impl Future<Output = T>) -> (T, u64, u64, u64) {
    let (read, written) = place.files.bytes.get();
    let operations = place.files.operations.get();
    let result = block_on(done);
    let (read_now, written_now) = place.files.bytes.get();
    let operations = place.files.operations.get() - operations;
    (result, read_now - read, written_now - written, operations)
}

/// In the earlier backup each list read all files, and a start too.
#[test]
fn a_list_of_5000_chats_reads_headers_and_only_those_that_changed() {
    let place = full_place(5000).restarted();
    let all: usize = {
        let files = place.files.files.borrow();
        files.values().map(|file| file.bytes.len()).sum()
    };
    let (list, read, written, _) = cost(&place, place.directory().list());
    let list = list.unwrap();
    assert_eq!((list.copies.len(), written), (5000, 0));
    assert!(read <= 5000 * 4096 && all > 5000 * 6000, "{read} of {all}");
    println!("cold: {read} bytes of {all}");
    let (again, read, written, operations) = cost(&place, place.directory().list());
    assert_eq!((again, read, written), (Ok(list), 0, 0));
    println!("warm: {operations} operations");
    assert!(operations < 10_010, "{operations}");
    place.pass();
    let request = chat_request(7, A, &[text(1, &words()), text(2, "More")]);
    block_on(place.directory().put(&request)).unwrap();
    let (list, read, ..) = cost(&place, place.directory().list());
    assert_eq!((list.unwrap().copies[0].chat, read), (Id(7), 4096));
}

#[test]
fn a_write_costs_its_chat_whatever_else_there_is() {
    let costs = [3, 300].map(|chats| {
        let place = full_place(chats);
        place.pass();
        let other = chat_request(2, B, &[text(1, &words())]);
        block_on(place.directory().put(&other)).unwrap();
        let before = place
            .files
            .text(&format!("chats/{}/{A}.jsonl", Id(2)))
            .unwrap();
        let request = chat_request(2, A, &[text(1, &words()), text(2, "More")]);
        let (put, read, written, operations) = cost(&place, place.directory().put(&request));
        assert_eq!(put.unwrap().write, 2);
        // The own copy once, and of the other one the header.
        assert!(read <= before.len() as u64 + 4096, "{read}");
        assert!(written < before.len() as u64 + 500, "{written}");
        (read, written, operations)
    });
    println!("{costs:?}");
    assert_eq!(costs[0], costs[1]);
    assert!(costs[0].2 < 10);
}

/// In the earlier backup a purge with images read all texts, each time.
#[test]
fn a_purge_with_an_image_reads_its_chat_and_headers() {
    let place = full_place(2000);
    let shown = [picture(2, "A secret", 1), text(3, &words())];
    for chat in [5, 6] {
        place.pass();
        block_on(place.directory().put(&chat_request(chat, A, &shown))).unwrap();
    }
    place.files.set(&format!("images/{}.png", hash(1)), png(1));
    let purge = |chat, is_last| PurgeRequest {
        chat: Id(chat),
        browser: A,
        ids: vec![Id(2)],
        is_whole: false,
        is_last,
    };
    let place = place.restarted();
    let (_, read, written, operations) = cost(&place, place.directory().purge(&purge(5, false)));
    println!("one chat: {read} read, {written} written, {operations} operations");
    assert!(read < 20_000 && written < 20_000 && operations < 40);
    let of_one = operations;
    // The last one looks at all headers once.
    let (purged, read, written, operations) =
        cost(&place, place.directory().purge(&purge(6, true)));
    assert_eq!(purged, Ok(Purged::default()));
    println!("the last: {read} read, {written} written, {operations} operations");
    assert!(!place.has("img\u{1}."));
    assert!(read < 2000 * 4096 + 20_000 && written < 20_000 && operations < 3 * 2000 + 100);
    // With headers that are known it reads no more than its chat.
    place.pass();
    block_on(
        place
            .directory()
            .put(&chat_request(6, A, &[picture(4, "Another", 2)])),
    )
    .unwrap();
    place.files.set(&format!("images/{}.png", hash(2)), png(2));
    let another = PurgeRequest {
        ids: vec![Id(4)],
        ..purge(6, true)
    };
    let (purged, read, ..) = cost(&place, place.directory().purge(&another));
    assert_eq!(purged, Ok(Purged::default()));
    assert!(!place.has("img\u{2}.") && read < 30_000, "{read}");
    // Many purges cost what each of them costs.
    for chat in 100..200 {
        let (_, _, _, operations) = cost(&place, place.directory().purge(&purge(chat, false)));
        assert!(operations <= of_one, "{operations}");
    }
}

/// In the earlier backup each purge with images read all of them again.
#[test]
fn the_texts_of_an_earlier_sash_are_read_once_for_their_images() {
    let place = Place::new();
    for chat in 1..=300 {
        let chat = Id(chat);
        let text = line(Key::Message(chat, 1, Id(1)), &text(1, &words()));
        place.set(&format!("chats/{chat}.jsonl"), earlier(&text, 3, ""));
    }
    let purge = |ids| PurgeRequest {
        chat: CHAT,
        browser: A,
        ids,
        is_whole: false,
        is_last: true,
    };
    let mut read_bytes = Vec::new();
    for n in [1, 2] {
        let lines = head_line() + &message_line(&picture(u64::from(n) + 1, "A secret", n));
        place.put_lines(A, lines).unwrap();
        place.put_image(A, n).unwrap();
        let request = purge(vec![Id(u64::from(n) + 1)]);
        let (purged, read, ..) = cost(&place, place.directory().purge(&request));
        assert_eq!(purged, Ok(Purged::default()));
        assert!(!place.has(&format!("img{}.", char::from(n))));
        read_bytes.push(read);
    }
    println!("{read_bytes:?}");
    assert!(read_bytes[0] > 300 * 6000 && read_bytes[1] < 30_000);
}
