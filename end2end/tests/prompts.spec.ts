// Prompts of one's own, the list that `/` opens in the field, and long texts that are pasted.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { paste } from "../support/pictures";
import { keepPrompt } from "../support/prompts";
import { says } from "../support/standIn";

const listOf = (page: Page) => page.getByRole("listbox", { name: "Prompts and commands" });
const options = (page: Page) => listOf(page).getByRole("option");
const editor = (page: Page) => page.locator("dialog.prompt-edit");
const form = (page: Page) => page.locator("dialog.prompt-fill");

test("a slash lists prompts and commands by keyboard alone; a placeholder is asked for, and nothing is sent", async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("First?");
  await keepPrompt(page, "Explain", "Explain {{what}} to {{whom}}, and {{what}} again.");
  await keepPrompt(page, "Brief", "Be brief.");
  await page.keyboard.press("Escape");

  await app.composer.focus();
  await page.keyboard.type("/");
  await expect(listOf(page)).toBeVisible();
  await expect(options(page).nth(0)).toContainText("Brief");
  await expect(options(page).nth(1)).toContainText("Explain");
  await expect(app.composer).toHaveAttribute("aria-activedescendant", (await options(page).first().getAttribute("id")) ?? "");
  await page.keyboard.press("ArrowUp");
  await expect(options(page).last()).toHaveAttribute("aria-selected", "true");
  // Escape keeps the text, and what is typed then is text until the field begins anew.
  await page.keyboard.press("Escape");
  await expect(listOf(page)).toBeHidden();
  await page.keyboard.type("e");
  await expect(app.composer).toHaveValue("/e");
  await expect(listOf(page)).toBeHidden();

  await app.composer.fill("");
  await page.keyboard.type("/expl");
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(form(page).getByRole("heading", { name: "Explain" })).toBeVisible();
  const what = form(page).getByRole("textbox", { name: "what" });
  await expect(what).toBeFocused();
  await expect(form(page).getByRole("textbox")).toHaveCount(2);
  await page.keyboard.type("a sash\nof two lines");
  await form(page).getByRole("textbox", { name: "whom" }).fill("{{what}}");
  await page.keyboard.press("Control+Enter");
  await expect(form(page)).toBeHidden();
  await expect(app.composer).toHaveValue("Explain a sash\nof two lines to {{what}}, and a sash\nof two lines again.");
  await expect(app.composer).toBeFocused();
  expect((await standIn.chats(1)).length, "nothing is sent").toBe(1);

  // Who cancels the form has what was typed; the braces can stay.
  await app.composer.fill("");
  await page.keyboard.type("/expl");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(app.composer).toHaveValue("/expl");
  await app.composer.fill("");
  await page.keyboard.type("/expl");
  await page.keyboard.press("Enter");
  await form(page).getByRole("button", { name: "Insert as it is" }).click();
  await expect(app.composer).toHaveValue("Explain {{what}} to {{whom}}, and {{what}} again.");

  // A command leaves the field empty; what is meant as text is text, and is sent.
  await app.composer.fill("");
  await page.keyboard.type("/system");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "System prompt" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(app.composer).toHaveValue("");
  await standIn.script(says("A path."));
  await app.composer.focus();
  await page.keyboard.type("/etc/hosts");
  await expect(listOf(page)).toBeHidden();
  await page.keyboard.press("Enter");
  await app.ended("complete");
  expect((await standIn.chats(2)).at(-1)?.body.messages.at(-1)?.content).toBe("/etc/hosts");

  // The list is not of another chat's draft.
  await app.composer.fill("Mine");
  await page.keyboard.press("Alt+n");
  await expect(app.composer).toHaveValue("");
  await app.composer.focus();
  await page.keyboard.type("/expl");
  await expect(listOf(page)).toBeVisible();
  await page.goBack();
  await expect(app.composer).toHaveValue("Mine");
  await expect(listOf(page)).toBeHidden();
});

