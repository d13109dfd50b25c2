//! Finds out whether the program that has the port is a Sash.

use reqwest::redirect::Policy;
use serde_json::Value;
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
        Ok(Ok(Some(said))) if names_sash(&said) => Some(address),
        _ => None,
    }
}

/// Whether an answer names this program; an older or newer Sash may say more or less beside that.
fn names_sash(said: &[u8]) -> bool {
    let said: Option<Value> = serde_json::from_slice(said).ok();
    said.is_some_and(|said| said["program"] == "sash")
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

#[cfg(test)]
mod tests {
    use super::*;
    use sash_server::router::HEALTH;

    /// The bytes were compared, so a Sash of another version was taken for another program.
    #[test]
    fn a_sash_is_known_by_its_name_whatever_else_it_says() {
        let newer = r#"{ "program": "sash", "status": "stopping", "answers": 2 }"#;
        for said in [HEALTH, newer] {
            assert!(names_sash(said.as_bytes()), "{said}");
        }
        let others = [
            "",
            "sash",
            r#"["sash"]"#,
            r#"{"status":"ok"}"#,
            r#"{"program":"sashimi"}"#,
        ];
        for said in others {
            assert!(!names_sash(said.as_bytes()), "{said}");
        }
    }
}
