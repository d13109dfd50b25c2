// The list of commands and the keys that the person chooses.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { openWithChats } from "../support/log";
import { says } from "../support/standIn";

const paletteOf = (page: Page): { dialog: Locator; field: Locator; options: Locator } => {
  const dialog = page.locator("dialog.palette");
  return { dialog, field: dialog.getByRole("combobox", { name: "Commands" }), options: dialog.getByRole("option") };
};

test("Alt+K opens the commands from the field; a word finds what Enter runs, and focus comes back", async ({ app, standIn, page }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("Where is the Alhambra?");
  const { dialog, field, options } = paletteOf(page);
  await app.composer.focus();
  await page.keyboard.type("a draft");
  await page.keyboard.press("Alt+k");
  await expect(field).toBeFocused();
  await expect(app.composer).toHaveValue("a draft");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  // A screen reader names the field first: no option is active before a key moves to one.
  await expect(field).not.toHaveAttribute("aria-activedescendant");
  await page.keyboard.press("ArrowDown");
  await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", (await options.nth(1).getAttribute("id")) ?? "");

  await field.fill("rename");
  await expect(options).toHaveText(["Rename this chat"]);
  await expect(field).toHaveAttribute("aria-activedescendant", (await options.first().getAttribute("id")) ?? "");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const name = page.getByRole("textbox", { name: "Chat name" });
  await expect(name).toBeFocused();
  await page.keyboard.press("Escape");

  // A chat, a model, a setting: each opens or is chosen.
  await app.newChat();
  await page.keyboard.press("Alt+k");
  await field.fill("alham");
  await expect(options).toHaveText(["Where is the Alhambra?Chat"]);
  await page.keyboard.press("Enter");
  await expect(app.title).toHaveText("Where is the Alhambra?");
  await page.keyboard.press("Alt+k");
  await field.fill("qwen");
  await expect(options.first()).toContainText("Model");
  await page.keyboard.press("Enter");
  await expect(app.model).toHaveValue(/^qwen/);
  await expect(app.composer).toBeFocused();
  await page.keyboard.press("Alt+k");
  await field.fill("text size");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Text size" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/chats\//);

  // What was used last comes first, also after a reload; Escape closes, a word that nothing has is said.
  await app.reload();
  await page.keyboard.press("Alt+k");
  await expect(options.first()).toHaveText("Rename this chat");
  await page.keyboard.press("ArrowUp");
  await expect(options.last()).toHaveAttribute("aria-selected", "true");
  await field.fill("zzzz");
  await expect(dialog.getByRole("status")).toHaveText("No matches");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("every setting of the page of settings is in the list, and everything that has keys", async ({ app, page }) => {
  await app.openReady();
  const { field, options } = paletteOf(page);
  await page.keyboard.press("Control+,");
  const settings = page.locator(".sub-page.settings");
  await expect(settings).toBeVisible();
  const labels = await settings.locator(".setting > label, .setting-switch").allInnerTexts();
  expect(labels.length).toBeGreaterThan(4);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+k");
  for (const label of labels) {
    await field.fill(label);
    await expect(options.filter({ hasText: /Setting$/ }).first(), label).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+/");
  const rows = page.getByRole("dialog", { name: "Keyboard" }).locator(".shortcut > span");
  const commands = await rows.allTextContents();
  expect(new Set(commands).size, "each command has words of its own").toBe(commands.length);
  const keys = (await page.locator(".shortcut kbd").allTextContents()).filter((keys) => keys !== "none");
  expect(new Set(keys).size, "no keys are given twice").toBe(keys.length);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+k");
  const listed = await options.locator(".palette-name").allTextContents();
  const now = new Set([...listed, "Commands", "Include the suggested older message"]);
  const needMessages = ["Keep this chat", "Clear context here", "Rename this chat", "Suggest a title…", "Print this chat", "Share this chat as a file", "Delete this chat"];
  expect(commands.filter((command) => !now.has(command) && !needMessages.includes(command))).toEqual([]);
});

// Guarded in each run by crates/text/src/names.rs, `no_word_finds_the_first_names_and_never_more_than_the_limit`.
test("in 5,000 chats at most 50 rows are shown, and no task takes over 50 ms", { tag: "@all" }, async ({ app, page }) => {
  test.slow();
  await openWithChats(app, 5_000);
  const { field, options } = paletteOf(page);
  await page.evaluate(() => {
    const tasks: number[] = [];
    (window as never as { tasks: number[] }).tasks = tasks;
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask" });
  });
  await page.keyboard.press("Alt+k");
  await expect(options).toHaveCount(50);
  await field.pressSequentially("chat 4999");
  await expect(options).toHaveText(["Chat 4999Chat"]);
  const tasks = await page.evaluate(() => (window as never as { tasks: number[] }).tasks);
  test.info().annotations.push({ type: "longest task", description: `${Math.max(0, ...tasks)} ms` });
});

test("on a Mac the keys are named as they are written there, and Cmd does what Ctrl does", async ({ app, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "platform", { get: () => "MacIntel" });
  });
  await app.openReady();
  await page.keyboard.press("Meta+/");
  const keys = page.getByRole("dialog", { name: "Keyboard" });
  await expect(keys.locator(".shortcut").filter({ hasText: "Search all chats" })).toContainText("⌘+K");
  await expect(keys.locator(".shortcut").filter({ hasText: "New chat" })).toContainText("⌥+");
  await expect(keys).toContainText("⌘+Z");
  await expect(keys).toContainText("⇧+Enter");
  await expect(keys).not.toContainText(/(Ctrl|Alt|Shift)\+/);
});

test("keys are changed by pressing them; what clashes or is needed is said, and reset brings the first ones back", async ({ app, page }) => {
  await app.openReady();
  const { dialog } = paletteOf(page);
  const keys = page.getByRole("dialog", { name: "Keyboard" });
  const row = (command: string) => keys.locator(".shortcut").filter({ hasText: command });
  const button = (command: string) => row(command).getByRole("button", { name: `${command}:` });
  await page.keyboard.press("Control+/");
  await expect(keys).toBeVisible();

  for (const [pressed, words] of [
    ["k", "K alone types text: hold Ctrl or Alt too."],
    ["Control+z", "Ctrl+Z is needed while writing."],
    ["Control+k", "Ctrl+K is taken: Search all chats."],
  ]) {
    await button("New chat").click();
    await expect(button("New chat")).toHaveText("Press the new keys…");
    await page.keyboard.press(pressed);
    await expect(row("New chat").getByRole("status")).toContainText(words);
    await expect(button("New chat")).toHaveText("Alt+N");
  }
  await expect(button("New chat")).toBeFocused();
  // Keys that were taken away are free.
  await button("Search all chats").click();
  await page.keyboard.press("Backspace");
  await button("New chat").click();
  await page.keyboard.press("Control+k");
  await expect(button("New chat")).toHaveText("Ctrl+K");
  await button("Search all chats").click();
  await page.keyboard.press("Alt+n");
  await expect(button("Search all chats")).toHaveText("Alt+N");
  await button("Commands").click();
  await page.keyboard.press("Alt+j");
  await button("What the model sees").click();
  await page.keyboard.press("Backspace");
  await expect(button("What the model sees")).toHaveText("none");
  await keys.getByRole("button", { name: "Close" }).click();

  // They are stored, and the page says them where it names keys.
  await app.reload();
  await expect(app.chats.getByRole("button", { name: "Search" })).toHaveAttribute("title", "Search all chats (Alt+N)");
  await page.keyboard.press("Alt+w");
  await expect(page.locator("#panel")).toHaveCount(0);
  await page.keyboard.press("Alt+k");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("Alt+j");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+n");
  await expect(page.getByRole("combobox", { name: "Search all chats" })).toBeFocused();
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+/");
  await keys.getByRole("button", { name: "Reset all keys" }).click();
  await expect(button("New chat")).toHaveText("Alt+N");
  await expect(button("Commands")).toHaveText("Alt+K");
});
