// Answers that would hold up the page: each comes through the whole page, is kept, and is shown again after a reload.
// What is counted is what is built in one task; times are only told, but for one that nothing but such a fault takes.
import type { Page } from "@playwright/test";
import { mixed } from "../support/answers";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { id, record } from "../support/log";
import { pathological } from "../support/pathological";
import { type Program, withProgram } from "../support/program";
import { done, hold, text } from "../support/standIn";

/** Characters of each answer. In a build for development everything takes five times as long. */
const LENGTH = 60_000;
/** Elements that may be added in one task: three thousand are counted, and one more step of two hundred. */
const IN_A_TASK = 5_000;
/** Milliseconds of the page's own time that no answer takes, unless something is looked at again for each of many things. */
const FAULT = 10_000;

interface Seen {
  most: number;
  longTasks: number[];
}

/** Counts the elements that are added to answers in each task, and notes the long tasks. */
const watch = () => {
  const seen: Seen = { most: 0, longTasks: [] };
  (globalThis as unknown as { seen: Seen }).seen = seen;
  const size = (node: Node): number => (node instanceof Element ? 1 + node.querySelectorAll("*").length : 0);
  new MutationObserver((records) => {
    let added = 0;
    const counted = new Set<Node>();
    // What was added within something that was added itself is counted with it.
    const within = (node: Node) => {
      for (let outer = node.parentElement; outer && !outer.matches(".markdown"); outer = outer.parentElement) {
        if (counted.has(outer)) return true;
      }
      return false;
    };
    for (const { addedNodes, target } of records) {
      if (!(target instanceof Element) || !target.closest(".markdown")) continue;
      for (const node of addedNodes) {
        if (!node.isConnected || counted.has(node) || within(node)) continue;
        counted.add(node);
        added += size(node);
      }
    }
    seen.most = Math.max(seen.most, added);
  }).observe(document, { subtree: true, childList: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(Math.round(duration));
  }).observe({ type: "longtask", buffered: true });
};

/** What was seen since it was last asked. */
const seen = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: Seen };
    const now = { most: seen.most, longTasks: seen.longTasks.splice(0) };
    seen.most = 0;
    return now;
  });

/** What an answer says, formulas as they were written: their program may not have shown them yet. */
const say = () => {
  (globalThis as unknown as { said(answer: Element): string }).said = (answer) => {
    const copy = answer.cloneNode(true) as Element;
    for (const formula of copy.querySelectorAll<HTMLElement>(".formula")) formula.textContent = formula.dataset.source!;
    return copy.textContent!;
  };
};
test.beforeEach(async ({ page }) => {
  await page.addInitScript(say);
  await withProgram(page);
});
declare function program(): Promise<Program>;

const answer = (app: ChatPage) => app.last.locator(".markdown");

/**
 * Waits until the last answer has ended and is all there; gives what it says, and how its blocks stand. The page itself
 * is asked: Playwright's roles are looked for among all elements, of which there are very many.
 */
async function shown(page: Page): Promise<{ text: string; outside: number; blocks: number }> {
  const there = () => {
    const { said } = globalThis as unknown as { said(answer: Element): string };
    const last = document.querySelector('.messages > :nth-last-child(1 of article)[data-state="complete"]');
    const answer = last?.querySelector(".markdown:not([aria-busy])");
    return (
      answer && {
        text: said(answer),
        outside: [...answer.children].filter((child) => !child.matches(".part")).length,
        blocks: Math.max(...[...answer.children].map((part) => part.children.length)),
      }
    );
  };
  return (await page.waitForFunction(there, undefined, { polling: 50, timeout: 60_000 })).jsonValue() as Promise<{ text: string; outside: number; blocks: number }>;
}

/** What the same text shows when it is built as a whole, outside of the page. */
const whole = (page: Page, text: string): Promise<string> =>
  page.evaluate(async (text) => {
    const { said } = globalThis as unknown as { said(answer: Element): string };
    const { Rendering } = await program();
    const place = document.createElement("div");
    place.hidden = true;
    document.body.append(place);
    new Rendering(place).add(text, false);
    while (place.hasAttribute("aria-busy")) await new Promise((done) => setTimeout(done));
    place.remove();
    return said(place);
  }, text);

