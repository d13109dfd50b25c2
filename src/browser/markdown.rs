//! The program that shows Markdown, which `boot.js` loads.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = sash, js_name = markdown, catch)]
    fn load_program() -> Result<Promise, JsValue>;

    type Answer;

    #[wasm_bindgen(method, catch)]
    fn add(this: &Answer, more: &str, running: bool) -> Result<(), JsValue>;

    #[wasm_bindgen(method, catch)]
    fn free(this: &Answer) -> Result<(), JsValue>;

    #[wasm_bindgen(js_namespace = sash, js_name = folds, catch)]
    fn folds_answers(chat: &str) -> Result<bool, JsValue>;
}

/// Whether the answers of a chat are to be folded: showing them was not finished the last time.
#[must_use]
pub fn folds(chat: &str) -> bool {
    folds_answers(chat).unwrap_or(false)
}

/// The event on an answer's place that says: its program has stopped, and it is to be plain text.
pub const PLAIN: &str = "sash:plain";

/// An answer that is shown in a place of the page.
pub struct Rendering(Answer);

impl Rendering {
    /// Shows what came after all that was shown before, at once or in several tasks; whether that can be done.
    #[must_use]
    pub fn add(&self, more: &str, running: bool) -> bool {
        self.0.add(more, running).is_ok()
    }
}

impl Drop for Rendering {
    fn drop(&mut self) {
        // A program that has stopped has nothing to let go of.
        let _ = self.0.free();
    }
}

/// Shows an answer in `place`, if the program is there.
#[must_use]
pub fn render(place: &Element) -> Option<Rendering> {
    let answer = given("renderer")?.call1(&JsValue::NULL, place).ok()?;
    Some(Rendering(answer.unchecked_into()))
}

/// A function that the program gives to the page, once it is there.
fn given(name: &str) -> Option<Function> {
    let sash = Reflect::get(&js_sys::global(), &"sash".into()).ok()?;
    Reflect::get(&sash, &name.into()).ok()?.dyn_into().ok()
}

/// Copies the answer that stands beside the heading with that id, as Markdown and as rich text. `None` where there
/// is none, or no program. Begun at once: a browser allows it only in the click itself.
#[must_use]
pub fn copy_beside(heading: &str, text: &str) -> Option<impl Future<Output = bool> + use<>> {
    let heading = web_sys::window()?.document()?.get_element_by_id(heading)?;
    let place = heading.parent_element()?;
    let place = place.query_selector(".markdown:not([data-plain])").ok()??;
    let copying = given("copy")?.call2(&JsValue::NULL, &place, &text.into());
    let copying: Promise = copying.ok()?.dyn_into().ok()?;
    Some(async move {
        JsFuture::from(copying)
            .await
            .is_ok_and(|copied| copied.is_truthy())
    })
}

/// Loads the program; whether it is there then.
pub async fn load() -> bool {
    match load_program() {
        Ok(loading) => JsFuture::from(loading).await.is_ok(),
        Err(_) => false,
    }
}
