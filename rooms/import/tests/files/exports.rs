//! Exports of today: several files, with images and texts that messages point to.

use super::*;
use sash_chat::{Image, ImageFormat, ImageHash};

const FIRST: &str = include_str!("../data/import/chatgpt-2026/conversations-000.json");
const SECOND: &str = include_str!("../data/import/chatgpt-2026/conversations-001.json");
const NAMES: &str = include_str!("../data/import/chatgpt-2026/conversation_asset_file_names.json");
const LIBRARY: &str = include_str!("../data/import/chatgpt-2026/library_files.json");
const NO_CHATS: [&str; 2] = [
    include_str!("../data/import/chatgpt-2026/message_feedback.json"),
    include_str!("../data/import/chatgpt-2026/shared_conversations.json"),
];

/// The files beside the chats, and what each turns out to be.
const FILES: [&str; 7] = [
    "file_00000000a1b261f78c9d.dat",
    "file-Nn1Oo2Tt3Ee4Ss5Aa6Bb7.dat",
    "file-Pp1Dd2Ff3Gg4Hh5Ii6Jj7.dat",
    "file_00000000f00d61f78c9d.dat",
    "file_00000000f0c561f78c9d.dat",
    "dalle-generations/file-Ll1Ii2Gg3Hh4Tt5Hh6Oo7-5a5a5a5a-0000-4000-8000-000000000000.webp",
    "file-Uu1Nn2Uu3Ss4Ee5Dd6Xx7.dat",
];

fn image(n: u8) -> Image {
    Image {
        hash: ImageHash([n; 32]),
        format: ImageFormat::Png,
        size: 70,
        width: 2,
        height: 2,
        preview: String::new(),
    }
}

/// Adds the file of a message.
fn add_asset(planner: &mut Planner, place: usize) {
    let asset = match place {
        0 => return planner.add_image(0, image(1)),
        1 => Asset::Text("It comes at dusk.\n".to_owned()),
        2 => Asset::Other,
        3 => Asset::Recording,
        4 => return planner.add_image(4, image(2)),
        _ => Asset::ImageRefused,
    };
    planner.assets.insert(place, asset);
}

/// Reads a list as the page does, in pieces.
fn add_list(
    planner: &mut Planner,
    log: &mut Log<MemoryStore>,
    text: &str,
) -> Result<(), ImportError> {
    planner.begin_list();
    for piece in text.as_bytes().chunks(1_000) {
        planner.push(piece);
        add_pieces(planner, log)?;
    }
    planner.end_file()
}

/// Plans what there is of a file, with the files that messages point to.
fn add_pieces(planner: &mut Planner, log: &mut Log<MemoryStore>) -> Result<(), ImportError> {
    loop {
        match planner.step(log)? {
            PlanStep::Read { .. } => {}
            PlanStep::Wanted(places) => {
                for place in places {
                    add_asset(planner, place);
                }
                assert!(matches!(planner.step(log)?, PlanStep::Read { .. }));
            }
            PlanStep::Done => return Ok(()),
        }
    }
}

fn planner_with_files() -> Planner {
    let mut planner = Planner::empty(NOW);
    for (place, name) in FILES.iter().enumerate() {
        planner.assets.add(place, name);
    }
    assert!(planner.assets.read_names(NAMES));
    assert!(planner.assets.read_names(LIBRARY));
    planner
}

#[test]
fn images_and_texts_come_with_the_messages_that_point_to_them() {
    let mut log = log_of(&[]);
    let mut planner = planner_with_files();
    add_list(&mut planner, &mut log, FIRST).unwrap();
    add_list(&mut planner, &mut log, SECOND).unwrap();
    let used: Vec<usize> = (0..FILES.len())
        .filter(|place| planner.assets.is_used(*place))
        .collect();
    assert_eq!(used, [0, 1, 2, 4, 5]);
    let plan = planner.finish();
    assert_eq!(plan.count(|fate| fate == ImportOutcome::New), 2);
    assert_eq!(
        plan.notes.sentences(),
        [
            "1 image is missing; only its name is kept.",
            "1 image, unreadable or too large: only its name is kept.",
            "1 recording (audio or video) is left out; only its name is kept.",
            "1 attached file is neither an image nor text, or too long; only its name is kept.",
            "1 chat is in the files twice and is counted once.",
        ]
    );
    assert_eq!(plan.images.len(), 2);
    applied(&mut log, plan.clone()).unwrap();
    let fox = log.load(plan.chats[0].chat).unwrap();
    let path = fox.path();
    assert_eq!(path[0].images, [image(1)]);
    assert_eq!(
        path[0].content,
        "[File: notes.md]\n```\nIt comes at dusk.\n```\n\nWhat is this, and what do my notes say?\n\n[file: species.pdf]"
    );
    assert_eq!(path[2].content, "Draw it for me.\n\n[audio]");
    // An image that ChatGPT made is named in the list of all files alone.
    assert_eq!(path[3].images, [image(2)]);
    let lighthouse = log.load(plan.chats[1].chat).unwrap();
    let made = lighthouse.path()[1].clone();
    assert_eq!(
        (made.role, &*made.content),
        (Role::Tool, "[image]\n\n[image]")
    );

    // The same files again are nothing new, in a browser that scales images to other bytes too.
    let mut planner = planner_with_files();
    planner.add_image(0, image(9));
    add_list(&mut planner, &mut log, FIRST).unwrap();
    let plan = planner.finish();
    assert_eq!(plan.count(|fate| fate == ImportOutcome::Here), 1);
}

