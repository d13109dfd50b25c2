// Trash, storage and packing: what becomes of what is not needed every day.
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithChats, openWithMessages } from "../support/log";
import { says } from "../support/standIn";

test("what is in the trash is restored, or removed for good after a second question", async ({ app, page, standIn }) => {
  for (const words of ["One.", "Two.", "A secret.", "Four."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First chat");
  await app.newChat();
  await app.exchange("Second chat");
  await app.exchange("Tell me");
  await app.act(app.last, "Delete");
  await expect(app.messages).toHaveCount(3);
  await app.chat("First chat").hover();
  await app.inList("First chat", "Delete");

  const library = new Library(page);
  await app.openFromFoot("Trash");
  await expect(library.tab("Trash")).toBeFocused();
  await expect(library.dialog.getByRole("listitem")).toHaveCount(2);
  await expect(library.dialog).toContainText("A secret.");
  await library.button("Restore First chat").click();
  await expect(library.dialog.getByRole("listitem")).toHaveCount(1);
  await expect(app.chat("First chat")).toBeAttached();

  await library.button("Empty trash…").click();
  await expect(library.button("Keep them")).toBeFocused();
  await expect(library.dialog).toContainText("Questions that quote it, and summaries, keep these words.");
  await library.button("Keep them").click();
  await expect(library.dialog).toContainText("A secret.");
  await library.button("Empty trash…").click();
  await library.button("Delete for good").click();
  await expect(library.dialog).toContainText("The trash is empty");
  expect(JSON.stringify(await app.stored())).not.toContain("A secret.");
  await library.close();
  await expect(app.messages).toHaveCount(3);
  await app.reload();
  await expect(app.messages).toHaveCount(3);
  await expect(app.chat("First chat")).toBeVisible();
});

test("the storage says exactly what is used, and for what", async ({ app, page }) => {
  await openWithMessages(app, 20);
  // The reserve is made when there is time: not between two counts.
  await app.settled();
  await page.evaluate(() => {
    localStorage.setItem("theirs", "é🙂".repeat(1000));
    localStorage.setItem("sash:bad:sash:m:x", "1|00000000|damaged");
  });
  const library = new Library(page);
  await app.openFromFoot("Storage");
  await expect(library.dialog.locator(".storage-used")).toContainText("of 5 MB used");
  // What is kept free is not used.
  await expect(library.dialog.getByText(/^Kept free: /)).toBeVisible();
  const used = await page.evaluate(() => Object.entries({ ...localStorage }).filter(([key]) => key !== "sash:z").reduce((sum, [key, value]) => sum + key.length + String(value).length, 0));
  // In words one can read, and exactly for who points at them.
  await expect(library.dialog.locator(".storage-used strong")).toHaveAttribute("title", `${used.toLocaleString("en-GB")} characters`);
  const bar = library.dialog.getByRole("img", { name: / used: .*Chats / });
  await expect(bar).toBeVisible();
  await expect(bar).not.toHaveAccessibleName(/Kept free/);
  const parts = await library.dialog.locator(".storage-parts dd:nth-of-type(1)").evaluateAll((all) => all.map((part) => part.getAttribute("title")!));
  expect(parts.reduce((sum, part) => sum + Number(part.replace(" characters", "").replaceAll(",", "")), 0)).toBe(used);
  await expect(library.dialog).toContainText("a journal keeps what the browser has not yet written to disk");

  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Download").click()]);
  expect(download.suggestedFilename()).toBe("sash-set-aside.txt");
  await library.button("Delete…").click();
  await library.button("Delete").click();
  await expect(library.dialog).not.toContainText("Records that could not be read");
  expect((await app.stored())["sash:bad:sash:m:x"]).toBeUndefined();
});

/** What browsers count of it. */
const sizeOf = (kept: Record<string, string>) => Object.entries(kept).reduce((sum, [key, value]) => sum + key.length + value.length, 0);

test("a packed chat takes a fifth, is listed, opened, found and written on as before", async ({ app, page, standIn }) => {
  await openWithMessages(app, 12, {}, `: ${"many different words make a long text, ".repeat(8)}`);
  const before = await app.messages.locator(".message-text").allTextContents();
  await standIn.script(says("Quite another thing."));
  await app.newChat();
  await app.exchange("Something else");
  const library = new Library(page);
  await app.openFromFoot("Storage");
  await expect(library.dialog).toContainText(/12 messages in 1 chat: \d+ kB would shrink to (\d+|under 1) kB/);
  const unpacked = await app.kept();
  await library.button("Compress").click();
  await expect(library.dialog).toContainText(/Compressed 12 messages: \d+ kB shrank to (\d+|under 1) kB/);
  const freed = sizeOf(unpacked) - sizeOf(await app.kept());
  const was = sizeOf(Object.fromEntries(Object.entries(unpacked).filter(([key]) => key.startsWith("sash:m:00000000000000c1"))));
  expect(was / (was - freed)).toBeGreaterThan(4.5);
  const raw = Object.keys(await app.stored()).filter((key) => key.startsWith("sash:m:00000000000000c1"));
  expect(raw).toEqual([]);
  await library.close();

  await app.reload();
  await expect(app.chat("A long chat")).toBeVisible();
  await library.search("answer 5");
  await expect(library.results).toHaveCount(1);
  await page.keyboard.press("Escape");
  await app.chat("A long chat").click();
  await expect(app.title).toHaveText("A long chat");
  await expect(app.messages.locator(".message-text")).toHaveText(before);
  await standIn.script(says("It goes on."));
  await app.exchange("And on?");
  await app.reload();
  await expect(app.messages).toHaveCount(14);
  await expect(app.text(app.last)).toHaveText("It goes on.");
  // The model sees what it saw before.
  expect((await standIn.chats(2))[1].body.messages).toHaveLength(4);
});

// Guarded in each run by rooms/storage/src/tests/packing.rs,
// `chats_that_nobody_touched_for_a_month_are_packed_when_half_of_the_room_is_used`.
test("room that gets short packs chats of last month by itself, and says so once", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openWithMessages(app, 60, {}, `: ${"many different words make a long text, ".repeat(8)}`);
  await standIn.script(says("Yes."));
  await app.newChat();
  await app.exchange("Something else");
  await page.evaluate(() => localStorage.setItem("theirs", "x".repeat(2_700_000)));
  await app.reload();
  await expect(page.getByText(/^Compressed old chats: .* freed/)).toBeVisible();
  expect(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:s:"))).toHaveLength(1);
  await app.reload();
  await app.ready();
  await expect(page.getByText(/^Compressed old chats/)).toHaveCount(0);
});

// Guarded in each run by erase.spec.ts, "answers that run here and in another tab, and drafts, leave nothing".
test("deleting everything leaves nothing, not in the journal either, and asks before", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First");
  await page.evaluate(() => localStorage.setItem("theirs", "untouched"));
  const library = new Library(page);
  await app.openFromFoot("Storage");
  await library.button("Delete everything…").click();
  await expect(library.button("Keep everything")).toBeFocused();
  await library.button("Delete everything").click();
  await app.started();
  await expect(app.chatList.getByRole("button")).toHaveCount(0);
  expect(JSON.stringify(await app.stored())).not.toContain("First");
  expect((await app.stored()).theirs).toBe("untouched");
  await app.reload();
  await expect(app.chatList.getByRole("button")).toHaveCount(0);
});

test("the tabs are walked with the arrow keys, and focus goes back to where it was", async ({ app, page }) => {
  await app.openReady();
  await app.openFromFoot("Storage");
  const library = new Library(page);
  await expect(library.tab("Storage")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(library.tab("Trash")).toBeFocused();
  await expect(library.tab("Trash")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Home");
  await expect(library.tab("Search")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Escape");
  await expect(library.dialog).toBeHidden();
  await expect(app.chats.getByRole("button", { name: "More", exact: true })).toBeFocused();
});

// Guarded in each run by rooms/storage/src/tests/trash.rs,
// `one_item_is_removed_for_good_and_the_others_can_still_be_restored`.
test("one item of the trash is deleted for good after a question, and the others stay", { tag: "@all" }, async ({ app, page }) => {
  await openWithChats(app, 3);
  for (const title of await app.rows.locator(".chat-title").allTextContents()) await app.inList(title, "Delete");
  const library = new Library(page);
  await app.openFromFoot("Trash");
  const items = library.dialog.locator(".trash-list > li");
  await expect(items).toHaveCount(3);
  const title = (await items.nth(1).locator(".result-title").textContent())!;
  await library.button(`Delete ${title} for good`).click();
  const question = items.nth(1).getByRole("group");
  await expect(question).toContainText("Delete 1 chat for good?");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  const ask = library.button(`Delete ${title} for good`);
  await expect(ask).toBeFocused();
  // A second press takes the question back, as its state says.
  await ask.click();
  await expect(question).toBeVisible();
  await ask.click();
  await expect(question).toBeHidden();
  await ask.click();
  await question.getByRole("button", { name: "Delete for good" }).click();
  await expect(items).toHaveCount(2);
  await expect(library.dialog.getByText(title, { exact: true })).toHaveCount(0);
  await expect(library.note).toContainText("2 chats");
});
