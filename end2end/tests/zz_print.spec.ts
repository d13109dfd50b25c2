import { expect, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
test("measure print", async ({ app, page }) => {
  test.setTimeout(300_000);
  await page.addInitScript(() => {
    const w = window as any;
    w.long = [];
    new PerformanceObserver((l) => l.getEntries().forEach((e) => w.long.push([Math.round(e.startTime), Math.round(e.duration)]))).observe({ entryTypes: ["longtask"] });
    window.print = () => { const t = performance.now(); dispatchEvent(new Event("beforeprint")); w.at = [t, performance.now() - t, document.querySelectorAll("[role=log] article").length]; dispatchEvent(new Event("afterprint")); };
  });
  const n = Number(process.env.N ?? 5000);
  await openWithMessages(app, n, {}, ". Some words that make a message of middling length, with **bold** and `code`.\n\n- one\n- two\n\nAnd another paragraph of words that goes on for a while, so that it wraps.");
  await page.waitForTimeout(1500);
  const began = await page.evaluate(() => { (window as any).long.length = 0; return performance.now(); });
  await page.getByRole("button", { name: "This chat", exact: true }).click();
  await page.getByRole("menuitem", { name: "Print or save as PDF…" }).click();
  await expect.poll(() => page.evaluate(() => (window as any).at), { timeout: 240_000 }).toBeTruthy();
  await page.waitForTimeout(3000);
  const { at, long } = await page.evaluate(() => ({ at: (window as any).at, long: (window as any).long }));
  console.log(`n=${n} ms to print: ${Math.round(at[0] - began)}, beforeprint ${Math.round(at[1])}, rows ${at[2]}; long tasks: ${long.length}, max ${Math.max(0, ...long.map((x: number[]) => x[1]))}: ${JSON.stringify(long.slice(0, 12))} … ${JSON.stringify(long.slice(-8))}`);
});
