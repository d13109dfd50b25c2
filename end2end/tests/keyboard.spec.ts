// The keyboard: what sends and what does not, where focus is, what Tab visits, and whole tasks without a mouse.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { chatsIn } from "../support/backup";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithMessages } from "../support/log";
import { done, endless, says, stall, text } from "../support/standIn";

test("Enter sends, Shift+Enter starts a new line, an input method's Enter does neither", async ({ app, standIn, page }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.composer.focus();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await expect(app.composer).toHaveValue("one\ntwo");

  for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
    await app.composer.dispatchEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...composing });
  }
  await expect(app.composer).toHaveValue("one\ntwo");
  await expect(app.messages).toHaveCount(0);

  await page.keyboard.press("Enter");
  await app.ended("complete");
  expect((await standIn.chats(1))[0].body.messages).toEqual([{ role: "user", content: "one\ntwo" }]);
});

// Guarded in each run by input-methods.spec.ts, "a key of an input method does nothing else: prompt".
test("a real composition is taken over by Enter and not sent", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("はい。"));
  await app.openReady();
  await app.composer.focus();
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await app.composer.dispatchEvent("keydown", { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true });
  await input.send("Input.insertText", { text: "日本" });
  await expect(app.composer).toHaveValue("日本");
  await expect(app.messages).toHaveCount(0);
  await page.keyboard.press("Enter");
  await app.ended("complete");
  await standIn.chats(1);
});

test("nothing but white space is not sent", async ({ app, page }) => {
  await app.openReady();
  await app.composer.fill(" \n ");
  await page.keyboard.press("Enter");
  await expect(app.send).toBeDisabled();
  await expect(app.messages).toHaveCount(0);
});

test("focus stays in the composer after Send and after Stop", async ({ app, standIn, page }) => {
  await standIn.script([text("Some.", 1), endless()]);
  await app.openReady();
  await app.composer.fill("Go");
  await app.send.click();
  await expect(app.composer).toBeFocused();
  await app.streaming();
  await page.keyboard.type("the next one");
  await app.stop.click();
  await app.ended("stopped");
  await expect(app.composer).toBeFocused();
  await expect(app.composer).toHaveValue("the next one");
});

test("focus on Stop stays on the button when the answer ends by itself", async ({ app, standIn }) => {
  await standIn.script([text("One two three four five six", 6, 4), done()]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  await app.stop.focus();
  await app.ended("complete");
  await expect(app.send).toBeFocused();
  await expect(app.send).toBeDisabled();
});

test("asking again by a key leaves the focus in the composer", async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("A question");
  await standIn.script(says("Two."));
  await app.inMessage(app.last, "Ask again").focus();
  await page.keyboard.press("Enter");
  await expect(app.text(app.last)).toHaveText("Two.");
  await expect(app.composer).toBeFocused();
});

