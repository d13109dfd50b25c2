// The list of chats: sections, pins, folders and what their chats have from them, several at once, and thousands.
import type { Locator } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithChats } from "../support/log";
import { Panel } from "../support/panel";
import { done, says } from "../support/standIn";
import { frames } from "../support/waiting";

/** The rows on the page in short, in the order in which they are seen. */
const rows = (list: Locator) =>
  list.locator("li").evaluateAll((all) =>
    all
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => (row.querySelector("h2") ? "# " : "") + (row.querySelector(".chat-title") ?? row).textContent),
  );

test("chats stand in sections, are pinned, moved to a folder and archived, and each step is undone", async ({ app, page, standIn }) => {
  for (const words of ["1", "2", "3"]) await standIn.script(says(words));
  await app.openReady();
  for (const title of ["Alpha", "Beta", "Gamma"]) {
    await app.newChat();
    await app.exchange(title);
  }
  await expect.poll(() => rows(app.chatList)).toEqual(["# Today", "Gamma", "Beta", "Alpha"]);
  await app.inList("Alpha", "Pin");
  await expect.poll(() => rows(app.chatList)).toEqual(["# Pinned", "Alpha", "# Today", "Gamma", "Beta"]);
  await app.inList("Beta", "Move to folder…");
  const dialog = page.getByRole("dialog", { name: "Move to a folder" });
  await dialog.getByRole("textbox", { name: "A new folder" }).fill("Work");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect.poll(() => rows(app.chatList)).toEqual(["# Pinned", "Alpha", "# Work", "Beta", "# Today", "Gamma"]);

  // By keys: the folder is closed and opened, and the arrows pass its heading.
  const folder = app.chatList.getByRole("button", { name: /^Work/ });
  await app.chat("Beta").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(folder).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(folder).toHaveAttribute("aria-expanded", "false");
  await expect(app.chat("Beta")).toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await expect(app.chat("Alpha")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(app.chat("Beta")).toBeFocused();

  await app.inList("Gamma", "Archive");
  await expect.poll(() => rows(app.chatList)).toEqual(["# Pinned", "Alpha", "# Work", "Beta", "# Archived"]);
  await app.chatList.getByRole("button", { name: /^Archived/ }).click();
  await expect(app.chat("Gamma")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await app.openFromFoot("Sort by name");
  await expect.poll(() => rows(app.chatList)).toEqual(["# Pinned", "Alpha", "# Work", "Beta", "# Chats", "Gamma"]);
  await app.reload();
  await expect.poll(() => rows(app.chatList)).toEqual(["# Pinned", "Alpha", "# Work", "Beta", "# Chats", "Gamma"]);

  // A dot on what ended elsewhere, gone once it is opened.
  await standIn.script([{ do: "tokens", count: 20, rate: 20, word: " so" }, done()]);
  await app.chat("Beta").click();
  await app.ask("For a second");
  await app.streaming();
  await app.chat("Alpha").click();
  await expect(app.chat("Beta")).toHaveAccessibleName("Beta answering");
  await expect(app.chat("Beta")).toHaveAccessibleName("Beta finished");
  await app.reload();
  await expect(app.chat("Beta")).toHaveAccessibleName("Beta finished");
  await app.chat("Beta").click();
  await expect(app.chat("Beta")).toHaveAccessibleName("Beta");
});

test("what a folder gives its chats is seen before, sent, and in the receipt as it was then", async ({ app, page, standIn }) => {
  await standIn.script(says("Good day."));
  await app.openReady();
  await app.openFromFoot("New folder…");
  const dialog = page.getByRole("dialog", { name: "Folder" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Work");
  await dialog.getByRole("textbox", { name: "System prompt" }).fill("Be formal.");
  await dialog.getByText("Parameters").click();
  await dialog.getByRole("textbox", { name: "temperature" }).fill("0.2");
  await dialog.getByRole("button", { name: "Save" }).click();
  const folder = app.chatList.getByRole("listitem").filter({ hasText: "Work" });
  const inFolder = async (name: string) => {
    await folder.hover();
    await folder.getByRole("button", { name: "More: Work" }).click();
    await app.choose(folder.getByRole("menu"), name);
  };
  await inFolder("New chat here");
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.place).toContainText("System prompt of the folder Work");
  await expect(panel.place).toContainText("From the folder Work: system prompt, temperature.");
  await app.composer.fill("Hello");
  const shown = await panel.messages();
  await expect(page.locator("#window-parts")).toContainText("From the folder Work: system prompt, temperature.");
  await app.composer.press("Enter");
  await app.ended("complete");
  const [sent] = await standIn.chats(1);
  expect(sent.body.messages).toEqual([{ role: "system", content: "Be formal." }, { role: "user", content: "Hello" }]);
  expect(shown[0]).toEqual(sent.body.messages[0]);
  expect(sent.body.options).toMatchObject({ temperature: 0.2 });
  await expect(app.log).toContainText("System prompt of the folder Work Be formal.");

  // The folder has another prompt then; the receipt keeps the one that was sent.
  await inFolder("Edit folder…");
  await dialog.getByRole("textbox", { name: "System prompt" }).fill("Be rude.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(panel.turns.first()).toContainText("Be rude.");
  await app.reload();
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("System prompt of the folder Work, sent first:Be formal.");
  await expect(app.last.locator(".receipt")).toContainText("From the folder Work: system prompt, temperature.");

  // Deleting the folder keeps the chat, without the folder's prompt, and is undone.
  await inFolder("Delete folder");
  await expect(app.chat("Hello")).toBeVisible();
  await expect(panel.place).not.toContainText("Be rude.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(panel.turns.first()).toContainText("Be rude.");
});

test("5,000 chats: few rows on the page, the keyboard reaches both ends, several are chosen, deleted and brought back", async ({ app, page }) => {
  await openWithChats(app, 5_000);
  await expect(app.rows.first()).toHaveAttribute("aria-setsize", "5001");
  const count = () => app.chatList.locator("li").count();
  expect(await count()).toBeLessThanOrEqual(100);
  await app.chat("Chat 1").focus();
  await page.keyboard.press("End");
  await expect(app.chat("Chat 5000")).toBeFocused();
  await expect(app.chat("Chat 5000")).toBeInViewport();
  expect(await count()).toBeLessThanOrEqual(100);
  // The row with the focus stays on the page, wherever the list is scrolled to.
  await app.chatList.evaluate((list) => list.scrollTo(0, list.scrollHeight / 2));
  await expect(app.chat("Chat 2500")).toBeAttached();
  expect(await count()).toBeLessThanOrEqual(100);
  await page.keyboard.press("ArrowUp");
  await expect(app.chat("Chat 4999")).toBeFocused();
  await expect(app.chat("Chat 4999")).toBeInViewport();

  // Shift and the arrows select from there, Space takes one out again.
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  const selected = app.chatList.getByRole("checkbox", { checked: true });
  await expect(selected).toHaveCount(3);
  await expect(app.chats.getByText("3 chats selected")).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await expect(selected).toHaveCount(4);
  await page.keyboard.press("Space");
  await expect(selected).toHaveCount(3);
  await page.keyboard.press("Delete");
  await expect(page.getByText("Deleted 3 chats")).toBeVisible();
  await expect(app.rows.first()).toHaveAttribute("aria-setsize", "4998");
  await expect(app.chatList.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Control+z");
  await expect(app.rows.first()).toHaveAttribute("aria-setsize", "5001");

  // By pointer: Shift and a click choose a range, which is moved to a folder as one step; Escape ends it.
  await app.chatList.evaluate((list) => list.scrollTo(0, 0));
  await app.chat("Chat 2").click();
  await app.chat("Chat 4").click({ modifiers: ["Shift"] });
  await expect(selected).toHaveCount(3);
  const download = page.waitForEvent("download");
  await app.chats.getByRole("group", { name: "Selected chats" }).getByRole("button", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.jsonl$/);
  await app.chat("Chat 7").click({ modifiers: ["ControlOrMeta"] });
  await app.chats.getByRole("group", { name: "Selected chats" }).getByRole("button", { name: "Archive" }).click();
  await expect(page.getByText("Archived “Chat 7”")).toBeVisible();
  await app.inList("Chat 3", "Select");
  await page.keyboard.press("Escape");
  await expect(app.chatList.getByRole("checkbox")).toHaveCount(0);
  const library = new Library(page);
  await app.openFromFoot("Trash");
  await expect(library.dialog).toContainText("The trash is empty");
});

test.describe("with a finger, on a narrow page", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 320, height: 640 } });

  test("a long press opens the menu of a row, whose Select begins; taps and long presses select more; a finger that scrolls does neither", async ({ app, page }) => {
    await openWithChats(app, 40);
    await page.getByRole("button", { name: "Chats", exact: true }).tap();
    const touch = await page.context().newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
      touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    const middle = async (title: string) => {
      const box = (await app.chat(title).boundingBox())!;
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const before = await app.title.textContent();
    await send("touchStart", [await middle("Chat 3")]);
    const menu = app.chatList.getByRole("menu", { name: "More: Chat 3" });
    await expect(menu).toBeVisible();
    await send("touchEnd", []);
    await menu.getByRole("menuitem", { name: "Select" }).tap();
    const chosen = app.chatList.getByRole("checkbox", { checked: true });
    await expect(chosen).toHaveText("Chat 3");
    await expect(app.title).toHaveText(before!);
    await app.chatList.getByRole("checkbox", { name: "Chat 5", exact: true }).tap();
    await expect(chosen).toHaveCount(2);
    const bar = app.chats.getByRole("group", { name: "Selected chats" });
    await bar.getByRole("button", { name: "Stop selecting" }).tap();
    await expect(app.chatList.getByRole("checkbox")).toHaveCount(0);

    const from = await middle("Chat 6");
    await send("touchStart", [from]);
    for (let n = 1; n <= 4; n++) await send("touchMove", [{ x: from.x, y: from.y - 20 * n }]);
    await expect.poll(() => app.chatList.evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
    await send("touchEnd", []);
    await expect(app.chatList.getByRole("checkbox")).toHaveCount(0);
  });
});

test("5,000 chats: how long the page is busy when it opens, at both ends, and while one searches", { tag: "@all" }, async ({ app, page }) => {
  await openWithChats(app, 5_000);
  // From the first script on. Nothing is said of how long: that is the machine's.
  await page.addInitScript(() => {
    const tasks: number[] = [];
    (globalThis as unknown as { tasks: number[] }).tasks = tasks;
    new PerformanceObserver((list) => list.getEntries().forEach((task) => tasks.push(task.duration))).observe({ type: "longtask", buffered: true });
  });
  const report = async (what: string) => {
    await frames(page, 3);
    const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks.splice(0));
    console.log(`5,000 chats, ${what}: tasks over 50 ms: ${tasks.map((task) => task.toFixed(0)).join(", ") || "none"}`);
    expect(await app.chatList.locator("li").count()).toBeLessThanOrEqual(100);
  };
  await app.reload();
  await expect(app.rows.first()).toHaveAttribute("aria-setsize", "5001");
  await report("opening the page");
  await app.chat("Chat 1").focus();
  await page.keyboard.press("End");
  await expect(app.chat("Chat 5000")).toBeFocused();
  await report("End");
  await page.keyboard.press("Home");
  await expect(app.chat("Chat 1")).toBeFocused();
  await report("Home");
  await app.chatList.evaluate((list) => list.scrollTo(0, list.scrollHeight / 2));
  await expect(app.chat("Chat 2500")).toBeAttached();
  await report("a jump to the middle");
  const library = new Library(page);
  await library.search("");
  await library.field.pressSequentially("chat 49");
  await expect(library.results.first()).toBeVisible();
  await report("typing in the search");
});

// The name of a new folder had to be deleted first, Enter did nothing, and the folder was somewhere below.
test("a new folder has its name selected, is saved by Enter and is scrolled into view", async ({ app, page }) => {
  await openWithChats(app, 60);
  for (let n = 0; n < 14; n++) {
    await app.openFromFoot("New folder…");
    const field = page.getByRole("dialog", { name: "Folder" }).getByRole("textbox", { name: "Name" });
    await expect(field).toBeFocused();
    await expect.poll(() => page.evaluate(() => getSelection()!.toString())).toBe("New folder");
    await page.keyboard.type(`Folder ${n}`);
    await page.keyboard.press("Enter");
    await expect(field).toBeHidden();
    await expect(app.chatList.getByRole("button", { name: `Folder ${n}`, exact: false }).last()).toBeInViewport();
  }
  // Escape makes none.
  await app.openFromFoot("New folder…");
  await page.keyboard.press("Escape");
  await expect(app.chatList.getByRole("button", { name: /^New folder/ })).toHaveCount(0);

  // One that is made for a chat is seen too.
  await app.chatList.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const row = app.rows.last();
  await row.hover();
  await row.getByRole("button", { name: /^More:/ }).click();
  await app.choose(row.getByRole("menu"), "Move to folder…");
  await page.getByRole("textbox", { name: "A new folder" }).fill("Made for it");
  await page.keyboard.press("Enter");
  await expect(app.chatList.getByRole("button", { name: /^Made for it/ })).toBeInViewport();
});

// Guarded in each run by rooms/list/src/tests/chat_list.rs,
// `undo_of_deletions_restores_them_all_and_opens_only_what_was_open`.
test("all chats are selected by a button, deleted, and come back without one being opened", { tag: "@all" }, async ({ app, page }) => {
  await openWithChats(app, 5);
  await app.newChat();
  await app.openFromFoot("Select chats");
  await app.chats.getByRole("button", { name: "Select all" }).click();
  await expect(app.chats.getByText("5 chats selected")).toBeVisible();
  await app.chats.getByRole("button", { name: "Delete" }).click();
  await expect(app.rows).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.rows).toHaveCount(5);
  await expect(app.messages).toHaveCount(0);
});
