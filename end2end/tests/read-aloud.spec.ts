// Reading an answer aloud: by a voice of the device, a sentence at a time, each marked while it is spoken.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";
import { fakeVoices } from "../support/voices";

const ANSWER = "# The title\n\nThe first one is *here*. And `this` is the second.\n\n```rust\nfn main() {}\n```\n\nThe sum is $x^2$, and that is the end.";

const said = (page: Page) => page.evaluate(() => window.speaker.said);
const end = (page: Page) => page.evaluate(() => window.speaker.end());
/** The text that is marked. */
const marked = (page: Page) =>
  page.evaluate(() => {
    const ranges = CSS.highlights.get("spoken") as unknown as Set<Range> | undefined;
    return [...(ranges ?? [])].map((range) => range.toString());
  });

test("an answer is read by a voice of this device, sentence by sentence, until it is stopped", async ({ app, page, standIn }) => {
  await fakeVoices(page);
  await standIn.script(says(ANSWER));
  await app.openReady();
  await app.exchange("Read it to me");
  // A device without a voice of its own says so; one that sends the text to a server is none.
  const more = app.inMessage(app.last, "More");
  const menu = app.last.getByRole("menu", { name: "More" });
  await more.click();
  const none = menu.getByRole("menuitem", { name: "Read aloud (no offline voice here)" });
  await expect(none).toHaveAttribute("aria-disabled", "true");
  await page.evaluate(() => window.speaker.add([{ name: "Cloud", lang: "en-US", local: false }]));
  await expect(none).toBeVisible();
  await page.evaluate(() =>
    window.speaker.add([
      { name: "Cloud", lang: "en-US", local: false },
      { name: "Anna", lang: "de-DE", local: true },
      { name: "Ben", lang: "en-GB", local: true },
    ]),
  );
  await menu.getByRole("menuitem", { name: "Read aloud", exact: true }).click();
  expect(await said(page)).toEqual(["Ben 1: The title"]);
  expect(await marked(page)).toEqual(["The title"]);
  await end(page);
  expect(await marked(page)).toEqual(["The first one is here."]);

  // Another speed holds from the next sentence on.
  await app.chats.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("combobox", { name: "Reading speed" }).selectOption("Twice as fast");
  await page.keyboard.press("Escape");
  await end(page);
  await end(page);
  expect((await said(page)).slice(2)).toEqual(["Ben 2: And this is the second.", "Ben 2: Code left out."]);
  expect((await marked(page))[0], "the block is marked").toContain("fn main() {}");
  await end(page);
  expect((await said(page)).at(-1)).toBe("Ben 2: The sum is formula left out, and that is the end.");
  await end(page);
  expect(await marked(page)).toEqual([]);
  await expect(app.inMessage(app.last, "Stop reading")).toHaveCount(0);

  // It ends by its button, in another chat, and with its message.
  const start = async () => {
    await app.act(app.last, "Read aloud");
    expect((await marked(page)).length).toBe(1);
  };
  const stops = () => page.evaluate(() => window.speaker.stops);
  await start();
  const before = await stops();
  await app.inMessage(app.last, "Stop reading").click();
  expect([await stops(), await marked(page)]).toEqual([before + 1, []]);
  await start();
  await app.act(app.last, "Delete");
  await expect.poll(() => marked(page)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await start();
  await app.newChat();
  await expect.poll(stops).toBe(before + 3);
});

test("what is spoken is scrolled along with a reader who is there, and not with one who left", async ({ app, page, standIn }) => {
  await fakeVoices(page);
  const sentences = Array.from({ length: 60 }, (_, n) => `This is the sentence of number ${n}.`);
  await standIn.script(says(sentences.join("\n\n")));
  await app.openReady();
  await app.exchange("Sixty sentences");
  await page.evaluate(() => window.speaker.add([{ name: "Ben", lang: "en-GB", local: true }]));
  await app.act(app.last, "Read aloud");
  const top = () => app.log.evaluate((log) => log.scrollTop);
  const bottom = await top();
  await end(page);
  expect(await top(), "the reader is at the end").toBe(bottom);
  await app.log.evaluate((log) => log.scrollTo(0, 0));
  for (let n = 0; n < 40; n++) await end(page);
  expect(await top(), "the text is followed").toBeGreaterThan(300);
  await app.log.evaluate((log) => log.scrollTo(0, 0));
  await end(page);
  await end(page);
  expect(await top()).toBe(0);
});
