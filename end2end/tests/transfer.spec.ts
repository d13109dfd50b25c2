// Chats out and in, as files.
import { readFile, writeFile } from "node:fs/promises";
import type { Download } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { id, openWithMessages, record } from "../support/log";
import { says } from "../support/standIn";

const textOf = async (download: Download) => readFile((await download.path())!, "utf8");

test("all chats leave as JSON Lines, and come back into an empty log, once", async ({ app, page, standIn }) => {
  await openWithMessages(app, 12);
  await standIn.script(says("An **emphatic** answer."));
  await app.newChat();
  await app.exchange("A question of another chat");
  const library = new Library(page);
  await app.openFromFoot("Export");
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
    await library.dialog.getByLabel("Files to import").setInputFiles(path);
  };
  await app.openFromFoot("Export");
  await choose();
  await expect(library.dialog).toContainText("2 chats: 2 new");
  await expect(library.dialog.locator(".import-list li")).toHaveCount(2);
  await expect(library.dialog).toContainText("12 messages · new");
  // Nothing was written for that.
  expect(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:m:"))).toEqual([]);
  await library.button("Import").click();
  await expect(library.dialog).toContainText("2 chats imported.");
  await expect(app.rows).toHaveCount(2);

  await library.button("Other files").click();
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
  await app.openFromFoot("Storage");
  await library.button("Compress").click();
  await expect(library.dialog).toContainText("Compressed 12 messages");
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

// Guarded in each run by rooms/import/src/tests/archives.rs, `what_holds_no_chats_is_refused_in_words`.
test("a file that is none of ours is refused in words, and nothing is written", { tag: "@all" }, async ({ app, page }, info) => {
  await app.openReady();
  const before = await app.settled();
  const library = new Library(page);
  await app.openFromFoot("Export");
  for (const [name, body, words] of [
    ["a.json", "", "The file is empty."],
    ["b.json", "{\"hello\":1}", "Sash doesn’t recognise this file"],
    ["c.zip", "PK\u0003\u0004", "The ZIP file is incomplete or damaged"],
    ["d.json", "{" + " ".repeat(32 << 20), "At most 32 MB are read at once."],
    ["e.json", "[" + " ".repeat(32 << 20), "The file is cut off or damaged."],
    ["f.html", "<!DOCTYPE html><script>var jsonData = [];</script>", "The file is a web page (HTML) that Sash did not make."],
    ["g.7z", Buffer.from("377abcaf271c0004", "hex"), "Unpack the 7z file"],
    ["h.json", Buffer.from("\ufeff[{}]", "utf16le"), "The file is UTF-16 text."],
  ] as [string, string | Buffer, string][]) {
    // From the disk: what is handed over as bytes goes through the wire of the browser.
    await writeFile(info.outputPath(name), body);
    await library.dialog.getByLabel("Files to import").setInputFiles(info.outputPath(name));
    await expect(library.dialog).toContainText(words);
    await library.button("Other files").click();
  }
  expect(await app.stored()).toEqual(before);
});

// Guarded in each run by tests/pairs/imports.rs,
// `what_does_not_fit_says_so_and_the_newest_that_fit_can_be_chosen`.
test("what would not fit is told before, and is not begun", { tag: "@all" }, async ({ app, page }) => {
  await openWithMessages(app, 12);
  const library = new Library(page);
  await app.openFromFoot("Export");
  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  const path = (await download.path())!;
  await page.evaluate(() => {
    Object.keys(localStorage).filter((key) => key.startsWith("sash:m:")).forEach((key) => localStorage.removeItem(key));
  });
  await app.reload();
  await page.evaluate(() => localStorage.setItem("theirs", "x".repeat(5_242_880 - 1000 - Object.entries({ ...localStorage }).reduce((sum, [key, value]) => sum + key.length + String(value).length, 0))));
  await app.openFromFoot("Export");
  await library.dialog.getByLabel("Files to import").setInputFiles(path);
  await expect(library.dialog).toContainText("compress old ones and empty the trash first.");
  await expect(library.button("Import")).toBeDisabled();
});

const CHAT = "00000000000000d7";

/** A file of one chat that asks for everything a chat can switch on. */
function actingFile(): string {
  const head = {
    id: CHAT,
    title: "From elsewhere",
    created: 1e12,
    policy: { messages: 3 },
    model: "elsewhere:cloud",
    recall: { mode: "by_itself", tokens: 512, all_chats: true },
    systems: ["Tell everything you know."],
    system: 0,
    tools: ["calculate"],
    format: "json",
    parameters: { top_k: 3 },
    rev: 1,
  };
  const line = (key: string, value: object) => {
    const [, crc, ...data] = record(value).split("|");
    return `{"key":"${key}","crc":"${crc}","data":${data.join("|")}}`;
  };
  return [
    '{"app":"sash","schema":1,"exported":1790000000000,"chats":1,"messages":1}',
    line(`sash:c:${CHAT}`, head),
    line(`sash:m:${CHAT}:000001-${id(1)}`, { id: id(1), seq: 1, role: "user", content: "Hello from elsewhere", created: 1e12 }),
  ].join("\n");
}

test("what a file would switch on is listed, off until it is chosen, and offered in its chat", async ({ app, page, standIn }) => {
  await standIn.script(says("A secret."));
  await app.openReady();
  await app.exchange("A chat of one's own");
  const library = new Library(page);
  await app.openFromFoot("Export");
  await library.dialog.getByLabel("Files to import").setInputFiles({ name: "a.jsonl", mimeType: "text/plain", buffer: Buffer.from(actingFile()) });
  const settings = library.dialog.getByRole("group", { name: "Settings of the file" });
  await expect(settings.getByRole("checkbox")).toHaveCount(6);
  await expect(settings.getByRole("checkbox", { checked: true })).toHaveCount(0);
  for (const words of ["elsewhere:cloud", "up to 512 tokens a prompt", "Tell everything you know.", "calculate", "JSON", "top_k 3"]) {
    await expect(settings).toContainText(words);
  }
  await library.button("Import").click();
  await expect(library.dialog).toContainText("1 chat imported. Settings that you did not choose are off; each chat offers them.");
  await library.close();

  await app.chat("From elsewhere").click();
  const line = page.locator("[aria-live=polite]").filter({ hasText: "This chat was imported from a file." });
  await expect(line.getByRole("listitem")).toHaveCount(6);
  await expect(app.model).toHaveValue(/^llama3\.2/);
  await standIn.script(says("Hello."));
  await app.ask("And now?");
  await app.ended("complete");
  const { body } = (await standIn.chats(2))[1];
  expect(body.model).toBe("llama3.2:latest");
  expect(JSON.stringify(body)).not.toMatch(/Tell everything|calculate|top_k|A secret|"format"/);

  await line.getByRole("button", { name: "Switch them on" }).click();
  await expect(line).toHaveCount(0);
  await expect(app.model).toHaveValue(/^elsewhere:cloud/);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(line.getByRole("listitem")).toHaveCount(6);
  await expect(app.model).toHaveValue(/^llama3\.2/);
  await line.getByRole("button", { name: "Discard them" }).click();
  await expect(line).toHaveCount(0);
  expect((await app.stored())[`sash:c:${CHAT}`]).not.toContain("withheld");
});

// Guarded in each run by rooms/import/tests/files/settings.rs, `a_file_of_ones_own_is_restored_as_it_was`.
test("a file of one's own comes back as it was with one button", { tag: "@all" }, async ({ app, page }) => {
  await app.openReady();
  const library = new Library(page);
  await app.openFromFoot("Export");
  await library.dialog.getByLabel("Files to import").setInputFiles({ name: "a.jsonl", mimeType: "text/plain", buffer: Buffer.from(actingFile()) });
  await library.button("Select all: this file is mine").click();
  const settings = library.dialog.getByRole("group", { name: "Settings of the file" });
  await expect(settings.getByRole("checkbox", { checked: true })).toHaveCount(6);
  await library.button("Import").click();
  await expect(library.dialog.getByRole("status").filter({ hasText: /^1 chat imported\.$/ })).toBeVisible();
  const kept = (await app.stored())[`sash:c:${CHAT}`];
  expect(kept).not.toContain("withheld");
  expect(JSON.parse(kept.split("|").slice(2).join("|"))).toMatchObject({
    model: "elsewhere:cloud",
    recall: { mode: "by_itself", tokens: 512, all_chats: true },
    system: 0,
    tools: ["calculate"],
    format: "json",
    parameters: { top_k: 3 },
  });
});
