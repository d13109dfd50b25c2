// An engine of the OpenAI chat API that sends what a test wrote, byte for byte: forms that the stand-in has no script for.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the engine answers a prompt with. */
export interface RawReply {
  /** 200 unless it says another one. */
  status?: number;
  /** An event stream unless it says another one. */
  type?: string;
  /** Written one after the other, each in a packet of its own. */
  body: (string | Buffer)[];
  /** Whether the connection is cut after the body and not ended. */
  cut?: boolean;
}

/** One event of a stream. */
export const event = (data: unknown): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** One event whose first choice has this delta. */
export const delta = (delta: unknown, finish: string | null = null): string => event({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });

/** The end of a sound stream. */
export const STOP = delta({}, "stop") + event("[DONE]");

export class RawEngine {
  /** The bodies of the prompts that came. */
  readonly asked: { messages: { role: string; content: string }[] }[] = [];
  /** Answered in this order; the last one again and again. */
  replies: RawReply[] = [];

  private constructor(private readonly server: Server) {}

  static start(): Promise<RawEngine> {
    const server = createServer((request, response) => {
      const body: Buffer[] = [];
      request.on("data", (data: Buffer) => body.push(data));
      request.on("end", () => void engine.answer(request.url ?? "", Buffer.concat(body).toString(), response));
    });
    const engine = new RawEngine(server);
    return new Promise((done) => server.listen(0, "127.0.0.1", () => done(engine)));
  }

  /** What `--openai` is given. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }

  private async answer(path: string, body: string, response: ServerResponse): Promise<void> {
    if (path.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "raw", object: "model" }] }));
      return;
    }
    if (!path.endsWith("/chat/completions")) {
      response.statusCode = 404;
      response.end();
      return;
    }
    this.asked.push(JSON.parse(body) as (typeof this.asked)[number]);
    const reply = this.replies.length > 1 ? this.replies.shift() : this.replies[0];
    response.statusCode = reply?.status ?? 200;
    response.setHeader("content-type", reply?.type ?? "text/event-stream");
    for (const piece of reply?.body ?? []) {
      response.write(piece);
      await new Promise((written) => setTimeout(written, 15));
    }
    if (reply?.cut) response.destroy();
    else response.end();
  }
}
