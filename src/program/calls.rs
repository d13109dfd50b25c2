//! The server functions, with the rules of each: a function for each room, which goes with the room.

use crate::api;
use crate::server::backup::Backup;
use crate::server::calculate::Calculator;
use crate::server::calls::{Calls, Rules};
use crate::server::extract::Extractor;
use crate::server::highlight::CodeHighlighter;
use crate::server::limits::{Calculation, Extraction, Highlighting};
use crate::server::linger::KeptAnswers;
use crate::server::one_time_codes::OneTimeCodes;
use crate::server::pull::PullTurns;
use crate::server::read_turns::ReadTurns;
use crate::server::unsent::PassedText;
use sash_wire::BodyKind;
use std::net::SocketAddr;
use std::sync::Arc;

/// The most bytes of a code with its JSON: anyone may send it, without the token.
const EXCHANGE_BYTES: usize = 256;

/// A prompt that was not sent.
const UNSENT_PROMPT: Rules = Rules {
    body: BodyKind::Prompt,
    text: PassedText::PerhapsDraft,
    ..Rules::NONE
};

/// Those of the kernel.
pub fn kernel(calls: &mut Calls, codes: Option<Arc<OneTimeCodes>>) {
    calls.provide(codes);
    calls.add::<api::Response>(Rules {
        text: PassedText::Sent,
        ..UNSENT_PROMPT
    });
    calls.add::<api::Render>(UNSENT_PROMPT);
    calls.add::<api::Exchange>(Rules {
        most_bytes: Some(EXCHANGE_BYTES),
        ..Rules::NONE
    });
    calls.add::<api::AnswerNow>(Rules::NONE);
    calls.add::<api::Models>(Rules::NONE);
    calls.add::<api::State>(Rules::NONE);
}

/// Those of the models; so many pulls run at once.
pub fn models(calls: &mut Calls, pulls: usize) {
    calls.provide(PullTurns::new(pulls));
    calls.add::<api::Installed>(Rules::NONE);
    calls.add::<api::Show>(Rules::NONE);
    calls.add::<api::Load>(Rules::NONE);
    calls.add::<api::Unload>(Rules::NONE);
    calls.add::<api::Delete>(Rules::NONE);
    calls.add::<api::Pull>(Rules::NONE);
}

/// Those of the backup, if there is one. They hand texts over to a folder that the person named: no engine reads them.
pub fn backup(calls: &mut Calls, backup: Option<Arc<Backup>>) {
    const TEXT: Rules = Rules {
        body: BodyKind::Backup,
        ..Rules::NONE
    };
    calls.provide(backup);
    calls.add::<api::BackupPut>(TEXT);
    calls.add::<api::BackupPutImage>(TEXT);
    calls.add::<api::BackupPrompts>(TEXT);
    calls.add::<api::BackupList>(Rules::NONE);
    calls.add::<api::BackupNews>(Rules::NONE);
    calls.add::<api::BackupGet>(Rules::NONE);
    calls.add::<api::BackupGetImage>(Rules::NONE);
    calls.add::<api::BackupPurge>(Rules::NONE);
}

/// Those of the answers that outlive their page.
pub fn linger(calls: &mut Calls, answers: Arc<KeptAnswers>) {
    calls.provide(answers);
    calls.add::<api::Resume>(Rules::NONE);
    calls.add::<api::Stop>(Rules::NONE);
    calls.add::<api::Kept>(Rules::NONE);
}

/// That which reads prompts ahead.
pub fn read_ahead(calls: &mut Calls, turns: Arc<ReadTurns>) {
    calls.provide(turns);
    calls.add::<api::Read>(UNSENT_PROMPT);
}

/// That which counts tokens.
pub fn counts(calls: &mut Calls) {
    calls.add::<api::Count>(UNSENT_PROMPT);
}

/// That which makes vectors.
pub fn recall(calls: &mut Calls) {
    calls.add::<api::Embed>(Rules {
        body: BodyKind::Other,
        ..UNSENT_PROMPT
    });
}

/// That which reads documents. Each takes its turn once its body is there.
pub fn attachments(calls: &mut Calls, limits: &Extraction) {
    let extractor = Arc::new(Extractor::new(limits.clone()));
    calls.add::<api::Extract>(Rules {
        body: BodyKind::Document,
        turns: Some(extractor.turns()),
        ..Rules::NONE
    });
    calls.provide(extractor);
}

/// That of the tool that calculates.
pub fn tools(calls: &mut Calls, limits: &Calculation) {
    calls.provide(Arc::new(Calculator::new(limits.clone())));
    calls.add::<api::Calculate>(Rules::NONE);
}

/// That which colours code.
pub fn highlight(calls: &mut Calls, limits: &Highlighting) {
    calls.provide(Arc::new(CodeHighlighter::new(limits.clone())));
    calls.add::<api::Highlight>(Rules::NONE);
}

/// That which tells where a phone finds a server that listens here.
pub fn phone(calls: &mut Calls, listen: SocketAddr) {
    calls.provide(listen);
    calls.add::<api::Addresses>(Rules::NONE);
}
