// What an answer costs the page's main thread, beside a bare page that appends the same text; and how the page
// stands what is longest and fastest. With `--against`, the same of another program, in turns.
import type { Browser, Page } from "@playwright/test";
import { code, mixed, table } from "../support/answers";
import { ChatPage } from "../support/chatPage";
import { test } from "../support/fixtures";
import { done, text } from "../support/standIn";
import { askBare, openBare } from "./bare";
import { besides, medianBy, middle } from "./besides";
import { type Measured, measure } from "./measure";
import { row } from "./row";

/** Letters of a token of prose and code, about. */
const TOKEN = 4.3;
const RATE = 200;

const f = (n: number, digits = 1) => n.toFixed(digits);
const told = (m: Measured, tokens: number) =>
  `${f(m.task / tokens, 3)} ms (script ${f(m.script / tokens, 3)}, layout ${f(m.layout / tokens, 3)}, style ${f(m.style / tokens, 3)})`;
const frames = (m: Measured) => `longest task ${f(m.longestTask)} ms, frame ${f(m.longestFrame)}; ${m.missed} of ${m.frames + m.missed} frames missed`;

/**
 * Asks and waits for the end, however long that takes. The page itself tells: Playwright's way of waiting looks at
 * the whole page several times a second, which would be most of what is measured.
 */
async function exchange(app: ChatPage): Promise<void> {
  const ended = app.page.evaluate(
    () =>
      new Promise<void>((done) =>
        new MutationObserver((_, observer) => {
          if (!document.querySelector('.messages > :nth-last-child(1 of article)[data-state="complete"][data-role="assistant"]')) return;
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => done()));
        }).observe(document.querySelector(".transcript-place")!, { subtree: true, attributeFilter: ["data-state"] }),
      ),
  );
  await app.composer.fill("Go");
  await app.page.keyboard.press("Enter");
  await ended;
}

/** The page before the first measure: its programs are compiled, an answer has been shown. */
async function warm(app: ChatPage): Promise<void> {
  await app.openReady();
  await app.exchange("Hello");
  await app.newChat();
}

/** How often each answer is measured where another program is measured beside it: the machine's noise is larger than what is looked for. */
const ROUNDS = { 2_000: 7, 8_000: 3, typing: 5 };

/** Measures a page of its own, from the question to the end of the answer; `run` opens it and gives what asks. */
async function fresh(browser: Browser, run: (page: Page) => Promise<() => Promise<unknown>>, script: () => Promise<void>, trace: boolean): Promise<Measured> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const go = await run(page);
  await script();
  const measured = await measure(page, async () => void (await go()), trace);
  await context.close();
  return measured;
}

const sashAt = (url: string) => async (page: Page) => {
  const app = new ChatPage(page, url);
  await warm(app);
  return () => exchange(app);
};

for (const tokens of [2_000, 8_000] as const) {
  test(`an answer of ${tokens} tokens`, async ({ browser, house, standIn }) => {
    const answer = mixed(tokens * TOKEN);
    const other = await besides(house.ollama);
    const pages: Record<string, (page: Page) => Promise<() => Promise<unknown>>> = {
      bare: async (page) => {
        await openBare(page, house.sash.url);
        return () => askBare(page);
      },
      this: sashAt(house.sash.url),
      ...(other && { other: sashAt(other.url) }),
    };
    const script = () => standIn.script([text(answer, tokens, RATE), done()]);
    const taken: Record<string, Measured[]> = { bare: [], this: [], other: [] };
    for (let round = 0; round < (other ? ROUNDS[tokens] : 1); round++) {
      for (const [name, run] of Object.entries(pages)) taken[name].push(await fresh(browser, run, script, false));
    }
    const median = (name: string) => medianBy(taken[name], (m) => m.task);
    const [bare, ours] = [median("bare"), median("this")];
    const what = `${tokens.toLocaleString("en")} tokens at ${RATE} a second`;
    row(`${what}, a token`, told(ours, tokens), "");
    row(`  the bare page`, told(bare, tokens), "");
    row(`  ratio`, `${f(ours.task / bare.task, 2)} × (${answer.length} characters)`, tokens < 5000 ? "at most 1.1 ×" : "at most 0.8 ×");
    if (other) {
      row(`  the other program`, told(median("other"), tokens), "");
      row(`  beside it`, `${f(ours.task / median("other").task, 2)} × (${taken.this.map((m, i) => f(m.task / taken.other[i].task, 2)).join(", ")})`, "not slower");
    }
    row(`  frames`, `${ours.missed} of ${ours.frames + ours.missed} missed (bare ${bare.missed}), longest ${f(ours.longestFrame)} ms`, "none over 50 ms");
    if (tokens === 2_000) row(`  looked at closely`, frames(await fresh(browser, pages.this, script, true)), "no task over 50 ms");
    await other?.stop();
  });
}

