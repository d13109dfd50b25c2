//! The same on Windows, whose table of sockets has the process of each.

use super::ENGINES;
use super::sockets::takes;
use std::net::SocketAddr;

/// A process that listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Its id.
    pub process: u32,
    /// The file of its program, such as `ollama.exe`.
    pub program: String,
    /// The address that it listens at.
    pub bound: SocketAddr,
}

/// Whether all that listens at these addresses is an engine of this machine, or this process.
pub fn are_engines(addresses: &[SocketAddr]) -> bool {
    all_are_engines(&listeners_here(), addresses, std::process::id())
}

/// The processes that listen on this machine; none where the table cannot be read.
#[cfg(windows)]
fn listeners_here() -> Vec<Listener> {
    let all = match listeners::get_all() {
        Ok(all) => all,
        Err(error) => {
            tracing::warn!("the processes that listen cannot be listed: {error}");
            return Vec::new();
        }
    };
    let listening = all.into_iter().filter(|it| {
        it.protocol == listeners::Protocol::TCP && it.state == listeners::SocketState::Listen
    });
    let listening = listening.map(|it| Listener {
        process: it.process.pid,
        program: it.process.name,
        bound: it.socket,
    });
    listening.collect()
}

#[cfg(not(windows))]
fn listeners_here() -> Vec<Listener> {
    Vec::new()
}

/// The same of these processes, where this one has the id `own`.
fn all_are_engines(listeners: &[Listener], addresses: &[SocketAddr], own: u32) -> bool {
    let takes_one = |it: &&Listener| addresses.iter().any(|at| takes(it.bound, *at));
    let mut found = listeners.iter().filter(takes_one).peekable();
    found.peek().is_some() && found.all(|it| it.process == own || is_engine(&it.program))
}

/// Whether a program has the name of an engine; Windows takes capitals and small letters for the same.
fn is_engine(program: &str) -> bool {
    let program = program.to_ascii_lowercase();
    let name = program.strip_suffix(".exe").unwrap_or(&program);
    ENGINES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_listens_at_an_engines_address_has_to_be_an_engine() {
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        let engine = [at("127.0.0.1:11434")];
        let ollama = (10, "ollama.exe", "127.0.0.1:11434");
        for (listeners, expected) in [
            (vec![], false),
            (vec![ollama], true),
            (vec![(10, "Ollama.EXE", "0.0.0.0:11434")], true),
            (vec![(10, "llama-server.exe", "[::]:11434")], true),
            (vec![(10, "ollama app.exe", "127.0.0.1:11434")], false),
            (vec![(10, "ssh.exe", "127.0.0.1:11434")], false),
            (vec![(10, "ollama.exe", "127.0.0.1:11435")], false),
            (vec![(700, "sash.exe", "127.0.0.1:11434")], true),
            (vec![ollama, (11, "ssh.exe", "0.0.0.0:11434")], false),
            (vec![ollama, (11, "ssh.exe", "[::1]:11434")], true),
        ] {
            let listeners: Vec<Listener> = listeners
                .into_iter()
                .map(|(process, program, bound)| Listener {
                    process,
                    program: program.to_owned(),
                    bound: at(bound),
                })
                .collect();
            let found = all_are_engines(&listeners, &engine, 700);
            assert_eq!(found, expected, "{listeners:?}");
        }
    }
}
