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

test("after a reload the first thing to be seen of an answer is its Markdown", async ({ app, page, standIn }) => {
  await app.openReady();
  await standIn.script(says("A **bold** word"));
  await app.exchange("Hello");
  await page.addInitScript(() => {
    const plain: number[] = [];
    (globalThis as unknown as { plain: number[] }).plain = plain;
    new MutationObserver(() => {
      const now = document.querySelectorAll(".markdown[data-plain]").length;
      if (now > 0) plain.push(now);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await app.reload();
  await app.ready();
  await expect(app.text(app.last).locator("strong")).toHaveText("bold");
  expect(await page.evaluate(() => (globalThis as unknown as { plain: number[] }).plain)).toEqual([]);
});
