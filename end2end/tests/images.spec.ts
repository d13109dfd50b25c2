// Images as part of a prompt: added, sent again with the window, kept, and gone.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { Panel } from "../support/panel";
import { drop, paste, picture, type Picture } from "../support/pictures";
import type { Seen } from "../support/standIn";

const drafted = (page: Page) => page.getByRole("list", { name: "Images of this prompt" }).getByRole("listitem");
const images = (seen: Seen) => seen.body.messages.map((message) => ((message as { images?: string[] }).images ?? []).length);

/** Picks files with the button below the prompt field. */
async function pick(page: Page, files: Picture[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  await (await chooser).setFiles(files);
}

async function openSeeing(app: ChatPage, standIn: { models(wish: object): Promise<void> }): Promise<void> {
  await standIn.models({ add: ["tinyeyes"] });
  await app.open();
  await app.chooseModel("tinyeyes:latest");
}

test("images are picked, dropped and pasted, go with the question, and again with the window", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await expect(drafted(page)).toHaveCount(1);
  await drop(page, [await picture(page, "b.jpg", [60, 30], "image/jpeg")]);
  await expect(drafted(page)).toHaveCount(2);
  await paste(page, [await picture(page, "c.webp", [50, 30], "image/webp")]);
  await expect(drafted(page)).toHaveCount(3);
  // Text on the clipboard is text.
  await paste(page, [await picture(page, "d.png", [70, 30])], "words");
  await page.getByRole("button", { name: /^Remove the image, 60 × 30/ }).click();
  await expect(drafted(page)).toHaveCount(2);
  await app.composer.fill("What is on them?");
  await expect(app.windowLine).toContainText("+ 2 images");
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.turns.last().getByRole("img")).toHaveCount(2);
  const shown = JSON.parse(await panel.literal("JSON"));
  expect(shown.images[0]).toMatch(/^\d+ characters of base64: image\/png, 40 × 30$/);
  await app.composer.press("Enter");
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText(/^I got 2 images of \d+, \d+ bytes\.$/);
  await expect(drafted(page)).toHaveCount(0);
  await expect(app.message(1).getByRole("button", { name: /^Image \d of 2/ })).toHaveCount(2);
  await app.exchange("And now?");
  await expect(app.text(app.last)).toHaveText(/^I got 2 images/);
  const [first, second] = await standIn.chats(2);
  expect(images(first)).toEqual([2]);
  expect(images(second)).toEqual([2, 0, 0]);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Images: 2 sent");
  await expect(app.last.locator(".receipt")).toContainText("(2 images)");
});

test("a large image is scaled down and shown whole after a reload", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "large.jpg", [4000, 2000], "image/jpeg")]);
  await expect(page.getByRole("button", { name: /^Remove the image, 1,568 × 784/ })).toBeVisible();
  await app.exchange("What is it?");
  await app.reload();
  const image = app.message(1).getByRole("button", { name: /^Image, 1,568 × 784/ });
  await expect(image.locator("img")).toHaveAttribute("src", /^blob:/);
  await expect.poll(() => image.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1568);
  await image.click();
  await expect(image).toHaveAttribute("aria-pressed", "true");
  // In localStorage stands a small preview alone.
  const stored = Object.values(await app.kept()).filter((record) => record.includes('"hash"'));
  expect(stored).toHaveLength(1);
  expect(stored[0].length).toBeLessThan(10_000);
});

test("what is no image, whatever its name, and too many are refused in words", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  const toast = page.locator(".toast");
  // A sound under the name of a text.
  await drop(page, [{ name: "fake.txt", mimeType: "text/plain", buffer: Buffer.from("OggS\0\x02\0\0\0\0", "latin1") }]);
  await expect(toast).toContainText("“fake.txt” cannot be added. Supported: text");
  const bomb = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"), Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0]), Buffer.alloc(20)]);
  await drop(page, [{ name: "bomb.png", mimeType: "image/png", buffer: bomb }]);
  await expect(toast).toContainText("“bomb.png” has more than 100 million pixels");
  const broken = Buffer.concat([bomb.subarray(0, 16), Buffer.from([0, 0, 0, 9, 0, 0, 0, 9, 8, 6, 0, 0, 0]), Buffer.alloc(20)]);
  await drop(page, [{ name: "broken.png", mimeType: "image/png", buffer: broken }]);
  await expect(toast).toContainText("“broken.png” is damaged");
  await expect(drafted(page)).toHaveCount(0);
  const many: Picture[] = [];
  for (let n = 0; n < 9; n++) many.push(await picture(page, `${n}.png`, [20 + n, 10]));
  await drop(page, many);
  await expect(toast).toContainText("A message takes 8 images");
  await expect(drafted(page)).toHaveCount(8);
});

