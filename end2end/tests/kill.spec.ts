// The browser is killed: every process of it at once, as a power cut or the system does it. localStorage alone would
// lose up to a minute (in Chromium it is put on the disk at most so late); the journal is there for that.
//
// A kill in the middle of an answer belongs to every run. The others wait for what a browser does by itself after so
// many seconds, and take three minutes.
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import type { Profile } from "../support/browser";
import { expect, test } from "../support/fixtures";
import { readJournal } from "../support/log";
import { done, endless, text } from "../support/standIn";

const AFTER = [0, 3, 8, 30, 75]; // seconds after the last token
const LOST = 1000; // ms of text that may be missing: a tail is written once a second
/** What the log alone keeps is tested here: the server keeps no answer that could be taken up. */
const UNKEPT = ["--linger", "0"];
const LATE = 300; // ms that a timer, a frame and the journal's transaction may take on a machine that does other work

/** Opens the page, and waits until Chromium has put its first writes on the disk, after 5 s: the next go there no
 * sooner than a minute after them. Without the journal all that follows would be lost. */
async function openLateWriter(profile: Profile, url: string): Promise<ChatPage> {
  const app = new ChatPage(await profile.start(), url);
  await app.openReady();
  await expect.poll(() => profile.hasOnDisk("sash:meta"), { message: "localStorage is on the disk", timeout: 20_000 }).toBe(true);
  return app;
}

const WORDS = Array.from({ length: 300 }, (_, n) => `word${n}`).join(" ");

/** Has the page note, 20 times a second, how much of the last answer it shows. */
const watchText = (page: Page) =>
  page.evaluate(() => {
    const notes: [number, string][] = [];
    (globalThis as unknown as { notes: typeof notes }).notes = notes;
    const note = () => {
      const shown = [...document.querySelectorAll("article .message-text")].at(-1)?.textContent ?? "";
      notes.push([performance.now(), shown]);
    };
    setInterval(note, 50);
    note();
  });

/** What it shows now, and what it showed so many milliseconds ago. */
const shownBefore = (page: Page, ms: number) =>
  page.evaluate((ms) => {
    const { notes } = globalThis as unknown as { notes: [number, string][] };
    const now = [...document.querySelectorAll("article .message-text")].at(-1)?.textContent ?? "";
    const then = performance.now() - ms;
    return { now, then: notes.findLast(([time]) => time <= then)?.[1] ?? "", notes: notes.map(([time, text]) => [performance.now() - time, text.length]) };
  }, ms);

/** Waits until there was much to lose before the time that may be lost. */
async function enoughShown(page: Page): ReturnType<typeof shownBefore> {
  await expect.poll(async () => (await shownBefore(page, LOST + LATE)).then.length).toBeGreaterThan(300);
  return shownBefore(page, LOST + LATE);
}

for (const seconds of AFTER) {
  test(`the browser is killed ${seconds} s after the last token: the exchange is there`, { tag: "@all" }, async ({ profile, house, standIn }, info) => {
    test.setTimeout(60_000 + seconds * 1000);
    await standIn.script([text(WORDS, 300, 100), done()]);
    let app = await openLateWriter(profile, house.sash.url);
    await app.ask("The question of the day");
    await expect(app.text(app.last)).toContainText("word299");
    if (seconds > 0) {
      await app.ended("complete");
      // Nothing to wait for: what the browser has put on the disk by itself after so long is what is tested.
      await app.page.waitForTimeout(seconds * 1000);
    }
    await profile.kill();

    app = new ChatPage(await profile.start(), house.sash.url);
    await app.open();
    await expect(app.text(app.message(1))).toHaveText("The question of the day");
    if (seconds > 0) {
      await app.ended("complete");
      await expect(app.text(app.last)).toHaveText(WORDS);
    } else {
      await expect(app.last).toHaveAttribute("data-state", /complete|interrupted/);
      const kept = (await app.text(app.last).textContent()) ?? "";
      expect(WORDS.startsWith(kept)).toBe(true);
      // A hundred words a second.
      const missing = 300 - kept.trim().split(/\s+/).length;
      info.annotations.push({ type: "missing", description: `${missing} of 300 words` });
      expect(missing).toBeLessThanOrEqual(((LOST + LATE) / 1000) * 100);
    }
    await expect(app.rows).toHaveCount(1);
  });
}

