// What people write is no Markdown; a model's text in an excerpt is without its marks.
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { says } from "../support/standIn";

for (const question of ["2*3*4 = 24", "a_b_c", "~~x~~ y", "# title x", "`x` and `y`", "$5 and $6"]) {
  // One in each run; the others are guarded by kernel/chat/src/title.rs, `what_a_person_writes_is_no_markdown`, and
  // kernel/chat/src/excerpt.rs, `who_wrote_a_message_decides_whether_it_is_markdown`.
  const tag = question === "2*3*4 = 24" ? [] : "@all";
  test(`"${question}" stays as it was written in titles, lists and excerpts`, { tag }, async ({ app, page, standIn }) => {
    await standIn.script(says("It is **bold** at $\\frac{a}{b}$, see `code`."));
    await app.openReady();
    await app.exchange(question);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(question);
    await expect(app.rows.first()).toContainText(question);
    // The receipt's list of messages.
    await standIn.script(says("More."));
    await app.exchange("And then?");
    await app.last.hover();
    await app.last.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "What if it had read something else…" }).click();
    const dialog = page.getByRole("dialog", { name: "What if" });
    await expect(dialog.getByRole("button", { name: `“${question}”` })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "“It is bold at a/b, see code.”" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await app.chats.getByRole("button", { name: "Search", exact: true }).click();
    const library = new Library(page);
    await library.field.fill("bold");
    const result = library.results.first();
    await expect(result).toContainText("It is bold at a/b, see code.");
    await expect(result).toContainText(question);
  });
}
