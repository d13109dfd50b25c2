// A phone: fingers, a narrow page, a keyboard that comes and goes.
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { openWithChats, openWithMessages } from "../support/log";
import { says } from "../support/standIn";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

type Point = { x: number; y: number };

/** Fingers, as the browser gets them. */
async function fingers(page: Page) {
  const touch = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    send,
    async swipe(from: Point, to: Point) {
      await send("touchStart", [from]);
      for (let n = 1; n <= 4; n++) await send("touchMove", [{ x: from.x + ((to.x - from.x) * n) / 4, y: from.y + ((to.y - from.y) * n) / 4 }]);
      await send("touchEnd", []);
    },
    async press(place: Point, until: () => Promise<void>) {
      await send("touchStart", [place]);
      await until();
      await send("touchEnd", []);
    },
  };
}

const middle = async (place: Locator): Promise<Point> => {
  const box = (await place.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test("Enter begins a line and the button sends, unless the person chose otherwise", async ({ app, page, standIn }) => {
  await standIn.script(says("One."), says("Two."));
  await app.openReady();
  await app.composer.tap();
  await page.keyboard.type("First");
  await page.keyboard.press("Enter");
  await page.keyboard.type("second");
  await expect(app.composer).toHaveValue("First\nsecond");
  await app.send.tap();
  await app.ended("complete");
  expect(await app.messages.count()).toBe(2);
  await page.getByRole("button", { name: "Chats", exact: true }).tap();
  await app.chats.getByRole("button", { name: "Settings" }).tap();
  const key = page.getByRole("combobox", { name: "Send with" });
  await expect(key).toHaveValue("device");
  await key.selectOption("enter");
  await page.getByRole("button", { name: "Close", exact: true }).tap();
  // The list of chats does not lie over the chat then.
  await expect(page.locator(".page")).toHaveAttribute("data-chats", "hidden");
  await app.exchange("Sent by Enter");
});

test("the list of chats opens by a swipe from the edge and closes by one back; scrolling and swipes elsewhere do nothing", async ({ app, page }) => {
  await openWithChats(app, 3);
  const { swipe } = await fingers(page);
  const shown = page.locator(".page");
  await swipe({ x: 200, y: 400 }, { x: 330, y: 400 });
  await swipe({ x: 20, y: 400 }, { x: 90, y: 600 });
  await swipe({ x: 20, y: 400 }, { x: 50, y: 400 });
  await expect(shown).toHaveAttribute("data-chats", "hidden");
  await swipe({ x: 20, y: 400 }, { x: 150, y: 410 });
  await expect(shown).toHaveAttribute("data-chats", "shown");
  await expect(app.chat("Chat 1")).toBeInViewport();
  await swipe({ x: 250, y: 400 }, { x: 100, y: 410 });
  await expect(shown).toHaveAttribute("data-chats", "hidden");
});

test("a long press below a message opens its menu, on its text it is the browser's", async ({ app, page }) => {
  await openWithMessages(app, 6, {}, " with words that can be selected.");
  const { press } = await fingers(page);
  const menu = app.last.getByRole("menu", { name: "More" });
  await press(await middle(app.last.locator(".answer-model")), () => expect(menu).toBeVisible());
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await app.title.tap();
  await expect(menu).toHaveCount(0);
  await press(await middle(app.text(app.last).locator("p")), () => page.waitForTimeout(700));
  await expect(menu).toHaveCount(0);
});

for (const [width, height] of [
  [390, 844],
  [320, 568],
])
  // Guarded in each run by the narrower one.
  test(`${width} × ${height}: the line below the field is one row, targets are large, no field enlarges the page`, { tag: width === 390 ? "@all" : [] }, async ({ app, page }) => {
    await page.setViewportSize({ width, height });
    await openWithMessages(app, 10, {}, " with some words.");
    const row = page.locator(".composer-row");
    const items = await row.locator("button:visible, select:visible").evaluateAll((all) => all.map((item) => item.getBoundingClientRect()));
    expect(items.length).toBeGreaterThan(2);
    const middles = items.map((item) => Math.round(item.top + item.height / 2));
    expect(Math.max(...middles) - Math.min(...middles), "one row").toBeLessThanOrEqual(2);
    const main = [app.send, app.windowLine, page.getByRole("button", { name: "Chats", exact: true }), app.inMessage(app.last, "Copy"), app.inMessage(app.last, "More")];
    for (const target of main) expect((await target.boundingBox())!.height, String(target)).toBeGreaterThanOrEqual(44);
    // The tokens have no room there: they are read out, and are among the parts.
    expect((await page.locator(".window-tokens").boundingBox())!.width).toBeLessThanOrEqual(1);
    await expect(app.windowLine).toHaveAccessibleName(/\d tokens/);
    const small = await page.locator("input:visible, textarea:visible, select:visible").evaluateAll((all) => all.filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16).map((field) => field.id || field.className));
    expect(small).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    // The thumb reaches it.
    const composer = (await app.composer.boundingBox())!;
    expect(height - composer.y - composer.height).toBeLessThan(80);
    await page.getByRole("button", { name: "Chats", exact: true }).tap();
    for (const target of [app.chats.getByRole("button", { name: "New chat" }), app.chats.getByRole("button", { name: "Settings" }), app.chat("A long chat"), app.chats.locator("#sidebar-menu")])
      expect((await target.boundingBox())!.height, String(target)).toBeGreaterThanOrEqual(44);
  });

test("where a keyboard lies over the page, the composer stays above it", async ({ app, page }) => {
  // Safari: the window keeps its height, and what is seen of it gets smaller.
  await page.addInitScript(() => {
    const viewport = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
    Object.defineProperty(window, "visualViewport", { value: viewport });
    Object.assign(window, {
      seen: (height: number, offsetTop: number) => {
        Object.assign(viewport, { height, offsetTop });
        viewport.dispatchEvent(new Event("resize"));
      },
    });
  });
  await openWithMessages(app, 20);
  const seen = (height: number, top: number) => page.evaluate(([height, top]) => (window as unknown as { seen(h: number, t: number): void }).seen(height, top), [height, top]);
  const foot = async () => {
    const box = (await app.send.boundingBox())!;
    return box.y + box.height;
  };
  await seen(500, 40);
  expect(await foot()).toBeLessThan(540);
  expect(await foot()).toBeGreaterThan(480);
  // The bar of a browser is no keyboard.
  await seen(800, 0);
  expect(await foot()).toBeGreaterThan(780);
});

// Guarded in each run by keyboard.spec.ts, "by keys alone: how a phone reaches this page is opened and closed".
test("how a phone reaches a Sash that listens on this machine alone", { tag: "@all" }, async ({ app, page }) => {
  await app.openReady();
  await page.getByRole("button", { name: "Chats", exact: true }).tap();
  await app.openFromFoot("This page on my phone…");
  const dialog = page.getByRole("dialog", { name: "This page on my phone" });
  await expect(dialog).toContainText("sash --listen 0.0.0.0:7274 --token auto");
  await expect(dialog.getByRole("img")).toHaveCount(0);
  await dialog.getByText("What is missing at an address with http://").tap();
  await expect(dialog).toContainText("tailscale serve 7274");
  await dialog.getByRole("button", { name: "Move chats" }).tap();
  await expect(page.getByRole("tab", { name: /Export/, selected: true })).toBeVisible();
});

test("the page can be installed", async ({ app, page }) => {
  await app.openReady();
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A context of tests is one in which nothing is installed.
  expect(installabilityErrors.map((error) => error.errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  const { errors, manifest } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(manifest).toMatchObject({ display: expect.stringMatching(/standalone/i), id: expect.any(String) });
});

test("a new chat is one tap away, and the second row of the header is made for fingers", async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.composer.fill("First");
  await app.send.tap();
  await app.ended("complete");
  const header = page.locator("header.header");
  for (const target of [header.getByRole("button", { name: "New chat" }), header.getByRole("button", { name: "Parameters" }), app.model]) {
    expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  }
  await header.getByRole("button", { name: "New chat" }).tap();
  await expect(app.messages).toHaveCount(0);
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const boxes = await header.locator("button:visible, input:visible").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    for (const [n, a] of boxes.entries())
      for (const b of boxes.slice(n + 1))
        expect(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1, JSON.stringify([a, b])).toBe(true);
  }
});