test("held Enter sends once", async ({ app, standIn, page }) => {
  await standIn.script(says("Once."));
  await app.openReady();
  await app.composer.fill("Only once");
  await app.composer.focus();
  for (let n = 0; n < 8; n++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await app.ended("complete");
  await expect(app.messages).toHaveCount(2);
  await standIn.chats(1);
});

test("a double click on Send sends once and does not stop it", async ({ app, standIn }) => {
  await standIn.script(says("Once."));
  await app.openReady();
  await app.composer.fill("Only once");
  await app.send.dblclick();
  await app.ended("complete");
  await expect(app.messages).toHaveCount(2);
  await standIn.chats(1);
});

test("? lists the keys outside of fields, Ctrl+/ everywhere, and ? alone can be switched off", async ({ app, page }) => {
  await app.openReady();
  const keys = page.getByRole("dialog", { name: "Keyboard" });
  await app.composer.focus();
  await page.keyboard.type("Why?");
  await expect(app.composer).toHaveValue("Why?");
  await expect(keys).toBeHidden();
  await page.keyboard.press("Control+/");
  await expect(keys).toBeVisible();
  await expect(keys).toContainText("New line");
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await app.chats.getByRole("button", { name: "New chat" }).focus();
  await page.keyboard.press("?");
  await expect(keys).toBeVisible();
  await keys.getByRole("checkbox", { name: "Open this list with ? alone" }).uncheck();
  await keys.getByRole("button", { name: "Close" }).click();
  await app.chats.getByRole("button", { name: "New chat" }).focus();
  await page.keyboard.press("?");
  await expect(app.composer).toHaveValue("Why??");
  await expect(keys).toBeHidden();
});

// Guarded in each run by chat-list.spec.ts, "5,000 chats: few rows on the page, the keyboard reaches both ends,
// several are chosen, deleted and brought back".
test("the arrows walk the list of chats", { tag: "@all" }, async ({ app, standIn, page }) => {
  for (const words of ["1", "2", "3"]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Alpha");
  await app.newChat();
  await app.exchange("Beta");
  await app.newChat();
  await app.exchange("Gamma");
  await app.chat("Gamma").focus();
  await page.keyboard.press("ArrowDown");
  await expect(app.chat("Beta")).toBeFocused();
  await page.keyboard.press("End");
  await expect(app.chat("Alpha")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  await expect(app.chat("Gamma")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(app.title).toHaveText("Beta");
  await expect(app.title).toBeFocused();
});

test("Tab visits everything once, in the order it is read", async ({ app, standIn, page }) => {
  await standIn.script(says("An answer with `code`."));
  await app.openReady();
  await app.exchange("A question");
  const stops: string[] = [];
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return null;
      const role = at.getAttribute("role") ?? at.tagName.toLowerCase();
      return `${role}: ${at.getAttribute("aria-label") ?? (at as HTMLElement).innerText.trim().split("\n")[0]}`;
    });
    // Round once: from the composer on, past the end, and from the top until it begins again.
    if (stop === stops[0]) break;
    if (stop && (stops.length > 0 || stop.endsWith("Skip to the conversation"))) stops.push(stop);
  }
  expect(stops).toEqual([
    "a: Skip to the conversation",
    "a: Skip to the composer",
    "button: Search",
    "button: New chat",
    "button: A question",
    "button: More: A question",
    "button: Settings",
    "button: More",
    "button: This chat",
    "button: Rename this chat",
    "combobox: Model",
    "button: Parameters",
    "button: What the model sees",
    "button: Theme: system",
    "log: Conversation",
    "slider: Messages in the window",
    "button: Copy",
    "button: Edit",
    "button: More",
    "button: Copy",
    "button: Ask again",
    "button: More",
    "textarea: Message",
    "button: Add files",
    expect.stringMatching(/^button: 2 of 2 messages · (about )?\d+ tokens$/),
  ]);
});

test("the skip links lead where they say", async ({ app, standIn, page }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question");
  for (const [name, target] of [
    ["Skip to the conversation", app.log],
    ["Skip to the composer", app.composer],
  ] as const) {
    await app.reload();
    const skip = page.getByRole("link", { name });
    // From the top of the page: at its start the composer has focus, as soon as it is there.
    await expect(app.composer).toBeFocused();
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
    });
    for (let n = 0; n < 2 && !(await skip.evaluate((e) => e === document.activeElement)); n++) await page.keyboard.press("Tab");
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(target).toBeFocused();
  }
});

test("on a narrow page the list opens and closes by key, and focus comes back", async ({ app, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await app.openReady();
  const toggle = page.getByRole("button", { name: "Chats", exact: true });
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await expect(app.chats.getByRole("button", { name: "New chat" })).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  const newChat = app.chats.getByRole("button", { name: "New chat" });
  await expect(newChat).toBeInViewport();
  await newChat.focus();
  await page.keyboard.press("Escape");
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await expect(newChat).toBeHidden();
  await expect(toggle).toBeFocused();
});

test("the menu of a message by keys: arrows, ends, a letter, Escape; focus comes back", async ({ app, standIn, page }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question");
  const more = app.inMessage(app.last, "More");
  await expect(more).toHaveAttribute("aria-haspopup", "menu");
  const menu = app.last.getByRole("menu", { name: "More" });
  const focused = (name: string) => expect(app.entry(menu, name)).toBeFocused();
  await more.focus();
  await page.keyboard.press("Enter");
  await expect(more).toHaveAttribute("aria-expanded", "true");
  await expect(menu.locator("[role^=menuitem]")).toHaveText([
    "Details and timing",
    "Read aloud (no offline voice here)",
    "Ask again with…",
    "Ask several models…",
    "Edit this answer",
    "What if it had read something else…",
    "Continue this answer",
    "Fork from here into a new chat",
    "Pin: always sent",
    "Mute: never sent",
    "Delete",
  ]);
  await focused("Details and timing");
  for (const [key, name] of [
    ["ArrowDown", "Read aloud"],
    ["End", "Delete"],
    ["ArrowDown", "Details and timing"],
    ["ArrowUp", "Delete"],
    ["Home", "Details and timing"],
    ["m", "Mute"],
    ["d", "Delete"],
    ["d", "Details and timing"],
    ["w", "What if"],
  ]) {
    await page.keyboard.press(key);
    await focused(name);
  }
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(more).toBeFocused();
  await expect(more).toHaveAttribute("aria-expanded", "false");

  await page.keyboard.press("ArrowUp");
  await focused("Delete");
  await page.keyboard.press("Tab");
  await expect(menu).toHaveCount(0);
  await expect(app.composer).toBeFocused();

  await more.focus();
  await page.keyboard.press("ArrowDown");
  await focused("Details and timing");
  await page.keyboard.press("Space");
  await expect(app.last).toContainText("It read only the prompt");
  await expect(more).toBeFocused();
});

test("Escape in the menu of a message does not stop the answer", async ({ app, standIn, page }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question");
  await standIn.script([text("Some.", 1), stall]);
  await app.ask("Go");
  await app.streaming();
  const menu = await app.more(app.message(2));
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(app.stop).toBeVisible();
  await app.ended("running");
});

test("Up in an empty composer edits the last question", async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two.", "Three."]) await standIn.script(says(words));
  await app.openReady();
  await app.composer.press("ArrowUp");
  await expect(app.composer).toBeFocused();
  await app.exchange("First");
  await app.exchange("Second");
  await app.composer.fill("a draft");
  await app.composer.press("ArrowUp");
  await expect(app.composer).toBeFocused();
  await app.composer.fill("");
  await app.composer.press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Edit message" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Second");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await app.composer.press("ArrowUp");
  await expect(field).toBeFocused();
  await field.fill("Second, better");
  await page.keyboard.press("Enter");
  await app.ended("complete");
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One.", "Second, better", "Three."]);
});

