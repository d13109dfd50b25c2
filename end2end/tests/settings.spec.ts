// The settings: a page with an address, each setting kept over a reload.
import { expect, test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { says } from "../support/standIn";

async function openSettings(app: ChatPage) {
  await app.chats.getByRole("button", { name: "Settings" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Settings" });
  await expect(dialog).toBeVisible();
  return dialog;
}

test("the settings have an address: a reload stays, back closes them", async ({ app, page }) => {
  await app.openReady();
  const dialog = await openSettings(app);
  await expect(page).toHaveURL(/\/settings$/);
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
});

test("the system prompt of new chats is a setting, and parameters can be set from there", async ({ app, page, standIn }) => {
  await app.openReady();
  let dialog = await openSettings(app);
  await dialog.getByLabel("System prompt").fill("Be brief.");
  await page.reload();
  dialog = page.getByRole("dialog", { name: "Settings" });
  await expect(dialog.getByLabel("System prompt")).toHaveValue("Be brief.");
  await dialog.getByRole("button", { name: /^Customise / }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("dialog", { name: /Parameters/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await app.newChat();
  await standIn.script(says("Yes."));
  await app.exchange("Hello");
  expect((await standIn.chats(1))[0].body.messages[0]).toEqual({ role: "system", content: "Be brief." });
});

test("theme and text size hold at once and after a reload, before the first paint", async ({ app, page }) => {
  await app.openReady();
  const dialog = await openSettings(app);
  const size = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const normal = await size();
  await dialog.getByLabel("Theme").selectOption("Dark");
  await dialog.getByLabel("Text size").selectOption("Larger");
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "dark");
  expect(await size()).toBeGreaterThan(normal * 1.2);
  await page.reload();
  await expect(html).toHaveAttribute("data-theme", "dark");
  await expect(html).toHaveAttribute("data-text-size", "larger");
  await expect(dialog.getByLabel("Theme")).toHaveValue("dark");
  await expect(dialog.getByLabel("Text size")).toHaveValue("larger");
  // The button in the header says the same.
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
});

test("with Ctrl+Enter as the key that sends, Enter begins a line", async ({ app, page, standIn }) => {
  await standIn.script(says("Both lines."));
  await app.openReady();
  const dialog = await openSettings(app);
  await dialog.getByLabel("Send with").selectOption({ label: "Ctrl+Enter or ⌘+Enter (Enter starts a new line)" });
  await app.reload();
  await page.keyboard.press("Escape");
  await app.ready();
  await app.composer.fill("One");
  await app.composer.press("Enter");
  await app.composer.pressSequentially("two");
  await expect(app.composer).toHaveValue("One\ntwo");
  await expect(page.locator("#composer-hint")).toHaveText("Ctrl+Enter sends, Enter starts a new line");
  await app.composer.press("Control+Enter");
  await app.ended("complete");
  expect((await standIn.chats(1))[0].body.messages.at(-1).content).toBe("One\ntwo");
});

// Guarded in each run by kernel/stores/tests/stores/settings.rs,
// `a_default_model_is_for_new_chats_and_the_open_one_while_it_is_empty`.
test("new chats begin with the model and the rule of the settings", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("Hello?");
  const dialog = await openSettings(app);
  await dialog.getByRole("combobox", { name: "Model" }).selectOption("qwen3:4b");
  await dialog.getByRole("radio", { name: "Last 10 messages" }).check();
  await page.keyboard.press("Escape");
  // The chat that is open keeps its own.
  await app.ready("llama3.2");
  await app.newChat();
  await app.ready("qwen3:4b");
  await expect(app.windowLine).toContainText("10 messages");
  // Another choice in a chat does not change what new chats begin with.
  await app.chooseModel("llama3.2:latest");
  await app.exchange("Another?");
  await app.newChat();
  await app.ready("qwen3:4b");
});

test("the parameters of a model can be reset", async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await page.getByRole("button", { name: "Parameters" }).click();
  const parameters = page.getByRole("dialog", { name: "Parameters" });
  await parameters.getByLabel("temperature", { exact: true }).fill("0.1");
  await page.keyboard.press("Tab");
  await parameters.getByRole("button", { name: "Use in all chats with llama3.2" }).click();
  await parameters.getByRole("button", { name: "Close" }).click();
  const dialog = await openSettings(app);
  await expect(dialog).toContainText("temperature 0.1");
  await dialog.getByRole("button", { name: "Reset the parameters of llama3.2" }).click();
  await expect(dialog).toContainText("No custom values yet.");
  await page.keyboard.press("Escape");
  await app.exchange("Hello?");
  expect((await standIn.chats(1))[0].body.options?.temperature).toBeUndefined();
});

test("what is used and deleting everything are reached from the settings", async ({ app, page }) => {
  await app.openReady();
  const dialog = await openSettings(app);
  await dialog.getByRole("button", { name: "See what is used, delete everything…" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Delete everything…", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await openSettings(app);
  await dialog.getByRole("button", { name: "Backup, export and import…" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("dialog").getByRole("heading", { name: "Backup" })).toBeVisible();
});

test("the engine's state is said", async ({ app, standIn }) => {
  await app.openReady();
  const dialog = await openSettings(app);
  await expect(dialog).toContainText(/ollama: connected \(Ollama 0\.\d+\.\d+ at http:\/\/127\.0\.0\.1:\d+\), \d+ models/);
  await expect(dialog).toContainText(new URL(standIn.url).host);
});

test("chats that have no system prompt get that of new chats, and it is taken back", async ({ app, page, standIn }) => {
  await standIn.script(says("One."), says("Two."), says("Three."));
  await app.openReady();
  await app.exchange("First");
  await app.newChat();
  await app.exchange("Second");
  const dialog = await openSettings(app);
  const field = dialog.getByLabel("System prompt");
  await expect(dialog.getByText("0 chats with a prompt (theirs or their folder's), 2 chats without.")).toBeVisible();
  const use = dialog.getByRole("button", { name: "Use it in all that have none" });
  await expect(use).toHaveCount(0);
  await field.fill("Be brief.");
  await use.click();
  await expect(dialog.getByText("System prompt used in 2 chats")).toBeVisible();
  await expect(use).toHaveCount(0);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(use).toBeVisible();
  await use.click();
  await expect(dialog.getByText("2 chats with a prompt")).toBeVisible();
  await page.keyboard.press("Escape");
  await app.exchange("Third");
  const requests = await standIn.chats(3);
  expect(requests[2].body.messages[0]).toEqual({ role: "system", content: "Be brief." });
});
