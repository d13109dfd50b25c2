//! What a backup of thousands of chats costs: bytes that are read and written in the directory, and requests. The figures are
//! printed: `SASH_TESTS=all cargo test -p sash-room-backup store::costs -- --nocapture`.

use super::house::{House, LATER_MS, Machine, SOON_MS, in_step};
use super::server::{KEY, Server};
use crate::BackupKey;
use crate::store::{BackupPhase, Keyed};
use futures::FutureExt;
use reactive_graph::owner::Owner;
use sash_chat::{Head, Id, Message, Role};
use sash_harness::under_owner;

/// The first bytes of a file that are read for its header.
const HEADER_BYTES: u64 = 4096;
/// What the list takes of each copy on its way, at most.
const LISTED_BYTES: usize = 500;
/// Each listing looks at the README, and the shelves are read whole.
const BESIDE: u64 = 10_000;

/// What was read and written in the directory, and what was asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cost {
    read: u64,
    written: u64,
    lists: usize,
    puts: usize,
    gets: usize,
}

const NOTHING: Cost = Cost {
    read: 0,
    written: 0,
    lists: 0,
    puts: 0,
    gets: 0,
};

/// What something costs.
fn cost(server: &Server, what: &str, run: impl FnOnce()) -> Cost {
    let figures = || {
        let (read, written) = server.files().bytes.get();
        let counts = [&server.lists, &server.puts, &server.gets].map(|count| count.get());
        (read, written, counts)
    };
    let (read, written, [lists, puts, gets]) = figures();
    run();
    let after = figures();
    let cost = Cost {
        read: after.0 - read,
        written: after.1 - written,
        lists: after.2[0] - lists,
        puts: after.2[1] - puts,
        gets: after.2[2] - gets,
    };
    println!("{what}: {cost:?}");
    cost
}

/// A browser with one page.
struct Browser {
    machine: Machine,
    house: House,
    page: Owner,
}

impl Browser {
    fn open(machine: Machine) -> Self {
        let page = Owner::new();
        let house = page.with(|| House::new(&machine));
        Self {
            machine,
            house,
            page,
        }
    }

    /// Closes the page and opens another one.
    fn reopen(&mut self) {
        self.machine.close_tab();
        self.page.cleanup();
        *self = Self::open(self.machine.another_tab());
        self.house.engine.refresh();
        self.machine.pass(LATER_MS);
        assert_eq!(self.house.phase(), BackupPhase::Done);
    }

    /// Writes chats of one message each, of seven kilobytes.
    fn fill(&self, chats: u64) {
        let written = self.house.storage.write(|log| {
            for n in 0..chats {
                let (chat, content) = (chat(n), format!("Chat {n}. {}", "words ".repeat(1_200)));
                log.save_head(&Head::new(chat, 5))?;
                let message = Message {
                    content,
                    ..Message::new(Id(0x20_0000 + n), None, 1, Role::User, 0)
                };
                log.save_message(chat, &message)?;
            }
            Ok(())
        });
        assert!(written);
    }
}

fn chat(n: u64) -> Id {
    Id(0x10_0000 + n)
}

/// Each switch of tabs read and checksummed the whole folder; a start read every file.
#[test]
fn a_start_costs_headers_a_message_its_chat_and_a_switch_of_tabs_nothing() {
    let chats = match std::env::var("SASH_TESTS").as_deref() {
        Ok("all") => 5_000,
        _ => 300,
    };
    let count = usize::try_from(chats).unwrap();
    under_owner(|| {
        let mut here = Browser::open(Machine::default());
        let server = here.machine.server.clone();
        here.fill(chats);
        let first = cost(&server, "all chats are handed over", || {
            in_step(&here.machine, here.house);
            here.machine.pass(LATER_MS);
        });
        assert_eq!((first.puts, first.gets), (count + 1, 0));

        let start = cost(&server, "a start", || here.reopen());
        assert_eq!((start.lists, start.puts, start.gets), (1, 0, 0));
        assert!(start.written == 0 && start.read < BESIDE, "{start:?}");
        server.restart();
        here.machine.close_tab();
        let start = cost(&server, "a start after that of the server", || {
            here.reopen()
        });
        assert_eq!((start.puts, start.gets, start.written), (0, 0, 0));
        let headers = (chats + 1) * HEADER_BYTES + 2 * BESIDE;
        assert!(start.read < headers, "{start:?}");

        let message = cost(&server, "a question and its answer", || {
            here.house.chats.open_chat(chat(7));
            here.house
                .exchange(&here.machine, "A question", "An answer");
            here.machine.pass(SOON_MS);
        });
        assert!(server.contains("An answer"));
        assert!((message.lists, message.gets) == (0, 0) && message.puts <= 3);
        let most = 40_000;
        assert!(message.read < most && message.written < most, "{message:?}");

        // The person goes to another program, and to another tab, and comes back.
        let second = here.machine.another_tab();
        second.hidden.set(true);
        let tab = House::new(&second);
        tab.engine.refresh();
        second.pass(SOON_MS);
        let turn = |first: bool| {
            here.machine.hidden.set(!first);
            second.hidden.set(first);
            second.pass(SOON_MS);
        };
        turn(false);
        assert_eq!(tab.phase(), BackupPhase::Done);
        turn(true);
        assert_eq!(here.house.phase(), BackupPhase::Done);
        let switch = cost(&server, "a switch of tabs, and back", || {
            turn(false);
            turn(true);
        });
        assert_eq!(switch, NOTHING);
        second.close_tab();

        let mut there = Browser::open(here.machine.another_browser());
        let first = cost(&server, "a second browser comes in step", || {
            in_step(&there.machine, there.house);
            there.machine.pass(LATER_MS);
        });
        assert_eq!(there.house.titles().len(), count);
        assert!(
            first.gets <= count + 2 && first.puts <= count + 2,
            "{first:?}"
        );
        let message = cost(&server, "a question and its answer, in step", || {
            here.house
                .exchange(&here.machine, "Another question", "Another answer");
            here.machine.pass(SOON_MS);
        });
        assert_eq!(there.house.kept(chat(7)).len(), 5);
        assert!(message.lists == 0 && message.gets <= 4 && message.puts <= 4);
        let most = 150_000;
        assert!(message.read < most && message.written < most, "{message:?}");
        let start = cost(&server, "a start, in step", || there.reopen());
        assert_eq!((start.lists, start.puts, start.gets), (1, 0, 0));
        assert!(start.written == 0 && start.read < BESIDE, "{start:?}");

        let asked = Keyed {
            key: BackupKey(KEY.to_owned()),
            request: (),
        };
        let list = server.list(asked).now_or_never().expect("at once");
        let list = list.expect("a list");
        let bytes = serde_json::to_string(&list).expect("JSON").len();
        println!("the list of {} copies: {bytes} bytes", list.copies.len());
        assert!(bytes < list.copies.len() * LISTED_BYTES);
        there.page.cleanup();
        here.page.cleanup();
    });
}
