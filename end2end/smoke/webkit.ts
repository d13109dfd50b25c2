// WebKitGTK's own small browser, driven by plain WebDriver: https://www.w3.org/TR/webdriver2/
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { freePort } from "../support/programs";
import { type Engine, type Profile, SIZE, type Tab } from "./tab";

const DRIVER = process.env.SASH_WEBKIT_DRIVER ?? "WebKitWebDriver";
const SCREEN = "/usr/bin/Xvfb";

/** Starts the driver, on a screen of its own where there is one to be had. */
export async function webkit(): Promise<Engine> {
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
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: "ignore" });
  const failed = new Promise<never>((_, fail) => driver.once("error", fail));
  failed.catch(() => {});
  children.push(driver);
  const engine = new WebKit(`http://127.0.0.1:${port}`, children, folder);
  await Promise.race([engine.ready(), failed]);
  return engine;
}

/** A screen that nobody sees, and its name. */
function startScreen(): Promise<[ChildProcess, string]> {
  const screen = `${SIZE.width}x${SIZE.height + 200}x24`;
  // The server chooses a free number itself and says it on its third file.
  const child = spawn(SCREEN, ["-displayfd", "3", "-screen", "0", screen, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`Xvfb ended with ${code}`)));
    (child.stdio[3] as Readable).once("data", (number: Buffer) => done([child, `:${number.toString().trim()}`]));
  });
}

/** One command of WebDriver. What the driver refuses is an error with its words. */
async function command(url: string, method: "GET" | "POST" | "DELETE", body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${method} ${new URL(url).pathname}: ${error}: ${message}`);
}

class WebKit implements Engine {
  constructor(
    private readonly url: string,
    private readonly children: ChildProcess[],
    private readonly folder: string,
  ) {}

  /** Waits until the driver answers. */
  async ready(): Promise<void> {
    for (const end = Date.now() + 20_000; ; ) {
      try {
        await command(`${this.url}/status`, "GET");
        return;
      } catch (why) {
        if (Date.now() > end) throw why;
        await new Promise((next) => setTimeout(next, 50));
      }
    }
  }

  /** A session is a browser of its own, and forgets everything at its end. */
  async profile(): Promise<Profile> {
    const { sessionId } = (await command(`${this.url}/session`, "POST", { capabilities: {} })) as { sessionId: string };
    return new Session(`${this.url}/session/${sessionId}`);
  }

  async stop(): Promise<void> {
    // The driver first: the browser ends with it, and would complain of a screen that is gone.
    for (const child of this.children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise((done) => child.once("exit", done));
      child.kill();
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

class Session implements Profile {
  /** The tab to which commands go now. */
  private current = "";

  constructor(private readonly url: string) {}

  /** A tab is a window of its own: of several tabs in one window the driver can only use the one in front. */
  async tab(): Promise<Tab> {
    if (this.current === "") {
      this.current = (await this.get("window")) as string;
    } else {
      const { handle } = (await this.post("window/new", { type: "window" })) as { handle: string };
      await this.to(handle);
    }
    await this.fit();
    return new WebKitTab(this, this.current);
  }

  /** The window has a bar above the page. */
  private async fit(): Promise<void> {
    await this.post("window/rect", { ...SIZE });
    const height = (await this.post("execute/sync", { script: "return innerHeight", args: [] })) as number;
    await this.post("window/rect", { width: SIZE.width, height: 2 * SIZE.height - height });
  }

  /** Sends further commands to a tab. */
  async to(handle: string): Promise<void> {
    if (this.current === handle) return;
    await this.post("window", { handle });
    this.current = handle;
  }

  get(path: string): Promise<unknown> {
    return command(`${this.url}/${path}`, "GET");
  }

  post(path: string, body: object): Promise<unknown> {
    return command(`${this.url}/${path}`, "POST", body);
  }

  async close(): Promise<void> {
    await command(this.url, "DELETE");
  }
}

/** The keys without a character, by their names in the DOM: https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Record<string, string> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
};

type KeyAction = { type: "keyDown" | "keyUp"; value: string };
type PointerAction = { type: "pointerMove"; x: number; y: number; duration: number } | { type: "pointerDown" | "pointerUp"; button: number };

class WebKitTab implements Tab {
  constructor(
    private readonly session: Session,
    private readonly handle: string,
  ) {}

  private async post(path: string, body: object): Promise<unknown> {
    await this.session.to(this.handle);
    return this.session.post(path, body);
  }

  async open(url: string): Promise<void> {
    await this.post("url", { url });
  }

  async reload(): Promise<void> {
    await this.post("refresh", {});
  }

  async run<T, A extends unknown[]>(work: (...given: A) => T, ...given: A): Promise<T> {
    return (await this.post("execute/sync", { script: `return (${work}).apply(null, arguments)`, args: given })) as T;
  }

  private async pointer(action: PointerAction): Promise<void> {
    await this.post("actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [action] }] });
  }

  private async keys(actions: KeyAction[]): Promise<void> {
    await this.post("actions", { actions: [{ type: "key", id: "keys", actions }] });
  }

  move(x: number, y: number): Promise<void> {
    return this.pointer({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 });
  }

  down(): Promise<void> {
    return this.pointer({ type: "pointerDown", button: 0 });
  }

  up(): Promise<void> {
    return this.pointer({ type: "pointerUp", button: 0 });
  }

  async press(chord: string): Promise<void> {
    const keys = chord.split("+").map((key) => KEYS[key] ?? key);
    const down = keys.map((value): KeyAction => ({ type: "keyDown", value }));
    const up = keys.reverse().map((value): KeyAction => ({ type: "keyUp", value }));
    await this.keys([...down, ...up]);
  }

  async type(text: string): Promise<void> {
    await this.keys([...text].flatMap((value): KeyAction[] => [{ type: "keyDown", value }, { type: "keyUp", value }]));
  }

  async show(): Promise<void> {
    await this.session.to(this.handle);
  }

  async picture(): Promise<Buffer> {
    await this.session.to(this.handle);
    return Buffer.from((await this.session.get("screenshot")) as string, "base64");
  }
}