/// Its images and texts were lost without a word: only chats of lists came with theirs.
#[test]
fn a_chat_alone_comes_with_its_images_and_texts() {
    let mut log = log_of(&[]);
    let list: Vec<serde_json::Value> = serde_json::from_str(FIRST).unwrap();
    let mut planner = planner_with_files();
    planner.add_text(list[0].to_string()).unwrap();
    add_pieces(&mut planner, &mut log).unwrap();
    planner.end_file().unwrap();
    let plan = planner.finish();
    assert_eq!(plan.images.len(), 2);
    applied(&mut log, plan.clone()).unwrap();
    let fox = log.load(plan.chats[0].chat).unwrap();
    let question = fox.path()[0];
    assert_eq!(question.images, [image(1)]);
    assert!(
        question
            .content
            .starts_with("[File: notes.md]\n```\nIt comes at dusk.")
    );
    assert!(question.content.ends_with("[file: species.pdf]"));
}

#[test]
fn lists_of_anything_else_are_no_chats() {
    let mut log = log_of(&[]);
    let mut planner = Planner::empty(NOW);
    for text in NO_CHATS {
        assert_eq!(
            add_list(&mut planner, &mut log, text),
            Err(ImportError::Unknown)
        );
    }
    assert_eq!(
        add_list(&mut planner, &mut log, "[]"),
        Err(ImportError::Empty)
    );
    assert_eq!(
        add_list(&mut planner, &mut log, "[1"),
        Err(ImportError::Unknown)
    );
    assert!(planner.is_empty());
    // After so many items that are no chats nothing more is read. It was told as a list that is cut off.
    for (items, read) in [(999, Ok(())), (1_000, Err(ImportError::Unknown))] {
        planner.begin_list();
        planner.push(format!("[{}", "{},".repeat(items)).as_bytes());
        assert_eq!(plan_pieces(&mut planner, &mut log), read);
    }
    assert!(planner.finish().chats.is_empty());
}

#[test]
fn a_list_that_is_cut_gives_what_is_whole() {
    let mut log = log_of(&[]);
    let mut planner = Planner::empty(NOW);
    let end = SECOND.rfind("\"title\"").unwrap();
    add_list(&mut planner, &mut log, &SECOND[..end]).unwrap();
    let plan = planner.finish();
    assert_eq!((plan.chats.len(), plan.notes.cut_short), (1, 1));
}

#[test]
fn files_of_several_programs_and_of_sash_come_in_at_once() {
    let mut log = log_of(&[]);
    let own = exported(&mut log_of(&[simple(1), simple(2)]), ExportScope::All);
    let other = exported(&mut log_of(&[simple(2), simple(3)]), ExportScope::All);
    let mut planner = Planner::empty(NOW);
    for text in [own, other] {
        planner.add_text(text).unwrap();
        plan_pieces(&mut planner, &mut log).unwrap();
        planner.end_file().unwrap();
    }
    add_list(&mut planner, &mut log, FIRST).unwrap();
    let mut plan = planner.finish();
    plan.agreed = Agreement::to_all();
    let fates: Vec<ImportOutcome> = plan.chats.iter().map(|chat| chat.fate).collect();
    assert_eq!(fates, [ImportOutcome::New; 4]);
    assert_eq!((plan.notes.repeated, plan.notes.missing), (1, 0));
    applied(&mut log, plan).unwrap();
    assert_eq!(log.load(Id(3)).unwrap().len(), 2);
    assert_eq!(log.chat_keys().len(), 4);
}

#[test]
fn a_message_has_no_more_images_than_it_may() {
    let parts: Vec<String> = (0..10)
        .map(|n| {
            format!("{{\"content_type\":\"image_asset_pointer\",\"asset_pointer\":\"sediment://file_0000000000000{n:03}\"}}")
        })
        .collect();
    let text = format!(
        "[{{\"id\":\"c\",\"mapping\":{{\"a\":{{\"message\":{{\"author\":{{\"role\":\"user\"}},\"content\":{{\"content_type\":\"multimodal_text\",\"parts\":[{}]}}}}}}}}}}]",
        parts.join(",")
    );
    let mut planner = Planner::empty(NOW);
    for n in 0..10 {
        planner
            .assets
            .add(n, &format!("file_0000000000000{n:03}.dat"));
        planner.add_image(n, image(n as u8));
    }
    let mut log = log_of(&[]);
    add_list(&mut planner, &mut log, &text).unwrap();
    let plan = planner.finish();
    assert_eq!((plan.images.len(), plan.notes.exported.images_over), (8, 2));
}
