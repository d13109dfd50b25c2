// The stand-in Ollama, from the outside: what it is to say, and what it was asked. See crates/ollama-double/src/control.rs.
import { expect } from "@playwright/test";

export interface Message {
  role: string;
  content: string;
}

/** A request as the stand-in saw it. Times are milliseconds since 1970. */
export interface Seen {
  id: number;
  method: string;
  path: string;
  headers: [string, string][];
  body: { model: string; messages: Message[]; truncate?: boolean; stream?: boolean } & Record<string, unknown>;
  arrived: number;
  finished: number | null;
  disconnected: number | null;
  status: number | null;
}

export interface Counters {
  requests: number;
  open: number;
  cancelled: number;
  generating: number;
}

export type Step = { do: string } & Record<string, unknown>;

/** Text in `tokens` pieces, `rate` a second; at once where no rate is given. */
export const text = (text: string, tokens = 8, rate = 0): Step => ({ do: "text", text, tokens, rate });
/** Words without end. */
export const endless = (rate = 60): Step => ({ do: "tokens", count: 0, rate });
export const wait = (ms: number): Step => ({ do: "wait", ms });
/** Nothing, until `release`. */
export const hold: Step = { do: "hold" };
export const done = (reason?: string): Step => ({ do: "done", ...(reason && { reason }) });
export const stall: Step = { do: "stall" };
export const bytes = (text: string): Step => ({ do: "bytes", text });
export const status = (status: number, content_type: string, body: string): Step => ({ do: "status", status, content_type, body });
/** A whole ordinary answer. */
export const says = (words: string): Step[] => [text(words), done()];

export class StandIn {
  constructor(readonly url: string) {}

  /** As at its start, with the models most tests use. */
  async reset(): Promise<void> {
    await this.post("reset", {});
    await this.models({ set: "none", add: ["qwen3:4b", "llama3.2"] });
  }

  /** The steps of the next chat, or of the next request to another path. */
  script(steps: Step[], more: { path?: string; times?: number | null } = {}): Promise<void> {
    return this.post("script", { ...more, steps });
  }

  /** Lets one answer that is held go on. */
  release(): Promise<void> {
    return this.post("release", {});
  }

  models(wish: { set?: "tests" | "none"; add?: string[]; remove?: string[] }): Promise<void> {
    return this.post("models", wish);
  }

  settings(wish: { silent?: boolean; rate?: number; prompt_rate?: number; num_ctx?: number; load_ms?: number; version?: string }): Promise<void> {
    return this.post("settings", wish);
  }

  catalogue(models: { name: string; layers: { digest: string; size: number }[]; speed: number; error?: string; error_after?: number }[]): Promise<void> {
    return this.post("catalogue", models);
  }

  /** Every request, oldest first. */
  requests(): Promise<Seen[]> {
    return this.get("requests") as Promise<Seen[]>;
  }

  /** Requests to one path, oldest first. */
  async seen(path = "/api/chat"): Promise<Seen[]> {
    const all = await this.requests();
    // A preload has no messages; it is no chat.
    return all.filter((seen) => seen.path === path && (path !== "/api/chat" || (seen.body?.messages ?? []).length > 0));
  }

  counters(): Promise<Counters> {
    return this.get("counters") as Promise<Counters>;
  }

  /** Waits until `n` chats have arrived, and gives them. */
  async chats(n: number): Promise<Seen[]> {
    await expect.poll(async () => (await this.seen()).length, { message: `${n} chats at the stand-in` }).toBe(n);
    return this.seen();
  }

  /** Waits until the client of the n-th chat has gone away before its end. */
  async disconnected(n: number, path = "/api/chat"): Promise<Seen> {
    const nth = async () => (await this.seen(path))[n - 1];
    await expect.poll(async () => (await nth())?.disconnected ?? null, { message: `${path} ${n} is cancelled` }).not.toBeNull();
    return nth();
  }

  /** Waits until nothing is being answered: the former test's page is gone, and its answers have lingered. */
  async quiet(): Promise<void> {
    await expect.poll(async () => (await this.counters()).generating, { message: "no generation goes on" }).toBe(0);
  }

  private async get(what: string): Promise<unknown> {
    const answer = await fetch(`${this.url}/_stand_in/${what}`);
    expect(answer.ok, `GET ${what}`).toBe(true);
    return answer.json();
  }

  private async post(what: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.url}/_stand_in/${what}`, { method: "POST", body: JSON.stringify(body) });
    expect(answer.ok, `POST ${what}: ${answer.ok ? "" : await answer.text()}`).toBe(true);
  }
}
