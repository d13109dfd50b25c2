// Files as part of a prompt: their text is seen and edited first, then it is a block of the question.
import type { Page, Request } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { drop } from "../support/pictures";
import { frames } from "../support/waiting";

const dialog = (page: Page) => page.locator("dialog.file-dialog");
const added = (page: Page) => page.getByRole("list", { name: "Files of this prompt" }).getByRole("listitem");
const file = (name: string, text: string | Buffer, mimeType = "text/plain") => ({ name, mimeType, buffer: Buffer.from(text) });

/** A PDF with a page for each text. */
function pdf(...texts: string[]): Buffer {
  const kids = texts.map((_, n) => `${4 + 2 * n} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  texts.forEach((text, n) => {
    const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * n} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  });
  let out = "%PDF-1.4\n";
  const places = objects.map((object, n) => {
    const at = out.length;
    out += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  return Buffer.from(`${out}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
}

test("a text file is seen, edited, sent as a block of the question, and folded in the transcript", async ({ app, page, standIn }) => {
  await app.openReady();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  await (await chooser).setFiles([file("notes.txt", "one\ntwo\n```\nthree\n")]);
  await expect(dialog(page).getByRole("heading", { name: "notes.txt" })).toBeVisible();
  await expect(dialog(page)).toContainText(/About \d+ tokens/);
  await expect(dialog(page).getByRole("button", { name: "Add to the prompt" })).toBeFocused();
  const text = dialog(page).getByRole("textbox", { name: "Text of the file" });
  await expect(text).toHaveValue("one\ntwo\n```\nthree\n");
  await text.fill("one\n```\nfour\n");
  await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
  await expect(dialog(page)).toBeHidden();
  // In the composer it is what it is in the transcript: a fold with its name, before the field.
  await expect(app.composer).toHaveValue("");
  await expect(app.composer).toBeFocused();
  await expect(added(page)).toHaveText(/^notes\.txt\s*one\s*\d lines, \d+ characters, about \d+ tokens\s*As text$/);
  await page.keyboard.type("What is in it?");
  await app.composer.press("Enter");
  await app.ended("complete");
  const [seen] = await standIn.chats(1);
  expect(seen.body.messages.at(-1)?.content).toBe("[File: notes.txt]\n````\none\n```\nfour\n````\n\nWhat is in it?");
  const question = app.message(1);
  await expect(question.locator("summary")).toContainText("notes.txt");
  await expect(question.locator(".said")).toContainText("What is in it?");
  await expect(question.locator("pre")).toHaveCount(0);
  await question.locator("summary").click();
  await expect(question.locator("pre")).toContainText("four");
  await expect(app.title).toContainText("What is in it?");
});

test("pages of a PDF and sections of Markdown can be chosen", async ({ app, page }) => {
  await app.openReady();
  await drop(page, [file("report.pdf", pdf("Alpha words", "Beta words", "Gamma words"), "application/pdf")]);
  const text = dialog(page).getByRole("textbox", { name: "Text of the file" });
  await expect(dialog(page).getByRole("checkbox")).toHaveCount(3);
  await expect(text).toHaveValue(/Alpha words[^]*Gamma words/);
  await dialog(page).getByRole("checkbox", { name: /^Page 2/ }).uncheck();
  await expect(text).not.toHaveValue(/Beta/);
  await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
  await expect(added(page)).toContainText("report.pdf (Page 1, Page 3)");
  await drop(page, [file("guide.md", "# One\na\n# Two\nb\n")]);
  await expect(dialog(page).getByRole("checkbox", { name: /^Two/ })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(added(page)).toHaveCount(1);
});

// Guarded in each run by kernel/stores/tests/stores/drafts.rs,
// `files_are_part_of_the_draft_and_stay_apart_from_what_is_written`.
test("files of a draft outlive a reload, are taken out one by one, and stay with a question that is edited", { tag: "@all" }, async ({ app, page, standIn }) => {
  await app.openReady();
  await app.composer.fill("Compare");
  for (const name of ["a.txt", "b.txt"]) {
    await drop(page, [file(name, `text of ${name}\n`)]);
    await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
    await expect(added(page).last()).toContainText(name);
  }
  await expect(app.composer).toHaveValue("Compare");
  await expect.poll(() => page.evaluate(() => Object.values({ ...localStorage }).some((record) => record.includes("b.txt")))).toBe(true);
  await app.reload();
  await app.ready();
  await expect(added(page)).toHaveText([/^a\.txt/, /^b\.txt/]);
  await added(page).last().locator("summary").click();
  await expect(added(page).last().locator("pre")).toHaveText("text of b.txt");
  await page.getByRole("button", { name: "Remove the file a.txt" }).click();
  await expect(added(page)).toHaveText([/^b\.txt/]);
  await expect(app.composer).toBeFocused();
  await app.composer.press("Enter");
  await app.ended("complete");
  const block = "[File: b.txt]\n```\ntext of b.txt\n```\n\n";
  expect((await standIn.chats(1))[0].body.messages.at(-1)?.content).toBe(`${block}Compare`);
  await expect(added(page)).toHaveCount(0);
  await app.composer.press("ArrowUp");
  const field = page.getByRole("textbox", { name: "Edit message" });
  await expect(field).toHaveValue("Compare");
  await field.fill("Sum up");
  await page.getByRole("button", { name: "Send as a new version" }).click();
  expect((await standIn.chats(2))[1].body.messages.at(-1)?.content).toBe(`${block}Sum up`);
});

// Guarded in each run by rooms/attachments/src/adding/file_draft.rs,
// `what_a_person_wrote_in_a_part_stays_when_others_are_chosen`.
test("what is written in a part stays when others are ticked, and goes with the prompt", { tag: "@all" }, async ({ app, page }) => {
  await app.openReady();
  await drop(page, [file("guide.md", "# One\na\n# Two\nb\n# Three\nc\n")]);
  const text = dialog(page).getByRole("textbox", { name: "Text of the file" });
  const part = (name: string) => dialog(page).getByRole("checkbox", { name: new RegExp(`^${name}`) });
  await text.fill("# One\nmuch more than a\n# Two\nb\n# Three\nc\n");
  await part("Two").uncheck();
  await expect(text).toHaveValue("# One\nmuch more than a\n# Three\nc\n");
  await text.fill("# One\nmuch more than a\n# Three\nsee\n");
  await part("One").uncheck();
  await expect(text).toHaveValue("# Three\nsee\n");
  await dialog(page).getByRole("button", { name: "Select all" }).click();
  await expect(text).toHaveValue("# One\nmuch more than a\n# Two\nb\n# Three\nsee\n");
  await dialog(page).getByRole("button", { name: "Select none" }).click();
  await expect(text).toHaveAttribute("readonly");
  await expect(dialog(page).getByRole("button", { name: "Add to the prompt" })).toBeDisabled();
  await part("Three").check();
  await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
  await added(page).locator("summary").click();
  await expect(added(page)).toContainText("guide.md (Three)");
  await expect(added(page).locator("pre")).toHaveText("# Three\nsee");
});

test("a file that is larger than the context says both numbers and offers parts", async ({ app, page, standIn }) => {
  await app.openReady();
  await standIn.settings({ num_ctx: 2048 });
  // The model is loaded, so its context is known.
  await app.exchange("Hi");
  await expect(app.page.locator("#window-parts")).toContainText("of 2,048 tokens");
  await drop(page, [file("long.txt", "some words of a long file\n".repeat(2_000))]);
  await expect(dialog(page)).toContainText(/The whole file needs about [\d,]+ tokens; there is room for [\d,]+ more/);
  expect(await dialog(page).getByRole("checkbox").count()).toBeGreaterThan(3);
  await expect(dialog(page).getByRole("checkbox", { name: /^Part 1 of / })).toBeChecked();
  // Both buttons are in view, whatever the length of the file.
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const name of ["Leave it out", "Add to the prompt"]) await expect(dialog(page).getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  // One thing scrolls: the text and the list of parts are as high as what is in them.
  expect(await dialog(page).evaluate((dialog) => [...dialog.querySelectorAll("*")].filter((e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)).map((e) => e.className))).toEqual(["dialog-body"]);
  await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
  await expect(app.windowLine).not.toContainText("more than the model has room for");
});

// Guarded in each run by tests/native/server/extract.rs, `what_has_no_text_is_refused_with_the_reason`.
test("what cannot be read is refused in words, and the draft stays", { tag: "@all" }, async ({ app, page }) => {
  await app.openReady();
  const toast = page.locator(".toast");
  await app.composer.fill("My question");
  for (const [refused, words] of [
    [file("empty.txt", ""), "“empty.txt” is empty"],
    [file("program.txt", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0])), "cannot be added. Supported: text"],
    [file("broken.pdf", "%PDF-1.7 nothing"), "“broken.pdf” was not added. The file cannot be read: it is damaged"],
    [file("archive.docx", "PK\x03\x04 nothing"), "it is damaged"],
    [file("huge.txt", Buffer.alloc(5_000_000, "words ")), "has more than 2 MB of text"],
  ] as const) {
    await drop(page, [refused]);
    await expect(toast).toContainText(words);
  }
  await expect(dialog(page)).toBeHidden();
  await expect(app.composer).toHaveValue("My question");
});

