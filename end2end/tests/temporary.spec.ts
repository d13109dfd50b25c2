// Temporary chats: nothing of them is written anywhere, unless they are kept.
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { drop, picture } from "../support/pictures";
import { done, endless, says, type StandIn, text } from "../support/standIn";

const MARKER = "Zanzibar";
const LINE = "Temporary: this chat is not stored anywhere and ends when you leave it.";

/** Everything that the browser keeps for the page's origin, as text. */
function everythingKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const decoder = new TextDecoder();
    const found: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    found.push(document.cookie, JSON.stringify(history.state), location.href, document.title, window.name);
    const show = (_: string, value: unknown) => (ArrayBuffer.isView(value) ? decoder.decode(value) : value);
    for (const { name } of await indexedDB.databases()) {
      const opening = indexedDB.open(name ?? "");
      await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
      const database = opening.result;
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        const [keys, values] = [objects.getAllKeys(), objects.getAll()];
        await new Promise((resolve, reject) => ([objects.transaction.oncomplete, objects.transaction.onabort] = [resolve, reject]));
        found.push(`${name} ${store} ${JSON.stringify(keys.result)} ${JSON.stringify(values.result, show)}`);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) found.push(name, request.url);
    }
    return found.join("\n");
  });
}

/** How many images are in the database. */
const images = async (page: Page) => ((await everythingKept(page)).match(/sash images \[(.*?)\]/)?.[1] ?? "").split(",").filter(Boolean).length;

/** A temporary chat with the marker in its draft, question, answer, tool call, system prompt and title, and an image. */
async function fill(app: ChatPage, standIn: StandIn): Promise<void> {
  const { page } = app;
  await standIn.models({ add: ["tinytool", "tinyeyes"] });
  await app.open();
  await app.chooseModel("tinytool:latest");
  await page.keyboard.press("Alt+Shift+n");
  // On the first screen, in place of "stays in this browser", and below the field.
  await expect(page.getByText(LINE)).toHaveCount(2);
  await page.locator("#chat-menu").click();
  await page.getByRole("menuitem", { name: "System prompt…" }).click();
  const system = page.getByRole("dialog", { name: "System prompt" });
  await system.getByRole("textbox", { name: "System prompt" }).fill(`Speak of ${MARKER}.`);
  await system.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Tools" }).click();
  const tools = page.getByRole("dialog", { name: "Tools of this chat" });
  await tools.getByRole("checkbox", { name: "Calculator" }).check();
  await tools.getByRole("button", { name: "Close" }).click();
  await standIn.script([{ do: "tool_calls", calls: [{ id: "a", function: { name: "calculate", arguments: { expression: `1 + 1 # ${MARKER}` } } }] }, done()]);
  await standIn.script(says(`${MARKER} it is.`));
  await app.ask(`Where is ${MARKER}?`);
  await expect(app.text(app.last)).toHaveText(`${MARKER} it is.`);
  await page.locator("#chat-title").dblclick();
  await page.getByRole("textbox", { name: "Chat name" }).fill(`About ${MARKER}`);
  await page.keyboard.press("Enter");
  await app.chooseModel("tinyeyes:latest");
  await drop(page, [await picture(page, `${MARKER}.png`, [40, 30])]);
  await expect(page.getByRole("list", { name: "Images of this prompt" }).getByRole("listitem")).toHaveCount(1);
  await app.ask(`What is on this picture of ${MARKER}?`);
  await app.ended("complete");
  await app.composer.fill(`A draft about ${MARKER}`);
}

