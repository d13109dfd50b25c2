// Large chats and many of them: what is near the screen is on the page, and nobody notices that the rest is not.
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithChats, openWithMessages } from "../support/log";
import { done, says, text } from "../support/standIn";
import { frames } from "../support/waiting";

test.describe.configure({ timeout: 120_000 });

const ALL = 1_000;
const WORDS = "Some words that make a message of middling length, as they do. ";

/** So many messages, of lengths that differ. */
const openLarge = (app: ChatPage, all = ALL) => openWithMessages(app, all, {}, (n) => ". " + WORDS.repeat((n * 7) % 12));

/** The numbers of the messages on the page, as they stand there. */
const there = (app: ChatPage) =>
  app.messages.evaluateAll((all) => all.map((message) => Number(message.getAttribute("aria-posinset"))));

/** The message at the top of the screen, and how far below it. */
const atTop = (page: Page) =>
  page.locator(".transcript").evaluate((log) => {
    const top = log.getBoundingClientRect().top;
    const all = [...log.querySelectorAll("article")];
    const first = all.find((message) => message.getBoundingClientRect().bottom > top + 1);
    return { n: Number(first?.getAttribute("aria-posinset")), y: (first?.getBoundingClientRect().top ?? NaN) - top };
  });

/** How far from the top and from the end the transcript is. */
const place = (app: ChatPage) =>
  app.log.evaluate((log) => ({ top: log.scrollTop, below: log.scrollHeight - log.scrollTop - log.clientHeight }));

/** Prints the tasks that took longer than 50 ms since it was asked for. Nothing is said of how long: that is the machine's. */
async function longTasks(page: Page): Promise<(what: string) => Promise<void>> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    (globalThis as unknown as { tasks: number[] }).tasks = tasks;
    new PerformanceObserver((list) => list.getEntries().forEach((task) => tasks.push(task.duration))).observe({ type: "longtask" });
  });
  return async (what) => {
    await frames(page, 3);
    const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks.splice(0));
    console.log(`${what}: tasks over 50 ms: ${tasks.map((task) => task.toFixed(0)).join(", ") || "none"}`);
  };
}

for (const [all, turns, tag] of [
  [ALL, 30, []],
  [5_000, 150, "@all"],
] as [number, number, string | string[]][]) {
  test(`${all.toLocaleString("en")} messages: the end is there at once, and all are read by scrolling up`, { tag }, async ({ app, page }) => {
    await openLarge(app, all);
    expect((await there(app)).length, "messages on the page").toBeLessThan(200);
    expect((await there(app)).at(-1)).toBe(all);
    expect((await place(app)).below).toBeLessThan(2);
    await expect(app.last).toHaveAttribute("aria-setsize", `${all}`);
    const tasks = await longTasks(page);
    await app.log.hover();
    const read = new Set<number>();
    let last = all + 1;
    for (let turn = 0; turn < turns; turn++) {
      await page.mouse.wheel(0, -700);
      await frames(page, 2);
      const numbers = await there(app);
      expect(numbers, "in their order, without a gap").toEqual(numbers.map((_, i) => numbers[0] + i));
      expect(numbers.length).toBeLessThan(200);
      const top = await atTop(page);
      expect(top.n, "there is a message at the top").toBeGreaterThan(0);
      expect(top.n).toBeLessThanOrEqual(last);
      expect(last - top.n, "none is passed over").toBeLessThan(40);
      last = top.n;
      numbers.forEach((n) => read.add(n));
    }
    expect(Math.min(...read)).toBeLessThan(all - 2.5 * turns);
    expect(read.size).toBe(all + 1 - Math.min(...read));
    await tasks(`scrolling up through ${turns * 700} pixels`);
    const [n, message] = [last, app.messages.and(page.locator(`[aria-posinset="${last}"]`))];
    await expect(app.text(message)).toHaveText(new RegExp(`^${n % 2 ? "Question" : "Answer"} ${Math.ceil(n / 2)}\\.`));
  });
}

