//! Finds out whether the program that has the port is a Sash.

use reqwest::redirect::Policy;
use sash_server::router::HEALTH;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// How long it may take to answer.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// Where a Sash answers that has this address; `None` if it is another program.
pub async fn running_sash(address: SocketAddr) -> Option<SocketAddr> {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let address = SocketAddr::new(ip, address.port());
    match tokio::time::timeout(ANSWER_TIME, health(address)).await {
        Ok(Ok(Some(said))) if said == HEALTH.as_bytes() => Some(address),
        _ => None,
    }
}

/// The beginning of what is at `/health`; it is short, if it is a Sash's.
async fn health(address: SocketAddr) -> reqwest::Result<Option<Vec<u8>>> {
    // Another program may send the request on, to another machine.
    let http = reqwest::Client::builder().redirect(Policy::none());
    let http = http.no_proxy().build()?;
    let reply = http.get(format!("http://{address}/health")).send();
    let chunk = reply.await?.chunk().await?;
    Ok(chunk.map(Into::into))
}