// Guarded in each run by "Up in an empty composer edits the last question"; large.spec.ts, "a message far away is
// shown, with focus, and marked for a moment".
test("Up finds the last question where its row is not on the page", { tag: "@all" }, async ({ app, page }) => {
  // One paragraph, which is built in one piece: while an answer is being built, the rows before it are near.
  await openWithMessages(app, 80, {}, (n) => (n === 80 ? " and a long text.".repeat(2_000) : ""));
  await expect(app.log.getByText("Question 40", { exact: true })).toHaveCount(0);
  await app.composer.press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Edit message" });
  await expect(field).toHaveValue("Question 40");
  await expect(field).toBeFocused();
  await expect(field).toBeInViewport();
});

test("Ctrl+K searches with Caps Lock on too", async ({ app, page }) => {
  await app.openReady();
  await page.keyboard.press("Control+K");
  await expect(page.getByRole("combobox", { name: "Search all chats" })).toBeFocused();
});

test("Alt+Up and Alt+Down walk through the questions and back to what was being written", async ({ app, standIn, page }) => {
  await app.openReady();
  for (const question of ["The first?", "The second?"]) {
    await standIn.script(says("So."));
    await app.exchange(question);
  }
  await app.composer.fill("Half a thought");
  for (const [key, text] of [
    ["Alt+ArrowUp", "The second?"],
    ["Alt+ArrowUp", "The first?"],
    ["Alt+ArrowUp", "The first?"],
    ["Alt+ArrowDown", "The second?"],
    ["Alt+ArrowDown", "Half a thought"],
  ]) {
    await page.keyboard.press(key);
    await expect(app.composer).toHaveValue(text);
  }
});

/** Presses Tab, or Shift+Tab, until this has focus. */
async function tabTo(target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let n = 0; n < 60 && !(await isFocused()); n++) await target.page().keyboard.press(key);
  await expect(target).toBeFocused();
}

/** Chooses an entry of a menu by Tab to its button, the arrows and Enter. */
async function chooseByKeys(page: Page, button: Locator, name: string): Promise<void> {
  await tabTo(button);
  await page.keyboard.press("Enter");
  const entry = page.getByRole("menuitem", { name, exact: true });
  await expect(page.locator("[role=menu] :focus")).toHaveCount(1);
  for (let n = 0; n < 20 && !(await entry.evaluate((element) => element === document.activeElement)); n++) await page.keyboard.press("ArrowDown");
  await expect(entry).toBeFocused();
  await page.keyboard.press("Enter");
}

/** Focus is on something there: where it is on nothing, Tab begins at the top again. */
const hasFocus = (where: Locator) => expect(where.locator(":focus")).toHaveCount(1);

let folder: string | undefined;
test.afterEach(() => folder && rm(folder, { recursive: true, force: true }));

