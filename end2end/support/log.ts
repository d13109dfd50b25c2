// A chat put into the log from outside, as the page itself would have written it: see kernel/log.
import type { Page } from "@playwright/test";
import type { ChatPage } from "./chatPage";

/** Leaves localStorage alone to say what there is: the journal would heal it. */
export const forgetJournal = (page: Page): Promise<void> => withJournal(page, "clear");

/** What the journal has: under each key a record, or null, and a time. */
export const readJournal = (page: Page): Promise<[string, string | null, number][]> => withJournal(page, "read");

/** Notes a record in the journal, as the page does. */
export const noteInJournal = (page: Page, key: string, record: string): Promise<void> => withJournal(page, "put", [key, record]);

function withJournal<T>(page: Page, what: "clear" | "read" | "put", [key, record]: string[] = []): Promise<T> {
  return page.evaluate(
    async ({ what, key, record }) => {
      const opening = indexedDB.open("sash");
      await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
      const transaction = opening.result.transaction("redo", "readwrite");
      const store = transaction.objectStore("redo");
      if (what === "clear") store.clear();
      if (what === "put") store.put([record, Date.now()], key);
      const [keys, values] = [store.getAllKeys(), store.getAll()];
      await new Promise((resolve, reject) => ([transaction.oncomplete, transaction.onabort] = [resolve, reject]));
      opening.result.close();
      return keys.result.map((key, n) => [key, ...values.result[n]]) as T;
    },
    { what, key, record },
  );
}

const CHAT = "00000000000000c1";

/** CRC-32 as in zlib. */
export function checksum(text: string): string {
  let crc = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

export const record = (value: object): string => {
  const payload = JSON.stringify(value);
  return `1|${checksum(payload)}|${payload}`;
};
export const id = (n: number) => n.toString(16).padStart(16, "0");

/** Opens the page with these records in its log. They are written from an image of its origin: the program is loaded once. */
export async function openWith(app: ChatPage, log: Record<string, string>, model?: string): Promise<void> {
  await app.page.goto(`${app.url}/icon.svg`);
  await app.page.evaluate((log) => {
    Object.entries(log).forEach(([key, value]) => localStorage.setItem(key, value));
    // Not the chat that is open now: the newest.
    sessionStorage.clear();
  }, log);
  await app.openReady(model);
}

/** The log of one chat of so many messages: "Question 1", "Answer 1", "Question 2", … */
export function logOfMessages(messages: number, head: object = {}, words: string | ((n: number) => string) = "", created = 1e12): Record<string, string> {
  const log: Record<string, string> = {
    [`sash:c:${CHAT}`]: record({ id: CHAT, title: "A long chat", created, policy: { messages: 3 }, rev: 1, ...head }),
  };
  for (let n = 1; n <= messages; n++) {
    const asks = n % 2 === 1;
    const message = {
      id: id(n),
      ...(n > 1 && { parent: id(n - 1) }),
      seq: n,
      role: asks ? "user" : "assistant",
      content: `${asks ? "Question" : "Answer"} ${Math.ceil(n / 2)}${typeof words === "string" ? words : words(n)}`,
      ...(!asks && { model: "llama3.2" }),
      created: created + n,
    };
    log[`sash:m:${CHAT}:${n.toString(36).padStart(6, "0")}-${id(n)}`] = record(message);
  }
  return log;
}

/** Opens the page with such a chat. */
export const openWithMessages = (app: ChatPage, ...chat: Parameters<typeof logOfMessages>): Promise<void> => openWith(app, logOfMessages(...chat));

/** Opens the page with one chat of a question that was answered with so many calls of a tool, each with its result. */
export async function openWithCalls(app: ChatPage, calls: number, model: string, created = 1e12): Promise<void> {
  const log: Record<string, string> = {
    [`sash:c:${CHAT}`]: record({ id: CHAT, title: "A chat with calls", created, policy: { messages: 3 }, rev: 1 }),
  };
  const keep = (n: number, message: object) => {
    const whole = { id: id(n), ...(n > 1 && { parent: id(n - 1) }), seq: n, ...message, created: created + n };
    log[`sash:m:${CHAT}:${n.toString(36).padStart(6, "0")}-${id(n)}`] = record(whole);
  };
  keep(1, { role: "user", content: "Calculate" });
  for (let n = 1; n <= calls; n++) {
    const call = { id: `call_${n}`, function: { name: "calculate", arguments: { expression: `${n} + 1` } } };
    keep(2 * n, { role: "assistant", content: "", tool_calls: [call], model });
    keep(2 * n + 1, { role: "tool", content: String(n + 1), tool_name: "calculate", tool_call_id: `call_${n}` });
  }
  await openWith(app, log, model);
}

/** Opens the page with so many chats of two messages: "Chat 1" was touched last. */
export async function openWithChats(app: ChatPage, chats: number): Promise<void> {
  const log: Record<string, string> = {};
  for (let n = 1; n <= chats; n++) {
    const [chat, touched] = [id(0xc000 + n), 1e12 + (chats - n) * 1e5];
    log[`sash:c:${chat}`] = record({ id: chat, title: `Chat ${n}`, created: touched, policy: { messages: 3 }, rev: 1 });
    for (const [seq, role] of [[1, "user"], [2, "assistant"]] as const) {
      const [own, parent] = [id(n * 2 + seq), id(n * 2 + 1)];
      const message = { id: own, ...(seq === 2 && { parent, model: "llama3.2" }), seq, role, content: `${role} of chat ${n}`, created: touched + seq };
      log[`sash:m:${chat}:${seq.toString(36).padStart(6, "0")}-${own}`] = record(message);
    }
  }
  await openWith(app, log);
}