/** The first box of a picture of a phone, and bytes that are no picture. */
const boxes = (...brands: string[]): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(12 + 4 * brands.length);
  const [main, ...others] = brands;
  return Buffer.concat([length, Buffer.from(`ftyp${main}\0\0\0\0${others.join("")}`, "latin1"), Buffer.from("\0\0\0\x0cmdat\x01\x02\xff\xfe", "latin1")]);
};

/** A bitmap of two by two pixels, of 24 bits each. */
const bitmap = (): Buffer => {
  const bytes = Buffer.alloc(70, 0x60);
  bytes.fill(0, 0, 54);
  bytes.write("BM", "latin1");
  for (const [at, value] of [[2, 70], [10, 54], [14, 40], [18, 2], [22, 2], [34, 16]]) bytes.writeUInt32LE(value, at);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
};

// Guarded in each run by kernel/log/src/image.rs, `a_refusal_names_the_format_or_says_that_the_file_is_damaged`;
// kernel/log/src/image/source.rs, `formats_that_browsers_may_not_read_are_known_by_their_bytes`.
test("what the browser cannot read is named with what to do, and what is damaged is called so", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  const toast = page.locator(".toast");
  const whole = await picture(page, "a.png", [40, 30]);
  const damaged = Buffer.from(whole.buffer);
  damaged.fill(0, 0, 4);
  const cases: [name: string, mimeType: string, buffer: Buffer, says: RegExp][] = [
    ["IMG_1.HEIC", "", boxes("heic", "mif1", "heic"), /cannot read: HEIC\. Save it as JPEG or PNG/],
    ["IMG_2.heif", "image/heif", boxes("mif1", "mif1", "heix"), /cannot read: HEIC\./],
    // A phone's picture that was only given another name.
    ["IMG_3.jpg", "image/jpeg", boxes("heic", "mif1"), /cannot read: HEIC\./],
    ["scan.tif", "image/tiff", Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0", "latin1"), /cannot read: TIFF\./],
    ["photo.nef", "", Buffer.from("MM\0*\0\0\0\x08\0\0\0\0\0\0", "latin1"), /cannot read: RAW\./],
    ["photo.jxl", "", Buffer.from("\0\0\0\x0cJXL \r\n\x87\n\0\0", "latin1"), /cannot read: JPEG XL\./],
    ["layers.psd", "", Buffer.from("8BPS\0\x01\0\0\0\0\0\0\0\x03", "latin1"), /cannot read: PSD\./],
    ["plate.new", "image/x-new", Buffer.from("\0\x01\x02\xff\xfe", "latin1"), /is not an image this browser can read\. Save it as JPEG/],
    ["first.png", "image/png", damaged, /is damaged/],
    ["cut.png", "", whole.buffer.subarray(0, 20), /is damaged/],
    ["cut.bmp", "image/bmp", bitmap().subarray(0, 16), /is damaged/],
  ];
  for (const [name, mimeType, buffer, says] of cases) {
    await drop(page, [{ name, mimeType, buffer }]);
    await expect(toast.filter({ hasText: `“${name}”` })).toContainText(says);
  }
  await expect(drafted(page)).toHaveCount(0);
});

test("whatever the browser's decoder reads is added: a bitmap and an icon, with and without a type", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  const { buffer } = await picture(page, "a.png", [16, 16]);
  const head = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 22, 0, 0, 0]);
  head.writeUInt32LE(buffer.length, 14);
  await drop(page, [
    { name: "a.bmp", mimeType: "image/bmp", buffer: bitmap() },
    { name: "icon", mimeType: "", buffer: Buffer.concat([head, buffer]) },
  ]);
  await expect(drafted(page)).toHaveCount(2);
  await app.exchange("What is on them?");
  const [sent] = await standIn.chats(1);
  expect(images(sent)).toEqual([2]);
});

// Guarded in each run by rooms/attachments/src/tests/adding.rs,
// `images_of_a_draft_are_there_after_a_reload_and_not_in_another_chat`.
test("images of a draft are there after a reload", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await app.exchange("Hi");
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await expect(drafted(page)).toHaveCount(1);
  await app.reload();
  await expect(drafted(page)).toHaveCount(1);
  await app.exchange("What is it?");
  await expect(app.text(app.last)).toHaveText(/^I got 1 image/);
});

