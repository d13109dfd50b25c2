// An address that fills in a prompt and a model: into a new chat, and nothing is sent.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

test("?q= and ?model= fill a new chat, and nothing is sent before Enter", async ({ app, standIn, page }) => {
  await standIn.script(says("Written."));
  await app.openReady();
  await app.composer.fill("my own draft, of another chat");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("my own draft");

  await page.goto(`${app.url}/?q=${encodeURIComponent("Fill in the\nmarker <b>Zanzibar</b>")}&model=qwen3%3A4b`);
  await app.started();
  await expect(app.composer).toHaveValue("Fill in the\nmarker <b>Zanzibar</b>");
  await expect(app.composer).toBeFocused();
  await expect(app.model).toHaveValue(/^qwen3/);
  await expect(page).toHaveURL(`${app.url}/`);
  await expect(app.messages).toHaveCount(0);
  expect(JSON.stringify(await standIn.seen())).not.toContain("Zanzibar");

  await page.keyboard.press("Enter");
  await app.ended("complete");
  expect((await standIn.chats(1))[0].body).toMatchObject({ model: "qwen3:4b", messages: [{ role: "user", content: expect.stringContaining("Zanzibar") }] });
  // The draft that was there before is where it was.
  await app.newChat();
  await expect(app.composer).toHaveValue("my own draft, of another chat");
  // New chats begin with the model that was chosen by hand, not with that of a link.
  await expect(app.model).toHaveValue(/^llama3\.2/);
});

// Guarded in each run by rooms/links/src/tests/mod.rs, `a_prompt_that_is_too_long_changes_nothing` and
// `a_model_is_given_to_the_new_chat_alone_and_one_that_is_unknown_is_said`.
test("a prompt that is too long is refused whole, a model that is not there is said, and neither loses anything", { tag: "@all" }, async ({ app, page }) => {
  await page.goto(`${app.url}/?q=${"x".repeat(8_001)}`);
  await app.started();
  await expect(page.getByText("The link contains 8,001 characters")).toBeVisible();
  await expect(app.composer).toHaveValue("");
  await expect(page).toHaveURL(`${app.url}/`);

  await page.goto(`${app.url}/?model=nowhere:1b&q=${"y".repeat(8_000)}`);
  await app.started();
  await expect(page.getByText("The link asks for the model “nowhere:1b”, which is not installed.")).toBeVisible();
  await expect(app.composer).toHaveValue("y".repeat(8_000));
  await app.ready();
  // A reload keeps it as a draft, and fills nothing in again.
  await app.reload();
  await expect(app.composer).toHaveValue("y".repeat(8_000));
  await expect(page.getByText("The link asks for")).toBeHidden();
});
