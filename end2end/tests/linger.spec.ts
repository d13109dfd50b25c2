// An answer goes on without its page. Whatever happens to the page, its text is that of an answer that nothing
// disturbed, to the byte.
import { ChatPage } from "../support/chatPage";
import { expect, test as base } from "../support/fixtures";
import type { Program } from "../support/programs";
import { done, endless, says, type StandIn, text } from "../support/standIn";
import { Wire } from "../support/wire";

/** How often each happens. */
const [RELOADS, GAPS, KILLS] = [200, 50, 20];
/** Tokens a second. */
const RATE = 200;
/** The longest time between two disturbances, in milliseconds. */
const PAUSE = 700;

const test = base.extend<{ sash: Program }>({
  /** A Sash that keeps its answers for as long as it does by itself. */
  sash: async ({ programs, standIn }, use) => {
    await use(await programs.sash(standIn.url));
  },
});

test.beforeEach(({ watch }) => watch.allow(/network error/, /net::ERR_/, /Failed to fetch/));

/** Words of several bytes and lines among them, as many as are written in so many seconds. */
function answer(seconds: number): string {
  const words = ["word", "Wörter", "слово", "語", "🙂", "a*b*c", "`code`", "\n\n", "1.5"];
  return Array.from({ length: Math.ceil(seconds * RATE) }, (_, n) => `${words[n % words.length]}${n} `).join("");
}

/** Has the stand-in say it, a word for each token. */
const say = (standIn: StandIn, words: string) => standIn.script([text(words, words.split(" ").length, RATE), done()]);

/** The text of the last answer as the log has it. */
async function kept(app: ChatPage): Promise<string> {
  const records = Object.entries(await app.stored()).filter(([key]) => key.startsWith("sash:m:"));
  const messages = records.map(([, record]) => JSON.parse(record.slice(record.indexOf("{"))) as { seq: number; content: string; outcome?: unknown });
  const last = messages.sort((a, b) => a.seq - b.seq).at(-1)!;
  expect(last.outcome, "how it ended").toBeUndefined();
  return last.content;
}

/** A time that is another one each time, the same in every run. */
const pauseBefore = (n: number) => 50 + ((n * 389) % PAUSE);

// Guarded in each run by kernel/stores/tests/stores/linger.rs,
// `after_a_reload_the_answer_goes_on_where_the_log_has_it`; tests/native/server/linger.rs,
// `a_page_that_returns_at_any_position_has_the_answer_of_one_that_stayed`; stop.spec.ts, "after a reload in
// mid-answer Stop reaches Ollama, and what came is kept".
test(`${RELOADS} reloads in mid-answer cost no word and double none`, { tag: "@all" }, async ({ sash, standIn, page }) => {
  test.setTimeout(60_000 + RELOADS * 3_000);
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  // Until the last reload, and on.
  const words = answer(RELOADS * 1.2 + 2);
  await say(standIn, words);
  await app.ask("A long one");
  await app.streaming();
  for (let n = 0; n < RELOADS; n++) {
    await page.waitForTimeout(pauseBefore(n));
    await app.reload();
    await expect(app.last).toHaveAttribute("data-state", /running|waiting|complete/);
  }
  await expect(app.last).toHaveAttribute("data-state", "complete", { timeout: 60_000 + RELOADS * 1_500 });
  expect(await kept(app)).toBe(words);
  expect((await standIn.chats(1))[0].disconnected).toBeNull();
});

// Guarded in each run by kernel/stores/tests/stores/linger.rs, `a_gap_of_the_network_is_said_and_costs_no_word` and
// `several_gaps_one_after_another_cost_no_word`; faults.spec.ts, "a server that stops answers no more, and the page
// goes on when it is back".
test(`${GAPS} gaps of the network are said, and cost no word and double none`, { tag: "@all" }, async ({ programs, standIn, page }) => {
  test.setTimeout(60_000 + GAPS * 6_000);
  const wire = await Wire.open();
  const sash = await programs.sash(standIn.url, "--allow-host", new URL(wire.url).host);
  wire.leadTo(sash.url);
  try {
    const app = new ChatPage(page, wire.url);
    await app.openReady();
    const words = answer(GAPS * 2.5 + 2);
    await say(standIn, words);
    await app.ask("A long one");
    await app.streaming();
    for (let n = 0; n < GAPS; n++) {
      await page.waitForTimeout(pauseBefore(n));
      wire.cut();
      await expect(app.last).toHaveAttribute("data-state", "reconnecting");
      await expect(app.last).toContainText("Connection lost. The answer continues where Sash runs");
      wire.mend();
      await expect(app.last).toHaveAttribute("data-state", /running|complete/, { timeout: 15_000 });
    }
    await expect(app.last).toHaveAttribute("data-state", "complete", { timeout: 60_000 + GAPS * 3_000 });
    expect(await kept(app)).toBe(words);
    expect((await standIn.chats(1))[0].disconnected).toBeNull();
  } finally {
    await wire.close();
  }
});

