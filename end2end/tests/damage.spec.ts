// One record of each kind is damaged, as a failing disk or another program would do it: the page works, what can be
// set aside is kept as it was, and everything else is there.
import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { forgetJournal, id, openWithMessages, record } from "../support/log";
import { says } from "../support/standIn";

const NAMES = ["Whole", "Head", "Message", "Tail, first piece", "Tail, middle piece", "Deleted", "Deleted message", "Packed"];
const chat = (name: string) => id(0xc1 + NAMES.indexOf(name));
const own = (name: string, seq: number) => id(0x1000 * (1 + NAMES.indexOf(name)) + seq);
const at = (name: string, seq: number) => `sash:m:${chat(name)}:${seq.toString(36).padStart(6, "0")}-${own(name, seq)}`;

function message(name: string, seq: number, content: string, more: object = {}): object {
  const asks = seq % 2 === 1;
  return {
    id: own(name, seq),
    ...(seq > 1 && { parent: own(name, seq - 1) }),
    seq,
    role: asks ? "user" : "assistant",
    content,
    ...(!asks && { model: "llama3.2" }),
    created: Date.now() - 60_000 - NAMES.indexOf(name) * 1000 + seq,
    ...more,
  };
}

/** Changes a letter behind the checksum. */
const damage = (record: string) => `${record.slice(0, -2)}#${record.slice(-1)}`;

test("a damaged record with half a character in it is kept as it was, and leaves the browser as it was", async ({ app, page }) => {
  await openWithMessages(app, 4);
  await forgetJournal(page);
  const [key, damaged] = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => localStorage.getItem(key)!.includes("Answer 1"))!;
    const damaged = localStorage.getItem(key)!.replace("Answer", "Ans\ud83dwer \ude00 \ufffd");
    localStorage.setItem(key, damaged);
    return [key, JSON.stringify(damaged)];
  });
  expect(damaged).toContain("\\ud83d");
  // The page without a program saves it so before it was ever read.
  const save = async (button: Locator) => {
    const downloading = page.waitForEvent("download");
    await button.click();
    return (await readFile((await (await downloading).path())!, "utf8")).split("\n").filter((line) => line.includes(damaged));
  };
  await page.goto(new URL("/export.html", app.url).href);
  expect(await save(page.getByRole("button", { name: "Save all chats" }))).toEqual([`{"key":"${key}","raw":${damaged}}`]);
  await app.open();
  await expect(app.messages).toHaveCount(3);
  const aside = `sash:bad:${key}`;
  expect(await page.evaluate((key) => JSON.stringify(localStorage.getItem(key)), aside)).toBe(damaged);
  expect((await app.stored())[key]).toBeUndefined();
  const library = new Library(page);
  await app.openFromFoot("Storage");
  expect(await save(library.button("Download"))).toEqual([`{"key":"${aside}","raw":${damaged}}`]);
  await library.tab("Export & import").click();
  expect(await save(library.button("Export"))).toEqual([`{"key":"${aside}","raw":${damaged}}`]);
});