test("a text in another encoding says which one, and is read in the one that is chosen", async ({ app, page }) => {
  await app.openReady();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  // “Привет, мир” in windows-1251.
  const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0]);
  await (await chooser).setFiles([file("letter.txt", cyrillic)]);
  const text = dialog(page).getByRole("textbox", { name: "Text of the file" });
  const encoding = dialog(page).getByLabel("Read as");
  await expect(text).toHaveValue("Привет, мир");
  await expect(encoding).toHaveValue("windows-1251");
  await encoding.focus();
  await encoding.selectOption("KOI8-R");
  await expect(text).not.toHaveValue("Привет, мир");
  await expect(encoding).toHaveValue("KOI8-R");
  await expect(encoding).toBeFocused();
  await encoding.selectOption("windows-1251");
  await expect(text).toHaveValue("Привет, мир");
  await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
  await expect(added(page)).toContainText("letter.txt");
});

test("an encoding in which a file cannot be read is not shown as that of its text, and the next file has its own", async ({ app, page, watch }) => {
  watch.allow(/net::ERR_FAILED/);
  await app.openReady();
  const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0]);
  const maltese = Buffer.from("<html><head><meta charset='iso-8859-3'></head><body><p>\xa1obon</p></body></html>", "latin1");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  await (await chooser).setFiles([file("letter.txt", cyrillic), file("page.html", maltese)]);
  const text = dialog(page).getByRole("textbox", { name: "Text of the file" });
  const encoding = dialog(page).getByLabel("Read as");
  await expect(encoding).toHaveValue("windows-1251");
  await page.route("**/api/v1/extract", (route) => route.abort());
  await encoding.selectOption("KOI8-R");
  await expect(encoding).toHaveValue("windows-1251");
  await expect(text).toHaveValue("Привет, мир");
  await page.unroute("**/api/v1/extract");
  await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
  await expect(dialog(page).getByRole("heading", { name: "page.html" })).toBeVisible();
  await expect(encoding).toHaveValue("ISO-8859-3");
  await encoding.selectOption("windows-1252");
  await expect(encoding).toHaveValue("windows-1252");
  await encoding.selectOption("ISO-8859-3");
  await expect(encoding).toHaveValue("ISO-8859-3");
});

