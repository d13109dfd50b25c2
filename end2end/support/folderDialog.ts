// The dialogs around a folder of the disk: the system's, in which it is chosen, and the browser's, which asks whether the page
// may write there.
import { expect } from "@playwright/test";
import type { Screen } from "./screen";

/** A place of the browser's window that no dialog covers: darker while the browser asks something. */
const ASIDE = [1270, 760] as const;
/** A place that is covered while it asks again, and *Allow on every visit* there. */
const [AGAIN, EVERY_VISIT] = [[130, 200], [280, 339]] as const;
/** The browser takes no answer sooner: nobody is to agree by a key that was pressed for something else. */
const PROTECTED_MS = 700;

/** Does what opens the dialog of the system, chooses a folder there, and agrees that it is written. */
export async function chooseFolder(screen: Screen, path: string, open: () => Promise<void>): Promise<void> {
  await agreeing(screen, async () => {
    await open();
    const dialog = async () => (await screen.windows()).find(({ title }) => title.startsWith("Select where"));
    await expect.poll(dialog, { message: "the dialog of the system", intervals: [50], timeout: 20_000 }).toBeDefined();
    const window = (await dialog())!;
    screen.focus(window);
    // With the first slash the dialog takes a path.
    screen.type(path);
    const [, , right, lower] = await screen.edges(window);
    await expect
      .poll(
        async () => {
          screen.click(right - 50, lower - 24);
          return dialog();
        },
        { message: "the folder is chosen", intervals: [500], timeout: 20_000 },
      )
      .toBeUndefined();
  });
}

/** Does what has a browser that was started anew ask again whether the page may write there, and agrees for every visit. */
export async function agreeingAgain(screen: Screen, ask: () => Promise<void>): Promise<void> {
  const before = await settledColour(screen, AGAIN);
  await ask();
  const asks = async () => (await screen.colour(...AGAIN)) !== before;
  await expect.poll(asks, { message: "the browser asks again", intervals: [50], timeout: 20_000 }).toBe(true);
  const answered = async () => {
    await new Promise((done) => setTimeout(done, PROTECTED_MS));
    screen.click(...EVERY_VISIT);
    await new Promise((done) => setTimeout(done, 200));
    return !(await asks());
  };
  await expect.poll(answered, { message: "the answer is taken" }).toBe(true);
}

/** Does what has the browser ask whether the page may write into the folder, and agrees. */
async function agreeing(screen: Screen, ask: () => Promise<void>): Promise<void> {
  const before = await settledColour(screen, ASIDE);
  await ask();
  const asks = async () => (await screen.colour(...ASIDE)) !== before;
  await expect.poll(asks, { message: "the browser asks", intervals: [50], timeout: 20_000 }).toBe(true);
  await new Promise((done) => setTimeout(done, PROTECTED_MS));
  const [browser] = await screen.windows();
  screen.focus(browser);
  // Its first button is the one that refuses.
  screen.press("Tab");
  const answered = async () => {
    screen.press("Enter");
    await new Promise((done) => setTimeout(done, 200));
    return !(await asks());
  };
  await expect.poll(answered, { message: "the answer is taken", intervals: [PROTECTED_MS] }).toBe(true);
}

/** The colour at a place once nothing fades in or out there. */
async function settledColour(screen: Screen, [x, y]: readonly [number, number]): Promise<number> {
  for (let colour = await screen.colour(x, y); ; ) {
    await new Promise((done) => setTimeout(done, 500));
    const now = await screen.colour(x, y);
    if (now === colour) return now;
    colour = now;
  }
}
