// Finding a message among all chats.
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithMessages } from "../support/log";
import { done, says, text, wait } from "../support/standIn";

test("a message of any chat is found while one types, and shown", async ({ app, page, standIn }) => {
  for (const words of ["Use a **composite index** on both columns.", "如何备份数据库？很简单。", "Très élégant, this façade."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Which index is best?");
  await app.newChat();
  await app.exchange("In Chinese, please");
  await app.newChat();
  await app.exchange("And the house?");

  const library = new Library(page);
  await library.search("composite ind");
  await expect(library.results).toHaveCount(1);
  await expect(library.results).toContainText("Which index is best?");
  await expect(library.results.locator("mark")).toHaveText(["composite", "index"]);
  await expect(library.note).toHaveText("1 message");
  await library.field.fill("数据库");
  await expect(library.results.locator("mark")).toHaveText(["数据库"]);
  await library.field.fill("tres elegant facade");
  await expect(library.results).toHaveCount(1);
  await library.field.fill("composite house");
  await expect(library.note).toHaveText("No message contains all of these words.");

  await library.field.fill("composite");
  await library.field.press("Enter");
  await expect(library.dialog).toBeHidden();
  await expect(app.title).toHaveText("Which index is best?");
  await expect(app.last).toBeFocused();
  await expect(app.last).toContainText("composite index");
});

// Guarded in each run by crates/search/src/tests.rs, `emoji_are_found_whatever_they_are_made_of`.
test("an emoji is found with any skin tone, and marked as a whole", { tag: "@all" }, async ({ app, page, standIn }) => {
  for (const words of ["Well done 👍🏽 to all", "No sign here"]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("How was it?");
  await app.newChat();
  await app.exchange("And this?");
  const library = new Library(page);
  await library.search("👍");
  await expect(library.results).toHaveCount(1);
  await expect(library.results.locator("mark")).toHaveText(["👍🏽"]);
  await library.field.fill("👍🏿");
  await expect(library.results).toHaveCount(0);
});

test("a hit in a long answer leads to the words, and they are marked", async ({ app, page, standIn }) => {
  const lines = Array.from({ length: 120 }, (_, n) => (n === 70 ? "Here is the **quokka** at last." : `Paragraph ${n} of many.`));
  await standIn.script(says(lines.join("\n\n")));
  await app.openReady();
  await app.exchange("A long one, please");
  const library = new Library(page);
  await library.search("quokka");
  await library.field.press("Enter");
  await expect(page.getByText("Here is the quokka")).toBeInViewport();
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => (range as Range).toString()));
  await expect.poll(marked).toEqual(["quokka"]);
});

test("arrow keys walk among the results, and a click opens one", async ({ app, page }) => {
  await openWithMessages(app, 60);
  const library = new Library(page);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await library.field.fill("question");
  await expect(library.note).toHaveText("30 messages, the newest first");
  await expect(library.results).toHaveCount(20);
  await library.button("Show more").click();
  await expect(library.results).toHaveCount(30);
  await library.field.press("ArrowDown");
  await library.field.press("ArrowDown");
  const chosen = library.dialog.getByRole("option", { selected: true });
  await expect(chosen).toContainText("Question 28");
  await expect(library.field).toHaveAttribute("aria-activedescendant", (await chosen.getAttribute("id"))!);
  await library.results.nth(24).click();
  await expect(library.dialog).toBeHidden();
  await expect(page.locator("article:focus")).toContainText("Question 6");
  await expect(page.locator("article:focus")).toBeInViewport();
});

// Guarded in each run by rooms/recall/src/tests/all_chats.rs,
// `what_is_written_deleted_restored_and_removed_for_good_is_followed` and `what_another_tab_writes_is_found_here`.
test("what is written while the library is there is found, and what is deleted is not", { tag: "@all" }, async ({ app, page, standIn, context }) => {
  await standIn.script(says("The first answer."));
  await app.openReady();
  await app.exchange("First question");
  const library = new Library(page);
  await library.search("zebra");
  await expect(library.note).toHaveText("No message contains all of these words.");
  await page.keyboard.press("Escape");
  await standIn.script([text("A zebra ", 2), wait(300), text("crosses.", 2), done()]);
  await app.exchange("Second question");
  await library.search("zebra");
  await expect(library.results).toHaveCount(1);

  // Another tab writes.
  const other = await context.newPage();
  await other.goto(app.url);
  await standIn.script(says("Another zebra."));
  await other.getByRole("button", { name: "New chat" }).click();
  await other.getByRole("textbox", { name: "Message", exact: true }).fill("From there");
  await other.keyboard.press("Enter");
  await expect(library.results).toHaveCount(2);
  await page.keyboard.press("Escape");
  await app.chat("From there").click();
  await app.inList("From there", "Delete");
  await library.search("zebra");
  await expect(library.results).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Undo" }).click();
  await library.search("zebra");
  await expect(library.results).toHaveCount(2);
});

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `a_message_found_on_another_branch_of_another_chat_is_walked_to`.
test("a message of another branch is shown on its branch", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("An apple."));
  await standIn.script(says("A pear."));
  await app.openReady();
  await app.exchange("Which fruit?");
  await app.inMessage(app.last, "Ask again").click();
  await expect(app.text(app.last)).toHaveText("A pear.");
  await app.ended("complete");
  const library = new Library(page);
  await library.search("apple");
  await library.field.press("Enter");
  await expect(app.text(app.last)).toHaveText("An apple.");
});