// Holds `EncodingChoice`: which choice was made last and which file is shown is looked up once the text is there.
test("a text that is read late in another encoding takes the place neither of a later choice nor of the next file", async ({ app, page }) => {
  await app.openReady();
  const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0]);
  const maltese = Buffer.from("<html><head><meta charset='iso-8859-3'></head><body><p>\xa1obon</p></body></html>", "latin1");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  await (await chooser).setFiles([file("letter.txt", cyrillic), file("page.html", maltese)]);
  const text = dialog(page).getByRole("textbox", { name: "Text of the file" });
  const encoding = dialog(page).getByLabel("Read as");
  await expect(encoding).toHaveValue("windows-1251");
  /** Chooses an encoding whose text comes once something else was done. */
  const readLate = async (name: string, meanwhile: () => Promise<void>) => {
    const isLate = (request: Request) => request.postData()?.includes(name) ?? false;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/api/v1/extract", async (route) => {
      if (isLate(route.request())) await released;
      await route.continue();
    });
    await encoding.selectOption(name);
    await meanwhile();
    const answered = page.waitForEvent("requestfinished", isLate);
    release();
    await answered;
    await frames(page);
    await page.unroute("**/api/v1/extract");
  };
  const western = "Ïðèâåò, ìèð";
  await readLate("KOI8-R", async () => {
    await encoding.selectOption("windows-1252");
    await expect(text).toHaveValue(western);
  });
  await expect(text).toHaveValue(western);
  await expect(encoding).toHaveValue("windows-1252");
  const title = dialog(page).getByRole("heading", { name: "page.html" });
  await readLate("macintosh", async () => {
    await dialog(page).getByRole("button", { name: "Add to the prompt" }).click();
    await expect(title).toBeVisible();
  });
  await expect(title).toBeVisible();
  await expect(encoding).toHaveValue("ISO-8859-3");
  await expect(text).toHaveValue(/obon/);
});
