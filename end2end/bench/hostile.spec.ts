// What answers that attack cost the page: the longest task, of the thread's own time, and the time until all is shown; as a
// whole, in small pieces, and after a reload. `SASH_LENGTH` says how many characters each has, `SASH_ONLY` names some.
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { test } from "../support/fixtures";
import { pathological } from "../support/pathological";
import { done, text } from "../support/standIn";
import { longest } from "./measure";
import { row } from "./row";

const LENGTH = Number(process.env.SASH_LENGTH ?? 1_000_000);
const PIECE = 200;

/** Notes when the page could first be used and the last answer was all shown. */
const watch = () => {
  const noted = { ready: 0, shown: 0 };
  (globalThis as unknown as { noted: typeof noted }).noted = noted;
  const painted = (then: () => void) => requestAnimationFrame(() => setTimeout(then));
  new MutationObserver(() => {
    if (!noted.ready && document.documentElement.dataset.state === "ready") {
      noted.ready = 1;
      painted(() => (noted.ready = performance.now()));
    }
    const last = document.querySelector('.messages > :nth-last-child(1 of article)[data-state="complete"][data-role="assistant"]');
    const answer = last?.querySelector(".markdown");
    if (!answer || noted.shown) return;
    noted.shown = 1;
    const look = () => {
      if (answer.hasAttribute("aria-busy")) setTimeout(look, 5);
      else painted(() => (noted.shown = Date.now()));
    };
    look();
  }).observe(document, { subtree: true, childList: true, attributes: true });
};
interface Noted {
  ready: number;
  shown: number;
}
const noted = (page: Page) => page.evaluate(() => (globalThis as unknown as { noted: Noted }).noted);

async function shown(page: Page): Promise<Noted> {
  await page.waitForFunction(() => (globalThis as unknown as { noted: Noted }).noted.shown > 1, undefined, { timeout: 280_000, polling: 100 });
  return noted(page);
}

for (const { name, text: written } of pathological(LENGTH)) {
  if (process.env.SASH_ONLY && !name.includes(process.env.SASH_ONLY)) continue;
  test(name, async ({ browser, house, standIn }) => {
    const told: string[] = [];
    let [task, late, usable] = [0, 0, 0];
    for (const [how, tokens] of [["whole", 1], ["in pieces", Math.ceil(written.length / PIECE)]] as const) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const app = new ChatPage(page, house.sash.url);
      await page.addInitScript(watch);
      await app.openReady();
      await app.exchange("Hello");
      await app.newChat();
      await page.evaluate(() => Object.assign((globalThis as unknown as { noted: Noted }).noted, { shown: 0 }));
      await standIn.script([text(written, tokens), done()]);
      let tasks = await longest(page);
      await app.ask("Go");
      const streamed = await shown(page);
      const most = await tasks();
      const ended = (await standIn.seen()).at(-1)!.finished!;
      task = Math.max(task, most);
      late = Math.max(late, streamed.shown - ended);
      told.push(`${how}: task ${most.toFixed(0)}, shown ${(streamed.shown - ended).toFixed(0)}`);
      if (how === "whole") {
        tasks = await longest(page);
        const began = Date.now();
        await app.reload();
        const again = await shown(page);
        const most = await tasks();
        task = Math.max(task, most);
        usable = again.ready;
        told.push(`reload: task ${most.toFixed(0)}, usable ${again.ready.toFixed(0)}, shown ${again.shown - began}`);
      }
      await context.close();
    }
    const holds = task <= 200 && late <= 2000 && usable <= 1000;
    row(`${holds ? " " : "!"} ${name} (${written.length})`, told.join("; "), "task 200 ms, shown 2,000, usable 1,000");
  });
}
