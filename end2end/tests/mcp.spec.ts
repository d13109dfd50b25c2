// MCP as the official TypeScript SDK speaks it: over HTTP and over standard input and output. No page is opened.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError, type Progress } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "@playwright/test";
import { type Programs, test as base } from "../support/house";
import { sashFile } from "../support/programs";
import { done, endless, hold, says, stall, type StandIn, text, wait } from "../support/standIn";

type Way = "http" | "stdio";

/** How a client reaches a Sash of its own in front of the stand-in. */
async function transport(way: Way, ollama: string, programs: Programs): Promise<Transport> {
  if (way === "stdio") {
    return new StdioClientTransport({ command: sashFile(), args: ["mcp", "--ollama", ollama], stderr: "ignore" });
  }
  const sash = await programs.sash(ollama, "--mcp");
  return new StreamableHTTPClientTransport(new URL(`${sash.url}/mcp`));
}

/** A connected client, and its errors. */
class Asker {
  readonly client = new Client({ name: "sash-end2end", version: "1.0.0" });

  async call(name: string, args: Record<string, unknown>, options: Parameters<Client["callTool"]>[2] = {}) {
    const result = await this.client.callTool({ name, arguments: args }, undefined, options);
    const texts = (result.content as { type: string; text: string }[]).map((block) => block.text);
    return { texts, data: result.structuredContent as Record<string, unknown>, failed: result.isError === true };
  }

  ask(question: string, more: Record<string, unknown> = {}, options: Parameters<Client["callTool"]>[2] = {}) {
    return this.call("ask_question", { question, ...more }, options);
  }
}

const test = base.extend<{ way: Way; asker: Asker; standIn: StandIn }>({
  way: ["http", { option: true }],
  asker: async ({ way, house, standIn, programs }, use) => {
    void standIn;
    const asker = new Asker();
    await asker.client.connect(await transport(way, house.ollama.url, programs));
    await use(asker);
    await asker.client.close();
  },
});

