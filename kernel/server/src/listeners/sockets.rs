//! Reads the listening sockets of `/proc/net/tcp` and `/proc/net/tcp6`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The state of a listening socket, as the kernel writes it.
const LISTENING: &str = "0A";

/// A socket that takes connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListeningSocket {
    /// The number by which the files of processes name it.
    pub inode: u64,
    /// The id of its user.
    pub user: u32,
}

/// The listening sockets of a table, with the addresses that they are bound to.
pub fn listening(table: &str) -> impl Iterator<Item = (SocketAddr, ListeningSocket)> {
    table.lines().filter_map(|line| {
        let fields: Vec<_> = line.split_whitespace().take(10).collect();
        let [_, bound, _, state, _, _, _, user, _, inode] = fields[..] else {
            return None;
        };
        let socket = ListeningSocket {
            inode: inode.parse().ok()?,
            user: user.parse().ok()?,
        };
        (state == LISTENING).then_some((read_address(bound)?, socket))
    })
}

/// Whether a socket that is bound so takes a connection to an address. One that is bound to all of IPv6 may take IPv4 too.
pub fn takes(bound: SocketAddr, address: SocketAddr) -> bool {
    let (bound_ip, ip) = (bound.ip().to_canonical(), address.ip().to_canonical());
    bound.port() == address.port()
        && match bound_ip.is_unspecified() {
            true => bound_ip.is_ipv6() || ip.is_ipv4(),
            false => bound_ip == ip,
        }
}

/// An address as the kernel writes it: words of 32 bits in the byte order of the machine, and the port.
fn read_address(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.split_once(':')?;
    let word = |at: usize| {
        let word = u32::from_str_radix(ip.get(at * 8..at * 8 + 8)?, 16).ok()?;
        Some(word.to_ne_bytes())
    };
    let ip = match ip.len() {
        8 => IpAddr::from(Ipv4Addr::from(word(0)?)),
        32 => {
            let words = [word(0)?, word(1)?, word(2)?, word(3)?].concat();
            IpAddr::from(Ipv6Addr::from(<[u8; 16]>::try_from(words).ok()?))
        }
        _ => return None,
    };
    Some(SocketAddr::new(ip, u16::from_str_radix(port, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Linux 6 writes them on a machine of little-endian words.
    #[cfg(target_endian = "little")]
    #[test]
    fn the_tables_of_the_kernel_are_read() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000   998        0 4242 1 0000000000000000 100 0 0 10 0
   1: 0100007F:2CAA 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   998        0 4243 1 0000000000000000 20 4 30 10 -1
   2: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 77 1 0000000000000000 100 0 0 10 0
   3: nonsense";
        let found: Vec<_> = listening(table).collect();
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        let socket = |inode, user| ListeningSocket { inode, user };
        assert_eq!(
            found,
            [
                (at("127.0.0.1:11434"), socket(4242, 998)),
                (at("[::1]:8080"), socket(77, 1000)),
            ]
        );
    }

    #[test]
    fn a_connection_reaches_a_socket_of_its_address_or_of_all() {
        for (bound, address, expected) in [
            ("127.0.0.1:1", "127.0.0.1:1", true),
            ("127.0.0.1:1", "127.0.0.1:2", false),
            ("127.0.0.1:1", "127.8.8.8:1", false),
            ("0.0.0.0:1", "127.8.8.8:1", true),
            ("0.0.0.0:1", "[::1]:1", false),
            ("[::]:1", "127.0.0.1:1", true),
            ("[::]:1", "[::1]:1", true),
            ("[::1]:1", "127.0.0.1:1", false),
            ("[::ffff:127.0.0.1]:1", "127.0.0.1:1", true),
        ] {
            let found = takes(bound.parse().unwrap(), address.parse().unwrap());
            assert_eq!(found, expected, "{bound} {address}");
        }
    }
}
