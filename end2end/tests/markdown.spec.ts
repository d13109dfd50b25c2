// An answer that is kept is seen as Markdown from the first frame on.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

for (const [when, before] of [
  ["at once", ""],
  ["in a later task", "word\n\n".repeat(10_000)],
])
  // A later task is guarded in each run by the first of them: what ends the program, and what is shown then, is the
  // same.
  test(`an answer at which the program stops ${when} ends in words, and is folded at the next start`, { tag: before ? "@all" : [] }, async ({ app, page, standIn, watch }) => {
  test.setTimeout(90_000);
  watch.allow(/panicked at/, /^uncaught: (unreachable|called `Result::unwrap_throw)/);
  await app.openReady();
  await standIn.script(says(`${before}A **bold** word\n\n> and a quote`));
  await app.exchange("Go on");
  // An element that cannot be made ends the program, as a fault of its own does.
  await page.addInitScript(() => {
    if (sessionStorage.getItem("mended")) return;
    const make = document.createElement.bind(document);
    document.createElement = ((tag: string) => {
      if (tag === "blockquote") throw new Error("no more elements");
      return make(tag);
    }) as typeof document.createElement;
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Sash has stopped" })).toBeVisible({ timeout: 30_000 });
  await page.evaluate(() => sessionStorage.setItem("mended", "yes"));
  await app.reload();
  await app.ready();
  const fold = app.last.locator(".folded");
  await expect(fold).toContainText("it is collapsed now");
  await fold.getByRole("button", { name: "Show answer" }).click();
  await expect(app.text(app.last).locator("strong")).toHaveText("bold");
});

for (const late of [0, 700])
  // Guarded in each run by the late one, which has more frames without Markdown.
  test(`after a reload the first thing to be seen of an answer is its Markdown, ${late} ms late`, { tag: late ? [] : "@all" }, async ({ app, page, standIn }) => {
  await app.openReady();
  // Long, so that the page stands at its end, which moves when Markdown comes.
  await standIn.script(says(`${"- an item\n\n".repeat(80)}\nA **bold** word`));
  await app.exchange("Hello");
  await page.addInitScript(() => {
    // What each frame shows: an answer as it was written, or where it stands before and after.
    const seen: { plain: number; places: number[] } = { plain: 0, places: [] };
    (globalThis as unknown as { seen: typeof seen }).seen = seen;
    const look = () => {
      for (const answer of document.querySelectorAll(".markdown")) {
        if (getComputedStyle(answer).visibility === "hidden") continue;
        seen.plain += Number(!answer.querySelector("strong"));
        // Tells where it is painted, once all that the page itself does in this frame is done.
        const place = new IntersectionObserver(([entry]) => {
          seen.places.push(entry.boundingClientRect.top);
          place.disconnect();
        });
        place.observe(answer);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.route(/_bg\.wasm$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, late));
    await route.continue();
  });
  await app.reload();
  await app.ready();
  await expect(app.text(app.last).locator("strong")).toHaveText("bold");
  await expect(app.text(app.last)).toBeVisible();
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: { plain: number; places: number[] } }).seen);
  expect(seen.plain).toBe(0);
  expect([...new Set(seen.places)], "it stays where it first stood").toHaveLength(1);
});

// Guarded in each run by crates/markdown/src/tests/cjk.rs, `strong_text_ends_or_begins_with_punctuation`;
// crates/markdown/src/tests/cells.rs, `the_items_of_a_list_are_lines`.
test("emphasis beside Chinese, Japanese and Korean punctuation, and a list in a cell, show no marks", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script(says("**注意。**请看~~旧。~~这里\n\n**마크다운(Markdown)**을\n\n|a|b|\n|-|-|\n|<ul><li>one</li><li>two</li></ul>|これは**「大切」**です|"));
  await app.openReady();
  await app.exchange("Hello");
  const text = app.text(app.last);
  await expect(text.locator("strong")).toHaveText(["注意。", "마크다운(Markdown)", "「大切」"]);
  await expect(text.locator("del")).toHaveText("旧。");
  await expect(text.locator("tbody td").first().locator("br")).toHaveCount(1);
  await expect(text).not.toContainText("*");
  await expect(text).not.toContainText("<");
});