for (const way of ["http", "stdio"] as const) {
  test.describe(`over ${way}`, () => {
    test.use({ way });

    test("the tools are listed, and a chat goes on with its window", async ({ asker, standIn }) => {
      expect(asker.client.getServerVersion()?.name).toBe("sash");
      const { tools } = await asker.client.listTools();
      const names = ["ask_question", "clear_chat", "clear_inactive_chats", "get_chat", "list_chats"];
      expect(tools.map((tool) => tool.name).sort()).toEqual(names);
      let chat = {};
      for (let n = 1; n <= 7; n++) {
        await standIn.script(says(`answer ${n}`));
        const { data, texts } = await asker.ask(`question ${n}`, { model: "llama3.2", ...chat });
        expect(data.answer).toBe(`answer ${n}`);
        expect(texts[0]).toBe(`answer ${n}`);
        chat = { chat_id: data.chat_id };
      }
      const seen = (await standIn.chats(7))[6].body;
      expect(seen.truncate).toBe(false);
      expect(seen.messages.map((message) => message.content)).toEqual([
        ...[2, 3, 4, 5, 6].flatMap((n) => [`question ${n}`, `answer ${n}`]),
        "question 7",
      ]);
      const list = (await asker.call("list_chats", {})).data as { chats: { exchanges: number; created_at: string }[]; total: number };
      expect(list.total).toBe(1);
      expect(list.chats[0].exchanges).toBe(7);
      expect(Date.parse(list.chats[0].created_at)).toBeGreaterThan(Date.now() - 60_000);
      expect((await asker.call("get_chat", chat)).data.messages).toHaveLength(14);
      expect((await asker.call("clear_chat", chat)).data.exchanges).toBe(7);
      expect((await asker.call("get_chat", chat)).failed).toBe(true);
      expect((await asker.call("clear_inactive_chats", { hours: 0 })).data).toEqual({ cleared: 0, left: 0 });
    });

    // Over standard streams it is guarded in each run by that over HTTP, and tests/native/server/mcp/progress.rs,
    // `progress_tells_of_loading_and_of_writing_at_a_modest_rate`.
    test("progress is told while the model is awaited and while it writes", { tag: way === "stdio" ? "@all" : [] }, async ({ asker, standIn }) => {
      await standIn.script([wait(700), text("word ".repeat(30), 30, 12), done()]);
      const heard: Progress[] = [];
      const onprogress = (progress: Progress) => void heard.push(progress);
      const { failed } = await asker.ask("?", { model: "llama3.2" }, { onprogress, timeout: 2_500, resetTimeoutOnProgress: true });
      expect(failed).toBe(false);
      expect(heard[0].message).toMatch(/^llama3\.2 is (loading|reading the question)/);
      expect(heard.at(-1)?.message).toMatch(/^\d+ characters written$/);
      for (let n = 1; n < heard.length; n++) expect(heard[n].progress).toBeGreaterThan(heard[n - 1].progress);
    });

    test("a cancelled question stops the model and leaves no half exchange", async ({ asker, standIn }) => {
      await standIn.script(says("first answer"));
      const { chat_id } = (await asker.ask("first", { model: "llama3.2" })).data;
      await standIn.script([endless(30)]);
      const stop = new AbortController();
      const running = asker.ask("second", { chat_id }, { signal: stop.signal });
      const refused = expect(running).rejects.toThrow();
      await standIn.chats(2);
      await expect.poll(async () => (await standIn.counters()).generating).toBe(1);
      stop.abort("enough");
      await refused;
      await standIn.disconnected(2);
      expect((await asker.call("get_chat", { chat_id })).data.messages).toHaveLength(2);
      await standIn.script(says("third answer"));
      expect((await asker.ask("third", { chat_id })).data.context_messages).toBe(2);
    });

    test("a client that goes away stops the model", async ({ asker, standIn }) => {
      await standIn.script([text("half"), stall]);
      // The output of a child process is still read when its input has ended, so there the end may have its sentence.
      const failed = asker.ask("?", { model: "llama3.2" }).then(
        (result) => result.failed,
        () => true,
      );
      await standIn.chats(1);
      await expect.poll(async () => (await standIn.counters()).generating).toBe(1);
      await asker.client.close();
      expect(await failed).toBe(true);
      await standIn.disconnected(1);
    });

    test("two questions to one chat take turns", async ({ asker, standIn }) => {
      await standIn.script(says("one"));
      const { chat_id } = (await asker.ask("first", { model: "llama3.2" })).data;
      await standIn.script([hold, text("two"), done()]);
      const second = asker.ask("second", { chat_id });
      await standIn.chats(2);
      const third = asker.ask("third", { chat_id });
      const busy = await asker.call("clear_chat", { chat_id });
      expect(busy.texts[0]).toMatch(/^This chat answers a question now/);
      expect(await standIn.seen()).toHaveLength(2);
      await standIn.release();
      expect((await second).data.answer).toBe("two");
      expect((await third).data.context_messages).toBe(4);
    });

    test("what is wrong is said, by the protocol or in a sentence", async ({ asker, standIn }) => {
      for (const [args, says] of [
        [{}, /question/],
        [{ question: " \n" }, /Missing 'question' field/],
        [{ question: 7 }, /expected a string/],
        [{ question: "?", chat_id: "nonsense" }, /There is no chat with this id/],
        [{ question: "?", model: "nowhere" }, /no model named “nowhere”/],
        [{ question: "?", chat: "x" }, /unknown field/],
      ] as const) {
        const { failed, texts } = await asker.call("ask_question", args);
        expect(failed, JSON.stringify(args)).toBe(true);
        expect(texts[0]).toMatch(says);
      }
      const unknown = await asker.client.callTool({ name: "no_such_tool" }).catch((error: unknown) => error);
      expect(unknown).toBeInstanceOf(McpError);
      expect((unknown as McpError).code).toBe(ErrorCode.InvalidParams);
      await standIn.script([text("Half an"), { do: "close" }]);
      const broken = await asker.ask("?", { model: "llama3.2" });
      expect(broken.failed).toBe(true);
      expect(broken.texts[0]).toMatch(/^The connection to Ollama was lost/);
      expect(broken.texts[1]).toContain("Half an");
      expect((await asker.call("list_chats", {})).data.total).toBe(0);
    });
  });
}

test("a client whose session is gone with a restart reads 404 and begins anew", async ({ house, standIn, programs }) => {
  void standIn;
  const first = await programs.sash(house.ollama.url, "--mcp");
  const address = new URL(first.url).host;
  const asker = new Asker();
  await asker.client.connect(new StreamableHTTPClientTransport(new URL(`${first.url}/mcp`)));
  await asker.ask("?", { model: "llama3.2" });
  await first.stop();
  await programs.sash(house.ollama.url, "--mcp", "--listen", address);
  const gone = await asker.call("list_chats", {}).catch((error: unknown) => error);
  expect(gone).toMatchObject({ code: 404 });
  await asker.client.close();
  const again = new Asker();
  await again.client.connect(new StreamableHTTPClientTransport(new URL(`http://${address}/mcp`)));
  expect((await again.call("list_chats", {})).data.total).toBe(0);
  await again.client.close();
});

test("without --mcp there is nothing", async ({ house }) => {
  const client = new Client({ name: "sash-end2end", version: "1.0.0" });
  const connecting = client.connect(new StreamableHTTPClientTransport(new URL(`${house.sash.url}/mcp`)));
  await expect(connecting).rejects.toMatchObject({ code: 404 });
});