test("the marker word of a temporary chat is in no store, no address, no title and no other tab, and the server keeps nothing", async ({ app, page, standIn, watch }) => {
  watch.allow(/^a dialog: beforeunload/);
  const bodies: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/response")) bodies.push(request.postData() ?? "");
  });
  await fill(app, standIn);
  const other = new ChatPage(await page.context().newPage(), app.url);
  await other.openReady("tinyeyes");
  // Hidden, a page writes what it has.
  await other.page.bringToFront();
  await page.bringToFront();
  // A draft is written after a second.
  await expect.poll(async () => (await everythingKept(page)).length).toBeGreaterThan(0);
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));

  const kept = await everythingKept(page);
  expect(kept).not.toContain(MARKER);
  expect(await images(page)).toBe(0);
  expect(bodies.length).toBe(3);
  for (const body of bodies) expect(body).not.toContain("answer_id");
  expect(await page.title()).toBe("Temporary chat · Sash");
  await expect(page).toHaveURL(`${app.url}/`);
  await expect(app.chatList.getByRole("button")).toHaveCount(0);
  expect(await other.page.content()).not.toContain(MARKER);
  await other.page.keyboard.press("Control+k");
  await other.page.getByRole("combobox", { name: "Search all chats" }).fill(MARKER);
  await expect(other.page.getByText("No messages yet").or(other.page.getByText("No message contains all of these"))).toBeVisible();
  await other.page.close();

  // The browser asks before it is lost; a reload ends it.
  const asked = page.waitForEvent("dialog");
  const reloaded = app.reload();
  expect((await asked).type()).toBe("beforeunload");
  await reloaded;
  await expect(page.getByText("The temporary chat ended when the page reloaded. None of it was stored")).toBeVisible();
  await expect(app.messages).toHaveCount(0);
  await expect(app.composer).toHaveValue("");
  await expect(page.getByText(LINE)).toBeHidden();
  expect(await everythingKept(page)).not.toContain(MARKER);
});

test("leaving ends the answer at the engine and offers to keep the chat; Keep this chat keeps all of it", async ({ app, page, standIn }) => {
  await fill(app, standIn);
  await standIn.script([text("Half", 1), endless()]);
  await app.composer.fill("Go on");
  await page.keyboard.press("Enter");
  await app.streaming();
  await page.keyboard.press("Alt+n");
  await expect(page.getByText("The temporary chat has ended. None of it was stored")).toBeVisible();
  await standIn.quiet();
  await expect(app.messages).toHaveCount(0);
  await page.getByRole("button", { name: "Keep it" }).click();
  await expect(page.getByText("This chat is kept")).toBeVisible();
  await app.chat(`About ${MARKER}`).click();
  await expect(app.text(app.last)).toContainText("Half");
  await app.reload();
  await expect(app.title).toHaveText(`About ${MARKER}`);
  await expect(app.messages).toHaveCount(8);
  expect(await images(page)).toBe(1);
  await expect(page.getByText(LINE)).toBeHidden();

  // Kept while it is open: it gets its address, and goes on.
  await page.locator("#chat-menu").click();
  await page.getByRole("menuitem", { name: "New temporary chat" }).click();
  await expect(app.title).toHaveText("Temporary chat");
  await standIn.script(says("Yes."));
  await app.exchange("Another one?");
  await page.getByRole("button", { name: "Keep this chat" }).click();
  await expect(page).toHaveURL(/\/chats\/[0-9a-f]{16}$/);
  await expect(page.getByText(LINE)).toBeHidden();
  await expect(app.chat("Another one?")).toBeVisible();
});

// Guarded in each run by rooms/versions/src/tests/temporary_forks.rs,
// `no_other_notice_takes_the_place_of_the_offer_to_keep_a_temporary_chat`.
test("a fork of a temporary chat leaves the offer to keep the original", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("Blue."));
  await app.openReady();
  await page.keyboard.press("Alt+Shift+n");
  await app.exchange("Which colour?");
  await app.act(app.message(2), "Fork from here");
  await expect(app.title).toHaveText("Which colour? (fork)");
  await expect(page.getByText("Forked")).toBeVisible();
  await page.getByRole("button", { name: "Keep it" }).click();
  await expect(page.getByText("This chat is kept")).toBeVisible();
  await expect(app.chat("Which colour?")).toBeVisible();
});

test("a duplicated tab does not say that the temporary chat of its first tab ended", async ({ app, page }) => {
  // A browser copies this into a duplicated tab.
  await page.addInitScript(() => sessionStorage.setItem("sash:temporary", "open"));
  await app.openReady();
  await expect(page.getByText("The temporary chat ended when")).toHaveCount(0);
});
