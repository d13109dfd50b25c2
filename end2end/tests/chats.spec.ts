// Many chats: two answers at once, names, deleting and bringing back.
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { id, openWithMessages, record } from "../support/log";
import { done, endless, says, text } from "../support/standIn";

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `an_answer_goes_on_in_its_chat_while_another_one_is_open`.
test("two chats answer at once, each keeps its own text", { tag: "@all" }, async ({ app, standIn }) => {
  const fruit = (word: string) => ({ do: "tokens", count: 120, rate: 30, word: ` ${word}` });
  const all = (word: string) => Array(120).fill(word).join(" ");
  await standIn.script([fruit("apple"), done()]);
  await standIn.script([fruit("pear"), done()]);
  await app.openReady();
  await app.ask("Apples?");
  await app.streaming();
  await app.newChat();
  // Another model: Ollama answers one prompt of a model at a time.
  await app.chooseModel("qwen3:4b");
  await app.ask("Pears?");
  await app.streaming();
  await expect(app.chat("Apples?")).toContainText("answering");
  await expect(app.chat("Pears?")).toContainText("answering");

  await app.chat("Apples?").click();
  await expect(app.title).toHaveText("Apples?");
  await expect(app.title).toBeFocused();
  await expect(app.text(app.last)).toContainText("apple apple");
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText(all("apple"));

  await app.chat("Pears?").click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText(all("pear"));
  await expect(app.chat("Apples?")).not.toContainText("answering");

  await app.reload();
  await app.chat("Apples?").click();
  await expect(app.text(app.last)).toHaveText(all("apple"));
  expect((await standIn.counters()).cancelled).toBe(0);
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs, `each_chat_has_its_own_draft`.
test("a draft stays with its chat", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("First?");
  await app.composer.fill("half a question");
  await app.newChat();
  await expect(app.composer).toHaveValue("");
  await app.chat("First?").click();
  await expect(app.composer).toHaveValue("half a question");
});

// The space of the former chat stayed, scrolled to its end: a blank page.
for (const [way, open] of [
  ["New chat", (app: ChatPage) => app.newChat()],
  ["Alt+N", (app: ChatPage) => app.page.keyboard.press("Alt+n")],
  ["back to the address without a chat", (app: ChatPage) => app.page.goBack()],
] as const)
  // Guarded in each run by the first of them: what is shown is the same.
  test(`after a chat of 120 messages a new one shows its first screen: ${way}`, { tag: way === "New chat" ? [] : "@all" }, async ({ app }) => {
    await openWithMessages(app, 120, {}, ` ${"words ".repeat(60)}`);
    if (way.startsWith("back")) {
      await app.newChat();
      await app.chat("A long chat").click();
    }
    await expect(app.text(app.last)).toContainText("Answer 60");
    await expect(app.last).toBeInViewport();
    await open(app);
    await expect(app.log.getByRole("heading", { name: "What would you like to ask?" })).toBeInViewport();
    await expect.poll(() => app.log.evaluate((log) => log.scrollHeight - log.clientHeight)).toBeLessThan(200);
  });

// Guarded in each run by kernel/stores/tests/stores/drafts.rs, `each_chat_has_its_own_draft`.
test("a draft in a chat without a message waits for its author", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("First?");
  await app.newChat();
  await app.composer.fill("half a question");
  await app.newChat();
  await expect(app.composer).toHaveValue("half a question");
  await app.chat("First?").click();
  await expect(app.composer).toHaveValue("");
  await app.newChat();
  await expect(app.composer).toHaveValue("half a question");
});

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `a_reloaded_tab_shows_its_chat_and_a_new_tab_the_one_touched_last`.
test("a reload shows the chat that was open, though another was touched later", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.openReady();
  await app.exchange("First?");
  await app.newChat();
  await app.exchange("Second?");
  await app.chat("First?").click();
  await expect(app.title).toHaveText("First?");
  await app.reload();
  await expect(app.title).toHaveText("First?");
  await expect(app.text(app.last)).toHaveText("One.");
});