// Guarded in each run by kernel/stores/tests/stores/attachments.rs,
// `a_model_that_does_not_see_gets_no_image_and_the_count_says_so`.
test("a model that does not see is not sent any, and that is said", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await app.exchange("What is it?");
  await app.chooseModel("llama3.2:latest");
  await expect(page.getByRole("button", { name: "Add files" })).toHaveAttribute("title", /does not see images/);
  await expect(app.windowLine).toContainText("1 image not sent");
  await app.windowLine.hover();
  await expect(page.getByRole("tooltip")).toContainText("1 image is not sent: llama3.2 does not see images.");
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.turns.first()).toContainText("Not sent: the model does not see images.");
  await drop(page, [await picture(page, "b.png", [40, 30])]);
  // It stays, with a model that sees it.
  await expect(drafted(page)).toHaveCount(1);
  await expect(page.getByText("llama3.2 does not see images.", { exact: false }).last()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Use / }).first()).toBeVisible();
  await page.getByRole("button", { name: /^Remove the image/ }).click();
  await app.exchange("And now?");
  const [, second] = await standIn.chats(2);
  expect(images(second)).toEqual([0, 0, 0]);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("1 not sent, because the model does not see images");
});

// Guarded in each run by kernel/stores/tests/stores/attachments.rs,
// `an_image_that_is_gone_is_not_sent_and_a_request_that_finds_out_late_is_not_sent_either`.
test("an image that is gone from this browser is marked and not sent", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await app.exchange("What is it?");
  await page.evaluate(async () => {
    const opening = indexedDB.open("sash");
    await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
    const transaction = opening.result.transaction("images", "readwrite");
    transaction.objectStore("images").clear();
    await new Promise((resolve, reject) => ([transaction.oncomplete, transaction.onabort] = [resolve, reject]));
    opening.result.close();
  });
  await app.reload();
  await expect(app.message(1)).toContainText("no longer kept in this browser");
  await app.windowLine.hover();
  await expect(page.getByRole("tooltip")).toContainText("1 image is not sent: no longer kept in this browser.");
  await app.exchange("And now?");
  await expect(app.text(app.last)).toHaveText("I got no image.");
});

// The page waits ten seconds for its database.
test("where the database does not open, a prompt with an image says so and the image does not count as gone", { tag: "@all" }, async ({ app, page, standIn }) => {
  test.setTimeout(90_000);
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await app.exchange("What is it?");
  // A page of an older version, which does not close its database for a newer one.
  const older = await page.context().newPage();
  await older.goto(new URL("/export.html", app.url).href);
  await older.evaluate(async () => {
    const deleting = indexedDB.deleteDatabase("sash");
    await new Promise((resolve, reject) => ([deleting.onsuccess, deleting.onerror] = [resolve, reject]));
    const opening = indexedDB.open("sash", 1);
    await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
    Object.assign(window, { held: opening.result });
  });
  await app.reload();
  await app.ask("And now?");
  await expect(app.last).toHaveAttribute("data-state", "failed", { timeout: 30_000 });
  await expect(app.last).toContainText("this browser’s database does not open");
  await expect(app.message(1)).not.toContainText("no longer kept");
  // Opening goes on by itself once the other page is closed; then nothing fails for it any more.
  await older.close();
  await expect(async () => {
    await app.last.getByRole("button", { name: "Ask again" }).first().click();
    await app.ended("complete");
  }).toPass();
});

test("Enter before an image is scaled sends both once it is", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await app.composer.fill("What is it?");
  await pick(page, [await picture(page, "large.png", [2_400, 1_800])]);
  await app.composer.press("Enter");
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText(/^I got 1 image/);
});

// Holds `add_files`: the chat is the one that was open at first.
test("an image that is read while another chat is opened goes into the draft of the chat that it was picked in", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await app.exchange("Hello");
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer;
    const released = new Promise<void>((resolve) => Object.assign(window, { release: resolve }));
    Blob.prototype.arrayBuffer = async function (this: Blob) {
      await released;
      return read.call(this);
    };
  });
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await app.newChat();
  await page.evaluate(() => (window as never as { release(): void }).release());
  await app.chat("Hello").click();
  await expect(drafted(page)).toHaveCount(1);
  await app.newChat();
  await expect(drafted(page)).toHaveCount(0);
});

