//! The line at the start that says who limits the memory of child processes.

use std::path::Path;
use std::time::Duration;

/// Time limit for the report.
const REPORT_TIME: Duration = Duration::from_secs(10);

/// Logs whether the system limits the memory of child processes, or only Sash does.
pub async fn say_limits(program: Option<&Path>) {
    match tokio::time::timeout(REPORT_TIME, sash_child::limits_memory(program)).await {
        Ok(Ok(is_limited)) => tracing::debug!("{}", sentence(is_limited)),
        Ok(Err(error)) => tracing::warn!(
            %error,
            "Sash cannot start the processes that read documents, calculate and colour code"
        ),
        Err(_) => tracing::warn!("the process that reports its limits did not end"),
    }
}

fn sentence(is_limited: bool) -> &'static str {
    match is_limited {
        true => {
            "the system limits the memory of the processes that read files, and Sash watches it"
        }
        false => {
            "this system takes no limit on the memory of the processes that read files; Sash watches it"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_says_who_limits_memory() {
        assert!(sentence(true).starts_with("the system limits"));
        assert!(sentence(false).contains("takes no limit"));
    }
}
