// What every task is given: a profile of its own in a browser of the worker's.
import { expect } from "@playwright/test";
import { test as base } from "../support/house";
import { firefox } from "./firefox";
import { SashPage } from "./sashPage";
import type { Engine, Profile } from "./tab";
import { webkit } from "./webkit";

const ENGINES = { firefox, webkit };

interface ForTest {
  profile: Profile;
  /** Opens a further tab of the profile, at the same address. */
  another(): Promise<SashPage>;
  /** The first tab. */
  app: SashPage;
}

interface ForWorker {
  /** Which browser; named by the project. */
  engineName: keyof typeof ENGINES;
  engine: Engine;
}

export const test = base.extend<ForTest, ForWorker>({
  engineName: ["firefox", { option: true, scope: "worker" }],

  engine: [
    async ({ engineName }, use) => {
      const engine = await ENGINES[engineName]();
      await use(engine);
      await engine.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  profile: async ({ engine }, use) => {
    const profile = await engine.profile();
    await use(profile);
    await profile.close();
  },

  another: async ({ profile, house, standIn }, use, info) => {
    void standIn;
    const opened: SashPage[] = [];
    await use(async () => {
      const page = new SashPage(await profile.tab(), house.sash.url);
      opened.push(page);
      return page;
    });
    if (info.status !== info.expectedStatus) {
      for (const page of opened) await info.attach("page", { body: await page.tab.picture(), contentType: "image/png" });
    } else {
      for (const page of opened) expect(await page.wrong(), "errors in the page").toEqual([]);
    }
  },

  app: async ({ another }, use) => {
    await use(await another());
  },
});

export { expect };
