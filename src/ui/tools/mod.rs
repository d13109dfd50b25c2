//! Tools: which ones a chat has, what the model calls, and the results.

mod own_tool_form;
mod tool_calls;
mod tools_dialog;
mod waiting_calls;

pub use tool_calls::ToolCalls;
pub use tools_dialog::ToolsDialog;
pub use waiting_calls::WaitingCalls;
