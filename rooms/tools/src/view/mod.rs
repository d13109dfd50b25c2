//! Tools: which ones a chat has, what the model calls, and the results.

mod own_tool_form;
mod tool_calls;
mod tool_parts;
mod tool_result;
mod tools_button;
mod tools_dialog;
mod waiting_calls;

use tool_calls::ToolCalls;
pub use tool_parts::ToolParts;
use tool_result::ToolResult;
pub use tools_button::ToolsButton;
use tools_dialog::tool_title;
pub use tools_dialog::{ToolsDialog, tools_command};
use waiting_calls::WaitingCalls;
