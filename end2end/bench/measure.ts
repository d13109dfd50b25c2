// What a page's main thread does while something runs.
import type { CDPSession, Page } from "@playwright/test";

export interface Measured {
  /** Milliseconds of the main thread's own time: all tasks, and the parts of them. */
  task: number;
  script: number;
  layout: number;
  style: number;
  /** How often the page was laid out. */
  layouts: number;
  /** Frames that came, and those that should have come in between, by 60 a second. */
  frames: number;
  missed: number;
  /** The longest frame in milliseconds of the clock. */
  longestFrame: number;
  /** The longest task in milliseconds of the thread's own time; 0 where it was not looked for. */
  longestTask: number;
}

interface Frames {
  count: number;
  missed: number;
  longest: number;
  running: boolean;
}

const startFrames = () => {
  const frames: Frames = { count: 0, missed: 0, longest: 0, running: true };
  (globalThis as unknown as { frames: Frames }).frames = frames;
  let last = 0;
  const next = (now: number) => {
    if (last > 0) {
      frames.count++;
      frames.missed += Math.max(0, Math.round((now - last) / (1000 / 60)) - 1);
      frames.longest = Math.max(frames.longest, now - last);
    }
    last = now;
    if (frames.running) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
};

const endFrames = () => {
  const { frames } = globalThis as unknown as { frames: Frames };
  frames.running = false;
  return frames;
};

/**
 * Takes the measure of a page while `run` goes on. Times of tasks are of the thread's own clock, so that other
 * work on the machine does not count. With `trace` the longest task is looked for too, which costs a little.
 */
export async function measure(page: Page, run: () => Promise<void>, trace = false): Promise<Measured> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const tasks = trace ? await longest(page) : undefined;
  await page.evaluate(startFrames);
  const before = await metrics(session);
  await run();
  const after = await metrics(session);
  const frames = await page.evaluate(endFrames);
  const longestTask = (await tasks?.()) ?? 0;
  await session.detach();
  const ms = (name: string) => (after[name] - before[name]) * 1000;
  return {
    task: ms("TaskDuration"),
    script: ms("ScriptDuration"),
    layout: ms("LayoutDuration"),
    style: ms("RecalcStyleDuration"),
    layouts: after.LayoutCount - before.LayoutCount,
    frames: frames.count,
    missed: frames.missed,
    longestFrame: frames.longest,
    longestTask,
  };
}

async function metrics(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  /** As `dur`, of the thread's own time: without what other work on the machine took. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * Begins to look at all tasks; what it gives ends that, and gives the longest one of the page's main thread, in
 * milliseconds of the thread's own time: other work on the machine does not count.
 */
export async function longest(page: Page): Promise<() => Promise<number>> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline", "__metadata"] });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const mains = new Set(
      traceEvents.filter((e) => e.name === "thread_name" && e.args?.name === "CrRendererMain").map((e) => `${e.pid} ${e.tid}`),
    );
    const tasks = traceEvents.filter((e) => e.name === "RunTask" && e.dur && mains.has(`${e.pid} ${e.tid}`));
    return tasks.reduce((most, e) => Math.max(most, (e.tdur ?? e.dur!) / 1000), 0);
  };
}
