// What every test is given: a Sash and a stand-in of the worker's own, a fresh page, and a watch over it.
import { test as base, expect } from "@playwright/test";
import { ChatPage } from "./chatPage";
import { Program, startSash, startStandIn } from "./programs";
import { StandIn } from "./standIn";

interface Programs {
  /** A further Sash, stopped after the test. */
  sash(ollama: string, ...more: string[]): Promise<Program>;
  /** A further stand-in, stopped after the test. */
  standIn(port?: number, models?: string): Promise<Program>;
}

/** What went wrong in the page, unless a test says that it is meant to. */
interface Watch {
  /** Console errors that are no fault in this test. */
  allow(...patterns: RegExp[]): void;
}

interface ForTest {
  standIn: StandIn;
  app: ChatPage;
  programs: Programs;
  watch: Watch;
}

interface ForWorker {
  house: { sash: Program; ollama: Program };
}

export const test = base.extend<ForTest, ForWorker>({
  house: [
    async ({}, use) => {
      const ollama = await startStandIn();
      const sash = await startSash(ollama.url);
      await use({ sash, ollama });
      await sash.stop();
      await ollama.stop();
    },
    { scope: "worker" },
  ],

  standIn: async ({ house }, use) => {
    const standIn = new StandIn(house.ollama.url);
    await standIn.quiet();
    await standIn.reset();
    await use(standIn);
  },

  app: async ({ page, house, standIn, watch }, use) => {
    void standIn;
    void watch;
    await use(new ChatPage(page, house.sash.url));
  },

  programs: async ({}, use) => {
    const started: Program[] = [];
    const keep = async (program: Promise<Program>) => {
      started.push(await program);
      return program;
    };
    await use({
      sash: (ollama, ...more) => keep(startSash(ollama, ...more)),
      standIn: (port, models) => keep(startStandIn(port, models)),
    });
    await Promise.all(started.map((program) => program.stop()));
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
        wrong.push(`a dialog: ${dialog.message()}`);
        void dialog.dismiss();
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

export { expect };
