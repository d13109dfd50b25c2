//! The addresses of this machine in its network.

use crate::network_addresses::NetworkAddresses;
use sash_server::caller::Caller;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use sysinfo::Networks;

/// So many are told: a machine with many containers has hundreds.
const MAX_ADDRESSES: usize = 8;

/// Where other machines find the page of a server that listens here. A caller behind a proxy is told nothing of the
/// network behind it.
pub fn of_page(listen: SocketAddr, caller: Caller) -> NetworkAddresses {
    let listens_on_network = !listen.ip().is_loopback();
    let ips = match listens_on_network && caller.is_direct {
        false => Vec::new(),
        true if listen.ip().is_unspecified() => own_addresses(listen.is_ipv6()),
        true => vec![listen.ip()],
    };
    let origin = |ip| match listen.port() {
        // Browsers leave port 80 out, and so the log of the address does.
        80 => format!("http://{}", SocketAddr::new(ip, 80)).replace(":80", ""),
        port => format!("http://{}", SocketAddr::new(ip, port)),
    };
    NetworkAddresses {
        listens_on_network,
        origins: ips.into_iter().map(origin).collect(),
    }
}

/// The addresses at which other machines may reach this one; that of the default route is the first.
fn own_addresses(with_ipv6: bool) -> Vec<IpAddr> {
    let routed = own_address();
    // Without the list there is still the default route.
    let networks = Networks::new_with_refreshed_list().ok();
    let networks = networks.iter().flat_map(|networks| networks.values());
    let all = networks.flat_map(|network| network.ip_networks());
    let mut found: Vec<IpAddr> = all
        .map(|network| network.addr)
        .filter(|ip| is_reachable(*ip, with_ipv6))
        .chain(routed)
        .collect();
    // The default route, then IPv4, which people can read and type.
    found.sort_by_key(|ip| (Some(*ip) != routed, ip.is_ipv6(), *ip));
    found.dedup();
    found.truncate(MAX_ADDRESSES);
    found
}

/// Whether another machine may reach an address: it is neither loopback nor of one link alone.
fn is_reachable(ip: IpAddr, with_ipv6: bool) -> bool {
    match ip {
        IpAddr::V4(ip) => !(ip.is_loopback() || ip.is_link_local() || ip.is_unspecified()),
        IpAddr::V6(ip) => {
            with_ipv6 && !(ip.is_loopback() || ip.is_unicast_link_local() || ip.is_unspecified())
        }
    }
}

/// The address of this machine in its network: the source address of outgoing packets. Sends nothing.
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address reserved for documentation; any routed address would do.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(listen: &str, is_direct: bool) -> NetworkAddresses {
        let caller = Caller {
            is_direct,
            ..Caller::default()
        };
        of_page(listen.parse().unwrap(), caller)
    }

    #[test]
    fn a_loopback_address_is_told_to_nobody_and_a_network_to_nobody_behind_a_proxy() {
        for listen in ["127.0.0.1:7274", "[::1]:7274"] {
            assert_eq!(origins(listen, true), NetworkAddresses::default());
        }
        assert_eq!(
            origins("192.168.1.2:7274", true).origins,
            ["http://192.168.1.2:7274"]
        );
        assert_eq!(
            origins("192.168.1.2:80", true).origins,
            ["http://192.168.1.2"]
        );
        assert_eq!(
            origins("[fd00::1]:7274", true).origins,
            ["http://[fd00::1]:7274"]
        );
        let behind = origins("0.0.0.0:7274", false);
        assert!(behind.listens_on_network && behind.origins.is_empty());
        for origin in origins("0.0.0.0:7274", true).origins {
            assert!(
                !origin.contains("127.0.0.1") && !origin.contains('['),
                "{origin}"
            );
        }
    }
}
