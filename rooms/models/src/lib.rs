//! The models: what is installed and loaded, what can be done with one, and pulls; help where there is no engine or no model.
//!
//! [`Models`] and [`Pulls`] are the stores, `call` has the server functions and `server` their work; `view` has the page of
//! models and what stands in other places.

mod call;
mod fault;
mod models;
mod pulls;
mod request;

#[cfg(not(target_arch = "wasm32"))]
mod server;

#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(test)]
mod tests;

pub use fault::ModelFault;
pub use models::{
    ModelAction, ModelCalls, ModelProblem, Models, PAGE, SortColumn, TimeLeft, gpu_percent,
    parse_time,
};
pub use pulls::{PullPhase, PullRate, PullState, Pulls, PullsProgress, RememberedPull};
pub use request::{LayerProgress, LoadRequest, ModelRequest, PullFrame};
#[cfg(target_arch = "wasm32")]
pub use view::{
    MessageMemory, ModelsDialog, OllamaPanel, PullMissing, PullsLink, models_command,
    picker_actions,
};

/// Gives the page the stores, and takes up the pulls of before a reload.
#[cfg(target_arch = "wasm32")]
pub fn provide(kernel: sash_stores::Kernel) {
    use futures::{StreamExt, TryFutureExt};
    use leptos::prelude::provide_context;
    use sash_server::api::frames;
    use sash_stores::edges::Call;

    let calls = ModelCalls {
        show: Call::new(call::show),
        load: Call::new(call::load),
        unload: Call::new(call::unload),
        delete: Call::new(call::delete),
        pull: Call::new(|request| {
            call::pull(request).map_ok(|stream| frames(stream).boxed_local())
        }),
    };
    let pulls = Pulls::new(kernel, calls.pull);
    view::remember_pulls(pulls);
    provide_context(pulls);
    provide_context(Models::new(kernel, calls));
}

/// Adds the server functions; so many pulls run at once.
#[cfg(not(target_arch = "wasm32"))]
pub fn calls(calls: &mut sash_server::calls::Calls, most_pulls: usize) {
    use sash_server::calls::Rules;

    calls.provide(server::RunningPulls::new(most_pulls));
    calls.add::<call::Show>(Rules::NONE);
    calls.add::<call::Load>(Rules::NONE);
    calls.add::<call::Unload>(Rules::NONE);
    calls.add::<call::Delete>(Rules::NONE);
    calls.add::<call::Pull>(Rules::NONE);
}
