//! What only some may read: the key of an engine, the address with a secret, the key of the backup.

use super::subject::{Subject, journal, set};
use crate::Result;
use crate::test::package::steps::must;

/// Sash does not start with a key that it cannot read.
pub fn key_file(it: &Subject) -> Result {
    it.debian.run(
        "mkdir /etc/sash /etc/systemd/system/sash.service.d
         (umask 077 && echo key >/etc/sash/vllm.key)
         printf '[Service]\\nLoadCredential=vllm.key:/etc/sash/vllm.key\\n' >/etc/systemd/system/sash.service.d/override.conf
         systemctl daemon-reload",
    )?;
    let engine = "SASH_OPENAI=vllm=http://127.0.0.1:8000\nSASH_OPENAI_KEY_FILE=vllm=";
    set(it, &format!("{engine}/etc/sash/vllm.key"))?;
    it.debian.wait_for("systemctl is-failed sash")?;
    set(
        it,
        &format!("{engine}/run/credentials/sash.service/vllm.key"),
    )?;
    it.debian.wait_for_sash()?;
    it.debian.run(
        "rm -r /etc/sash /etc/systemd/system/sash.service.d
         systemctl daemon-reload",
    )?;
    Ok(())
}

/// The token of the service, as a header for curl.
pub fn token(it: &Subject) -> Result<String> {
    let token = it
        .debian
        .run("sed -n 's/^The token for other programs is //p' /run/sash/address-7274")?;
    must(token.len() == 64, &token)?;
    Ok(format!("--header 'Authorization: Bearer {token}'"))
}

pub fn secret(it: &Subject) -> Result {
    set(
        it,
        "SASH_LISTEN=0.0.0.0:7274\nSASH_TOKEN=auto\nSASH_BACKUP=/var/lib/sash/backup",
    )?;
    it.debian.wait_for_sash()?;
    journal(
        it,
        "The address that opens the page is in /run/sash/address-7274, not in the journal",
    )?;
    let text = it.debian.run("cat /run/sash/address-7274")?;
    let code = text
        .split_once("/#c=")
        .and_then(|(_, rest)| rest.split_whitespace().next());
    let code = code.ok_or_else(|| text.clone())?;
    must(
        journal(it, "#c=").is_err() && journal(it, code).is_err(),
        "the code, in the journal",
    )?;
    let others = "runuser --user ana -- cat /run/sash/address-7274 /var/lib/sash/backup-key";
    must(
        !it.debian.succeeds(others),
        "a secret that other users can read",
    )?;
    let given = it
        .debian
        .call("exchange", "", &format!("{{\"code\":\"{code}\"}}"))?;
    must(
        given["token"].is_string() && given["backup_key"].is_string(),
        given,
    )?;
    let chat = r#"{"chat":"0000000000000007","browser":"0000000000000001","lines":"","state":"s","title":"Kept","running":[],"fields":{}}"#;
    let put = backup(it, "backup_put", chat)?;
    must(put["write"] == 1, put)
}

pub fn backup(it: &Subject, name: &str, body: &str) -> Result<serde_json::Value> {
    let key = it.debian.run("cat /var/lib/sash/backup-key")?;
    it.debian.call(
        name,
        &format!("{} --header 'X-Sash-Backup: {key}'", token(it)?),
        body,
    )
}