for (const native of [true, false]) {
  const who = native ? "the browser keeps" : "Sash keeps, where the browser does not know how,";

  // Guarded in each run by crates/virtual-list/src/tests.rs, `the_reader_keeps_their_place_where_the_browser_keeps_it`
  // and `the_reader_keeps_their_place_where_the_browser_does_not`.
  test(`${who} the place while messages come and go above`, { tag: "@all" }, async ({ app, page }) => {
    if (!native) {
      await page.addInitScript(() =>
        addEventListener("DOMContentLoaded", () => {
          const style = new CSSStyleSheet();
          style.replaceSync("* { overflow-anchor: none !important; }");
          document.adoptedStyleSheets.push(style);
        }),
      );
    }
    await openLarge(app);
    // Somewhere in the middle, where no height is known.
    await app.log.evaluate((log) => (log.scrollTop = log.scrollHeight / 2));
    await frames(page, 4);
    const jumps: number[] = [];
    for (let turn = 0; turn < 25; turn++) {
      const before = await atTop(page);
      const moved = await app.log.evaluate(async (log, n) => {
        const article = log.querySelector(`[aria-posinset="${n}"]`)!;
        const y = article.getBoundingClientRect().top;
        log.scrollTop -= 300;
        const asked = article.getBoundingClientRect().top - y;
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
        return article.getBoundingClientRect().top - y - asked;
      }, before.n);
      jumps.push(Math.abs(moved));
    }
    console.log(`${who} the place: worst ${Math.max(...jumps).toFixed(2)} px in ${jumps.length} steps`);
    expect(Math.max(...jumps), "pixels that a message on the screen jumped").toBeLessThanOrEqual(2);

    // A message above takes another height.
    const before = await atTop(page);
    const jump = await app.log.evaluate(async (log, n) => {
      const article = log.querySelector(`[aria-posinset="${n}"]`)!;
      const y = article.getBoundingClientRect().top;
      log.querySelector<HTMLElement>(`[aria-posinset="${n - 2}"] .message-text`)!.style.paddingBlockEnd = "333px";
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
      return article.getBoundingClientRect().top - y;
    }, before.n);
    expect(Math.abs(jump)).toBeLessThanOrEqual(2);
  });
}

test("Home, End and Jump to latest lead to the ends of 1,000 messages", async ({ app, page }) => {
  await openLarge(app);
  const tasks = await longTasks(page);
  await app.log.focus();
  for (let again = 0; again < 2; again++) {
    await page.keyboard.press("Home");
    await expect(app.messages.first()).toHaveAttribute("aria-posinset", "1");
    await expect(app.messages.first()).toBeInViewport();
    await expect.poll(async () => (await place(app)).top).toBe(0);
    await tasks("Home");
    await page.keyboard.press("End");
    await expect(app.last).toHaveAttribute("aria-posinset", `${ALL}`);
    await expect.poll(async () => (await place(app)).below).toBeLessThan(2);
    await tasks("End");
  }
  await page.keyboard.press("Home");
  await expect(app.messages.first()).toBeInViewport();
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await expect(app.last).toHaveAttribute("aria-posinset", `${ALL}`);
  await expect.poll(async () => (await place(app)).below).toBeLessThan(2);
});

/** Has a message of the long chat shown, by the search. */
async function show(page: Page, n: number): Promise<void> {
  const library = new Library(page);
  await library.search(`${n % 2 ? "Question" : "Answer"} ${Math.ceil(n / 2)} `);
  await expect(library.results).toHaveCount(1, { timeout: 30_000 });
  await page.keyboard.press("Enter");
}

test("a message far away is shown, with focus, and marked for a moment", async ({ app, page }) => {
  await openLarge(app);
  for (const n of [234, 17, 800, 1, ALL]) {
    await show(page, n);
    const message = app.log.locator(`[aria-posinset="${n}"]`);
    await expect(message).toBeFocused();
    await expect(message).toBeInViewport();
    await expect(message).toHaveAttribute("data-shown");
    expect((await there(app)).length).toBeLessThan(200);
  }
  // From another chat.
  await app.newChat();
  await show(page, 500);
  await expect(app.log.locator('[aria-posinset="500"]')).toBeFocused();
  await expect(app.log.locator('[aria-posinset="500"]')).toBeInViewport();
  await expect(page.locator("[data-shown]")).toHaveCount(0);
});

