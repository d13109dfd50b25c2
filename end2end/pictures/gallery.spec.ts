// Every state of the page in pictures, and the pages that show them: docs/gallery. Light, dark and on a phone; in German, in Hebrew and
// with text of twice the size.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { frames } from "../support/waiting";
import { STATES } from "./states";
import { Translation } from "../support/translation";

const folder = join(__dirname, "../../docs/gallery");

const WIDE = { width: 1120, height: 720 };
const PHONE = { width: 360, height: 720 };
const VIEWS = { light: WIDE, dark: WIDE, phone: PHONE } as const;
/** Views that need a page of their own: another language, or text of twice the size. */
const OTHERS = {
  de: { says: "in German", locale: "de-DE", fontSize: 16 },
  he: { says: "in Hebrew", locale: "he-IL", fontSize: 16 },
  large: { says: "with text of twice the size", locale: "en-GB", fontSize: 32 },
} as const;
const OTHER = { width: 1280, height: 800 };
type View = keyof typeof VIEWS | keyof typeof OTHERS;

const file = (name: string, view: View) => `${name}-${view}.webp`;

async function take(page: Page, name: string, view: View): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().filter((a) => a.effect?.getComputedTiming().endTime !== Infinity).map((a) => a.finished)));
  await frames(page);
  await page.screenshot({ path: join(folder, file(name, view)), type: "webp", quality: 50, animations: "disabled", caret: "hide" });
}

const scrollsSideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

for (const [name, { title, prepare, onPhone }] of Object.entries(STATES)) {
  test(`gallery: ${title}`, async ({ app, page, standIn, programs, watch }) => {
    test.setTimeout(90_000);
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    mkdirSync(folder, { recursive: true });
    const house = { app, page, standIn, programs };
    await page.setViewportSize(WIDE);
    await prepare(house);
    for (const view of ["light", "dark", "phone"] as const) {
      await page.emulateMedia({ colorScheme: view === "dark" ? "dark" : "light" });
      await page.setViewportSize(VIEWS[view]);
      // To the end, as after an answer.
      if (view === "phone") await app.log.evaluateAll((all) => all.forEach((log) => log.scrollTo(0, log.scrollHeight)));
      if (view === "phone") await onPhone?.(house);
      await take(page, name, view);
    }
    expect(await scrollsSideways(page)).toBe(0);
  });
}

for (const [view, { says, locale, fontSize }] of Object.entries(OTHERS) as [keyof typeof OTHERS, (typeof OTHERS)[keyof typeof OTHERS]][]) {
  test.describe(() => {
    test.use({ locale });
    for (const [name, { title, prepare, onPhone }] of Object.entries(STATES)) {
      test(`gallery: ${title}, ${says}`, async ({ app: { url }, page, standIn, programs, watch }) => {
        test.setTimeout(90_000);
        watch.allow(/ERR_INTERNET_DISCONNECTED/);
        mkdirSync(folder, { recursive: true });
        await page.setViewportSize(OTHER);
        const undo = locale.startsWith("en") ? () => {} : new Translation(view).apply(page);
        try {
          const house = { app: new ChatPage(page, url), page, standIn, programs };
          await prepare(house);
          if (fontSize !== 16) {
            // In the settings of the browser. The page has the form of a narrower one then, so what a phone needs is done here, too.
            await (await page.context().newCDPSession(page)).send("Page.setFontSizes", { fontSizes: { standard: fontSize, fixed: fontSize } });
            await house.app.log.evaluateAll((all) => all.forEach((log) => log.scrollTo(0, log.scrollHeight)));
            await onPhone?.(house);
          }
          await take(page, name, view);
          expect(await scrollsSideways(page)).toBe(0);
        } finally {
          undo();
        }
      });
    }
  });
}

/** A page that shows pictures of every state. */
function writePage(path: string, head: string, views: [view: View, says: string, width: number][]): void {
  const parts = Object.entries(STATES).map(([name, { title }]) => {
    const pictures = views.map(([view, says, width]) => `<img src="${file(name, view)}" width="${width}%" alt="${title}, ${says}">`);
    return `## ${title}\n\n${pictures.join("\n")}\n`;
  });
  writeFileSync(join(folder, path), [head, ...parts].join("\n"));
}

test("gallery: the pages that show them", async () => {
  mkdirSync(folder, { recursive: true });
  const command = "Made by one command, against the stand-in for Ollama: `npx playwright test --config pictures.config.ts gallery`, in `end2end`.";
  writePage("README.md", `# Every state of the page\n\nLight, dark, and on a phone of 360 pixels; [in German, in Hebrew and with large text](languages.md). ${command}\n`, [
    ["light", "light", 39],
    ["dark", "dark", 39],
    ["phone", "phone", 19],
  ]);
  const others = Object.entries(OTHERS).map(([view, { says }]): [View, string, number] => [view as View, says, 32]);
  writePage("languages.md", `# Every state of the page in other languages, and with large text\n\nIn German, in Hebrew, and in English with the browser's text at 200 %, on 1280 pixels. [Light, dark and on a phone](README.md). ${command}\n`, others);
  // Pictures of states that are no more.
  const views = [...Object.keys(VIEWS), ...Object.keys(OTHERS)] as View[];
  const known = Object.keys(STATES).flatMap((name) => views.map((view) => file(name, view)));
  for (const old of readdirSync(folder)) if (old.endsWith(".webp") && !known.includes(old)) rmSync(join(folder, old));
});
