// What every test is given: a Sash and a stand-in of the worker's own, a fresh page, and a watch over it.
import { expect, type Page } from "@playwright/test";
import { Profile } from "./browser";
import { ChatPage } from "./chatPage";
import { test as base } from "./house";

/** What went wrong in the page, unless a test says that it is meant to. */
interface Watch {
  /** Console errors that are no fault in this test. */
  allow(...patterns: RegExp[]): void;
}

interface ForTest {
  app: ChatPage;
  /** A browser of the test's own, which can be killed and started again. */
  profile: Profile;
  watch: Watch;
}

export const test = base.extend<ForTest>({
  app: async ({ page, house, standIn, watch }, use) => {
    void standIn;
    void watch;
    // Said once in each browser, and every test has a fresh one: it would take room from what other tests look at.
    await page.addInitScript(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".first-left { display: none; }");
      document.adoptedStyleSheets = [sheet];
    });
    await use(new ChatPage(page, house.sash.url));
  },

  profile: async ({ launchOptions }, use) => {
    const profile = new Profile(launchOptions.executablePath ?? "chromium");
    await use(profile);
    await profile.remove();
  },

  // The page ends before the programs that it asks: a request on its way would be reset, which is no error of the page.
  programs: async ({ page, programs }, use) => {
    await use(programs);
    await page.close();
  },

  watch: [
    async ({ page }, use) => {
      const allowed = [
        // The browser's own line for each answer that is not 2xx; the page tells the person in words.
        /^Failed to load resource: the server responded with a status of (4|5)\d\d/,
      ];
      const wrong: string[] = [];
      const unless = (line: string) => {
        if (!allowed.some((pattern) => pattern.test(line))) wrong.push(line);
      };
      page.on("pageerror", (error) => unless(`uncaught: ${error.message}`));
      page.on("console", (line) => {
        if (line.type() === "error") unless(line.text());
      });
      page.on("dialog", (dialog) => {
        // The browser's own question before a page is left has no words.
        unless(`a dialog: ${dialog.message() || dialog.type()}`);
        void (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss());
      });
      page.on("request", (request) => {
        const url = new URL(request.url());
        const own = /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname) || url.origin === new URL(page.url(), "http://127.0.0.1").origin;
        if (/^https?:$/.test(url.protocol) && !own && !request.isNavigationRequest()) wrong.push(`a request to ${url.origin}`);
      });
      await use({ allow: (...patterns) => allowed.push(...patterns) });
      expect(wrong, "errors in the page").toEqual([]);
    },
    { auto: true },
  ],
});

/** Shows what the page says once in each browser. */
export const showNotices = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.adoptedStyleSheets = [];
  });

export { expect };
