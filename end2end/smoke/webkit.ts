// WebKitGTK's own small browser, driven by plain WebDriver: https://www.w3.org/TR/webdriver2/
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect } from "@playwright/test";
import { freePort } from "../support/programs";
import { type Browser, type Profile, type Tab, WINDOW } from "./browser";

const DRIVER = process.env.SASH_WEBKIT_DRIVER ?? "WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";

/** Starts the driver, on a screen of its own where there is one to be had. */
export async function webkit(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), "sash-webkit-"));
  const env: NodeJS.ProcessEnv = { ...process.env, GDK_BACKEND: "x11", LIBGL_ALWAYS_SOFTWARE: "1", NO_AT_BRIDGE: "1", MESA_SHADER_CACHE_DISABLE: "true" };
  // Nothing of the person's: neither folders nor proxies nor language.
  for (const name of Object.keys(env)) if (/^(https?|all|no)_proxy$|^LC_/i.test(name)) delete env[name];
  env.LANG = env.LANGUAGE = "en_GB.UTF-8";
  for (const name of ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]) env[name] = folder;
  const children: ChildProcess[] = [];
  if (existsSync(SCREEN)) {
    const [screen, display] = await startScreen();
    children.push(screen);
    env.DISPLAY = display;
    delete env.WAYLAND_DISPLAY;
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // The driver ends before the screen, of whose loss the browser would complain.
  children.unshift(spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore" }));
  const answers = () => get(`${url}/status`).then(() => true, () => false);
  await expect.poll(answers, { message: `${DRIVER} answers`, intervals: [50], timeout: 20_000 }).toBe(true);
  return {
    // A session is a browser of its own, and forgets everything at its end.
    async createBrowserContext() {
      const { sessionId } = (await post(`${url}/session`, { capabilities: {} })) as { sessionId: string };
      return new Session(`${url}/session/${sessionId}`);
    },
    async close() {
      for (const child of children) {
        const ended = new Promise((done) => child.once("exit", done));
        if (child.kill()) await ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** A screen that nobody sees, and its name. */
function startScreen(): Promise<[ChildProcess, string]> {
  const size = `${WINDOW.width}x${WINDOW.height + 100}x24`;
  // The server chooses a free number itself and says it on its third file.
  const child = spawn(SCREEN, ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`Xvfb ended with ${code}`)));
    (child.stdio[3] as Readable).once("data", (number: Buffer) => done([child, `:${number.toString().trim()}`]));
  });
}

/** One command of WebDriver. What the driver refuses is an error with its words. */
async function command(url: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(url, request);
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${request.method} ${new URL(url).pathname}: ${error}: ${message}`);
}

const get = (url: string) => command(url, { method: "GET" });
const post = (url: string, body: object) => command(url, { method: "POST", body: JSON.stringify(body) });

class Session implements Profile {
  /** The window to which commands go now. */
  private current?: string;

  constructor(readonly url: string) {}

  /** A tab is a window of its own: of several tabs in one window the driver can only use the one in front. */
  async newPage(): Promise<Tab> {
    const first = async () => (this.current = (await get(`${this.url}/window`)) as string);
    const next = async () => ((await post(`${this.url}/window/new`, { type: "window" })) as { handle: string }).handle;
    const handle = await (this.current ? next() : first());
    await this.choose(handle);
    await post(`${this.url}/window/rect`, WINDOW);
    return tab(this, handle);
  }

  /** Sends further commands to a window. */
  async choose(handle: string): Promise<void> {
    if (this.current !== handle) await post(`${this.url}/window`, { handle });
    this.current = handle;
  }

  async close(): Promise<void> {
    await command(this.url, { method: "DELETE" });
  }
}

/** The keys without a character that the tests press: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Record<string, string> = { Enter: "\uE007", Control: "\uE009", Alt: "\uE00A", Escape: "\uE00C", Home: "\uE011", ArrowDown: "\uE015", Delete: "\uE017" };

function tab(session: Session, handle: string): Tab {
  const send = async (path: string, body: object) => {
    await session.choose(handle);
    return post(`${session.url}/${path}`, body);
  };
  const act = async (type: "pointer" | "key", actions: object[]) => void (await send("actions", { actions: [{ type, id: type, actions }] }));
  const pointer = (type: string, more: object) => act("pointer", [{ type, ...more }]);
  const key = (type: string, key: string) => ({ type, value: KEYS[key] ?? key });
  return {
    goto: (url) => send("url", { url }),
    reload: () => send("refresh", {}),
    evaluate: async <T, A extends unknown[]>(work: (...given: A) => T, ...given: A) =>
      (await send("execute/sync", { script: `return (${work}).apply(null, arguments)`, args: given })) as T,
    mouse: {
      move: (x, y) => pointer("pointerMove", { x: Math.round(x), y: Math.round(y), duration: 0 }),
      down: () => pointer("pointerDown", { button: 0 }),
      up: () => pointer("pointerUp", { button: 0 }),
    },
    keyboard: {
      down: (name) => act("key", [key("keyDown", name)]),
      up: (name) => act("key", [key("keyUp", name)]),
      type: (text) => act("key", [...text].flatMap((letter) => [key("keyDown", letter), key("keyUp", letter)])),
    },
    bringToFront: () => session.choose(handle),
    screenshot: async () => {
      await session.choose(handle);
      return Buffer.from((await get(`${session.url}/screenshot`)) as string, "base64");
    },
  };
}
