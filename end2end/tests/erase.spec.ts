// Delete everything: afterwards nothing of Sash is in any storage of the browser, whatever was being done, here or in
// another tab.
import type { BrowserContext, Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { id, openWithMessages, readJournal, record } from "../support/log";
import { endless, says, text } from "../support/standIn";

const NOTHING = { local: [], session: [], databases: [], caches: [] };

/** What is in all storages; of localStorage what is ours. */
const left = (page: Page) =>
  page.evaluate(async () => ({
    local: Object.keys(localStorage).filter((key) => key.startsWith("sash")),
    session: Object.keys(sessionStorage),
    databases: (await indexedDB.databases()).map((database) => database.name),
    caches: await caches.keys(),
  }));

/** Opens the storage up to the last question. */
async function aboutToErase(app: ChatPage): Promise<Library> {
  const library = new Library(app.page);
  await app.openFromFoot("Storage");
  await library.button("Delete everything…").click();
  await expect(library.button("Delete everything")).toBeVisible();
  return library;
}

/** The records of so many chats of 30 kB. */
function longChats(chats: number): Record<string, string> {
  const log: Record<string, string> = {};
  for (let n = 0; n < chats; n++) {
    const chat = id(0xd000 + n);
    log[`sash:c:${chat}`] = record({ id: chat, title: `Chat ${n}`, created: 1e12, policy: { messages: 3 }, rev: 1 });
    for (let seq = 1; seq <= 10; seq++) {
      const own = id(0xd00000 + n * 100 + seq);
      const message = { id: own, seq, role: "user", content: `words of chat ${n}, ${"and more ".repeat(340)}`, created: 1e12 + seq };
      log[`sash:m:${chat}:${seq.toString(36).padStart(6, "0")}-${own}`] = record(message);
    }
  }
  return log;
}

/** Deletes everything. Each page is then loaded anew without any script: what is there now was left. */
async function erase(context: BrowserContext, library: Library, pages: Page[], press?: () => Promise<void>): Promise<void> {
  await context.route("**/*", (route) => (route.request().resourceType() === "script" ? route.abort() : route.continue()));
  const loaded = pages.map((page) => page.waitForEvent("load"));
  await (press ? press() : library.button("Delete everything").click());
  await Promise.all(loaded);
  for (const page of pages) expect(await left(page)).toEqual(NOTHING);
  await context.unroute("**/*");
}

/** The next start finds nothing, and writes down no more than that it began. */
async function beginsAnew(app: ChatPage, words: RegExp): Promise<void> {
  await app.reload();
  await expect(app.rows).toHaveCount(0);
  await expect(app.messages).toHaveCount(0);
  await expect(app.composer).toHaveValue("");
  const journal = (await readJournal(app.page)) as [string, string, number][];
  for (const [key, value] of [...Object.entries(await app.stored()), ...journal]) {
    expect(key).toMatch(/^(sash:(meta|set|z)|theirs)$/);
    expect(value).not.toMatch(words);
  }
}

test.beforeEach(({ watch }) => watch.allow(/ERR_FAILED/));

test("answers that run here and in another tab, and drafts, leave nothing", async ({ app, context, page, standIn }) => {
  await standIn.script([text("The first secret ", 2), endless()]);
  await standIn.script([text("The other secret ", 2), endless()]);
  await app.openReady();
  await app.ask("Tell the first");
  await app.streaming();
  const other = await app.anotherTab();
  await other.newChat();
  // Another model: Ollama answers one prompt of a model at a time.
  await other.chooseModel("qwen3:4b");
  await other.ask("Tell the other");
  await other.streaming();
  await other.composer.fill("the other draft");
  await app.composer.fill("the first draft");
  await page.evaluate(() => localStorage.setItem("theirs", "untouched"));
  const tails = async () => new Set(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:t:")).map((key) => key.split(":")[3])).size;
  await expect.poll(tails).toBe(2);
  const library = await aboutToErase(app);
  await erase(context, library, [page, other.page]);
  await standIn.disconnected(1);
  await standIn.disconnected(2);
  for (const tab of [app, other]) await beginsAnew(tab, /secret|draft|Tell/);
  expect((await app.stored()).theirs).toBe("untouched");
  // And it works as on the first day.
  await standIn.script(says("Here I am."));
  await app.ready();
  await app.exchange("Anybody there?");
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(["Anybody there?", "Here I am."]);
});

// Guarded in each run by "answers that run here and in another tab, and drafts, leave nothing".
test("a pull that runs in another tab leaves nothing", { tag: "@all" }, async ({ app, context, page, standIn }) => {
  await standIn.catalogue([{ name: "endless", layers: [{ digest: "c".repeat(64), size: 900_000_000 }], speed: 5_000_000 }]);
  await openWithMessages(app, 4);
  await standIn.models({ set: "none" });
  const other = new ChatPage(await context.newPage(), app.url);
  await other.open();
  await other.panel.getByRole("textbox", { name: "Model name" }).fill("endless");
  await other.panel.getByRole("button", { name: "Pull", exact: true }).click();
  await expect(other.page.getByRole("progressbar", { name: /^Total/ })).toBeVisible();
  const library = await aboutToErase(app);
  await erase(context, library, [page, other.page]);
  for (const tab of [app, other]) await beginsAnew(tab, /Question|Answer/);
});

// Guarded in each run by rooms/import/tests/files/merge.rs, `an_import_notices_that_another_tab_cleaned_up`.
test("an import that runs in another tab leaves nothing", { tag: "@all" }, async ({ app, context, page }) => {
  await openWithMessages(app, 4);
  const lines = ['{"app":"sash","schema":1,"exported":1790000000000,"chats":100,"messages":1000}'];
  for (const [key, value] of Object.entries(longChats(100))) {
    const [, crc, ...data] = value.split("|");
    lines.push(`{"key":"${key}","crc":"${crc}","data":${data.join("|")}}`);
  }
  const other = await app.anotherTab();
  const there = new Library(other.page);
  await other.openFromFoot("Export");
  await there.dialog.getByLabel("Files to import").setInputFiles({ name: "all.jsonl", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) });
  await expect(there.button("Import")).toBeVisible();
  const library = await aboutToErase(app);
  // Looked for in the page: the import may be over between two looks from outside.
  const runs = page.evaluate(async () => {
    while (!Object.keys(localStorage).some((key) => key.startsWith("sash:in:"))) await new Promise((next) => setTimeout(next));
  });
  await there.button("Import").click();
  await runs;
  await erase(context, library, [page, other.page]);
  for (const tab of [app, other]) await beginsAnew(tab, /words of chat|Question/);
});

test("packing that runs leaves nothing", async ({ app, context, page }) => {
  await openWithMessages(app, 4);
  await page.evaluate((log) => Object.entries(log).forEach(([key, value]) => localStorage.setItem(key, value)), longChats(60));
  // Less than half of the room: else they are packed by themselves.
  await app.reload();
  await app.chat("A long chat").click();
  const library = await aboutToErase(app);
  await expect(library.button("Compress")).toBeEnabled();
  // As soon as the first chat is packed.
  await erase(context, library, [page], async () => {
    const runs = page.evaluate(async () => {
      const press = (name: string) => [...document.querySelectorAll("button")].find((button) => button.textContent === name)!.click();
      const some = (start: string) => Object.keys(localStorage).some((key) => key.startsWith(start));
      press("Compress");
      while (!some("sash:s:")) await new Promise((resolve) => setTimeout(resolve));
      const runs = some("sash:m:000000000000d0");
      press("Delete everything");
      return runs;
    });
    expect(await runs, "packing runs").toBe(true);
  });
  await beginsAnew(app, /words of chat|Question/);
});

test("what was broken off in the middle is finished at the next start", async ({ app, page }) => {
  await openWithMessages(app, 4);
  await page.evaluate(() => localStorage.setItem("sash:deleting", "1"));
  await beginsAnew(app, /Question|Answer/);
});

test("full storage is emptied too", async ({ app, context, page }) => {
  await openWithMessages(app, 4);
  await page.evaluate(() => {
    localStorage.removeItem("sash:z"); // the reserve, which would have been room enough
    for (let size = 1 << 20, n = 0; size >= 1; ) {
      try {
        localStorage.setItem(`theirs${n}`, "x".repeat(size));
        n++;
      } catch {
        size >>= 1;
      }
    }
  });
  const library = await aboutToErase(app);
  await erase(context, library, [page]);
});
