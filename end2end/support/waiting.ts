// Conditions to wait for before a test says that something did not happen.
import type { Page } from "@playwright/test";

/** Waits until so many frames were painted. */
export const frames = (page: Page, count = 2): Promise<void> =>
  page.evaluate(async (count) => {
    for (; count > 0; count--) await new Promise(requestAnimationFrame);
  }, count);

/**
 * Waits until the page has sent what it was about to send: two frames are painted, and a request that follows them has
 * come back. Requests are told to a test in their order.
 */
export async function requestsSent(page: Page): Promise<void> {
  await frames(page);
  await page.evaluate(() => fetch("/icon.svg", { cache: "no-store" }).then((answer) => answer.text()));
}

/** Has `timersRun` know the timers of the page; before the page is opened. */
export const watchTimers = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const [set, clear] = [window.setTimeout, window.clearTimeout];
    const waiting = new Map<number, number>();
    window.setTimeout = ((run: TimerHandler, wait = 0, ...more: unknown[]) => {
      const id = set(
        (...given: unknown[]) => {
          // After its run, in which it may set the next one.
          try {
            if (typeof run === "function") run(...given);
          } finally {
            waiting.delete(id);
          }
        },
        wait,
        ...more,
      );
      waiting.set(id, wait);
      return id;
    }) as typeof setTimeout;
    window.clearTimeout = (id) => {
      waiting.delete(id as number);
      clear(id);
    };
    Object.assign(globalThis, { waiting });
  });

/** Waits until no timer of at most so many milliseconds is left, and what the last one did is painted. */
export async function timersRun(page: Page, longest: number): Promise<void> {
  const none = (longest: number) => {
    const { waiting } = globalThis as unknown as { waiting: Map<number, number> };
    return [...waiting.values()].every((wait) => wait > longest);
  };
  await page.waitForFunction(none, longest);
  await frames(page);
}
