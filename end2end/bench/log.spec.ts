// What the log costs: what is written for one exchange however long the log is, and what a full log adds to the start.
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { id, record } from "../support/log";
import { done, text } from "../support/standIn";
import { timersRun, watchTimers } from "../support/waiting";
import { row } from "./row";

// Of yesterday: chats that nobody touched for a month would be packed by themselves meanwhile.
const WRITTEN = Date.now() - 24 * 3600 * 1000;

/** Puts chats of 50 messages into the log, of so many characters each. */
async function fill(app: ChatPage, messages: number, length: number): Promise<number> {
  const log: [string, string][] = [];
  const words = "Some words that a message is made of, as they come. ".repeat(Math.ceil(length / 52)).slice(0, length);
  for (let n = 0; n < messages; n++) {
    const [chat, seq] = [id(0xc000 + Math.floor(n / 50)), (n % 50) + 1];
    if (seq === 1) log.push([`sash:c:${chat}`, record({ id: chat, created: WRITTEN, policy: { messages: 3 }, rev: 1 })]);
    const message = {
      id: id(0x100000 + n),
      ...(seq > 1 && { parent: id(0x100000 + n - 1) }),
      seq,
      role: seq % 2 ? "user" : "assistant",
      content: `${n} ${words}`,
      ...(seq % 2 === 0 && { model: "llama3.2" }),
      created: WRITTEN + n,
    };
    log.push([`sash:m:${chat}:${seq.toString(36).padStart(6, "0")}-${message.id}`, record(message)]);
  }
  // The reserve is written once for all: not while something is measured.
  await expect.poll(() => app.page.evaluate(() => localStorage["sash:z"]?.length)).toBeGreaterThan(0);
  await app.page.evaluate((log) => {
    for (const [key, value] of log) localStorage.setItem(key, value);
    sessionStorage.clear();
  }, log);
  return log.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}

/** Counts what is written to localStorage, keys and values, from now on. */
const count = (page: Page) =>
  page.evaluate(() => {
    const counted = { units: 0, writes: 0 };
    (globalThis as unknown as { counted: typeof counted }).counted = counted;
    const write = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
      if (this === localStorage) {
        counted.units += key.length + value.length;
        counted.writes++;
      }
      write.call(this, key, value);
    };
  });

test("bytes for one exchange", async ({ browser, house, standIn }) => {
  const answer = Array.from({ length: 2000 }, (_, n) => ["some", "words", "of", "middling", "length"][n % 5]).join(" ");
  const question = "A question of some words?";
  const all: number[] = [];
  for (const messages of [10, 1_000, 10_000]) {
    const context = await browser.newContext();
    const app = new ChatPage(await context.newPage(), house.sash.url);
    await watchTimers(app.page);
    await app.openReady();
    await fill(app, messages, 100);
    await app.reload();
    await app.ready();
    await app.newChat();
    await count(app.page);
    await standIn.script([text(answer, 2000, 400), done()]);
    await app.exchange(question);
    // What is written late is put off by a second at most.
    await timersRun(app.page, 1000);
    const { units, writes } = await app.page.evaluate(
      () => (globalThis as unknown as { counted: { units: number; writes: number } }).counted,
    );
    all.push(units);
    const ratio = units / (answer.length + question.length);
    row(
      `written for an exchange, ${messages.toLocaleString("en")} messages in the log`,
      `${units} bytes in ${writes} writes, ${ratio.toFixed(2)} × its text`,
      "2 × its text, gate 2.2",
      ratio < 2.2,
    );
    await context.close();
  }
  const spread = Math.max(...all) / Math.min(...all);
  row("the most of these over the least", spread.toFixed(3), "flat: at most 1.05", spread <= 1.05);
});

const middle = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

test("opening a full log", async ({ browser, house, standIn }) => {
  void standIn;
  const apps: Record<string, ChatPage> = {};
  const times: Record<string, number[]> = {};
  let units = 0;
  for (const what of ["empty", "one chat", "full"]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() =>
      new MutationObserver((_, observer) => {
        if (document.documentElement?.dataset.state !== "ready") return;
        (globalThis as unknown as { ready: number }).ready = performance.now();
        observer.disconnect();
      }).observe(document, { subtree: true, attributeFilter: ["data-state"] }),
    );
    const app = new ChatPage(page, house.sash.url);
    await app.openReady();
    if (what === "one chat") await fill(app, 50, 1000);
    if (what === "full") units = await fill(app, 3_700, 1000);
    [apps[what], times[what]] = [app, []];
  }
  // In turns, so that what else the machine does falls on all of them; the first of each compiles.
  for (let run = 0; run <= 15; run++) {
    for (const [what, app] of Object.entries(apps)) {
      await app.reload();
      const ready = await app.page.evaluate(() => (globalThis as unknown as { ready: number }).ready);
      if (run > 0) times[what].push(ready);
    }
  }
  const full = middle(times.full);
  const against = (what: string) => {
    const without = middle(times[what]);
    return `${(full / without).toFixed(2)} × (${full.toFixed(0)} ms with ${(units / 1e6).toFixed(1)} MB, ${without.toFixed(0)} ms without)`;
  };
  row("start with a full log, against an empty one", against("empty"), "1.5 ×");
  row("start with a full log, against one chat of 50", against("one chat"), "1.5 ×");
});
