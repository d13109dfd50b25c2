//! The program that finds what a draft refers to, which `boot.js` loads.

use js_sys::{Function, Promise, Reflect};
use sash_chat::Id;
use sash_search::mention::Mention;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = sash, js_name = mention, catch)]
    fn load_program() -> Result<Promise, JsValue>;

    type Mentions;

    #[wasm_bindgen(method, catch)]
    fn add(this: &Mentions, place: u32, text: &str, created_ms: f64) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn mentioned(
        this: &Mentions,
        draft: &str,
        state: &mut dyn FnMut(u32) -> u32,
    ) -> Result<Option<String>, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn free(this: &Mentions) -> Result<(), JsValue>;
}

/// Where a message stands to the next prompt.
#[derive(Clone, Copy)]
pub enum Standing {
    /// It may not be offered.
    Out,
    /// It goes along.
    Goes,
    /// It may be offered.
    May,
}

/// The words of a branch, as the program knows them.
pub struct Index {
    new: Function,
    mentions: Mentions,
    places: Vec<Id>,
}

impl Index {
    /// An index of nothing, once the program is there; `None` if it does not come.
    pub async fn load() -> Option<Self> {
        let program = JsFuture::from(load_program().ok()?).await.ok()?;
        let new: Function = Reflect::get(&program, &"mentions".into()).ok()?.into();
        Some(Self::of(new))
    }

    fn of(new: Function) -> Self {
        // One that fails gives nothing, and what is asked of that fails in turn.
        let mentions = new.call0(&JsValue::NULL).unwrap_or_default();
        Self {
            new,
            mentions: mentions.unchecked_into(),
            places: Vec::new(),
        }
    }

    /// An index of nothing, beside this one.
    pub fn empty(&self) -> Self {
        Self::of(self.new.clone())
    }

    /// Adds the next message of the branch, as [`sash_search::mention::Index::add`] says.
    pub fn add(&mut self, id: Id, text: &str, created_ms: u64) {
        let place = self.places.len() as u32;
        self.places.push(id);
        // A program that has stopped finds nothing.
        let _ = self.mentions.add(place, text, created_ms as f64);
    }

    /// The message to which `draft` clearly refers, as [`sash_search::mention::Index::mentioned`] says.
    pub fn mentioned(&self, draft: &str, standing: &dyn Fn(Id) -> Standing) -> Option<Mention> {
        let mut state = |place| self.id(place).map_or(Standing::Out, standing) as u32;
        let found = self.mentions.mentioned(draft, &mut state).ok()??;
        let mut lines = found.lines();
        Some(Mention {
            id: self.id(lines.next()?.parse().ok()?)?,
            words: lines.map(str::to_owned).collect(),
        })
    }

    fn id(&self, place: u32) -> Option<Id> {
        self.places.get(place as usize).copied()
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        let _ = self.mentions.free();
    }
}