// Guarded in each run by kernel/stores/tests/stores/attachments.rs, `a_new_version_of_a_question_keeps_its_images`
// and `another_tab_has_the_image_of_a_question_too`.
test("an edited question keeps its images, and another tab shows them", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await app.exchange("What is it?");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.locator(".message-image img")).toHaveAttribute("src", /^blob:/);
  await app.act(app.message(1), "Edit");
  const field = page.getByRole("textbox", { name: "Edit message" });
  await field.fill("What is that?");
  await field.press("Enter");
  await app.ended("complete");
  await expect(app.message(1)).toContainText("What is that?");
  await expect(app.text(app.last)).toHaveText(/^I got 1 image/);
  await expect(app.message(1).locator(".message-image")).toHaveCount(1);
});

// Guarded in each run by kernel/stores/tests/stores/attachments.rs,
// `deleting_for_good_removes_images_that_nothing_else_refers_to`.
test("emptying the trash removes the bytes that no message refers to", { tag: "@all" }, async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  const kept = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open("sash");
      await new Promise((resolve, reject) => ([opening.onsuccess, opening.onerror] = [resolve, reject]));
      const keys = opening.result.transaction("images").objectStore("images").getAllKeys();
      await new Promise((resolve, reject) => ([keys.onsuccess, keys.onerror] = [resolve, reject]));
      opening.result.close();
      return keys.result.length;
    });
  const [shared, own] = [await picture(page, "a.png", [40, 30]), await picture(page, "b.png", [50, 30])];
  await pick(page, [shared, own]);
  await expect(drafted(page)).toHaveCount(2);
  await app.exchange("Both");
  await app.newChat();
  await app.chooseModel("tinyeyes:latest");
  await pick(page, [shared]);
  await expect(drafted(page)).toHaveCount(1);
  await app.exchange("One");
  expect(await kept()).toBe(2);
  await app.chat("Both").hover();
  await app.inList("Both", "Delete");
  await app.openFromFoot("Trash");
  const library = new Library(page);
  await library.button("Empty trash…").click();
  await library.button("Delete for good").click();
  await expect.poll(kept).toBe(1);
  await library.close();
  await expect(app.message(1).locator(".message-image img")).toHaveAttribute("src", /^blob:/);
});

test("an export carries the images, that of the plain page too, and an import brings them back", async ({ app, page, standIn }) => {
  await openSeeing(app, standIn);
  await pick(page, [await picture(page, "a.png", [40, 30])]);
  await expect(drafted(page)).toHaveCount(1);
  await app.exchange("What is it?");
  const library = new Library(page);
  await app.openFromFoot("Export");
  const [download] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  const file = await readFile((await download.path())!, "utf8");
  const line = file.split("\n").find((line) => line.startsWith('{"image":"'))!;
  expect(line).toMatch(/^\{"image":"[0-9a-f]{64}","data":"[\w+/=]+"\}$/);
  // The page without the program writes the same line.
  await page.goto(`${app.url}/export.html`);
  const [plain] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Save all/ }).click()]);
  expect((await readFile((await plain.path())!, "utf8")).split("\n")).toContain(line);

  await app.open();
  await app.openFromFoot("Export");
  await library.tab("Storage").click();
  await library.button("Delete everything…").click();
  await library.button("Delete everything").click();
  await app.started();
  await expect(app.chatList.getByRole("button")).toHaveCount(0);

  const importFile = async (name: string, content: string, plan: string, said: string) => {
    await app.openFromFoot("Export");
    await library.dialog.getByLabel("Files to import").setInputFiles({ name, mimeType: "application/jsonl", buffer: Buffer.from(content) });
    await expect(library.dialog).toContainText(plan);
    await library.button("Import").click();
    await expect(library.dialog.getByRole("status").filter({ hasText: said })).toBeVisible();
    await library.close();
  };
  // One letter of the image is another: the chat comes, the image does not.
  const damaged = file.replace(line, line.replace(/.("\})$/, "A$1").replace(/(data":".{60})./, "$1_"));
  await importFile("damaged.jsonl", damaged, "It contains 1 image.", "1 image of the file could not be used");
  await app.chat("What is it?").click();
  await expect(app.message(1)).toContainText("no longer kept in this browser");
  await importFile("whole.jsonl", file, "1 here already", "imported.");
  await expect(app.message(1).locator(".message-image img")).toHaveAttribute("src", /^blob:/);
  await expect(app.message(1)).not.toContainText("no longer kept");
});
