//! The voices of the device, behind a trait.

/// A voice of the device that speaks without a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfflineVoice {
    /// What the device calls it.
    pub id: String,
    /// Its language, as a tag: `en-GB`.
    pub language: String,
}

/// A text to be spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance {
    /// The text, of a sentence at most: browsers break off long ones.
    pub text: String,
    /// The voice.
    pub voice: OfflineVoice,
    /// How fast, as a factor of the voice's own speed.
    pub rate: f32,
}

/// The voices of the device. Those that send the text to a server are not among them.
pub trait Speech {
    /// The voices; empty where there are none, and until the browser has found them.
    fn voices(&self) -> Vec<OfflineVoice>;
    /// Calls `changed` whenever the browser has found other voices.
    fn on_voices(&self, changed: Box<dyn Fn()>);
    /// Speaks a text instead of the one before. `ended` is called with whether it was spoken to its end; it may be
    /// called late for a text that was stopped.
    fn speak(&self, utterance: Utterance, ended: Box<dyn FnOnce(bool)>);
    /// Stops speaking.
    fn stop(&self);
}
