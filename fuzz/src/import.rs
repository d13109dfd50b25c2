//! Import: any file is planned or rejected, the plan writes nothing, and an interrupted import
//! leaves nothing behind.

use import::{Import, ImportStep, Planner, decode};
use sash_chat::Id;
use sash_log::{KeyValue, Log, MemoryStore};

/// 2026-09-21, in milliseconds since 1970.
const NOW: u64 = 1_790_000_000_000;

/// Plans an import of a file, runs it, and imports the same file once more.
///
/// # Panics
/// When the plan writes something, or the second import adds a record.
pub fn run(data: &[u8]) {
    let Ok(mut log) = Log::open(MemoryStore::default(), Id(1), sash_records::KINDS) else {
        return;
    };
    let before = keys(&log);
    let Some(added) = import(data, &mut log, &before) else {
        return;
    };
    assert_eq!(keys(&log).len(), before.len() + added);
    let before = keys(&log);
    assert_eq!(import(data, &mut log, &before), Some(0));
}

/// The number of records that an import added; `None` if the file is rejected.
fn import(data: &[u8], log: &mut Log<MemoryStore>, before: &[String]) -> Option<usize> {
    let text = decode(data.to_vec()).ok()?;
    let plan = Planner::new(text, NOW).ok()?.run(log).ok()?;
    assert_eq!(keys(log), before, "a plan wrote something");
    let adds = plan.records();
    let mut import = Import::begin(plan, Vec::new(), log, Id(2)).ok()?;
    while let ImportStep::More(_) = import.step(log).ok()? {}
    Some(adds)
}

fn keys(log: &Log<MemoryStore>) -> Vec<String> {
    log.store().keys()
}
