// Markdown is shown by a program of its own, which is loaded with the first answer.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

const PROGRAM = /\/markdown(\.js|_bg\.wasm)$/;

test("an empty page does not load what shows answers; the first answer does, once", async ({ app, page }) => {
  const asked: string[] = [];
  page.on("request", (request) => PROGRAM.test(request.url()) && asked.push(new URL(request.url()).pathname));
  await app.openReady();
  await page.waitForTimeout(300);
  expect(asked).toEqual([]);
  await app.exchange("Hello");
  await app.exchange("Hello again");
  expect(asked.sort()).toEqual(["/markdown.js", "/markdown_bg.wasm"]);
});

test("without its program an answer is plain text, whole, and the chat goes on", async ({ app, page, standIn, watch }) => {
  watch.allow(/Answers stay plain text|Failed to load resource/);
  await page.route(PROGRAM, (route) => route.fulfill({ status: 404, contentType: "text/plain", body: "no" }));
  await app.openReady();
  await standIn.script(says("A **bold** word\n\n- and a list"));
  await app.exchange("Hello");
  await expect(app.text(app.last).locator(".markdown")).toHaveText("A **bold** word\n\n- and a list", { useInnerText: true });
  await page.unroute(PROGRAM);
  await app.reload();
  await app.ready();
  await expect(app.text(app.last).locator("strong")).toHaveText("bold");
});

test("a program that did not come is asked for again, and shows what was plain text", async ({ app, page, standIn, watch }) => {
  watch.allow(/Failed to load resource/);
  await page.route(PROGRAM, (route) => route.fulfill({ status: 404, contentType: "text/plain", body: "no" }));
  await app.openReady();
  await standIn.script(says("A **bold** word"));
  await app.exchange("Hello");
  await expect(app.text(app.last).locator(".markdown")).toHaveText("A **bold** word");
  await page.unroute(PROGRAM);
  await expect(async () => {
    await app.exchange("Hello again");
    await expect(app.text(app.last).locator(".markdown:not([data-plain])")).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(app.text(app.message(2)).locator("strong")).toHaveText("bold");
});

for (const [when, before] of [
  ["at once", ""],
  ["in a later task", "word\n\n".repeat(10_000)],
]) test(`an answer at which its program stops ${when} is plain text, whole, and the page goes on`, async ({ app, page, standIn }) => {
  test.setTimeout(90_000);
  await app.openReady();
  await app.exchange("Hello");
  // What the program cannot make ends it as a fault of its own does.
  await page.evaluate(() => {
    const make = document.createElement.bind(document);
    document.createElement = ((tag: string) => {
      if (tag === "blockquote") throw new Error("no more elements");
      return make(tag);
    }) as typeof document.createElement;
  });
  const written = `${before}A **bold** word\n\n> and a quote`;
  await standIn.script(says(written));
  await app.exchange("Go on");
  const answer = app.text(app.last).locator(".markdown");
  await expect(answer).toHaveAttribute("data-plain", "", { timeout: 30_000 });
  await expect(answer).not.toHaveAttribute("aria-busy");
  expect(await answer.evaluate((answer) => answer.textContent)).toBe(written);
  await app.newChat();
  await standIn.script(says("One **more**"));
  await app.exchange("And now?");
  await expect(app.text(app.last).locator(".markdown")).toHaveText("One **more**");
  await app.reload();
  await app.ready();
  await expect(app.text(app.last).locator("strong")).toHaveText("more");
});

for (const late of [0, 700]) test(`after a reload the first thing to be seen of an answer is its Markdown, ${late} ms late`, async ({ app, page, standIn }) => {
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
        seen.plain += Number(answer.hasAttribute("data-plain"));
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
  await page.route("**/markdown_bg.wasm", async (route) => {
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
