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