test("what is written is kept as a prompt from the commands; prompts are changed and deleted in the settings, with undo", async ({ app, page }) => {
  await app.openReady();
  await app.composer.fill("Translate into French:");
  await page.keyboard.press("Alt+k");
  await page.keyboard.type("save as a prompt");
  await page.keyboard.press("Enter");
  await expect(editor(page).getByRole("textbox", { name: "Text" })).toHaveValue("Translate into French:");
  await editor(page).getByRole("button", { name: "Save" }).click();
  await expect(editor(page).getByRole("alert")).toHaveText("A prompt needs a name.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Alt+k");
  await page.keyboard.type("save as a prompt");
  await page.keyboard.press("Enter");
  await editor(page).getByRole("textbox", { name: "Name" }).fill("French");
  await editor(page).getByRole("button", { name: "Save" }).click();
  await expect(editor(page)).toBeHidden();
  await expect(app.composer).toHaveValue("Translate into French:");

  await app.reload();
  await page.keyboard.press("Alt+k");
  await page.keyboard.type("prompts");
  await page.keyboard.press("Enter");
  const rows = page.locator(".prompt-list li");
  await expect(rows).toHaveText([/French\s*Translate into French:/]);
  await page.getByRole("button", { name: "Edit the prompt French" }).click();
  await editor(page).getByRole("textbox", { name: "Text" }).fill("{{text}} in French");
  await expect(editor(page)).toContainText("Asks for: text");
  await editor(page).getByRole("button", { name: "Save" }).click();
  await expect(rows).toContainText("{{text}} in French");
  await page.getByRole("button", { name: "Delete the prompt French" }).click();
  await expect(rows).toHaveCount(0);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rows).toContainText("{{text}} in French");
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("a long text that is pasted is offered as a block, which is what the model gets, and text again", async ({ app, page, context, standIn }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await standIn.script(says("Yes."), { times: 2 });
  await app.openReady();
  const lines = Array.from({ length: 70 }, (_, n) => `line ${n + 1}`).join("\n");
  await page.evaluate((text) => navigator.clipboard.writeText(text), lines);
  await app.composer.focus();
  await page.keyboard.type("What is this? ");
  await page.keyboard.press("Control+v");
  await expect(app.composer).toHaveValue(`What is this? ${lines}`);
  await page.getByRole("button", { name: "Collapse it" }).click();
  await expect(app.composer).toHaveValue("What is this? ");
  await expect(app.composer).toBeFocused();
  const blocks = page.getByRole("list", { name: "Files of this prompt" }).getByRole("listitem");
  await expect(blocks).toHaveText(/^Pasted text\s*line 1\s*70 lines, 550 characters, about \d+ tokens\s*As text$/);
  await page.waitForTimeout(1200);
  await app.reload();
  await expect(blocks).toHaveCount(1);
  await blocks.locator("summary").click();
  await expect(blocks.locator("pre")).toContainText("line 70");
  await page.getByRole("button", { name: "Insert the file Pasted text as text" }).click();
  await expect(blocks).toHaveCount(0);
  await expect(app.composer).toHaveValue(`${lines}\n\nWhat is this? `);

  // Always: it never stands in the field.
  await app.composer.fill("Why?");
  await page.keyboard.press("Control+,");
  await page.getByRole("combobox", { name: "Long pasted text" }).selectOption("always");
  await page.keyboard.press("Escape");
  await paste(page, [], lines);
  await expect(blocks).toHaveCount(1);
  await expect(app.composer).toHaveValue("Why?");
  await app.ready();
  await app.composer.press("Enter");
  await app.ended("complete");
  const [seen] = await standIn.chats(1);
  expect(seen.body.messages.at(-1)?.content).toBe(`[File: Pasted text]\n\`\`\`\n${lines}\n\`\`\`\n\nWhy?`);

  // What is written has its own estimate among the parts of the line below the field.
  await app.composer.fill("one more word");
  await expect(page.locator("#window-parts")).toContainText(/What you write: about \d+ tokens?\./);
});

test("Ctrl+Z in the field takes back what the page put there", async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("First?");
  await keepPrompt(page, "Brief", "Be brief.\nAnd kind.");
  await keepPrompt(page, "Explain", "Explain {{what}}.");
  await page.keyboard.press("Escape");

  // A prompt of one's own.
  await app.composer.focus();
  await page.keyboard.type("/bri");
  await page.keyboard.press("Enter");
  await expect(app.composer).toHaveValue("Be brief.\nAnd kind.");
  await page.keyboard.press("Control+z");
  await expect(app.composer).toHaveValue("/bri");
  await page.keyboard.press("Control+Shift+z");
  await expect(app.composer).toHaveValue("Be brief.\nAnd kind.");

  // One with a placeholder, which a dialog asks for.
  await app.composer.fill("");
  await page.keyboard.type("/expl");
  await page.keyboard.press("Enter");
  await form(page).getByRole("textbox", { name: "what" }).fill("sashes");
  await page.keyboard.press("Control+Enter");
  await expect(app.composer).toHaveValue("Explain sashes.");
  await expect(app.composer).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(app.composer).toHaveValue("/expl");

  // A walk through the questions.
  await app.composer.fill("Half a thought");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(app.composer).toHaveValue("First?");
  await expect(page.getByRole("button", { name: "Back to your draft" })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(app.composer).toHaveValue("Half a thought");
  await expect(page.getByRole("button", { name: "Back to your draft" }), "the walk has ended").toHaveCount(0);

  // A command that is no step of the chat: what was typed for it.
  await app.composer.fill("");
  await page.keyboard.type("/what the model");
  await page.keyboard.press("Enter");
  await expect(app.composer).toHaveValue("");
  await app.composer.focus();
  await page.keyboard.press("Control+z");
  await expect(app.composer).toHaveValue("/what the model");
});

test("Ctrl+Z after As text gives the block back, and its redo the text", async ({ app, page, context }) => {
  await app.openReady();
  await app.composer.focus();
  const long = Array.from({ length: 70 }, (_, n) => `line ${n + 1}`).join("\n");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), long);
  await page.keyboard.press("Control+v");
  await page.getByRole("button", { name: "Collapse it" }).click();
  const blocks = page.getByRole("list", { name: "Files of this prompt" }).getByRole("listitem");
  await expect(blocks).toHaveCount(1);
  await expect(app.composer).toHaveValue("");
  await page.getByRole("button", { name: "Insert the file Pasted text as text" }).click();
  await expect(blocks).toHaveCount(0);
  await expect(app.composer).toHaveValue(long);
  await page.keyboard.press("Control+z");
  await expect(app.composer).toHaveValue("");
  await expect(blocks).toHaveCount(1);
  await page.keyboard.press("Control+Shift+z");
  await expect(app.composer).toHaveValue(long);
  await expect(blocks).toHaveCount(0);
});
