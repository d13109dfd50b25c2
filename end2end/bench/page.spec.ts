// How soon the page can be used, and shows the last answer of its log: beside another program (`--against`) where one is named.
import { ChatPage } from "../support/chatPage";
import { test } from "../support/fixtures";
import { openWithChats, openWithMessages } from "../support/log";
import { besides, middle } from "./besides";
import { row } from "./row";

/** What is in the log, and how often each page is loaded with it; the first time is not counted, since it compiles the program. */
const LOGS: [string, number, (app: ChatPage) => Promise<void>][] = [
  ["", 25, (app) => openWithMessages(app, 40, {}, ". Some *words* with `code`, as answers have them.\n\nAnd a second paragraph.")],
  [", 5,000 messages", 7, (app) => openWithMessages(app, 5_000)],
  [", 5,000 chats", 7, (app) => openWithChats(app, 5_000)],
];

interface Times {
  /** Milliseconds until one can write. */
  ready: number;
  /** Milliseconds until the last answer stands on the page. */
  shown: number;
}

/** Takes the times of each load of the page, before anything of it runs. */
const watch = () => {
  const times: Partial<Times> = {};
  (globalThis as unknown as { times: Partial<Times> }).times = times;
  const look = () => {
    if (document.documentElement?.dataset.state === "ready") times.ready ??= performance.now();
    if (document.querySelector(".message:last-of-type .markdown p")) times.shown ??= performance.now();
    if (times.ready === undefined || times.shown === undefined) requestAnimationFrame(look);
  };
  look();
  new MutationObserver((_, observer) => {
    look();
    if (times.ready !== undefined && times.shown !== undefined) observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-state"] });
};

for (const [log, loads, fill] of LOGS) {
  test(`a page with a log${log}`, async ({ browser, house, standIn }) => {
    void standIn;
    const other = await besides(house.ollama);
    const pages: Record<string, { app: ChatPage; ready: number[]; shown: number[] }> = {};
    for (const [name, program] of Object.entries({ this: house.sash, ...(other && { other }) })) {
      const page = await (await browser.newContext()).newPage();
      await page.addInitScript(watch);
      const app = new ChatPage(page, program.url);
      await fill(app);
      pages[name] = { app, ready: [], shown: [] };
    }
    // In turns, so that what else the machine does falls on both.
    for (let load = 0; load <= loads; load++) {
      for (const { app, ready, shown } of Object.values(pages)) {
        await app.reload();
        const times = await app.page.waitForFunction(() => {
          const { times } = globalThis as unknown as { times: Partial<Times> };
          return times.ready !== undefined && times.shown !== undefined && times;
        });
        const { ready: r, shown: s } = (await times.jsonValue()) as Times;
        if (load > 0) [ready.push(r), shown.push(s)];
      }
    }
    for (const [what, budget] of Object.entries({ ready: "1.35 × that of six programs", shown: "1.2 × that of six programs" })) {
      const of = (name: string) => middle(pages[name][what as keyof Times]);
      const beside = other ? `${(of("this") / of("other")).toFixed(2)} × (${of("this").toFixed(0)} ms, the other program ${of("other").toFixed(0)} ms)` : `${of("this").toFixed(0)} ms`;
      row((what === "ready" ? "until one can write" : "until the last answer is shown") + log, beside, log ? "no slower than the other program" : budget);
    }
    await other?.stop();
  });
}

/** What a first visit is made on. */
const TERMS = {
  "": undefined,
  ", on a phone's terms": { slower: 4, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8, latency: 20, offline: false },
};
const VISITS = 15;

interface FirstTimes {
  /** Milliseconds until there is something to read. */
  read: number;
  /** Milliseconds until a field has the focus and takes words. */
  taken: number;
}

/** Takes the times of a first visit, before anything of the page runs. */
const watchFirst = () => {
  const first: Partial<FirstTimes> = {};
  Object.assign(globalThis, { first });
  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const hasWords = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (texts.currentNode.textContent!.trim() && isShown(texts.currentNode.parentElement!)) return true;
    }
    return [...document.querySelectorAll("textarea")].some((field) => field.placeholder && isShown(field));
  };
  const look = () => {
    const field = document.activeElement;
    if (field instanceof HTMLTextAreaElement && !field.disabled && isShown(field)) first.taken ??= performance.now();
    const painted = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    // Words of the frame before this one are on the screen when something is.
    if (painted !== undefined && document.body && hasWords()) first.read ??= Math.max(painted, frame);
    frame = performance.now();
    if (first.taken === undefined || first.read === undefined) requestAnimationFrame(look);
  };
  let frame = 0;
  addEventListener("focusin", look, true);
  requestAnimationFrame(look);
};

for (const [terms, limits] of Object.entries(TERMS)) {
  test(`a first visit${terms}`, async ({ browser, house, standIn }) => {
    void standIn;
    const other = await besides(house.ollama);
    const times: Record<string, Record<keyof FirstTimes, number[]>> = {};
    for (let visit = 0; visit <= VISITS; visit++) {
      for (const [name, program] of Object.entries({ this: house.sash, ...(other && { other }) })) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.addInitScript(watchFirst);
        if (limits) {
          const { slower, ...network } = limits;
          const session = await context.newCDPSession(page);
          await session.send("Network.emulateNetworkConditions", network);
          await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
        }
        await page.goto(program.url, { waitUntil: "commit" });
        const first = await page.waitForFunction(() => {
          const { first } = globalThis as unknown as { first: Partial<FirstTimes> };
          return first.read !== undefined && first.taken !== undefined && first;
        });
        const { read, taken } = (await first.jsonValue()) as FirstTimes;
        const of = (times[name] ??= { read: [], taken: [] });
        if (visit > 0) [of.read.push(read), of.taken.push(taken)];
        await context.close();
      }
    }
    for (const [what, words] of [["read", "first thing to read"], ["taken", "first word taken"]] as const) {
      const of = (name: string) => middle(times[name][what]);
      const range = (name: string) => `${of(name).toFixed(0)} ms (${Math.min(...times[name][what]).toFixed(0)} to ${Math.max(...times[name][what]).toFixed(0)})`;
      const beside = other ? `${(of("this") / of("other")).toFixed(2)} × (${range("this")}, the other program ${range("other")})` : range("this");
      row(`${words}${terms}`, beside, what === "read" ? "150 ms" : "200 ms");
    }
    await other?.stop();
  });
}