const ALL = pathological(LENGTH);
const GROUPS = 8;
/** Many elements of each letter: what a task builds has no end of its own. */
const DEFAULT = "paragraphs of a word";
for (let group = -1; group < GROUPS; group++) {
  const some = ALL.filter(({ name }, n) => (group < 0 ? name === DEFAULT : n % GROUPS === group && name !== DEFAULT));
  const tag = group < 0 ? [] : "@all";
  test(`the page stands ${some.map(({ name }) => name).join("; ")}`, { tag }, async ({ app, page, standIn }) => {
    test.setTimeout(240_000);
    await page.addInitScript(watch);
    await app.openReady();
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    let before = 0;
    /** How long the main thread worked since it was last asked, without what other work on the machine took. */
    const worked = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      const now = metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
      // After a reload in another process it begins anew.
      const since = now >= before ? now - before : now;
      before = now;
      return since;
    };
    for (const { name, text: written } of some) {
      const told: string[] = [];
      await app.newChat();
      await seen(page);
      await standIn.script([text(written, Math.ceil(written.length / 200), 400), done()]);
      await worked();
      await app.ask("Go");
      const streamed = await shown(page);
      const streaming = await worked();
      const late = Date.now() - (await standIn.seen()).at(-1)!.finished!;
      let now = await seen(page);
      told.push(`streamed: shown ${late} ms after its end, ${streaming.toFixed(0)} ms of its own, ${now.most} elements in a task, long tasks ${now.longTasks.join(" ")}`);
      expect(now.most, name).toBeLessThanOrEqual(IN_A_TASK);
      expect(streamed.outside, name).toBe(0);
      expect(streamed.blocks, name).toBeLessThanOrEqual(32);
      const began = Date.now();
      await app.reload();
      await page.fill("#prompt", "x");
      const usable = Date.now() - began;
      const again = await shown(page);
      const all = Date.now() - began;
      const reloading = await worked();
      now = await seen(page);
      told.push(`after a reload: usable after ${usable} ms, shown after ${all}, of which ${reloading.toFixed(0)} were its own, ${now.most} elements in a task, long tasks ${now.longTasks.join(" ")}`);
      expect(now.most, name).toBeLessThanOrEqual(IN_A_TASK);
      expect(again.text, name).toBe(streamed.text);
      expect(await whole(page, written), name).toBe(streamed.text);
      console.log(`${name}, ${written.length} characters\n  ${told.join("\n  ")}`);
      expect(Math.min(late, streaming), `${name}: time until it is shown`).toBeLessThan(FAULT);
      expect(Math.min(all, reloading), `${name}: time until it is shown again`).toBeLessThan(FAULT);
    }
  });
}

/** Opens the page with one question and an answer that is kept. */
async function openWith(app: ChatPage, answer: string): Promise<void> {
  await app.openReady();
  const chat = id(0xa1);
  const kept = (n: number, role: string, content: string) => {
    const message = { id: id(n), ...(n > 1 && { parent: id(n - 1), model: "llama3.2" }), seq: n, role, content, created: Date.now() - 60_000 + n };
    return [`sash:m:${chat}:${n.toString(36).padStart(6, "0")}-${id(n)}`, record(message)];
  };
  const log = [
    [`sash:c:${chat}`, record({ id: chat, title: "Long", created: Date.now() - 60_000, policy: { messages: 3 }, rev: 1 })],
    kept(1, "user", "Go"),
    kept(2, "assistant", answer),
  ];
  await app.page.evaluate((log) => {
    for (const [key, value] of log) localStorage.setItem(key, value);
    sessionStorage.clear();
  }, log);
}

test("while a long answer is being built the page is used, and says that it is not all there", async ({ app, page }) => {
  test.setTimeout(120_000);
  await openWith(app, mixed(300_000));
  await app.reload();
  await shown(page);
  // On a slow machine.
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 8 });
  await app.reload();
  await expect(answer(app)).toHaveAttribute("aria-busy", "true");
  // The page notes itself what each letter finds: asking it takes as long as some of the building.
  await page.evaluate(() => {
    const written: [string, string | null][] = [];
    Object.assign(globalThis, { written });
    const prompt = document.querySelector<HTMLTextAreaElement>("#prompt")!;
    prompt.addEventListener("input", () => written.push([prompt.value, document.querySelector(".markdown")!.getAttribute("aria-busy")]));
  });
  await app.composer.pressSequentially("Meanwhile");
  const written = await page.evaluate(() => (globalThis as unknown as { written: [string, string | null][] }).written);
  expect(written[0]).toEqual(["M", "true"]);
  expect(written.at(-1)![0]).toBe("Meanwhile");
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await shown(page);
  // Who came to the end of the chat is there still.
  await expect.poll(() => app.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)).toBeLessThan(50);
});

