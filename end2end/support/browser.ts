// A browser of its own with a profile on the disk, which can be killed as a power cut kills it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";

/** A profile, and the browser that runs in it now. */
export class Profile {
  readonly folder = mkdtempSync(join(tmpdir(), "sash-profile-"));
  private child?: ChildProcess;
  private browser?: Browser;

  constructor(
    private readonly program: string,
    /** The name of the screen on which it shows its windows; without one it shows none. */
    private readonly display?: string,
  ) {
    // It looks for its maker's servers before it lets a page write a file of the disk, and waits seconds where there are none.
    const settings = join(this.folder, "Default");
    mkdirSync(settings);
    writeFileSync(join(settings, "Preferences"), JSON.stringify({ safebrowsing: { enabled: false } }));
  }

  /** Starts the browser, and gives a page of it. */
  async start(): Promise<Page> {
    const args = [
      `--user-data-dir=${this.folder}`,
      ...(this.display ? ["--window-position=0,0", "--password-store=basic"] : ["--headless"]),
      "--no-sandbox",
      "--remote-debugging-port=0",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-proxy-server",
      "--hide-crash-restore-bubble",
      "--lang=en-GB",
      "--window-size=1280,800",
      "about:blank",
    ];
    // A group of its own, to be killed whole.
    // Neither the screen nor the services of the person's desktop.
    const { DBUS_SESSION_BUS_ADDRESS: _, WAYLAND_DISPLAY: __, ...env } = process.env;
    const shown = this.display && { DISPLAY: this.display, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1" };
    const child = spawn(this.program, args, { env: { ...env, ...shown }, detached: true, stdio: ["ignore", "ignore", "pipe"] });
    this.child = child;
    const address = await new Promise<string>((done, fail) => {
      let said = "";
      const late = setTimeout(() => fail(new Error(`the browser names no address: ${said}`)), 30_000);
      child.on("error", fail);
      child.stderr!.on("data", (data: Buffer) => {
        said += data.toString();
        const found = /DevTools listening on (ws:\S+)/.exec(said);
        if (found) {
          clearTimeout(late);
          done(found[1]);
        }
      });
    });
    this.browser = await chromium.connectOverCDP(address);
    return this.browser.contexts()[0].newPage();
  }

  /** Whether localStorage of the profile has this text on the disk. */
  hasOnDisk(text: string): boolean {
    const folder = join(this.folder, "Default", "Local Storage", "leveldb");
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".log")) : [];
    return files.some((name) => readFileSync(join(folder, name)).includes(text));
  }

  /** The files of the profile that have this text, in any folder and in the two encodings that a browser writes. */
  filesWith(text: string): string[] {
    const forms = [Buffer.from(text, "utf8"), Buffer.from(text, "utf16le")];
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => {
        const bytes = readFileSync(file);
        return forms.some((form) => bytes.includes(form));
      })
      .map((file) => relative(this.folder, file));
  }

  /** Closes it in order, as a person does. */
  async close(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child) return;
    const ended = new Promise((done) => child.once("exit", done));
    const session = await this.browser?.newBrowserCDPSession();
    // It may end before it answers.
    await session?.send("Browser.close").catch(() => {});
    await ended;
  }

  /** Kills every process of it at once: nothing is put on the disk any more. */
  async kill(): Promise<void> {
    const child = this.child;
    this.child = undefined;
    if (!child?.pid) return;
    const ended = new Promise((done) => child.once("exit", done));
    process.kill(-child.pid, "SIGKILL");
    await ended;
    // What left the group, such as the handler of crashes, and would hold the profile.
    for (const id of this.left()) {
      try {
        process.kill(id, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    await this.browser?.close().catch(() => {});
  }

  /** Kills what runs, and removes the folder. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The processes that were started with this profile and still run. */
  private left(): number[] {
    if (process.platform !== "linux") return [];
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((id) => {
        try {
          return readFileSync(`/proc/${id}/cmdline`, "utf8").includes(this.folder);
        } catch {
          return false;
        }
      })
      .map(Number);
  }
}