// Guarded in each run by kernel/stores/tests/stores/tabs.rs,
// `deleting_in_another_tab_stops_the_answer_that_runs_here`.
test("deleting a chat in another tab ends its answer here", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script([endless()]);
  await app.openReady();
  await app.ask("For ever?");
  await app.streaming();
  const other = await page.context().newPage();
  await other.goto(app.url);
  await new ChatPage(other, app.url).inList("For ever?", "Delete");
  await standIn.disconnected(1);
  await expect(app.title).toHaveText("New chat");
  await other.getByRole("button", { name: "Undo" }).click();
  await expect(app.chat("For ever?")).toBeVisible();
});

test("a chat is renamed in place: Enter keeps, Escape drops, leaving keeps", async ({ app, standIn, page }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("What is this?");
  const field = page.getByRole("textbox", { name: "Chat name" });
  const rename = async (title: string) => {
    await app.chat(title).hover();
    await app.inList(title, "Rename");
    await expect(field).toBeFocused();
  };

  await rename("What is this?");
  await field.fill("Kept by Enter");
  await field.press("Enter");
  await expect(app.chat("Kept by Enter")).toBeVisible();
  await expect(app.chat("Kept by Enter"), "focus is on the chat again").toBeFocused();
  await expect(app.title).toHaveText("Kept by Enter");
  await expect(page).toHaveTitle("Kept by Enter · Sash");

  await rename("Kept by Enter");
  await field.fill("Dropped");
  await field.press("Escape");
  await expect(app.chat("Kept by Enter")).toBeVisible();
  await expect(field).toHaveCount(0);
  await expect(app.chat("Kept by Enter")).toBeFocused();

  await rename("Kept by Enter");
  await field.fill("Kept by leaving");
  await app.composer.click();
  await expect(app.chat("Kept by leaving")).toBeVisible();

  await app.reload();
  await expect(app.title).toHaveText("Kept by leaving");

  // An empty name gives the first question back.
  await rename("Kept by leaving");
  await field.fill("  ");
  await field.press("Enter");
  await expect(app.title).toHaveText("What is this?");
});

test("deleting is undone from the line at the foot, and later from the trash", async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.openReady();
  await app.exchange("First chat");
  await app.newChat();
  await app.exchange("Second chat");

  const remove = async (title: string) => {
    await app.chat(title).hover();
    await app.inList(title, "Delete");
  };
  await remove("Second chat");
  await expect(page.getByText("Deleted “Second chat”")).toBeVisible();
  await expect(app.chat("Second chat")).toHaveCount(0);
  await expect(app.title).toHaveText("First chat");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.title).toHaveText("Second chat");
  await expect(app.text(app.last)).toHaveText("Two.");
  await expect(page.getByText("Deleted “Second chat”")).toHaveCount(0);

  await remove("First chat");
  await app.reload();
  await expect(app.chat("First chat")).toHaveCount(0);
  const library = new Library(page);
  await app.openFromFoot("Trash");
  await library.button("Restore First chat").click();
  await expect(library.dialog).toContainText("The trash is empty");
  await library.close();
  await app.chat("First chat").click();
  await expect(app.title).toHaveText("First chat");
  await expect(app.text(app.last)).toHaveText("One.");
});

// Guarded in each run by kernel/stores/tests/stores/answers.rs,
// `a_deleted_chat_stops_its_answer_and_comes_back_with_it`.
test("deleting while it answers stops Ollama, and undo brings back what came", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script([text("Some of it.", 1), endless()]);
  await app.openReady();
  await app.ask("Never mind");
  await app.streaming();
  await app.inList("Never mind", "Delete");
  await standIn.disconnected(1);
  await expect(app.messages).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await app.ended("stopped");
  await expect(app.text(app.last)).toContainText("Some of it.");
});

// Guarded in each run by kernel/stores/tests/stores/tabs.rs,
// `a_chat_that_another_tab_deletes_is_closed_here_and_that_is_said` and `a_message_of_another_tab_is_shown_here`.
test("two tabs show the same chats, and a deleted one does not come back", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.openReady();
  await app.exchange("From the first tab");
  const other = await app.anotherTab();
  await expect(other.title).toHaveText("From the first tab");
  await other.exchange("And from the second");
  // The first tab sees what the second wrote, without asking for it.
  await expect(app.messages).toHaveCount(4);
  await expect(app.text(app.last)).toHaveText("Two.");

  await other.inList("From the first tab", "Delete");
  await expect(app.chat("From the first tab")).toHaveCount(0);
  await app.reload();
  await expect(app.chat("From the first tab")).toHaveCount(0);
});

