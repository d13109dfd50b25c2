//! The same on macOS, which has no `/proc`: `lsof` lists the sockets of the processes that this one may read.

use super::ENGINES;
use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};

/// The program, which is part of the system.
const PROGRAM: &str = "/usr/sbin/lsof";

/// Whether all that is seen to listen at these addresses is an engine of this machine, or this process.
pub fn are_engines(addresses: &[SocketAddr]) -> bool {
    let Some(port) = addresses.first().map(SocketAddr::port) else {
        return false;
    };
    let port = format!("-iTCP:{port}");
    // Whole names, addresses as numbers, nothing that could block; process, name and address, a line each.
    let flags = ["+c0", "-nPbw", "-a", &port, "-sTCP:LISTEN", "-Fpcn"];
    let listed = Command::new(PROGRAM)
        .args(flags)
        .stdin(Stdio::null())
        .output();
    let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    listed.is_ok_and(|listed| lists_engines(&listed, addresses, std::process::id()))
}

/// The same of the output of `lsof`.
fn lists_engines(listed: &str, addresses: &[SocketAddr], own: u32) -> bool {
    let (mut is_engine, mut found) = (false, false);
    for line in listed.lines() {
        match line.split_at_checked(1) {
            Some(("p", process)) => is_engine = process.parse() == Ok(own),
            Some(("c", name)) => is_engine |= ENGINES.contains(&name),
            Some(("n", bound)) if addresses.iter().any(|at| takes(bound, *at)) => {
                if !is_engine {
                    return false;
                }
                found = true;
            }
            _ => {}
        }
    }
    found
}

/// Whether a socket that is bound so may take a connection to an address.
fn takes(bound: &str, address: SocketAddr) -> bool {
    let Some((host, port)) = bound.rsplit_once(':') else {
        return false;
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let ip = host.parse::<IpAddr>().map(|ip| ip.to_canonical());
    port.parse() == Ok(address.port())
        && (host == "*" || ip.is_ok_and(|ip| ip == address.ip().to_canonical()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_process_is_an_engine_by_its_name_or_this_one() {
        let at: [SocketAddr; 1] = ["127.0.0.1:11434".parse().unwrap()];
        for (listed, expected) in [
            ("", false),
            ("p10\ncollama\nf3\nn127.0.0.1:11434\n", true),
            ("p10\nollama\nn127.0.0.1:11434\n", false),
            ("p10\ncllama-server\nf3\nn*:11434\n", true),
            ("p10\ncssh\nf3\nn127.0.0.1:11434\n", false),
            ("p700\ncsash\nf9\nn127.0.0.1:11434\n", true),
            ("p10\ncollama\nf3\nn[::1]:11434\n", false),
            (
                "p10\ncollama\nf3\nn127.0.0.1:11434\np11\ncssh\nf4\nn*:11434\n",
                false,
            ),
            (
                "p10\ncollama\nf3\nn127.0.0.1:11434\np11\ncssh\nf4\nn[::1]:11434\n",
                true,
            ),
        ] {
            assert_eq!(lists_engines(listed, &at, 700), expected, "{listed:?}");
        }
        let both: [SocketAddr; 2] = [at[0], "[::1]:11434".parse().unwrap()];
        let listed = "p10\ncollama\nf3\nn127.0.0.1:11434\np11\ncssh\nf4\nn[::1]:11434\n";
        assert!(!lists_engines(listed, &both, 700));
    }
}
