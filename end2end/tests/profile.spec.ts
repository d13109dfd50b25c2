// What a browser itself keeps of a page in its profile: in its session files it has what stands in the fields, to fill
// them in again after a crash. Nothing of a temporary chat may be there.
import { basename } from "node:path";
import type { Page } from "@playwright/test";
import type { Profile } from "../support/browser";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { drop } from "../support/pictures";
import { says, type StandIn } from "../support/standIn";

// LevelDB compresses what it has put in tables: words with no four letters in common stay whole where they are first.
const QUESTION = "Zanzibarquixotel";
const ATTACHED = "Vodkagrumbyflick";
const DRAFT = "Jumpsphinxwaltze";
const OPEN = "Hypobrecktundlow";
const EDITED = "Gnarchewfixpylon";
/** In a field of another page, which the browser is to keep: without it nothing is tested. */
const CONTROL = "Mocksalvebirdtung";

/** A temporary chat with a question, its file, a draft, an edited question and a file that is looked at. */
async function temporaryChat(app: ChatPage, standIn: StandIn): Promise<void> {
  const { page } = app;
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const dialog = page.locator("dialog.file-dialog");
  await app.openReady();
  await page.keyboard.press("Alt+Shift+n");
  await expect(app.title).toHaveText("Temporary chat");
  await drop(page, [file("sent.txt", `${ATTACHED} is in it.`)]);
  await dialog.getByRole("button", { name: "Add to the prompt" }).click();
  await expect(page.getByRole("list", { name: "Files of this prompt" }).getByRole("listitem")).toHaveCount(1);
  await standIn.script(says("It is."));
  await app.composer.fill(`Where is ${QUESTION}?`);
  await app.composer.press("Enter");
  await app.ended("complete");
  await app.act(app.message(1), "Edit");
  const edit = page.getByRole("textbox", { name: "Edit message" });
  await expect(edit).toHaveValue(`Where is ${QUESTION}?`);
  await edit.press("ControlOrMeta+End");
  await edit.pressSequentially(` ${EDITED}`);
  await app.composer.pressSequentially(`A draft about ${DRAFT}`);
  await drop(page, [file("open.txt", `${OPEN} is in it.`)]);
  await expect(dialog.getByRole("textbox", { name: "Text of the file" })).toHaveValue(`${OPEN} is in it.`);
}

/** Has the browser keep a field of another page, and waits until that is on the disk. */
async function keptControl(profile: Profile, page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto("data:text/html,<textarea></textarea>");
  await other.locator("textarea").pressSequentially(CONTROL);
  await page.bringToFront();
  await expect.poll(() => profile.filesWith(CONTROL), { message: "the browser keeps fields", timeout: 20_000 }).not.toEqual([]);
  // So long it takes at most from a change to the disk: a page tells its state after 1 s, and it is written after 2.5 s.
  await page.waitForTimeout(4_000);
}

const found = (profile: Profile) =>
  Object.fromEntries(Object.entries({ QUESTION, ATTACHED, DRAFT, OPEN, EDITED }).map(([name, text]) => [name, profile.filesWith(text)]));
const NOTHING = { QUESTION: [], ATTACHED: [], DRAFT: [], OPEN: [], EDITED: [] };

test("nothing of a temporary chat is in the profile of a browser that was killed, closed and started again", async ({ profile, house, standIn, launchOptions }) => {
  test.skip(/headless.shell/.test(basename(launchOptions.executablePath ?? "")), "this browser keeps no session files");
  test.setTimeout(90_000);
  let app = new ChatPage(await profile.start(), house.sash.url);
  await temporaryChat(app, standIn);
  await keptControl(profile, app.page);
  await profile.kill();
  expect(found(profile), "after a kill").toEqual(NOTHING);

  app = new ChatPage(await profile.start(), house.sash.url);
  await temporaryChat(app, standIn);
  await profile.close();
  expect(found(profile), "after it was closed").toEqual(NOTHING);

  await profile.start();
  await profile.close();
  expect(found(profile), "after the next start").toEqual(NOTHING);
});
