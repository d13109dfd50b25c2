// Chats out and in, as files.
import { readFile, writeFile } from "node:fs/promises";
import type { Download } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithMessages } from "../support/log";
import { says } from "../support/standIn";

const textOf = async (download: Download) => readFile((await download.path())!, "utf8");

test("all chats leave as JSON Lines, and come back into an empty log, once", async ({ app, page, standIn }) => {
  await openWithMessages(app, 12);
  await standIn.script(says("An **emphatic** answer."));
  await app.newChat();
  await app.exchange("A question of another chat");
  const library = new Library(page);
  await app.chats.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  expect(download.suggestedFilename()).toMatch(/^Sash chats \d{4}-\d\d-\d\d\.jsonl$/);
  const lines = (await textOf(download)).trim().split("\n").map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ app: "sash", chats: 2, messages: 14 });
  expect(lines.slice(1)).toHaveLength(16);
  expect(lines.slice(1).map(({ data }) => data.content).filter(Boolean)).toContain("An **emphatic** answer.");

  await library.tab("Storage").click();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await app.started();
  await expect(app.chatList.getByRole("button")).toHaveCount(0);

  const path = (await download.path())!;
  const choose = async () => {
    await library.dialog.getByLabel("File to import").setInputFiles(path);
  };
  await app.chats.getByRole("button", { name: "Export" }).click();
  await choose();
  await expect(library.dialog).toContainText("2 chats: 2 new");
  await expect(library.dialog.locator(".import-list li")).toHaveCount(2);
  await expect(library.dialog).toContainText("12 messages · new");
  // Nothing was written for that.
  expect(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:m:"))).toEqual([]);
  await library.button("Import").click();
  await expect(library.dialog).toContainText("2 chats imported.");
  await expect(app.chatList.getByRole("listitem")).toHaveCount(2);

  await library.button("Another file").click();
  await choose();
  await expect(library.dialog).toContainText("2 chats: 2 here already");
  await expect(library.dialog).toContainText("There is nothing to import.");
  await library.close();
  await app.chat("A question of another chat").click();
  await expect(app.text(app.last)).toHaveText("An emphatic answer.");
});

test("one chat leaves as Markdown and as text, packed or not", async ({ app, page, standIn }) => {
  await openWithMessages(app, 12, {}, `: ${"many different words make a long text, ".repeat(8)}`);
  await standIn.script(says("An **emphatic** answer."));
  await app.newChat();
  await app.exchange("Short");
  const library = new Library(page);
  await app.chats.getByRole("button", { name: "Storage" }).click();
  await library.button("Pack").click();
  await expect(library.dialog).toContainText("Packed 12 messages");
  await library.tab("Export & import").click();
  const save = async (chat: string, format: string) => {
    await library.dialog.getByLabel("Which chats").selectOption({ label: chat });
    await library.dialog.getByRole("radio", { name: new RegExp(`^${format}`) }).check();
    const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
    return { name: download.suggestedFilename(), text: await textOf(download) };
  };
  const markdown = await save("Short", "Markdown");
  expect(markdown.name).toBe("Short.md");
  expect(markdown.text).toContain("An **emphatic** answer.");
  const text = await save("A long chat", "Text");
  expect(text.name).toBe("A long chat.txt");
  expect(text.text).toContain("Answer 6");
  const all = await save("All chats", "Markdown");
  expect(all.text).toContain("Answer 6");
  expect(all.text).toContain("emphatic");
});

test("a file that is none of ours is refused in words, and nothing is written", async ({ app, page }, info) => {
  await app.openReady();
  const before = await app.settled();
  const library = new Library(page);
  await app.chats.getByRole("button", { name: "Export" }).click();
  for (const [name, body, words] of [
    ["a.json", "", "There is nothing in the file."],
    ["b.json", "{\"hello\":1}", "This is no export that Sash knows"],
    ["c.zip", "PK\u0003\u0004", "The file is an archive."],
    ["d.json", "[" + " ".repeat(32 << 20), "At most 32 MB are read at once."],
  ]) {
    // From the disk: what is handed over as bytes goes through the wire of the browser.
    await writeFile(info.outputPath(name), body);
    await library.dialog.getByLabel("File to import").setInputFiles(info.outputPath(name));
    await expect(library.dialog).toContainText(words);
    await library.button("Another file").click();
  }
  expect(await app.stored()).toEqual(before);
});

test("what would not fit is told before, and is not begun", async ({ app, page }) => {
  await openWithMessages(app, 12);
  const library = new Library(page);
  await app.chats.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  const path = (await download.path())!;
  await page.evaluate(() => {
    Object.keys(localStorage).filter((key) => key.startsWith("sash:m:")).forEach((key) => localStorage.removeItem(key));
  });
  await app.reload();
  await page.evaluate(() => localStorage.setItem("theirs", "x".repeat(5_242_880 - 1000 - Object.entries({ ...localStorage }).reduce((sum, [key, value]) => sum + key.length + String(value).length, 0))));
  await app.chats.getByRole("button", { name: "Export" }).click();
  await library.dialog.getByLabel("File to import").setInputFiles(path);
  await expect(library.dialog).toContainText("Pack idle chats or empty the trash first.");
  await expect(library.button("Import")).toHaveCount(0);
});
