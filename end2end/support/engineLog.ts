// What every engine got in a walk of the page, and the rule for it: which of the person's words may be in which request.
// The rule is written from the guide ("Before you press Enter"), not from the code.
import type { Seen, StandIn } from "./standIn";

/** What an engine may get before the person presses anything: nothing, what it had before, or the open chat and its draft. */
export type Scope = "nothing" | "had" | "draft";

/** A word that marks a text of the walk, wherever it is sent. */
const MARK = /\b[a-z]\w*Qx\b/g;
export const marks = (text: string): string[] => [...new Set(text.match(MARK) ?? [])];

interface Engine {
  standIn: StandIn;
  scope: Scope;
}

/** Something that the person pressed, which sends text to an engine. */
interface Press {
  name: string;
  at: number;
  to: string;
  /** What was shown as going with it. */
  takes: Set<string>;
  /** What was written for it; without that it is another request. */
  asks: string[];
  /** What was said to go with it, and must. */
  must: string[];
  /** What the engine is to answer. */
  answer: string[];
  seen?: Seen;
}

interface Row {
  at: number;
  to: string;
  request: Seen;
  found: string[];
  verdict: string;
}

/** A cloud's model is another reader than the engine that passes its requests on. */
const CLOUD = /[:-]cloud$/;
/** For so long after a change of chats a request of the former one may arrive. */
const LATE = 300; // ms

/** Whether a request is for an answer: reading ahead and counting ask for one token at most. */
const asksForAnswer = ({ path, body }: Seen) => {
  const most = (body.options as { num_predict?: number } | undefined)?.num_predict ?? body.max_tokens ?? body.n_predict;
  return /\/chat(\/completions)?$/.test(path) && most !== 0 && most !== 1;
};

/** The clock of the stand-ins, in milliseconds since 1970. */
const now = () => performance.timeOrigin + performance.now();

export class EngineLog {
  readonly started = now();
  private readonly rows: Row[] = [];
  private readonly presses: Press[] = [];
  /** The texts of each chat. */
  private readonly chats = new Map<string, Set<string>>();
  /** Which chat was open since when. */
  private readonly opened: { at: number; chat: string }[] = [];
  /** What each engine had: what was in the requests of presses, and its own answers. */
  private readonly had = new Map<string, Set<string>>();
  /** What may go nowhere before it is sent, wherever the engine is, and when it was sent. */
  private readonly untouched = new Map<string, number>();
  /** What may go nowhere any more, not even as a part of what an engine had. */
  private readonly gone = new Set<string>();
  /** The engines that may read all chats to find messages by meaning, since when. */
  private readonly embeds = new Map<string, number>();

  constructor(private readonly engines: Record<string, Engine>) {}

  /** A chat is opened. */
  open(chat: string): void {
    this.opened.push({ at: now(), chat });
    if (!this.chats.has(chat)) this.chats.set(chat, new Set());
  }

  /** The open chat is to have this text: a draft, an answer, a version by hand. */
  write(text: string): string {
    for (const mark of marks(text)) this.texts.add(mark);
    return text;
  }

  /** The same of a text that the person has not touched: an address brought it. */
  bring(text: string): string {
    for (const mark of marks(text)) this.untouched.set(mark, Infinity);
    return this.write(text);
  }

  /** A message of the open chat is not to be sent any more. */
  mute(text: string): void {
    for (const mark of marks(text)) this.texts.delete(mark);
  }

  /** The open chat has ended, and nothing of it may be left. */
  end(): void {
    for (const mark of this.texts) this.gone.add(mark);
  }

  /** The person has an engine read all chats. */
  embed(engine: string): void {
    this.embeds.set(engine, now());
  }

  /**
   * The person presses what sends the open chat to an engine, with this text. `shown` is what the page shows of other
   * chats as going with it; `answer` is what the engine is to say.
   */
  press(name: string, to: string, text: string, more: { shown?: string[]; must?: string[]; answer?: string } = {}): void {
    this.write(text);
    const { shown = [], must = [], answer = "" } = more;
    this.presses.push({
      name,
      at: now(),
      to,
      takes: new Set([...this.texts, ...shown]),
      asks: marks(text),
      must,
      answer: marks(this.write(answer)),
    });
    for (const mark of marks(text)) if (this.untouched.has(mark)) this.untouched.set(mark, now());
  }

