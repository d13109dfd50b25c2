// The system prompt: first, not counted, of this chat; with a default and a library.
import type { Locator } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { Panel } from "../support/panel";
import { says } from "../support/standIn";

async function editor(panel: Panel): Promise<{ dialog: Locator; field: Locator }> {
  if (!(await panel.place.isVisible())) await panel.open();
  return panel.editSystem();
}

const save = (dialog: Locator) => dialog.getByRole("button", { name: "Save", exact: true }).click();

test("it goes first, not counted, as it was written", async ({ app, page, standIn }) => {
  for (const words of ["One.", "Two.", "Three."]) await standIn.script(says(words));
  await app.openReady();
  const panel = new Panel(page);
  let { dialog, field } = await editor(panel);
  const text = "  Be brief.\n\nAnd kind. ";
  await field.fill(text);
  await field.press("Control+Enter");
  await expect(dialog).toBeHidden();
  await expect(panel.turns.first()).toContainText("not counted");
  await app.exchange("First?");
  await app.exchange("Second?");
  await expect(app.windowLine).toContainText("3 of 4 messages");
  await app.composer.fill("Third?");
  const shown = await panel.messages();
  expect(shown[0]).toEqual({ role: "system", content: text });
  await app.composer.press("Enter");
  const third = (await standIn.chats(3))[2];
  expect(third.body.messages).toEqual(shown);
  expect(shown).toHaveLength(5);
  await app.ended("complete");

  // The receipt keeps the one that was sent, also when there is another now.
  ({ dialog, field } = await editor(panel));
  await field.fill("Be long.");
  await save(dialog);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("And kind.");
  await app.reload();
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("And kind.");
  await expect(panel.turns.first()).toContainText("Be long.");
});

test("saved by Save and by Ctrl+Enter alone, undone in one step, and nothing but blanks is none", async ({ app, page }) => {
  await app.openReady();
  const panel = new Panel(page);
  let { dialog, field } = await editor(panel);
  await field.fill("Be brief.");
  await dialog.getByRole("textbox", { name: "Name in the library" }).focus();
  // Neither leaving the field nor Escape nor "Cancel" changes anything; what Escape leaves is kept with the chat.
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(panel.turns).toHaveCount(1);
  ({ dialog, field } = await editor(panel));
  await expect(field).toHaveValue("Be brief.");
  await expect(dialog).toContainText("Unsaved changes");
  await field.fill("Be kind.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(panel.turns).toHaveCount(1);
  ({ dialog, field } = await editor(panel));
  await expect(field).toHaveValue("");
  await field.fill("Be brief.");
  await save(dialog);
  await expect(panel.turns).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(panel.turns).toHaveCount(1);
  ({ dialog, field } = await editor(panel));
  await expect(field).toHaveValue("");
  await field.fill(" \n ");
  await field.press("Control+Enter");
  await expect(dialog).toBeHidden();
  await expect(panel.turns).toHaveCount(1);
});

test("who has set one sees it above the conversation, and gets to it from there", async ({ app, page, standIn }) => {
  await app.openReady();
  const line = app.log.getByRole("button", { name: /^System prompt/ });
  await expect(line).toHaveCount(0);
  const menu = page.getByRole("button", { name: "This chat", exact: true });
  await menu.click();
  await expect(page.getByRole("menuitem")).toHaveText(["New temporary chat", "System prompt…", "Rename", "Suggest a title…", "Clear context here", "Print or save as PDF…", "Share as a file", "Delete this chat"]);
  await page.getByRole("menuitem", { name: "System prompt…" }).click();
  const dialog = page.getByRole("dialog", { name: "System prompt" });
  const field = dialog.getByRole("textbox", { name: "System prompt" });
  await field.fill("You are a pirate.\nAnd kind.");
  await save(dialog);
  await expect(menu).toBeFocused();
  await expect(line).toHaveText("System prompt You are a pirate.");
  await standIn.script(says("Arr."));
  await app.exchange("Hello?");
  await app.reload();
  await line.click();
  await expect(field).toHaveValue("You are a pirate.\nAnd kind.");
  await field.fill("");
  await save(dialog);
  await expect(line).toHaveCount(0);
});

// With the line that opened it gone, focus stayed in the field while it was removed: what it told then stopped the program.
test("emptied by key and closed by key", async ({ app, page, standIn }) => {
  await standIn.script(says("Arr."));
  await app.openReady();
  await page.getByRole("button", { name: "This chat", exact: true }).click();
  await page.getByRole("menuitem", { name: "System prompt…" }).click();
  const dialog = page.getByRole("dialog", { name: "System prompt" });
  const field = dialog.getByRole("textbox", { name: "System prompt" });
  await field.fill("You are a pirate.");
  await save(dialog);
  await app.exchange("Hello?");
  const line = app.log.getByRole("button", { name: /^System prompt/ });
  await line.click();
  await field.fill("");
  await field.press("Control+Enter");
  await expect(line).toHaveCount(0);
  await expect(dialog).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("data-state", "ready");
});

test("it belongs to its chat; new ones begin with the default", async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  const panel = new Panel(page);
  let { dialog, field } = await editor(panel);
  await field.fill("Of the first chat.");
  await save(dialog);
  await app.exchange("First?");
  await app.newChat();
  await expect(panel.turns).toHaveCount(1);
  ({ dialog, field } = await editor(panel));
  await expect(dialog).toContainText("New chats start without one.");
  await field.fill("For everything new.");
  await dialog.getByRole("button", { name: "Use for new chats" }).click();
  await expect(dialog).toContainText("New chats start with this one.");
  await save(dialog);
  await standIn.script(says("Two."));
  await app.exchange("Second?");
  await app.newChat();
  await expect(panel.turns.first()).toContainText("For everything new.");
  await standIn.script(says("Three."));
  await app.exchange("Third?");
  const sent = await standIn.chats(3);
  expect(sent.map((chat) => chat.body.messages[0].content)).toEqual(["Of the first chat.", "For everything new.", "For everything new."]);
  await app.chat("First?").click();
  await expect(panel.turns.first()).toContainText("Of the first chat.");
});

