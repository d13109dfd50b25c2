// What tells a person who looks elsewhere that an answer is ready, and the screen that stays on.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { done, hold, says, text } from "../support/standIn";
import { ChatPage } from "../support/chatPage";

interface Noted {
  asked: number;
  notices: string[];
  tones: number;
  locks: number;
  permission: NotificationPermission;
}

/** Stands in for what the system gives, and notes what is asked of it. */
async function watchSystem(page: Page, permission: NotificationPermission): Promise<void> {
  await page.addInitScript((granted) => {
    const noted = { asked: 0, notices: [] as string[], tones: 0, locks: 0, permission: "default" };
    const hidden = { now: false };
    Object.assign(window, { noted, hidden });
    class Notice extends EventTarget {
      static get permission() {
        return noted.permission;
      }
      static requestPermission() {
        noted.asked++;
        noted.permission = granted;
        return Promise.resolve(granted);
      }
      onclick: (() => void) | null = null;
      constructor(title: string, options: { body?: string }) {
        super();
        noted.notices.push(`${title}: ${options.body}`);
        Object.assign(window, { lastNotice: this });
      }
      close() {}
    }
    Object.defineProperty(window, "Notification", { value: Notice, configurable: true });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when?: number) {
      noted.tones++;
      start.call(this, when);
    };
    const wakeLock = {
      request() {
        noted.locks++;
        return Promise.resolve({ release: () => Promise.resolve(void noted.locks--) });
      },
    };
    Object.defineProperty(navigator, "wakeLock", { value: wakeLock, configurable: true });
    Object.defineProperty(document, "hidden", { get: () => hidden.now });
    Object.defineProperty(document, "visibilityState", { get: () => (hidden.now ? "hidden" : "visible") });
  }, permission);
}

const noted = (page: Page) => page.evaluate(() => (window as never as { noted: Noted }).noted);
const hide = (page: Page, now: boolean) =>
  page.evaluate((now) => {
    (window as never as { hidden: { now: boolean } }).hidden.now = now;
    document.dispatchEvent(new Event("visibilitychange"));
  }, now);
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href");

test("while the page is hidden the title and the icon say that an answer is ready; the rest only where it is switched on", async ({ app, standIn, page }) => {
  await watchSystem(page, "granted");
  await app.openReady();
  const plain = await icon(page);
  await standIn.script(says("One."));
  await app.exchange("Where is it?");
  expect(await page.title()).toBe("Where is it? · Sash");

  await standIn.script([text("Two.", 1), hold, done()]);
  await app.ask("And then?");
  await app.streaming();
  await hide(page, true);
  await standIn.release();
  await app.ended("complete");
  await expect(page).toHaveTitle("✓ Where is it? · Sash");
  await expect.poll(() => icon(page)).toContain("circle");
  expect(await noted(page)).toMatchObject({ asked: 0, notices: [], tones: 0, locks: 0 });
  await hide(page, false);
  await expect(page).toHaveTitle("Where is it? · Sash");
  expect(await icon(page)).toBe(plain);

  // The permission is asked at the switch, and the sound is heard there.
  await page.keyboard.press("Control+,");
  await page.getByRole("checkbox", { name: "Notify me" }).check();
  await page.getByRole("checkbox", { name: "Also play a short sound" }).check();
  await page.getByRole("checkbox", { name: "Keep the screen on" }).check();
  await expect.poll(() => noted(page)).toMatchObject({ asked: 1, notices: [], tones: 2, locks: 0 });
  await page.keyboard.press("Escape");
  await standIn.script([text("Three.", 1), hold, done()]);
  await app.ask("At last?");
  await app.streaming();
  await expect.poll(async () => (await noted(page)).locks).toBe(1);
  // The browser takes it away when the page is hidden; it is requested again.
  await hide(page, true);
  await expect.poll(async () => (await noted(page)).locks).toBe(0);
  await hide(page, false);
  await expect.poll(async () => (await noted(page)).locks).toBe(1);
  await page.keyboard.press("Alt+n");
  await hide(page, true);
  await standIn.release();
  await expect.poll(() => noted(page)).toMatchObject({ notices: ["Answer ready: Where is it?"], tones: 4, locks: 0 });
  // A click on it shows the chat.
  await page.evaluate(() => (window as never as { lastNotice: { onclick(): void } }).lastNotice.onclick());
  await expect(app.title).toHaveText("Where is it?");
});

// Holds `use_wake_lock`: whether the screen is still to stay on is looked up once the lock is there.
test("a screen that the browser keeps on only after the answer has ended may go off at once", async ({ app, standIn, page }) => {
  await watchSystem(page, "granted");
  await page.addInitScript(() => {
    const { wakeLock } = navigator;
    const request = wakeLock.request.bind(wakeLock);
    const given = new Promise<void>((resolve) => Object.assign(window, { give: resolve }));
    wakeLock.request = async (kind) => {
      const lock = await request(kind);
      await given;
      return lock;
    };
  });
  await app.openReady();
  await page.keyboard.press("Control+,");
  await page.getByRole("checkbox", { name: "Keep the screen on" }).check();
  await page.keyboard.press("Escape");
  await standIn.script([text("One.", 1), hold, done()]);
  await app.ask("Where is it?");
  await app.streaming();
  await expect.poll(async () => (await noted(page)).locks).toBe(1);
  await standIn.release();
  await app.ended("complete");
  expect((await noted(page)).locks).toBe(1);
  await page.evaluate(() => (window as never as { give(): void }).give());
  await expect.poll(async () => (await noted(page)).locks).toBe(0);
});

test("a browser that does not allow notifications is said at the switch, and plain HTTP from another machine too", async ({ app, page }) => {
  await watchSystem(page, "denied");
  await app.openReady();
  await page.keyboard.press("Control+,");
  const notify = page.getByRole("checkbox", { name: "Notify me" });
  await notify.click();
  await expect(page.getByText("Notifications are blocked for this site.")).toBeVisible();
  await expect(notify).not.toBeChecked();

  const away = new ChatPage(await page.context().newPage(), app.url);
  await away.page.addInitScript(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  await away.page.goto(`${away.url}/settings`);
  await away.started();
  await expect(away.page.getByText("Notifications and keeping the screen on need HTTPS")).toHaveCount(1);
  await expect(away.page.getByRole("checkbox", { name: "Notify me" })).toBeDisabled();
  await expect(away.page.getByRole("checkbox", { name: "Keep the screen on" })).toBeDisabled();
  await expect(away.page.getByRole("checkbox", { name: "Also play a short sound" })).toBeEnabled();
  await away.page.close();
});
