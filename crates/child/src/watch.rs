//! The memory of a child process, seen from outside. Not every system limits it: macOS refuses a limit of the address
//! space, and Windows has none. So each child is watched, on every system alike.

use std::time::Duration;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// How often the memory of a process is looked at. Within that time a process can take some hundred megabytes more.
const INTERVAL: Duration = Duration::from_millis(25);

/// Waits until a process has more memory than it may; for ever if it stays below, has ended, or cannot be seen.
pub async fn over_limit(process: Option<u32>, most_bytes: usize) {
    if let (Some(id), Ok(system)) = (process, System::new()) {
        let pid = Pid::from_u32(id);
        if grows_over(system, pid, most_bytes as u64).await {
            return;
        }
    }
    std::future::pending().await
}

/// Whether a process grows over the limit before it ends.
async fn grows_over(mut system: System, pid: Pid, most_bytes: u64) -> bool {
    loop {
        tokio::time::sleep(INTERVAL).await;
        let only_memory = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), true, only_memory);
        match system.process(pid).map(|process| process.memory()) {
            Some(bytes) if bytes > most_bytes => return true,
            Some(_) => {}
            None => return false,
        }
    }
}