/** What is there of an answer that broke off, against what was shown; and how much is missing, for the report. */
async function expectKept(app: ChatPage, shown: Awaited<ReturnType<typeof shownBefore>>): Promise<void> {
  await expect(app.last).toHaveAttribute("data-state", "interrupted");
  const kept = (await app.text(app.last).textContent()) ?? "";
  const missed = shown.notes.find(([, length]) => length > kept.length)?.[0] ?? 0;
  console.log(`shown ${shown.now.length} characters, kept ${kept.length}: ${missed.toFixed(0)} ms of it are missing`);
  expect(kept.length).toBeGreaterThanOrEqual(shown.then.length);
  const both = Math.min(kept.length, shown.now.length);
  expect(kept.slice(0, both)).toBe(shown.now.slice(0, both));
  expect(both).toBeGreaterThan(100);
}

test("the browser is killed in the middle of an answer: all but the last second is there, and it goes on", async ({ profile, programs, standIn }) => {
  const sash = await programs.sash(standIn.url, ...UNKEPT);
  await standIn.script([endless(60)]);
  let app = await openLateWriter(profile, sash.url);
  await app.ask("Tell me everything");
  await app.streaming();
  await watchText(app.page);
  const shown = await enoughShown(app.page);
  await profile.kill();

  app = new ChatPage(await profile.start(), sash.url);
  await app.openReady();
  await expectKept(app, shown);
  await expect(app.text(app.message(1))).toHaveText("Tell me everything");
  await standIn.script([text("And on.", 2), done()]);
  await app.exchange("Are you still there?");
  await expect(app.text(app.last)).toHaveText("And on.");
});

test("the browser is killed while a prompt is written: all but the last second of it is there, in a chat and in a new one", { tag: "@all" }, async ({ profile, house, standIn }) => {
  await standIn.script([text("Yes.", 2), done()]);
  let app = await openLateWriter(profile, house.sash.url);
  await app.exchange("First?");
  await app.composer.fill("half a question");
  await app.newChat();
  await app.composer.fill("half of another");
  const journaled = async () => JSON.stringify(await readJournal(app.page));
  await expect.poll(journaled, { timeout: LOST + LATE, intervals: [50] }).toContain("half of another");
  // Too late.
  await app.composer.press("!");
  await profile.kill();

  app = new ChatPage(await profile.start(), house.sash.url);
  await app.open();
  await expect(app.title).toHaveText("New chat");
  await expect(app.composer).toHaveValue(/^half of another!?$/);
  await app.chat("First?").click();
  await expect(app.composer).toHaveValue("half a question");
  // What was sent does not come back with the next crash.
  await standIn.script([text("Again.", 2), done()]);
  await app.ready();
  await app.composer.press("Enter");
  await app.ended("complete");
  // It is read behind what the page is writing.
  await readJournal(app.page);
  await profile.kill();

  app = new ChatPage(await profile.start(), house.sash.url);
  await app.open();
  await app.chat("First?").click();
  await expect(app.text(app.last)).toHaveText("Again.");
  await expect(app.composer).toHaveValue("");
});

// Guarded in each run by a kill, which loses what is lost with a tab and more.
test("the tab crashes in the middle of an answer: all but the last second is there", { tag: "@all" }, async ({ page, programs, context, standIn }) => {
  const sash = await programs.sash(standIn.url, ...UNKEPT);
  const app = new ChatPage(page, sash.url);
  await standIn.script([endless(60)]);
  await app.openReady();
  await app.ask("Tell me everything");
  await app.streaming();
  await watchText(page);
  const shown = await enoughShown(page);
  const crashed = page.waitForEvent("crash");
  const cdp = await context.newCDPSession(page);
  // It has nobody left to answer.
  void cdp.send("Page.crash").catch(() => {});
  await crashed;
  const again = new ChatPage(await context.newPage(), app.url);
  await again.openReady();
  await expectKept(again, shown);
});