const LONG: [string, string, number, number][] = [
  ["200,000 characters, 2,000 tokens a second", mixed(200_000), 46_000, 2_000],
  ["200,000 characters, 10,000 tokens a second", mixed(200_000), 46_000, 10_000],
  ["a code block of 5,000 lines", code(5_000), 60_000, 5_000],
  ["a table of 2,000 rows", table(2_000), 20_000, 2_000],
];

interface Typed {
  measured: Measured;
  seconds: number;
  /** Milliseconds from the slowest key to the frame that shows it. */
  slowest: number;
}

/** Asks, and writes while the answer comes. */
async function typeBeside(browser: Browser, url: string, script: () => Promise<void>): Promise<Typed> {
  const context = await browser.newContext();
  const app = new ChatPage(await context.newPage(), url);
  await warm(app);
  await script();
  await app.page.evaluate(() => {
    const slow = { longest: 0 };
    (globalThis as unknown as { slow: typeof slow }).slow = slow;
    new PerformanceObserver((all) => {
      for (const entry of all.getEntries()) if (entry.name === "keydown") slow.longest = Math.max(slow.longest, entry.duration);
    }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  let began = 0;
  const measured = await measure(
    app.page,
    async () => {
      began = Date.now();
      const end = exchange(app);
      const typing = app.streaming().then(() => app.page.keyboard.type("Meanwhile someone writes the next question", { delay: 60 }));
      await Promise.all([end, typing]);
    },
    true,
  );
  const seconds = (Date.now() - began) / 1000;
  const slowest = await app.page.evaluate(() => (globalThis as unknown as { slow: { longest: number } }).slow.longest);
  await context.close();
  return { measured, seconds, slowest };
}

for (const [what, answer, tokens, rate] of LONG) {
  test(`typing beside ${what}`, async ({ browser, house, standIn }) => {
    const other = await besides(house.ollama);
    const script = () => standIn.script([text(answer, tokens, rate), done()]);
    const taken: Record<string, Typed[]> = { this: [], other: [] };
    for (let round = 0; round < (other ? ROUNDS.typing : 1); round++) {
      for (const [name, program] of Object.entries({ this: house.sash, ...(other && { other }) })) taken[name].push(await typeBeside(browser, program.url, script));
    }
    const tell = (name: string, heading: string) => {
      const median = medianBy(taken[name], (t) => t.measured.longestTask);
      const { measured, seconds } = median;
      row(heading, frames(measured), "no task over 50 ms");
      row(
        `  main thread`,
        `${f(middle(taken[name].map((t) => t.measured.task)) / tokens, 3)} ms a token, ${f((measured.task / seconds) / 10, 0)} % of ${f(seconds)} s; slowest key ${f(middle(taken[name].map((t) => t.slowest)), 0)} ms`,
        "",
      );
    };
    tell("this", `typing beside ${what}`);
    if (other) tell("other", "  the other program");
    await other?.stop();
  });
}