// Guarded in each run by steer.spec.ts, "near the rim the messages come to meet the hand, by its place and not by its
// time"; steer.spec.ts, "the edge is moved by keys, to nothing and to everything".
test("the edge is moved by key and by hand past what is on the page", { tag: "@all" }, async ({ app, page }) => {
  await openLarge(app);
  await app.edge.focus();
  const tasks = await longTasks(page);
  for (let n = 0; n < 30; n++) await page.keyboard.press("PageUp");
  await expect(app.edge).toHaveAttribute("aria-valuenow", "303");
  await expect(app.edge).toBeInViewport();
  const first = app.log.locator('[aria-posinset="698"]');
  await expect(first).toBeInViewport();
  const apart = async () => {
    const [edge, message] = [await page.locator(".sash").boundingBox(), await first.boundingBox()];
    return Math.abs((edge?.y ?? NaN) - (message?.y ?? NaN));
  };
  await expect.poll(apart, "the edge stands where its message begins").toBeLessThan(2);
  await tasks("the edge, 30 × 10 messages");
  await page.keyboard.press("Home");
  await expect(app.edge).toHaveAttribute("aria-valuetext", /^Everything, 1,000 of 1,000 messages, /);
  await expect(app.edge).toBeInViewport();
  await expect(app.messages.first()).toHaveAttribute("aria-posinset", "1");
  await page.keyboard.press("End");
  await expect(app.edge).toHaveAttribute("aria-valuenow", "0");
  await expect(app.edge).toBeInViewport();
  await expect(app.last).toHaveAttribute("aria-posinset", `${ALL}`);

  // By hand: near the rim the messages come to meet it, as far as the hand goes.
  await page.keyboard.press("PageUp");
  await expect(app.edge).toBeInViewport();
  const box = (await app.edge.boundingBox())!;
  const top = (await app.log.boundingBox())!.y;
  await page.mouse.move(box.x + 14, box.y + 14);
  await page.mouse.down();
  await page.mouse.move(box.x + 14, top + 4, { steps: 4 });
  await expect.poll(async () => Number(await app.edge.getAttribute("aria-valuenow")), { timeout: 20_000 }).toBeGreaterThan(10);
  await page.mouse.move(box.x + 14, top + 300, { steps: 2 });
  await expect(app.edge).toBeInViewport();
  await page.mouse.up();
  const sent = Number(await app.edge.getAttribute("aria-valuenow"));
  const line = await page.locator(".sash").boundingBox();
  const message = await app.log.locator(`[aria-posinset="${ALL + 1 - sent}"]`).boundingBox();
  expect(Math.abs(line!.y - message!.y)).toBeLessThan(2);
});

// Guarded in each run by reading.spec.ts, "a growing answer is followed, but not against the reader's will".
test("an answer streams at the end of 1,000 messages, and does not pull the reader down", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openLarge(app);
  const tasks = await longTasks(page);
  await standIn.script([text("A line of it.\n\n".repeat(120), 120, 60), done()]);
  await app.ask("And now?");
  await app.streaming();
  await expect(app.last).toHaveAttribute("aria-posinset", `${ALL + 2}`);
  await expect.poll(async () => (await place(app)).below).toBeLessThan(60);
  // Away, to where the answer is on the page no more, and back when it has ended.
  await show(page, 200);
  await expect(app.log.locator('[aria-posinset="200"]')).toBeInViewport();
  const before = await atTop(page);
  await expect(app.stop).toHaveCount(0, { timeout: 20_000 });
  expect((await atTop(page)).n).toBe(before.n);
  expect(Math.abs((await atTop(page)).y - before.y)).toBeLessThan(2);
  await page.getByRole("button", { name: "Jump to latest" }).click();
  await app.ended("complete");
  await expect(app.text(app.last).locator("p")).toHaveCount(120);
  await expect.poll(async () => (await place(app)).below).toBeLessThan(2);
  await tasks("an answer of 120 lines");
});