test("a library of one's own: saved, chosen in another chat, deleted", async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  const panel = new Panel(page);
  let { dialog, field } = await editor(panel);
  await field.fill("You are a pirate.");
  await dialog.getByRole("textbox", { name: "Name in the library" }).fill("Pirate");
  await page.keyboard.press("Enter");
  const pirate = () => dialog.getByRole("button", { name: "Pirate", exact: true });
  await expect(pirate()).toHaveAttribute("aria-pressed", "true");
  await save(dialog);
  await app.exchange("First?");
  await app.reload();
  await app.newChat();
  ({ dialog, field } = await editor(panel));
  await expect(field).toHaveValue("");
  await expect(pirate()).toHaveAttribute("aria-pressed", "false");
  await pirate().click();
  await expect(field).toHaveValue("You are a pirate.");
  await dialog.getByRole("button", { name: "Delete from the library" }).click();
  await expect(pirate()).toHaveCount(0);
  // Nothing is lost: it can be saved again.
  await expect(field).toHaveValue("You are a pirate.");
  await expect(dialog.getByRole("textbox", { name: "Name in the library" })).toHaveValue("Pirate");
});

// Guarded in each run by kernel/stores/tests/stores/settings.rs,
// `what_two_tabs_choose_one_after_the_other_is_all_kept`.
test("two tabs keep each other's settings", { tag: "@all" }, async ({ app, page, context, standIn }) => {
  // Each wrote its own copy whole: what was saved in one was gone with the next word in the other.
  await app.openReady();
  const other = await context.newPage();
  await other.goto(app.url);
  const there = new Panel(other);
  await there.open();
  const { dialog, field: written } = await there.editSystem();
  await written.fill("Be brief.");
  await dialog.getByRole("button", { name: "Use for new chats" }).click();
  await written.press("Control+Enter");
  await standIn.script(says("Yes."));
  await app.exchange("Hello?");
  await app.openMoreRules();
  await app.rule("Everything").check();
  await page.getByRole("button", { name: "Use for new chats" }).click();
  await page.keyboard.press("Escape");
  await app.reload();
  await app.ready();
  await app.newChat();
  const panel = new Panel(page);
  const { field } = await editor(panel);
  await expect(field).toHaveValue("Be brief.");
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs,
// `the_text_of_an_edit_is_kept_with_its_chat_until_it_is_sent_or_thrown_away`; versions.spec.ts, "Escape closes an
// edit and keeps its text, through another chat and a reload; Cancel throws it away, with undo".
test("what is typed and not saved is kept with its chat, through another one and a reload", { tag: "@all" }, async ({ app, page, standIn }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First?");
  const panel = new Panel(page);
  let { dialog, field } = await editor(panel);
  await field.fill("Be brief.");
  // Closed and in another chat.
  await page.keyboard.press("Escape");
  await app.newChat();
  ({ dialog, field } = await editor(panel));
  await expect(field).toHaveValue("");
  await page.keyboard.press("Escape");
  await app.reload();
  await app.rows.first().getByRole("button", { name: "First?" }).click();
  ({ dialog, field } = await editor(panel));
  await expect(field).toHaveValue("Be brief.");
  await save(dialog);
  await expect(panel.turns.first()).toContainText("Be brief.");
});

// Guarded in each run by versions.spec.ts, "what another tab types in the edit of the same message is offered, and
// this tab's text stays until it is taken".
test("a system prompt that is being typed stays when another tab changes it, which is offered", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First?");
  const panel = new Panel(page);
  const { dialog, field } = await editor(panel);
  await field.fill("Typed here");
  const other = await app.anotherTab();
  const there = new Panel(other.page);
  const theirs = await editor(there);
  await theirs.field.fill("Saved there");
  await save(theirs.dialog);
  const line = dialog.getByText("changed elsewhere");
  await expect(line).toBeVisible();
  await expect(field).toHaveValue("Typed here");
  await dialog.getByRole("button", { name: "Use the other" }).click();
  await expect(field).toHaveValue("Saved there");
  await expect(field).toBeFocused();
  await expect(line).toHaveCount(0);
  // It is undone as what is typed is.
  await page.keyboard.press("Control+z");
  await expect(field).toHaveValue("Typed here");
});