  /** Reads what the engines got since it was called last, and says what breaks the rule. */
  async judge(): Promise<string[]> {
    const news: Row[] = [];
    for (const [engine, { standIn }] of Object.entries(this.engines)) {
      for (const request of await standIn.requests()) {
        if (this.rows.some((row) => row.request.id === request.id && row.to.split(" ")[0] === engine)) continue;
        const to = CLOUD.test(request.body?.model ?? "") ? `${engine} cloud` : engine;
        const found = marks(strings([request.path, request.headers, request.body]).join("\n"));
        news.push({ at: request.arrived, to, request, found, verdict: "" });
      }
    }
    news.sort((a, b) => a.at - b.at);
    for (const row of news) row.verdict = row.found.length > 0 ? this.verdict(row) : "no words";
    this.rows.push(...news);
    return news.filter((row) => row.verdict.startsWith("NOT")).map((row) => this.line(row));
  }

  /** What was pressed and reached no engine as it was shown. */
  unheard(): string[] {
    const unheard = this.presses.filter((press) => !press.seen);
    return unheard.map(({ name, to, asks }) => `${name}: ${to} got no request with ${asks.join(" ")}`);
  }

  /** Whether an engine got this before anything was pressed. */
  gotBefore(engine: string, text: string): boolean {
    const all = marks(text);
    return this.rows.some((row) => row.to === engine && row.verdict.startsWith("before") && all.every((mark) => row.found.includes(mark)));
  }

  /** All requests with a body, a line each. */
  table(): string {
    const all = this.rows.toSorted((a, b) => a.at - b.at);
    const [listed, others] = [all.filter((row) => row.request.body), all.filter((row) => !row.request.body)];
    const counts = Object.keys(this.engines).map((engine) => `${engine} ${others.filter((row) => row.to === engine).length}`);
    return [...listed.map((row) => this.line(row)), `requests without a body: ${counts.join(", ")}`].join("\n");
  }

  /** All requests as they arrived. */
  json(): string {
    const shown = this.rows.map(({ to, found, verdict, request }) => ({ to, found, verdict, request }));
    return JSON.stringify({ presses: this.presses.map((press) => ({ ...press, takes: [...press.takes] })), requests: shown }, null, 1);
  }

  private verdict({ to, request, found }: Row): string {
    const lost = found.filter((mark) => this.gone.has(mark));
    if (lost.length > 0) return `NOT ALLOWED, of a chat that has ended: ${lost.join(" ")}`;
    const had = this.had.get(to) ?? new Set();
    this.had.set(to, had);
    const press = this.presses.find(
      (press) =>
        !press.seen && press.to === to && press.at <= request.arrived && asksForAnswer(request) && press.asks.every((mark) => found.includes(mark)),
    );
    if (press) {
      press.seen = request;
      for (const mark of [...found, ...press.answer]) had.add(mark);
      const hidden = found.filter((mark) => !press.takes.has(mark));
      const missing = press.must.filter((mark) => !found.includes(mark));
      if (hidden.length > 0) return `NOT SHOWN at "${press.name}": ${hidden.join(" ")}`;
      return missing.length > 0 ? `NOT WITH "${press.name}", but shown: ${missing.join(" ")}` : `pressed: ${press.name}`;
    }
    const scope = CLOUD.test(request.body?.model ?? "") ? "nothing" : this.engines[to].scope;
    const open = this.opened.filter(({ at }, n) => at <= request.arrived && (this.opened[n + 1]?.at ?? Infinity) > request.arrived - LATE);
    const texts = new Set(open.flatMap(({ chat }) => [...(this.chats.get(chat) ?? [])]));
    const embeds = request.path === "/api/embed" && (this.embeds.get(to) ?? Infinity) <= request.arrived;
    const may = (mark: string) =>
      (this.untouched.get(mark) ?? 0) <= request.arrived && ((scope !== "nothing" && had.has(mark)) || (scope === "draft" && (texts.has(mark) || embeds)));
    const leaked = found.filter((mark) => !may(mark));
    return leaked.length > 0 ? `NOT ALLOWED before Enter: ${leaked.join(" ")}` : "before Enter, allowed";
  }

  private line({ at, to, request, found, verdict }: Row): string {
    const seconds = ((at - this.started) / 1000).toFixed(2).padStart(6);
    const bytes = `${JSON.stringify(request.body ?? "").length} B`;
    return `${seconds} s  ${to.padEnd(10)} ${request.path.padEnd(20)} ${bytes.padStart(7)}  ${verdict}  [${found.join(" ")}]`;
  }

  private get texts(): Set<string> {
    return this.chats.get(this.opened.at(-1)?.chat ?? "") ?? new Set();
  }
}

/** Every string in a value, names of fields too. */
function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...strings(inner)]);
}