// Guarded in each run by kernel/stores/tests/stores/linger.rs,
// `what_came_after_the_last_piece_of_the_tail_is_requested_again`; kill.spec.ts, "the browser is killed in the middle
// of an answer: all but the last second is there, and it goes on".
test(`a browser that is killed ${KILLS} times in mid-answer finds it whole`, { tag: "@all" }, async ({ sash, standIn, profile }) => {
  test.setTimeout(60_000 + KILLS * 20_000);
  let app = new ChatPage(await profile.start(), sash.url);
  await app.openReady();
  const words = answer(KILLS * 5 + 3);
  await say(standIn, words);
  await app.ask("A long one");
  await app.streaming();
  for (let n = 0; n < KILLS; n++) {
    // Its first second may be in no store yet.
    await app.page.waitForTimeout(1_300 + pauseBefore(n));
    await profile.kill();
    app = new ChatPage(await profile.start(), sash.url);
    await app.open();
    await expect(app.last).toHaveAttribute("data-state", /running|complete/);
  }
  await expect(app.last).toHaveAttribute("data-state", "complete", { timeout: 60_000 + KILLS * 5_000 });
  expect(await kept(app)).toBe(words);
  expect((await standIn.chats(1))[0].disconnected).toBeNull();
});

// Guarded in each run by kernel/stores/tests/stores/linger.rs,
// `a_stop_that_was_not_heard_is_said_again_after_a_reload_and_the_answer_is_not_taken_up` and
// `a_stop_works_while_the_connection_is_lost`.
test("Stop works while the network is gone, and reaches the engine when it is back, after a reload too", { tag: "@all" }, async ({ sash, standIn, page }) => {
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await standIn.script([endless(RATE)]);
  await app.ask("For ever?");
  await app.streaming();
  await page.route("**/api/v1/{stop,resume}", (route) => route.abort());
  await app.reload();
  await expect(app.last).toHaveAttribute("data-state", "reconnecting");
  await app.stop.click();
  await app.ended("stopped");
  expect((await standIn.counters()).generating).toBe(1);
  await page.unroute("**/api/v1/{stop,resume}");
  await app.reload();
  await app.ended("stopped");
  await standIn.disconnected(1);
  await expect.poll(async () => Object.keys(await app.stored()).filter((key) => key.startsWith("sash:stop:"))).toEqual([]);
});

// Guarded in each run by kernel/stores/tests/stores/linger_tabs.rs,
// `a_tab_that_opens_while_another_one_writes_follows_it` and
// `another_tab_goes_on_with_the_answer_of_a_tab_that_does_not_return`.
test("the other tab follows, and goes on with the answer when its tab is closed", { tag: "@all" }, async ({ sash, standIn, page }) => {
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  const words = answer(7);
  await say(standIn, words);
  await app.ask("A long one");
  await app.streaming();
  const other = await app.anotherTab();
  await expect(other.last).toContainText("Being written in another tab");
  const resumed: string[] = [];
  other.page.on("request", (request) => {
    if (request.url().endsWith("/api/v1/resume")) resumed.push(request.url());
  });
  // One that is reloaded goes on itself.
  await app.reload();
  await app.streaming();
  await expect(other.last).toContainText("Being written in another tab");
  expect(resumed).toEqual([]);
  await app.page.close();
  await expect(other.last).toHaveAttribute("data-state", /running|complete/);
  await other.ended("complete");
  expect(resumed).toHaveLength(1);
  expect(await kept(other)).toBe(words);
});

test("the next prompt says what still runs in a chat that was closed, and Stop that ends it", async ({ sash, standIn, page, context }) => {
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await standIn.script([text("So it begins. ", 1), endless()]);
  await app.ask("For ever?");
  await app.streaming();
  await app.page.close();
  const again = new ChatPage(await context.newPage(), sash.url);
  await again.openReady();
  await again.newChat();
  await standIn.script(says("Here I am."));
  await again.ask("And now?");
  await expect(again.last).toContainText("Waiting: “For ever?” is being answered first");
  await again.last.getByRole("button", { name: "Stop that" }).click();
  await standIn.disconnected(1);
  await again.ended("complete");
  await expect(again.text(again.last)).toHaveText("Here I am.");
});

test("a page that has no locks says that an answer ends with it", async ({ sash, standIn, page }) => {
  // As on a plain address of the network.
  await page.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await standIn.script([text("So it begins.", 1), endless()]);
  await app.ask("For ever?");
  await app.streaming();
  await app.reload();
  await standIn.disconnected(1);
  await app.ended("interrupted");
  await expect(app.last).toContainText("Interrupted: at this address, closing the page ends its answer.");
  await expect(app.last.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
});

// Guarded in each run by kernel/stores/tests/stores/linger.rs,
// `before_everything_is_deleted_all_answers_are_stopped`; erase.spec.ts, "answers that run here and in another tab,
// and drafts, leave nothing".
test("Delete everything ends the answers at the engine", { tag: "@all" }, async ({ sash, standIn, page }) => {
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await standIn.script([endless()]);
  await app.ask("For ever?");
  await app.streaming();
  await app.openFromFoot("Storage");
  await page.getByRole("button", { name: "Delete everything…" }).click();
  await page.getByRole("button", { name: "Delete everything", exact: true }).click();
  await standIn.disconnected(1);
  await expect(app.messages).toHaveCount(0);
});
