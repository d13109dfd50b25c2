// What is written and not sent: it stays with its chat, through reloads, other tabs and the trash. A killed browser:
// kill.spec.ts.
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { says, type StandIn } from "../support/standIn";

/** The texts of the drafts in the log. */
const drafts = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith("sash:d:"))
      .map((key) => JSON.parse(localStorage.getItem(key)!.split("|").slice(2).join("|")).text as string)
      .sort(),
  );

/** Waits until these are the drafts in the log. */
const kept = (page: Page, ...texts: string[]) => expect.poll(() => drafts(page)).toEqual(texts.sort());

/** Opens the page with one chat, "First?". */
async function begin(app: ChatPage, standIn: StandIn): Promise<void> {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("First?");
}

/** Counts from the start of the page how often a draft is written. */
const countWrites = (page: Page) =>
  page.addInitScript(() => {
    const of = globalThis as unknown as { writes: number };
    of.writes = 0;
    const real = Storage.prototype.setItem;
    Storage.prototype.setItem = function (key, value) {
      of.writes += Number(key.startsWith("sash:d:"));
      real.call(this, key, value);
    };
  });
const writes = (page: Page) => page.evaluate(() => (globalThis as unknown as { writes: number }).writes);

// Guarded in each run by first-words.spec.ts, "a stored draft is in the field at once, and is written on with".
test("a draft is there after a reload, at once and later", { tag: "@all" }, async ({ app, page, standIn }) => {
  await begin(app, standIn);
  await app.composer.fill("half a question");
  // The page goes before a second has passed.
  await app.reload();
  await expect(app.title).toHaveText("First?");
  await expect(app.composer).toHaveValue("half a question");
  await app.composer.fill("half a question\nof two lines");
  await kept(page, "half a question\nof two lines");
  await app.reload();
  await expect(app.composer).toHaveValue("half a question\nof two lines");
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs,
// `a_chat_that_was_begun_and_not_asked_is_found_by_a_new_tab_once_no_other_has_it_open`;
// kernel/log/src/tests/draft.rs, `chats_that_are_nothing_but_a_draft_are_found_the_last_one_first`.
test("the draft of a new chat opens again with it", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.composer.fill("in an empty log");
  await app.reload();
  await expect(app.composer).toHaveValue("in an empty log");
  await app.ready();
  await app.exchange("First?");
  await kept(page);
  await app.newChat();
  await app.composer.fill("beside another chat");
  await kept(page, "beside another chat");
  await app.reload();
  await expect(app.title).toHaveText("New chat");
  await expect(app.composer).toHaveValue("beside another chat");
  // It is no chat yet.
  await expect(app.rows).toHaveCount(1);
  await standIn.script(says("Too."));
  await app.ready();
  await app.composer.press("Enter");
  await app.ended("complete");
  await kept(page);
  await app.reload();
  await expect(app.title).toHaveText("beside another chat");
  await expect(app.composer).toHaveValue("");
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs, `each_chat_has_its_own_draft`;
// kernel/log/src/tests/draft.rs, `a_draft_is_there_again_after_a_reload_for_a_chat_and_for_a_new_one`.
test("each chat has its own draft, also after a reload", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("One."), { times: 2 });
  await app.openReady();
  await app.exchange("First?");
  await app.newChat();
  await app.exchange("Second?");
  await app.composer.fill("to the second");
  await app.chat("First?").click();
  await expect(app.composer).toHaveValue("");
  await app.composer.fill("to the first");
  await app.newChat();
  await expect(app.composer).toHaveValue("");
  await app.composer.fill("to a new one");
  await kept(page, "to the second", "to the first", "to a new one");
  await app.reload();
  await expect(app.composer).toHaveValue("to a new one");
  await app.chat("First?").click();
  await expect(app.composer).toHaveValue("to the first");
  await app.chat("Second?").click();
  await expect(app.composer).toHaveValue("to the second");
  await app.newChat();
  await expect(app.composer).toHaveValue("to a new one");
});

// Guarded in each run by kernel/log/src/tests/draft.rs, `a_draft_that_was_sent_or_emptied_leaves_nothing`.
test("what was sent or emptied is no draft any more", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.composer.fill("First?");
  await kept(page, "First?");
  await app.composer.press("Enter");
  await app.ended("complete");
  await kept(page);
  await app.composer.fill("second thoughts");
  await kept(page, "second thoughts");
  await app.composer.fill("");
  await kept(page);
  await app.composer.fill("/clear");
  await kept(page, "/clear");
  await app.composer.press("Enter");
  await kept(page);
  await app.reload();
  await expect(app.composer).toHaveValue("");
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs,
// `a_draft_is_written_at_most_once_a_second_while_it_is_typed`.
test("a draft is written once a second while it is typed, and not again when it has not changed", { tag: "@all" }, async ({ app, page }) => {
  await countWrites(page);
  await app.openReady();
  const begun = Date.now();
  await app.composer.pressSequentially("some words that are typed at an ordinary pace", { delay: 60 });
  const seconds = (Date.now() - begun) / 1000;
  await kept(page, "some words that are typed at an ordinary pace");
  const written = await writes(page);
  expect(written).toBeGreaterThan(1);
  expect(written).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
  expect(await writes(page)).toBe(written);
});

test("a draft of a megabyte is not written anew each second", { tag: "@all" }, async ({ app, page }) => {
  await countWrites(page);
  await app.openReady();
  const long = "many words ".repeat(95_000);
  await app.composer.fill(long);
  await kept(page, long);
  expect(await writes(page)).toBe(1);
  const begun = Date.now();
  for (let n = 0; Date.now() - begun < 3500; n++) await app.composer.press("x");
  expect(await writes(page)).toBe(1);
  // Nothing is lost with the page.
  const typed = await app.composer.inputValue();
  await app.reload();
  await expect(app.composer).toHaveValue(typed);
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs, `a_draft_follows_another_tab_unless_it_is_typed_here`.
test("a draft is seen in the other tab, but never replaces what is typed there", { tag: "@all" }, async ({ app, page, standIn }) => {
  await begin(app, standIn);
  const other = await app.anotherTab();
  await app.composer.fill("from the first tab");
  await expect(other.composer).toHaveValue("from the first tab");
  await other.composer.fill("from the first tab and the second");
  // Typed on here while the other one writes.
  await app.composer.fill("typed here");
  await expect.poll(() => drafts(page)).not.toEqual(["from the first tab"]);
  await app.composer.press("!");
  await expect.poll(async () => (await drafts(page))[0]).toMatch(/^typed here!/);
  await expect(app.composer).toHaveValue("typed here!");
  // The last writer wins, once the other one rests.
  await expect(async () => {
    await app.composer.press("!");
    await expect(other.composer).toHaveValue(await app.composer.inputValue(), { timeout: 3000 });
  }).toPass();
  // Sent in one, it is gone in the other.
  await standIn.script(says("Sent."));
  await app.composer.press("Enter");
  await app.ended("complete");
  await expect(other.composer).toHaveValue("");
  expect(await drafts(page)).toEqual([]);
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs,
// `a_chat_that_was_begun_and_not_asked_is_found_by_a_new_tab_once_no_other_has_it_open`.
test("the new chat of a closed tab is found again, that of an open tab is left alone", { tag: "@all" }, async ({ app, page, standIn }) => {
  await begin(app, standIn);
  await app.newChat();
  await app.composer.fill("begun in the first tab");
  await kept(page, "begun in the first tab");
  const other = await app.anotherTab();
  await expect(other.title).toHaveText("First?");
  await other.newChat();
  await expect(other.composer).toHaveValue("");
  await other.composer.fill("begun in the second");
  await kept(page, "begun in the first tab", "begun in the second");
  await page.close();
  await other.page.close();
  const last = await app.anotherTab();
  await expect(last.title).toHaveText("New chat");
  await expect(last.composer).toHaveValue("begun in the second");
  await last.composer.fill("");
  await kept(last.page, "begun in the first tab");
  await last.chat("First?").click();
  await expect(last.title).toHaveText("First?");
  await last.newChat();
  await last.chat("First?").click();
  await last.reload();
  await last.newChat();
  await expect(last.composer).toHaveValue("begun in the first tab");
});

// Guarded in each run by kernel/log/src/tests/draft.rs,
// `a_draft_goes_to_the_trash_with_its_chat_and_back_and_for_good`.
test("a draft goes to the trash with its chat, and for good with it", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."), { times: 2 });
  await app.openReady();
  await app.exchange("First?");
  await app.newChat();
  await app.exchange("Second?");
  await app.composer.fill("half a thought");
  await app.chat("Second?").hover();
  await app.inList("Second?", "Delete");
  await expect(app.title).toHaveText("First?");
  await expect(app.composer).toHaveValue("");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.title).toHaveText("Second?");
  await expect(app.composer).toHaveValue("half a thought");
  await app.inList("Second?", "Delete");
  await kept(page, "half a thought");
  const library = new Library(page);
  await app.openFromFoot("Trash");
  await library.button("Empty trash…").click();
  await library.button("Delete for good").click();
  await expect(library.dialog).toContainText("The trash is empty");
  await kept(page);
});

// Guarded in each run by rooms/prompts/src/tests/earlier_questions.rs,
// `the_own_draft_stays_the_draft_while_earlier_questions_are_looked_at` and
// `a_question_that_was_changed_beside_a_draft_is_kept_for_the_next_walk`.
test("a half-written draft stays the draft while earlier questions are looked at and changed", { tag: "@all" }, async ({ app, page, standIn }) => {
  await begin(app, standIn);
  await app.composer.fill("Half a thought");
  await kept(page, "Half a thought");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(app.composer).toHaveValue("First?");
  await page.keyboard.type("!");
  await expect(app.composer).toHaveValue("First?!");
  const back = page.getByRole("button", { name: "Back to your draft" });
  await expect(back).toBeVisible();
  await app.newChat();
  await expect(back).toHaveCount(0);
  await kept(page, "Half a thought");
  await app.rows.first().getByRole("button", { name: "First?" }).click();
  await app.reload();
  await expect(app.composer).toHaveValue("Half a thought");
  // What was changed is there again, and Alt+Down and the button lead back.
  await app.composer.focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expect(app.composer).toHaveValue("First?!");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(app.composer).toHaveValue("Half a thought");
  await page.keyboard.press("Alt+ArrowUp");
  await back.click();
  await expect(app.composer).toHaveValue("Half a thought");
  await expect(app.composer).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await standIn.script(says("Again."));
  await app.ready();
  await page.keyboard.press("Enter");
  await app.ended("complete");
  await expect(app.text(app.message(3))).toHaveText("First?!");
  await expect(app.composer).toHaveValue("Half a thought");
});
