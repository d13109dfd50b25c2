// A Sash and a stand-in of the worker's own, whatever browser looks at them.
import { test as base } from "@playwright/test";
import { Program, startSash, startStandIn } from "./programs";
import { StandIn } from "./standIn";

export interface Programs {
  /** A further Sash, stopped after the test. */
  sash(ollama: string, ...more: string[]): Promise<Program>;
  /** A further stand-in, stopped after the test. */
  standIn(port?: number, models?: string): Promise<Program>;
  /** Stops another program after the test. */
  keep(program: Promise<Program>): Promise<Program>;
}

interface ForTest {
  standIn: StandIn;
  programs: Programs;
}

/** The flags of each worker's Sash: an answer of a page that was closed must have ended before the next test. */
export const SASH_FLAGS = ["--linger", "2"];

interface ForWorker {
  house: { sash: Program; ollama: Program };
}

export const test = base.extend<ForTest, ForWorker>({
  house: [
    async ({}, use) => {
      const ollama = await startStandIn();
      const sash = await startSash(ollama.url, ...SASH_FLAGS);
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

  programs: async ({}, use) => {
    const started: Program[] = [];
    const keep = async (program: Promise<Program>) => {
      started.push(await program);
      return program;
    };
    await use({
      sash: (ollama, ...more) => keep(startSash(ollama, ...more)),
      standIn: (port, models) => keep(startStandIn(port, models)),
      keep,
    });
    await Promise.all(started.map((program) => program.stop()));
  },
});
