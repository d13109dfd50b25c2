// Starting and stopping the two programs the tests speak to.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const debug = join(process.env.CARGO_TARGET_DIR ?? resolve(__dirname, "../../target"), "debug");
const suffix = process.platform === "win32" ? ".exe" : "";

function program(variable: string, path: string): string {
  const file = process.env[variable] ?? join(debug, path) + suffix;
  if (!existsSync(file)) {
    throw new Error(`${file} is missing: build it with \`cargo xtask test e2e\`, or name it in ${variable}`);
  }
  return file;
}

/** A program that runs; `url` is where it listens. */
export class Program {
  /** How many of the addresses that it printed were taken. */
  private taken = 1;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /** Starts it and waits until its output names an address. */
  static start(file: string, args: string[], more: Record<string, string> = {}): Promise<Program> {
    const env = { ...process.env };
    // What the person or CI has set for a Sash or an Ollama of their own.
    for (const name of Object.keys(env)) if (/^(SASH|OLLAMA)_/.test(name)) delete env[name];
    Object.assign(env, more);
    const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    const output: string[] = [];
    return new Promise((done, fail) => {
      const died = (why: string) => fail(new Error(`${file} ${args.join(" ")}: ${why}\n${output.join("")}`));
      const late = setTimeout(() => died("named no address within 20 s"), 20_000);
      child.on("error", (error) => died(error.message));
      child.on("exit", (code) => died(`ended with ${code}`));
      const read = (data: Buffer) => {
        output.push(data.toString());
        const found = /https?:\/\/\S+/.exec(output.join(""));
        if (found) {
          clearTimeout(late);
          done(new Program(found[0].replace(/\/$/, ""), child, output));
        }
      };
      child.stdout.on("data", read);
      child.stderr.on("data", (data: Buffer) => output.push(data.toString()));
    });
  }

  get log(): string {
    return this.output.join("");
  }

  /** The address for another browser, which Sash prints once the one before was used. */
  async nextUrl(): Promise<string> {
    const until = Date.now() + 10_000;
    for (;;) {
      const said = [...this.log.matchAll(/^(?:For another browser )?Sash is at (\S+)\n/gm)].map((line) => line[1]);
      const next = said.at(-1);
      if (next !== undefined && said.length > this.taken) {
        this.taken = said.length;
        return next;
      }
      if (Date.now() > until) throw new Error(`no further address:\n${this.log}`);
      await new Promise((again) => setTimeout(again, 20));
    }
  }

  /** Its resident memory in megabytes; 0 where the system does not say in a file. */
  megabytes(): number {
    const status = `/proc/${this.child.pid}/status`;
    if (!existsSync(status)) return 0;
    const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"));
    return (Number(kibibytes?.[1] ?? 0) * 1024) / 1e6;
  }

  /** Kills it: tests of an orderly stop are the server's own. */
  stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((done) => {
      this.child.once("exit", () => done());
      this.child.kill("SIGKILL");
    });
  }
}

/** The file of Sash itself, for those who start it in another way. */
export const sashFile = (): string => program("SASH_BIN", "sash");

const states = mkdtempSync(join(tmpdir(), "sash-states-"));
process.on("exit", () => rmSync(states, { recursive: true, force: true }));

/** Where a Sash with this directory for its backup has the keys: the same again, and no other Sash. */
export const stateOf = (backup: string): string => join(states, encodeURIComponent(backup));

/** In the place of a flag: this Sash has models read ahead. The others do not, so that a test sees its own requests. */
const READ_AHEAD = "--read-ahead";

/** Starts a Sash in front of an Ollama; of none where its address is empty. */
export const startSash = (ollama: string, ...more: string[]): Promise<Program> => startSashOf(program("SASH_BIN", "sash"), ollama, ...more);

/** The same with the program of another file. */
export function startSashOf(file: string, ollama: string, ...more: string[]): Promise<Program> {
  const first = ollama ? ["--ollama", ollama] : [];
  const listen = more.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
  const ahead = more.includes(READ_AHEAD) ? [] : ["--no-read-ahead"];
  const flags = more.filter((flag) => flag !== READ_AHEAD);
  const backup = flags[flags.indexOf("--backup") + 1];
  const state = flags.includes("--backup") ? { STATE_DIRECTORY: stateOf(backup) } : {};
  return Program.start(file, [...listen, ...ahead, ...first, ...flags], state);
}

/** The stand-in, started under the name of what it stands in for: Sash takes an engine on loopback for one of this machine by the name of its process, which is that of its file. Under its own name it is what a tunnel is. */
function standIn(name?: "ollama" | "llama-server"): string {
  const file = program("SASH_STAND_IN", "ollama-double");
  if (!name || process.platform === "win32") return file;
  const link = join(dirname(file), "stand-in", name);
  mkdirSync(dirname(link), { recursive: true });
  try {
    symlinkSync(file, link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return link;
}

/** Starts a stand-in Ollama. */
export const startStandIn = (port = 0, models = "none"): Promise<Program> =>
  Program.start(standIn("ollama"), ["--listen", `127.0.0.1:${port}`, "--models", models]);

/** Starts a stand-in for a server of the OpenAI chat API. */
export const startOpenAi = (api: "llama-server" | "llama-router" | "vllm", port = 0): Promise<Program> =>
  Program.start(standIn(api === "vllm" ? undefined : "llama-server"), ["--listen", `127.0.0.1:${port}`, "--api", api]);

/** A `llama-server` whose process has another name, as one at the other end of a tunnel. */
export const startTunnel = (): Promise<Program> => Program.start(standIn(), ["--listen", "127.0.0.1:0", "--api", "llama-server"]);

/** A port on which nobody listens now. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address ? done(address.port) : fail(new Error("no port"))));
    });
  });
}