// Guarded in each run by crates/virtual-list/src/tests.rs, `focus_stays_in_a_row_that_is_far_away` and
// `a_selection_across_rows_stays`.
test("what is being used stays on the page", { tag: "@all" }, async ({ app, page }) => {
  await openLarge(app);
  const edited = app.log.locator('[aria-posinset="999"]');
  await app.inMessage(edited, "Edit").click();
  await edited.getByRole("textbox", { name: "Edit message" }).fill("Not yet sent");
  await app.composer.focus();
  await app.log.locator('[aria-posinset="996"] .message-text').selectText();
  await app.log.evaluate((log) => (log.scrollTop = 0));
  await expect(app.messages.first()).toHaveAttribute("aria-posinset", "1");
  expect((await there(app)).slice(-2)).toEqual([996, 999]);
  await expect(edited.getByRole("textbox", { name: "Edit message" })).toHaveValue("Not yet sent");
  expect(await page.evaluate(() => String(getSelection()))).toContain("Answer 498");
  const height = () => app.log.evaluate((log) => log.scrollHeight);
  const before = await height();
  await page.evaluate(() => getSelection()?.empty());
  await app.log.evaluate((log) => (log.scrollTop = 30_000));
  await frames(page, 4);
  expect((await there(app)).at(-1)).toBe(999);
  expect((await there(app)).at(-2)).toBeLessThan(600);
  expect(Math.abs((await height()) - before) / before, "no space is lost").toBeLessThan(0.05);
  await app.log.evaluate((log) => (log.scrollTop = log.scrollHeight));
  await expect(app.last).toHaveAttribute("aria-posinset", "1000");
  await expect(edited.getByRole("textbox", { name: "Edit message" })).toHaveValue("Not yet sent");
});

// Guarded in each run by chat-list.spec.ts, "5,000 chats: few rows on the page, the keyboard reaches both ends,
// several are chosen, deleted and brought back".
test("100 chats: opened, written in and renamed", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openWithChats(app, 100);
  const tasks = await longTasks(page);
  await expect(app.rows.first()).toHaveAttribute("aria-setsize", "101");
  for (const n of [1, 50, 100]) {
    await app.chatList.evaluate((list, n) => list.scrollTo(0, (list.scrollHeight * (n - 5)) / 101), n);
    await app.chat(`Chat ${n}`).click();
    await expect(app.title).toHaveText(`Chat ${n}`);
    await expect(app.text(app.last)).toHaveText(`assistant of chat ${n}`);
    await tasks(`opening chat ${n} of 100`);
  }
  await app.composer.pressSequentially("Written while there are 100 chats.");
  await tasks("typing beside 100 chats");
  await app.edge.focus();
  await page.keyboard.press("ArrowDown");
  await expect(app.edge).toHaveAttribute("aria-valuenow", "1");
  await tasks("the edge beside 100 chats");
  await app.inList("Chat 100", "Rename");
  await app.chats.getByRole("textbox", { name: "Chat name" }).fill("The last one");
  await page.keyboard.press("Enter");
  await expect(app.chat("The last one")).toBeVisible();
  await tasks("renaming one of 100");
  await standIn.script(says("An answer."));
  await app.composer.press("Enter");
  await app.ended("complete");
  await expect(app.rows.first()).toContainText("The last one");
  await tasks("an exchange beside 100 chats");
  await app.newChat();
  await tasks("a new chat beside 100");
});

// Guarded in each run by print.spec.ts, "all 200 messages are printed under the chat's title, and then the page is as
// it was".
test("all messages are on paper, also those that are not on the page", { tag: "@all" }, async ({ app, page }) => {
  await openLarge(app, 100);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  // Not by their role: on the screen they are hidden.
  expect(await app.log.locator("article").count(), "before the listener has returned").toBe(100);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect.poll(() => app.log.locator("article").count()).toBeLessThan(100);
});
