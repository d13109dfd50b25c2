use super::*;
use crate::call::ListedCopy;
use crate::form::{CopyRecord, MAX_HEADER, MAX_LINE, MAX_TEXT, compose};
use proptest::prelude::*;

/// What a file may be that somebody wrote who has no key.
fn hostile_files(own: &str) -> Vec<Vec<u8>> {
    let header = own.lines().next().unwrap();
    let big = |n: usize| "9".repeat(n);
    vec![
        Vec::new(),
        b"\n\n\n".to_vec(),
        vec![0xff; 5000],
        own.as_bytes()[..own.len() - 9].to_vec(),
        own.replace("\"write\":1", "\"write\":18446744073709551615")
            .into_bytes(),
        own.replace("\"write\":1", "\"write\":-1").into_bytes(),
        own.replace("A title", &"T".repeat(100_000)).into_bytes(),
        own.replace("\"images\":[]", &format!("\"images\":[\"{}\"]", big(64)))
            .into_bytes(),
        own.replace("\"exported\"", "\"exported\":1,\"exported\"")
            .into_bytes(),
        format!("{}{header}", "x".repeat(MAX_HEADER)).into_bytes(),
        format!("{header}\n{}", "x".repeat(20_000_000)).into_bytes(),
        format!("{header}\n{}", format!("{}\n", big(64)).repeat(10_000)).into_bytes(),
        format!("{header}\n{}", "{\"key\":\"".repeat(100_000)).into_bytes(),
        format!("{header}\n{}", "[\n".repeat(100_000)).into_bytes(),
        own.replace("\"gone\":{}", &format!("\"gone\":{{\"{A}\":{}}}", big(400)))
            .into_bytes(),
        vec![b' '; MAX_TEXT + 1],
    ]
}

#[test]
fn a_hostile_file_costs_itself() {
    let own = Place::new();
    own.put(A, &[(1, "A secret"), (2, "An answer")]);
    for (n, hostile) in hostile_files(&own.text(A)).into_iter().enumerate() {
        let place = Place::new();
        place.put(A, &[(1, "A secret"), (2, "An answer")]);
        let whole = place.text(A);
        for browser in [A, B] {
            place.set(&path(browser), hostile.clone());
        }
        let list = block_on(place.directory().list()).unwrap();
        let bounded = |copy: &ListedCopy| copy.title.len() <= 800 && copy.write <= 1 << 53;
        assert!(list.copies.iter().all(bounded), "{n}");
        let is_sealed = |copy: &ListedCopy| copy.standing == Standing::Sealed;
        assert!(
            !list
                .copies
                .iter()
                .any(|it| is_sealed(it) && it.browser == B),
            "{n}"
        );
        _ = block_on(place.directory().get(CopyId {
            chat: CHAT,
            browser: B,
        }));
        // The browser writes its own copy again, and what was there is set aside.
        let put = place.put_lines(A, chat_lines(&[(1, "A secret"), (2, "An answer")]));
        let is_readable = hostile.len() <= MAX_TEXT;
        assert_eq!(put.is_ok(), is_readable, "{n}");
        if is_readable {
            assert_eq!(place.header(A).messages, 2, "{n}");
            assert!(place.text(A).len() < whole.len() + 50, "{n}");
        }
        let purged = place.try_purge(A, &[1], false).unwrap();
        let has_long_lines = hostile
            .split(|byte| *byte == b'\n')
            .any(|line| line.len() > MAX_LINE);
        let unreached = if has_long_lines { 2 } else { 0 };
        assert_eq!(purged.unreached.len(), unreached, "{n}");
        assert!(!place.has("A secret"), "{n}");
        assert_eq!(place.text(A).contains("An answer"), is_readable, "{n}");
    }
}

#[test]
fn a_long_header_is_read_and_no_more_of_its_file() {
    let place = Place::new();
    let record = CopyRecord {
        gone: (1..=5000).map(|n| (Id(n), n)).collect(),
        ..CopyRecord::default()
    };
    let of = CopyId {
        chat: CHAT,
        browser: A,
    };
    let lines = chat_lines(&[(1, &"long ".repeat(1_000_000))]);
    let text = compose(of, record, &lines, 1, 5, &place.key).unwrap();
    place.set(&path(A), text);
    let list = block_on(place.directory().list()).unwrap();
    assert_eq!(list.copies[0].standing, Standing::Sealed);
    assert!(place.files.bytes.get().0 < 4_300_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever one byte of a copy becomes, nothing is lost and nothing acts.
    #[test]
    fn any_change_of_a_byte_is_found(at in 0_usize..2000, byte in 0x20_u8..0x7f) {
        let place = Place::new();
        place.put(A, &[(1, "One"), (2, "Two")]);
        let mut bytes = place.text(A).into_bytes();
        let at = at % bytes.len();
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        place.set(&path(A), bytes.clone());
        let got = block_on(place.directory().get(CopyId { chat: CHAT, browser: A }));
        prop_assert!(got.is_err() || got.is_ok_and(|it| it.standing != Standing::Sealed));
        match place.put_lines(A, chat_lines(&[(1, "One"), (2, "Two")])) {
            // The digit of the schema.
            Err(fault) => prop_assert_eq!(fault, BackupFault::Newer),
            Ok(_) => {
                prop_assert_eq!(place.header(A).messages, 2);
                prop_assert_eq!(place.files.having(&bytes).len(), 1);
            }
        }
    }
}
