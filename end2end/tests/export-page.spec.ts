// The way to the chats when the program does not start, or has stopped: a page that needs none.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../support/fixtures";
import { checksum, noteInJournal, openWithMessages } from "../support/log";

const all = process.env.SASH_TESTS === "all";
const WASM = /\.wasm$/;
const file = (name: string) => join(__dirname, "../../rooms/import/tests/data/import", name);
const data = (name: string) => readFile(file(name), "utf8");

/** Puts records into localStorage before any script of the page runs. */
async function keep(page: Page, records: Record<string, string>): Promise<void> {
  await page.addInitScript((records) => {
    if (!localStorage.getItem("sash:kept")) {
      Object.entries(records).forEach(([key, record]) => localStorage.setItem(key, record));
      localStorage.setItem("sash:kept", "1");
    }
  }, records);
}

/** The lines of the file that the page saves. */
async function saved(page: Page): Promise<string[]> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save all chats as a file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^sash-chats-\d{4}-\d\d-\d\d\.jsonl$/);
  const text = await readFile((await download.path())!, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text.trimEnd().split("\n");
}

async function accessible(page: Page): Promise<void> {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
}

// rooms/import/tests/files/plain_page.rs imports the same file.
test("with the program missing everything is saved as the log has it, each line with its checksum", async ({ app, page, watch }) => {
  watch.allow(/Sash could not start/);
  await page.route(WASM, (route) => route.fulfill({ status: 404, contentType: "text/plain", body: "no" }));
  await keep(page, JSON.parse(await data("plain-page.store.json")));
  await page.goto(app.url);
  await page.getByRole("alert").getByRole("link", { name: "Save your chats" }).click();
  await expect(page).toHaveTitle("Save your chats · Sash");
  await accessible(page);
  await expect(page.getByRole("status")).toHaveText(/^3 chats in \d+ records, 1 damaged one among them\.$/);
  const lines = await saved(page);
  // After a change of the fixture's store: what is saved of it is looked through and taken over.
  if (process.env.SASH_TAKE_OVER) await writeFile(file("plain-page.jsonl"), lines.join("\n") + "\n");
  const expected = (await data("plain-page.jsonl")).trimEnd().split("\n");
  const timeless = (line: string) => line.replace(/"exported":\d+/, '"exported":0');
  expect(lines.map(timeless)).toEqual(expected.map(timeless));
  for (const line of lines.slice(1)) {
    const { crc, raw } = JSON.parse(line);
    if (raw === undefined) expect(checksum(line.split('"data":').slice(1).join('"data":').slice(0, -1))).toBe(crc);
  }
  await expect(page.getByRole("status")).toHaveText(/saved as sash-chats-/);
});

test("a browser without WebAssembly is told so, with the way to its chats", async ({ app, page, watch }) => {
  watch.allow(/Sash could not start/);
  await page.addInitScript(() => Object.defineProperty(globalThis, "WebAssembly", { value: undefined }));
  await keep(page, { "theirs": "untouched" });
  await page.goto(app.url);
  const failure = page.getByRole("alert");
  await expect(failure).toContainText("does not run WebAssembly");
  await failure.getByRole("link", { name: "Save your chats" }).click();
  await expect(page.getByRole("status")).toContainText("keeps no chats for this address");
  await expect(page.getByRole("button", { name: "Save all chats" })).toBeDisabled();
  await page.getByRole("link", { name: "Back to Sash" }).click();
  await expect(page.getByRole("alert")).toContainText("does not run WebAssembly");
});

// Guarded in each run by "localStorage and the journal come together as the program has them".
test("what only the journal has is saved too", { tag: "@all" }, async ({ app, page }) => {
  await openWithMessages(app, 4);
  // As after a crash of the browser: localStorage never reached the disk, the journal did.
  const [lost, record] = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("sash:m:"))!;
    const record = localStorage.getItem(key)!;
    localStorage.removeItem(key);
    return [key, record];
  });
  await noteInJournal(page, lost, record);
  await page.goto(new URL("/export.html", app.url).href);
  expect((await saved(page)).some((line) => line.startsWith(`{"key":"${lost}"`))).toBe(true);
});