test("packed chats open as others do, one after another", async ({ app, page }) => {
  await openWithMessages(app, 4);
  const log: Record<string, string> = {};
  for (const [n, name] of ["Slow", "Quick", "Slow too"].entries()) {
    const chat = id(0xf0 + n);
    log[`sash:c:${chat}`] = record({ id: chat, title: name, created: 1e12, policy: { messages: 3 }, rev: 1 });
    for (let seq = 1; seq <= 6; seq++) {
      const own = id(0xf000 + n * 100 + seq);
      const message = { id: own, ...(seq > 1 && { parent: id(0xf000 + n * 100 + seq - 1) }), seq, role: seq % 2 ? "user" : "assistant", content: `${name} ${seq}: ${"many words ".repeat(50)}`, created: 1e12 + seq };
      log[`sash:m:${chat}:${seq.toString(36).padStart(6, "0")}-${own}`] = record(message);
    }
  }
  await page.evaluate((log) => Object.entries(log).forEach(([key, value]) => localStorage.setItem(key, value)), log);
  await app.reload();
  const library = new Library(page);
  await app.openFromFoot("Storage");
  await library.button("Compress").click();
  await expect(library.dialog).toContainText("Compressed 18 messages");
  await library.close();

  await app.chat("Slow").click();
  await expect(app.title).toHaveText("Slow");
  await expect(app.text(app.last)).toContainText("Slow 6");
  await app.chat("Quick").click();
  await expect(app.title).toHaveText("Quick");
  await expect(app.text(app.last)).toContainText("Quick 6");
  await app.chat("Slow too").click();
  await app.newChat();
  await expect(app.title).toHaveText("New chat");
  await app.composer.fill("Here I stay");
  await expect(app.composer).toHaveValue("Here I stay");
});

test("the title is changed where it stands", async ({ app, standIn, page }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  const change = page.getByRole("button", { name: "Rename this chat" });
  await expect(change, "nothing to be named yet").toHaveCount(0);
  await app.exchange("A question?");
  await app.title.hover();
  await change.click();
  const field = page.locator(".header").getByRole("textbox", { name: "Chat name" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("A question?");
  await page.keyboard.type("A better name");
  await page.keyboard.press("Enter");
  await expect(app.title).toHaveText("A better name");
  await expect(app.title).toBeFocused();
  await expect(app.chat("A better name")).toBeVisible();
  // Escape drops it, and leaving for another chat changes nothing there.
  await app.title.dblclick();
  await field.fill("Nonsense");
  await page.keyboard.press("Escape");
  await expect(app.title).toHaveText("A better name");
  await app.title.dblclick();
  await field.fill("The best name");
  await app.newChat();
  await expect(app.title).toHaveText("New chat");
  await expect(app.chat("The best name")).toBeVisible();
});

test("on a phone the title has the room, and the model stands below it", async ({ app, standIn, page }) => {
  await standIn.script(says("Yes."));
  await page.setViewportSize({ width: 390, height: 844 });
  await app.openReady();
  const whole = () => app.title.evaluate((title) => title.scrollWidth <= title.clientWidth);
  await expect(app.title).toHaveText("New chat");
  expect(await whole()).toBe(true);
  await app.exchange("A name for a boat?");
  await expect(app.title).toHaveText("A name for a boat?");
  expect(await whole()).toBe(true);
  const [title, model] = [(await page.locator(".title-place").boundingBox())!, (await app.model.boundingBox())!];
  expect(title.width).toBeGreaterThan(240);
  expect(model.y).toBeGreaterThanOrEqual(title.y + title.height - 1);
  expect(model.height).toBeGreaterThanOrEqual(24);
  await app.chooseModel("qwen3:4b");
  await app.ready("qwen3:4b");
});
