// What every task is given: a profile of its own in a browser of the worker's.
import { expect } from "@playwright/test";
import { test as base } from "../support/house";
import type { Browser, Profile } from "./browser";
import { firefox } from "./firefox";
import { SashPage } from "./sashPage";
import { webkit } from "./webkit";

const BROWSERS = { firefox, webkit };

interface ForTest {
  profile: Profile;
  /** Opens a further tab of the profile, at the same address. */
  another(): Promise<SashPage>;
  /** The first tab. */
  app: SashPage;
}

interface ForWorker {
  /** Which browser; named by the project. */
  engineName: keyof typeof BROWSERS;
  engine: Browser;
}

export const test = base.extend<ForTest, ForWorker>({
  engineName: ["firefox", { option: true, scope: "worker" }],

  engine: [
    async ({ engineName }, use) => {
      const engine = await BROWSERS[engineName]();
      await use(engine);
      await engine.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  profile: async ({ engine }, use) => {
    const profile = await engine.createBrowserContext();
    await use(profile);
    await profile.close();
  },

  another: async ({ profile, house, standIn }, use, info) => {
    void standIn;
    const opened: SashPage[] = [];
    await use(async () => {
      const page = new SashPage(await profile.newPage(), house.sash.url);
      opened.push(page);
      return page;
    });
    for (const page of opened) {
      const failed = info.status !== info.expectedStatus;
      if (failed) await info.attach("page", { body: Buffer.from(await page.tab.screenshot()), contentType: "image/png" });
      else expect(await page.wrong(), "errors in the page").toEqual([]);
    }
  },

  app: async ({ another }, use) => {
    await use(await another());
  },
});

export { expect };