interface Case {
  name: string;
  store: Record<string, string>;
  journal: [string, string | null, number, number?][];
  expected: Record<string, string>;
}

/** Has localStorage and the journal hold what a case says, with the mark of whose log it is. */
const hold = (page: Page, { store, journal }: Case) =>
  page.evaluate(
    async ([store, journal]) => {
      localStorage.clear();
      localStorage.setItem("sash:meta", '{"app":"sash","schema":1,"minReader":1,"install":"0000000000000001"}');
      for (const [key, record] of Object.entries(store)) localStorage.setItem(key, record);
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open("sash", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("redo");
        request.onsuccess = () => resolve(request.result);
      });
      const transaction = db.transaction("redo", "readwrite");
      const entries = transaction.objectStore("redo");
      entries.clear();
      for (const [key, ...entry] of journal) entries.put(entry, key);
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      db.close();
    },
    [store, journal] as const,
  );

// kernel/log/src/tests/journal.rs holds the program to the same cases.
test("localStorage and the journal come together as the program has them", async ({ app, page }) => {
  test.setTimeout(120_000);
  const address = new URL("/export.html", app.url).href;
  await page.goto(address);
  const cases: Case[] = JSON.parse(await readFile(join(__dirname, "../../kernel/log/tests/data/journal.json"), "utf8"));
  expect(cases.length).toBeGreaterThan(20);
  // The program is held to all of them in each run, this page to every third one.
  for (const one of cases.filter((_, n) => all || n % 3 === 0)) {
    await hold(page, one);
    await page.goto(address);
    const status = page.getByRole("status");
    await expect(status).toHaveText(/keeps no chats|record/);
    const lines = (await status.textContent())!.includes("keeps no chats") ? [] : (await saved(page)).slice(1);
    const records = lines.map((line) => {
      const { key, crc, raw } = JSON.parse(line);
      return [key, raw ?? `1|${crc}|${line.slice(line.indexOf('"data":') + 7, -1)}`];
    });
    expect(Object.fromEntries(records), one.name).toEqual(one.expected);
  }
});

test("the page keeps to the policy of the house", async ({ app, page }) => {
  const answer = await page.goto(new URL("/export.html", app.url).href);
  expect(answer!.headers()["content-security-policy"]).toContain("default-src 'none'");
  expect(answer!.headers()["cache-control"]).toBe("no-store");
  await expect(page.getByRole("status")).toContainText("keeps no chats");
  // `watch` checks the console.
});

test("a panic of the program ends in words, with what was being written and the way to the chats", async ({ app, page, watch }) => {
  watch.allow(/panicked at/, /^uncaught: unreachable/);
  await openWithMessages(app, 4);
  await app.composer.fill("Half a thought");
  await expect.poll(async () => JSON.stringify(await app.kept())).toContain("Half a thought");
  const before = await app.kept();
  // The page makes its elements itself; one that cannot be made is a panic.
  await page.evaluate(() => {
    const real = Document.prototype.createElement;
    Document.prototype.createElement = function () {
      Document.prototype.createElement = real;
      throw new Error("no elements today");
    } as typeof real;
  });
  await page.getByRole("button", { name: "What the model sees" }).click();
  const crash = page.getByRole("alert");
  await expect(crash.getByRole("heading", { name: "Sash has stopped" })).toBeVisible();
  await expect(crash).toContainText("panicked at");
  await expect(crash).toContainText("Your chats are safe in this browser");
  await expect(crash.getByRole("textbox", { name: "What you were writing" })).toHaveValue("Half a thought");
  await expect(page.locator("html")).toHaveAttribute("data-state", "crashed");
  await accessible(page);
  expect(await app.kept()).toEqual(before);
  await crash.getByRole("link", { name: "Save your chats" }).click();
  await expect(page.getByRole("status")).toHaveText("1 chat in 5 records.");
  expect(await saved(page)).toHaveLength(6);
  await page.goBack();
  await app.started();
  await app.chat("A long chat").click();
  await expect(app.messages).toHaveCount(4);
});
