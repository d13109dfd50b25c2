// Roles, names and words of the page, in this one place.
import { Query } from "./find";

const page = new Query();

// The frame.
export const html = page.css("html");
export const theme = page.role("button", /^Theme/);
export const title = page.role("heading").nth(0);
export const model = page.role("combobox", "Model");
export const panelToggle = page.role("button", "What the model sees");
/** What says that Ollama is not there. */
export const ollamaNotice = page.role("region", "Ollama");
export const ollamaGone = /Ollama is not reachable/;

// The list of chats.
export const chats = page.role("navigation", "Chats");
export const newChat = chats.role("button", "New chat");
export const chat = (name: string) => chats.css(".chat-list").role("button", name);
export const rename = (name: string) => page.role("button", `Rename ${name}`);
export const remove = (name: string) => page.role("button", `Delete ${name}`);
export const chatName = page.role("textbox", "Chat name");
export const deleted = (name: string) => page.css(".toast").having(new RegExp(`Deleted “${name}”`));
export const undo = page.role("button", "Undo");

// The transcript.
export const log = page.role("log", "Conversation");
export const messages = log.role("article");
export const answer = messages.last;
export const textOf = (message: Query) => message.css(".message-text");
export const sentMessages = log.css('article:not([data-window="out"])');
export const handle = page.role("slider", "Messages in the window");
/** The button behind which the rest of what can be done with a message is, in words. */
export const more = (message: Query) => message.role("button", "More");
export const entry = (message: Query, name: string) => message.css("[role^=menuitem]").having(new RegExp(`^${name}`));
export const editField = page.role("textbox", "Edit message");
export const sendVersion = page.role("button", "Send as a new version");

// The composer.
export const composer = page.role("textbox", "Message");
export const send = page.role("button", "Send");
export const stop = page.role("button", "Stop");
export const windowLine = page.css(".window-line");
/** What the line below says of `sent` messages of `all`. */
export const windowWords = (sent: number, all: number) => new RegExp(`^${sent} of ${all} messages`);
export const rules = page.role("dialog", "What goes with each question");
export const everything = rules.role("radio", "Everything");

// What if.
export const whatIf = page.role("dialog", "What if…");
export const nothingBefore = /^none of the messages before it/;
export const sides = whatIf.css(".side");

// What the model sees.
export const panel = page.role("complementary", "What the model sees");
export const turns = panel.role("list", "Messages in the order they are sent").role("listitem");
export const systemEdit = panel.role("button", "Edit the system prompt");
export const systemDialog = page.role("dialog", "System prompt");
export const systemField = systemDialog.role("textbox", "System prompt");
export const systemDone = systemDialog.role("button", "Done");

// The library.
export const library = page.role("dialog", "All chats");
export const searchField = library.role("combobox", "Search all chats");
export const results = library.role("option");
export const exportLink = chats.role("button", "Export");
export const exportButton = library.role("button", "Export");
export const importField = library.css("input[type=file]");
export const importWords = /import/i;

// The token of LAN mode.
export const tokenForm = page.role("form", "Token");
export const tokenField = tokenForm.role("textbox", "Token");
export const tokenOpen = tokenForm.role("button", "Open");