test("one record of each kind is damaged, and everything else is there", async ({ app, page, standIn }) => {
  await app.openReady();
  const log: Record<string, string> = {};
  const put = (key: string, value: object) => (log[key] = record(value));
  for (const name of NAMES) {
    put(`sash:c:${chat(name)}`, { id: chat(name), title: name, created: 1e12, policy: { messages: 3 }, rev: 1 });
    if (name === "Packed") continue;
    const last = name.startsWith("Tail") ? 1 : 4;
    for (let seq = 1; seq <= last; seq++) put(at(name, seq), message(name, seq, `${name} ${seq}`));
  }
  for (const name of NAMES.filter((name) => name.startsWith("Tail"))) {
    const piece = (n: number, value: object) => put(`sash:t:${chat(name)}:${own(name, 2)}:${n}`, value);
    piece(0, message(name, 2, "", { outcome: "interrupted" }));
    for (const n of [1, 2, 3]) piece(n, { content: `Piece ${n}. ` });
  }
  put(`sash:x:${chat("Deleted")}`, { at: Date.now() });
  put(`sash:x:${chat("Deleted message")}:${own("Deleted message", 3)}`, { at: Date.now(), parent: own("Deleted message", 2), seq: 3, role: "user" });
  put(`sash:c:${chat("Packed")}`, {
    id: chat("Packed"), title: "Packed", created: 1e12, policy: { messages: 3 }, rev: 1,
    packed: { segments: 1, messages: 2, title: "Packed", touched: 1e12 },
  });
  put(`sash:s:${chat("Packed")}:0`, ["no segment"]);
  put(`sash:in:${id(77)}`, { chats: [] });
  put("sash:set", { model: "qwen3:4b" });

  const damaged = [
    `sash:c:${chat("Head")}`,
    at("Message", 2),
    `sash:t:${chat("Tail, first piece")}:${own("Tail, first piece", 2)}:0`,
    `sash:t:${chat("Tail, middle piece")}:${own("Tail, middle piece", 2)}:2`,
    `sash:x:${chat("Deleted")}`,
    `sash:x:${chat("Deleted message")}:${own("Deleted message", 3)}`,
    "sash:set",
    `sash:s:${chat("Packed")}:0`,
    `sash:in:${id(77)}`,
  ];
  const whole = { ...log };
  for (const key of damaged) log[key] = damage(log[key]);
  await forgetJournal(page);
  await page.evaluate((log) => {
    localStorage.setItem("sash:meta", "{damaged");
    Object.entries(log).forEach(([key, value]) => localStorage.setItem(key, value));
    sessionStorage.clear();
  }, log);
  await app.reload();
  await app.ready();

  const open = async (name: string) => {
    await app.chat(name).click();
    await expect(app.title).toHaveText(name);
  };
  const texts = (expected: (string | RegExp)[]) => expect(app.messages.locator(".message-text")).toHaveText(expected);
  await open("Whole");
  await texts([1, 2, 3, 4].map((n) => `Whole ${n}`));
  // Without its head a chat has the name of its first question.
  await open("Head 1");
  await texts([1, 2, 3, 4].map((n) => `Head ${n}`));
  await open("Message");
  await texts(["Message 1", "Message 3", "Message 4"]);
  await open("Tail, first piece");
  await texts(["Tail, first piece 1", /Piece 1\. Piece 2\. Piece 3\./]);
  await open("Tail, middle piece");
  await texts(["Tail, middle piece 1", /Piece 1\.\s*\[A piece of this answer could not be read\.\]\s*Piece 3\./]);
  await open("Deleted message");
  await expect(app.messages.filter({ hasText: "Deleted message 4" })).toHaveCount(1);
  await expect(app.messages.filter({ hasText: "Deleted message 2" })).toHaveCount(1);

  await open("Whole");
  await standIn.script(says("On we go."));
  await app.exchange("And on?");

  const stored = await app.stored();
  console.log(damaged.map((key) => `${key.slice(0, 6)}: ${stored[`sash:bad:${key}`] === undefined ? (stored[key] === log[key] ? "as it was" : "gone") : "set aside"}`).join("\n"));
  // Nothing that is damaged is thrown away: it is set aside as it was, or not touched.
  for (const key of damaged) expect(stored[`sash:bad:${key}`] ?? stored[key], key).toBe(log[key]);
  for (const key of damaged.slice(0, 4)) expect(stored[`sash:bad:${key}`], key).toBe(log[key]);
  expect(JSON.parse(stored["sash:meta"])).toMatchObject({ app: "sash" });
  // And what is whole is as it was; only the head that was written on has a later revision.
  for (const [key, value] of Object.entries(whole).filter(([key]) => !damaged.includes(key) && !key.startsWith(`sash:c:`))) {
    if (!key.startsWith("sash:t:")) expect(stored[key], key).toBe(value);
  }
});