test("finished parts stand for themselves, and are found, selected and read all the same", async ({ app, page }) => {
  test.setTimeout(120_000);
  await openWith(app, `The very first words\n\n${mixed(30_000)}\n\nThe very last words`);
  await app.reload();
  await shown(page);
  const parts = answer(app).locator(".part");
  expect(await parts.count()).toBeGreaterThan(5);
  const contained = await parts.evaluateAll((all) => all.map((part) => getComputedStyle(part).contain !== "none"));
  expect(contained[0]).toBe(true);
  expect(contained.at(-1), "the last one grows").toBe(false);
  // All of it, in its order, is there for a screen reader.
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const words = nodes.filter((node) => node.role?.value === "StaticText").map((node) => String(node.name?.value));
  expect(words).toContain("The very first words");
  const [first, last] = [words.indexOf("The very first words"), words.indexOf("The very last words")];
  expect(last).toBeGreaterThan(first + 100);
  // A selection from the first part to the last one holds all that lies between.
  const selected = await answer(app).evaluate((answer) => {
    getSelection()!.selectAllChildren(answer);
    return getSelection()!.toString();
  });
  expect(selected.startsWith("The very first words")).toBe(true);
  expect(selected.trimEnd().endsWith("The very last words")).toBe(true);
  expect(selected.match(/window\.select\(\d+\)/g)!.length).toBeGreaterThan(10);
  // The browser's own search.
  const found = await page.evaluate(() => {
    getSelection()!.removeAllRanges();
    return (globalThis as unknown as { find(words: string): boolean }).find("very first words");
  });
  expect(found).toBe(true);
});

test("what is beyond the limit is folded, shown when it is asked for, and copied whole", async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await app.openReady();
  const [first, second] = [`${"word ".repeat(50_000)}half `, `${"more ".repeat(6_000)}end`];
  await standIn.script([text(first), hold, text(second), done()]);
  await app.ask("Go");
  const note = answer(app).getByRole("note");
  const fold = note.locator("summary");
  const pieces = answer(app).locator(".rest");
  const shown = () => pieces.evaluateAll((all) => all.filter((piece) => (piece as HTMLElement).innerText && piece.checkVisibility()).length);
  await expect(fold).toHaveText("Show the rest (50 kB, not formatted)");
  await expect(note).toContainText("too long to format completely");
  expect(await shown()).toBe(0);
  // Unfolded while it grows, what comes is unfolded too.
  await fold.press("Enter");
  await expect.poll(shown).toBe(await pieces.count());
  await expect(pieces.last()).toContainText("half");
  await standIn.release();
  await expect(pieces.last()).toContainText("end");
  await expect(fold).toHaveText("Show the rest (80 kB, not formatted)");
  await expect.poll(shown).toBe(await pieces.count());
  await fold.press("Enter");
  await expect.poll(shown).toBe(0);
  // A reload folds it, a copy has it all.
  await app.reload();
  await expect(fold).toHaveText("Show the rest (80 kB, not formatted)");
  expect(await shown()).toBe(0);
  await app.last.getByRole("button", { name: "Copy", exact: true }).click();
  const clipboard = (kind: string) =>
    page.evaluate(async (kind) => (await (await navigator.clipboard.read())[0].getType(kind)).text(), kind);
  await expect.poll(() => clipboard("text/plain")).toBe(first + second);
  const rich = await page.evaluate((rich) => new DOMParser().parseFromString(rich, "text/html").body.textContent!, await clipboard("text/html"));
  expect(rich.match(/word/g)!.length).toBe(50_000);
  expect(rich).toMatch(/more end\s*$/);
  expect(rich).not.toContain("not formatted");
});

// Guarded in each run by markdown.spec.ts, "an answer at which the program stops at once ends in words, and is folded
// at the next start".
test("a chat whose answers were not all shown the last time opens with them folded", { tag: "@all" }, async ({ app, page, context }) => {
  const long = mixed(20_000);
  await openWith(app, long);
  await app.reload();
  await shown(page);
  // Once all is seen nothing is marked any more.
  const mark = (page: Page) => page.evaluate(() => localStorage.getItem("sash:showing"));
  await expect.poll(() => mark(page)).toBe(null);
  // A page that is ended while it shows them leaves the mark.
  await page.addInitScript(() => {
    // The first paint of the answer never comes.
    globalThis.requestAnimationFrame = () => 0;
  });
  await app.reload();
  await expect.poll(() => mark(page)).toBe(id(0xa1));
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  void session.send("Page.crash").catch(() => {});
  await crashed;
  const next = await context.newPage();
  const { ChatPage } = await import("../support/chatPage");
  const again = new ChatPage(next, app.url);
  await again.openReady();
  const fold = again.last.locator(".folded");
  await expect(fold).toContainText(`Long answer (${long.length.toLocaleString("en")} characters).`);
  await expect(again.last.locator(".markdown")).toHaveCount(0);
  // Another chat is not.
  await again.newChat();
  await again.exchange("Hello");
  await expect(again.last.locator(".folded")).toHaveCount(0);
  await again.chat("Long").click();
  await expect(fold).toBeVisible();
  expect(await mark(next)).toBe(id(0xa1));
  // Until it is shown it stays so, a reload or not.
  await again.reload();
  await fold.getByRole("button", { name: "Show answer" }).click();
  await expect(again.last.locator(".markdown h4").first()).toBeVisible();
  await expect.poll(() => mark(next)).toBe(null);
  await again.reload();
  await expect(again.last.locator(".markdown")).toBeVisible();
});
