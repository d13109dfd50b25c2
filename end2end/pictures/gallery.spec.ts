// Every state of the page in pictures, light, dark and on a phone, and the page that shows them: docs/gallery.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { frames } from "../support/waiting";
import { STATES } from "./states";

const folder = join(__dirname, "../../docs/gallery");

const WIDE = { width: 1120, height: 720 };
const PHONE = { width: 360, height: 720 };
const VIEWS = { light: WIDE, dark: WIDE, phone: PHONE } as const;
type View = keyof typeof VIEWS;

const file = (name: string, view: View) => `${name}-${view}.webp`;

async function take(page: Page, name: string, view: View): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().filter((a) => a.effect?.getComputedTiming().endTime !== Infinity).map((a) => a.finished)));
  await frames(page);
  await page.screenshot({ path: join(folder, file(name, view)), type: "webp", quality: 50, animations: "disabled", caret: "hide" });
}

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
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
}

test("gallery: the page that shows them", async () => {
  mkdirSync(folder, { recursive: true });
  const parts = Object.entries(STATES).map(([name, { title }]) => {
    const pictures = (["light", "dark", "phone"] as const).map((view) => {
      const width = view === "phone" ? "19%" : "39%";
      return `<img src="${file(name, view)}" width="${width}" alt="${title}, ${view}">`;
    });
    return `## ${title}\n\n${pictures.join("\n")}\n`;
  });
  const head =
    "# Every state of the page\n\nLight, dark, and on a phone of 360 pixels. Made by one command, against the stand-in for Ollama: `npx playwright test --config pictures.config.ts gallery`, in `end2end`.\n";
  writeFileSync(join(folder, "README.md"), [head, ...parts].join("\n"));
  // Pictures of states that are no more.
  const known = Object.keys(STATES).flatMap((name) => (["light", "dark", "phone"] as const).map((view) => file(name, view)));
  for (const old of readdirSync(folder)) if (old.endsWith(".webp") && !known.includes(old)) rmSync(join(folder, old));
});