test("by keys alone: a chat is restored from the backup, and read", async ({ app, browser, page, programs, standIn }) => {
  folder = await mkdtemp(join(tmpdir(), "sash-keys-"));
  const sash = await programs.sash(standIn.url, "--backup", folder);
  const writer = await browser.newContext();
  const there = new ChatPage(await writer.newPage(), sash.url);
  await there.openReady();
  await standIn.script(says("It was in Lyon."));
  await there.exchange("Where was the conference?");
  await expect.poll(() => chatsIn(folder!), { timeout: 15_000 }).toHaveLength(1);
  await writer.close();

  await page.goto(await sash.nextUrl());
  await app.started();
  await app.ready();
  const library = new Library(page);
  const menu = app.chats.locator("#sidebar-menu");
  await chooseByKeys(page, menu, "Export");
  await tabTo(library.button("Restore chats…"));
  await page.keyboard.press("Enter");
  await expect(library.button("Select all")).toBeFocused();
  await tabTo(library.button("Cancel"));
  await page.keyboard.press("Enter");
  await expect(library.button("Restore chats…")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(library.button("Select all")).toBeFocused();
  await tabTo(library.dialog.getByRole("checkbox", { name: /Where was the conference/ }));
  await page.keyboard.press("Space");
  await expect(library.dialog).toContainText("0 of 1 selected");
  await page.keyboard.press("Space");
  await tabTo(library.button("Restore"));
  await page.keyboard.press("Enter");
  await expect(library.dialog).toContainText("1 chat: 1 new");
  await hasFocus(library.dialog);
  await tabTo(library.button("Import"));
  await page.keyboard.press("Enter");
  await expect(library.dialog).toContainText("1 chat imported.");
  await hasFocus(library.dialog);
  await page.keyboard.press("Escape");
  await expect(library.dialog).toBeHidden();
  await expect(menu).toBeFocused();
  await tabTo(app.chat("Where was the conference?"));
  await page.keyboard.press("Enter");
  await expect(app.text(app.last)).toHaveText("It was in Lyon.");
});

test("by keys alone: a title that gave way in another browser is used again", async ({ app, page }) => {
  await openWithMessages(app, 2, { former_values: [{ field: "title", value: "Another name", at: 1e12 }, { field: "think", at: 1e12 }] });
  await expect(app.composer).toBeFocused();
  await tabTo(page.getByRole("button", { name: "Use this value of Title" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(app.title).toHaveText("Another name");
  await expect(app.composer).toBeFocused();
  await tabTo(page.getByRole("button", { name: "Discard them" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Changed in two browsers at the same time")).toHaveCount(0);
  await expect(app.composer).toBeFocused();
});

test("by keys alone: how a phone reaches this page is opened and closed", async ({ app, page }) => {
  await app.openReady();
  const menu = app.chats.locator("#sidebar-menu");
  await chooseByKeys(page, menu, "This page on my phone…");
  const dialog = page.getByRole("dialog", { name: "This page on my phone" });
  await expect(dialog).toContainText("sash --listen 0.0.0.0:7274 --token auto");
  await hasFocus(dialog);
  await tabTo(dialog.getByText("What is missing at an address with http://"));
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("tailscale serve 7274");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(menu).toBeFocused();
});

test("by keys alone: a chat is printed from its menu, and focus is where it was", async ({ app, page }) => {
  await page.addInitScript(() => {
    window.print = () => {
      dispatchEvent(new Event("beforeprint"));
      Object.assign(window, { printed: document.querySelectorAll("[role=log] article").length });
      dispatchEvent(new Event("afterprint"));
    };
  });
  await openWithMessages(app, 100);
  await expect(app.last).toContainText("Answer 50");
  expect(await app.messages.count()).toBeLessThan(100);
  const menu = page.getByRole("button", { name: "This chat", exact: true });
  await chooseByKeys(page, menu, "Print or save as PDF…");
  await expect.poll(() => page.evaluate(() => (window as unknown as { printed?: number }).printed)).toBe(100);
  await expect(menu).toBeFocused();
  await expect.poll(() => app.messages.count()).toBeLessThan(100);
});

test("by keys alone: another language is chosen, and the page comes back with its settings", async ({ app, page }) => {
  await app.openReady();
  await page.keyboard.type("A draft");
  await tabTo(app.chats.getByRole("button", { name: "Settings" }));
  await page.keyboard.press("Enter");
  await tabTo(page.getByLabel("Language"));
  await page.keyboard.press("d");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await app.started();
  const settings = page.getByRole("dialog", { name: "Einstellungen" });
  await expect(settings.getByLabel("Sprache")).toHaveValue("de");
  await hasFocus(settings);
  await page.keyboard.press("Escape");
  await expect(settings).toBeHidden();
  const field = page.getByRole("textbox", { name: "Nachricht", exact: true });
  await expect(field).toBeFocused();
  await page.keyboard.type(", and more");
  await expect(field).toHaveValue("A draft, and more");
});
