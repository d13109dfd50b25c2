// The languages: the browser's first, the person's choice over it, and the page as a whole in each of them.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { TAGS } from "../support/axe";
import { expect, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { says } from "../support/standIn";

/** Words of English that a page in another language has only where a text was forgotten. */
const ENGLISH = /\b(the|and|with|your|messages|of|model|settings|nothing|what|chats? with)\b/i;

/** Nothing scrolls sideways at either width, axe finds nothing, and no text is in English. */
async function check(page: Page, state: string): Promise<void> {
  for (const [width, height] of [[1280, 800], [320, 640]] as const) {
    await page.setViewportSize({ width, height });
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
    const told = violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")}`));
    expect.soft(told, `${state}, ${width} px`).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(wide, `${state}, ${width} px: scrolls sideways`).toBeLessThanOrEqual(0);
    if (process.env.SASH_PICTURES) await page.screenshot({ path: `${process.env.SASH_PICTURES}/${state}-${width}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  // Text of twice the size.
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(wide, `${state}, 200 %: scrolls sideways`).toBeLessThanOrEqual(0);
  if (process.env.SASH_PICTURES) await page.screenshot({ path: `${process.env.SASH_PICTURES}/${state}-200.png` });
  await page.evaluate(() => (document.documentElement.style.fontSize = ""));
  // What the page says, its labels included, without what a person or a model wrote.
  const said = await page.evaluate(() => {
    const own = "[dir=auto], .message-text, .chat-open, .code, code, kbd, [lang=en], textarea, .model-option";
    const texts: string[] = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (element.closest(own)) continue;
      for (const name of ["aria-label", "title", "placeholder"]) texts.push(element.getAttribute(name) ?? "");
      for (const node of element.childNodes) if (node instanceof Text) texts.push(node.data);
    }
    return texts.filter((text) => text.trim() !== "");
  });
  expect.soft(said.filter((text) => ENGLISH.test(text)), `${state}: in English`).toEqual([]);
}

test("the browser's language is the page's, another one is chosen in the settings, and nothing written is lost by it", async ({ browser, house, standIn }) => {
  await standIn.script(says("Ja."));
  const context = await browser.newContext({ locale: "de-AT" });
  const page = await context.newPage();
  const html = page.locator("html");
  await page.goto(house.sash.url);
  await expect(html).toHaveAttribute("lang", "de-AT");
  await expect(html).toHaveAttribute("dir", "ltr");
  const composer = page.locator("#prompt");
  await expect(page.getByRole("textbox", { name: "Nachricht" })).toBeVisible();
  await composer.fill("Ein halber Satz");
  await page.goto(`${house.sash.url}/settings`);
  await page.getByLabel("Sprache").selectOption("English");
  await expect(html).toHaveAttribute("lang", "en");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await expect(dialog.getByLabel("Language")).toHaveValue("en");
  await page.reload();
  await dialog.getByLabel("Language").selectOption("עברית");
  await expect(html).toHaveAttribute("dir", "rtl");
  await expect(html).toHaveAttribute("lang", "he");
  await page.getByRole("dialog", { name: "הגדרות" }).getByLabel("שפה").selectOption("browser");
  await expect(html).toHaveAttribute("lang", "de-AT");
  await page.getByRole("button", { name: "Schließen", exact: true }).click();
  await expect(composer).toHaveValue("Ein halber Satz");
  // A browser of none of these languages has English, and one that asks for Hebrew by its former code has that.
  for (const [locale, lang, heading] of [["fr-FR", "en", "Save your chats"], ["iw", "he", "שמירת הצ׳אטים"], ["de", "de", "Chats sichern"]] as const) {
    const other = await browser.newContext({ locale });
    const rescue = await other.newPage();
    await rescue.goto(`${house.sash.url}/export.html`);
    await expect(rescue.getByRole("heading", { name: heading })).toBeVisible();
    await expect(rescue.locator("html")).toHaveAttribute("lang", lang);
    await other.close();
  }
  await context.close();
});

for (const locale of ["de", "he"]) {
  test.describe(() => {
    test.use({ locale });

    // German is guarded in each run by the page in Hebrew, which has the same states; crates/words/tests/locales.rs,
    // `no_text_is_left_in_english`; and first-words.spec.ts, "wide, dark, German, larger".
    const tag = locale === "de" ? "@all" : [];
    test(`the whole page in ${locale}: first screen, a chat with its window, rules and panel, settings`, { tag }, async ({ app, page }) => {
      await app.open();
      await expect(page.locator(".welcome")).toBeVisible();
      await check(page, `${locale}-first`);
      await openWithMessages(app, 1234);
      await expect(app.windowLine).toContainText(locale === "de" ? "3 von 1.234 Nachrichten" : "3 מתוך 1,234 הודעות");
      await check(page, `${locale}-chat`);
      // The bracket of the window stands at the side where lines begin.
      const sash = (await page.locator(".sash-handle").first().boundingBox())!;
      expect(locale === "he" ? sash.x > 640 : sash.x < 640).toBe(true);
      await app.windowLine.click();
      await check(page, `${locale}-rules`);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.goto(`${app.url}/settings`);
      await expect(page.getByRole("dialog")).toBeVisible();
      await check(page, `${locale}-settings`);
    });
  });
}
