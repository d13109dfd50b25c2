// Exports of other programs as they are today: archives, and several files at once.
import { readFile } from "node:fs/promises";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { drop, picture } from "../support/pictures";
import { zip } from "../support/zip";

const FIXTURES = "../rooms/import/tests/data/import";
const today = (name: string) => readFile(`${FIXTURES}/chatgpt-2026/${name}`);

test("ChatGPT's archive comes in with its images and texts, and again it is nothing new", async ({ app, page }) => {
  await app.openReady();
  const photo = (await picture(page, "garden.png", [1_800, 900])).buffer;
  const archive = {
    name: "export.zip",
    mimeType: "application/zip",
    buffer: zip({
      "conversations-000.json": await today("conversations-000.json"),
      "conversations-001.json": await today("conversations-001.json"),
      "conversation_asset_file_names.json": await today("conversation_asset_file_names.json"),
      "library_files.json": await today("library_files.json"),
      "user.json": await today("user.json"),
      "file_00000000a1b261f78c9d.dat": photo,
      "file-Nn1Oo2Tt3Ee4Ss5Aa6Bb7.dat": "It comes at dusk.\n",
      "dalle-generations/file-Ll1Ii2Gg3Hh4Tt5Hh6Oo7-5a5a.webp": (await picture(page, "lighthouse.webp", [64, 64], "image/webp")).buffer,
    }),
  };
  const library = new Library(page);
  await app.openFromFoot("Export");
  const field = library.dialog.getByLabel("Files to import");
  await field.setInputFiles(archive);
  await expect(library.dialog).toContainText("2 chats: 2 new");
  await expect(library.dialog).toContainText("It contains 2 images.");
  await expect(library.dialog).toContainText("1 chat is in the files twice and is counted once.");
  // What an archive holds beside the chats is not needed, and nothing is said about it.
  await expect(library.dialog.getByRole("list", { name: "Files that are left out" })).toHaveCount(0);
  // Nothing was written for that.
  expect(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:m:"))).toEqual([]);
  await library.button("Import").click();
  await expect(library.dialog).toContainText("2 chats imported.");
  await library.button("Other files").click();
  await field.setInputFiles(archive);
  await expect(library.dialog).toContainText("2 chats: 2 here already");
  await library.close();

  await app.chat("A fox in the garden").click();
  const shown = app.message(1).getByRole("button", { name: /^Image/ });
  await expect(shown).toHaveCount(1);
  // It is scaled as one that is added here.
  await expect.poll(() => shown.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_568);
  await expect(app.message(1)).toContainText("notes.md");
  await app.chat("An older picture").click();
  await expect(page.getByRole("button", { name: /^Image/ })).toHaveCount(1);
});

test("several files are one import, chosen or dropped, and what is broken is named", async ({ app, page }) => {
  await app.openReady();
  const library = new Library(page);
  await app.openFromFoot("Export");
  const json = async (name: string) => ({ name, mimeType: "application/json", buffer: await today(name) });
  const archive = zip({ "conversations.json": await readFile(`${FIXTURES}/claude.json`) });
  const files = [
    await json("conversations-000.json"),
    await json("conversations-001.json"),
    { name: "data-batch-0000.zip", mimeType: "application/zip", buffer: archive },
    { name: "data-batch-0001.zip", mimeType: "application/zip", buffer: archive.subarray(0, archive.length / 2) },
  ];
  await drop(page, files, library.dialog.getByRole("heading", { name: "Import" }));
  await expect(library.dialog).toContainText("5 chats: 4 new, 1 left out");
  await expect(library.dialog.getByRole("list", { name: "Files that are left out" })).toContainText("data-batch-0001.zip: The ZIP file is incomplete");
  await library.button("Other files").click();
  await library.dialog.getByLabel("Files to import").setInputFiles(files);
  await expect(library.dialog).toContainText("5 chats: 4 new, 1 left out");
  await library.button("Import").click();
  await expect(library.dialog).toContainText("4 chats imported.");
  await library.close();
  await expect(app.rows).toHaveCount(4);
  await app.chat("Bread").click();
  await expect(app.text(app.last)).toHaveText("Overnight in the fridge.");
});

// Guarded in each run by rooms/import/tests/files/answers_of_programs.rs, `marks_of_chatgpt_become_links_and_names`
// and `an_answer_of_open_webui_is_read_from_its_output`.
test("answers of today come in with their sources, and without the marks of the other program", { tag: "@all" }, async ({ app, page }) => {
  await app.openReady();
  const library = new Library(page);
  await app.openFromFoot("Export");
  const field = library.dialog.getByLabel("Files to import");
  const cite = "\ue200cite\ue202turn0search0\ue201";
  const lost = "\ue200cite\ue202turn0search9\ue201";
  const node = (id: string, parent: string | null, children: string[], role: string, text: string, metadata = {}) => ({
    id, parent, children, message: { author: { role }, content: { content_type: "text", parts: [text] }, metadata },
  });
  const chatgpt = [{
    id: "peat", title: "Peat", current_node: "b",
    mapping: {
      a: node("a", null, ["b"], "user", "How deep is the peat?"),
      b: node("b", "a", [], "assistant", `Nine metres. ${cite} It grows ${lost}.`, {
        content_references: [{ type: "grouped_webpages", matched_text: cite, items: [{ title: "Peat map", url: "https://example.org/peat" }] }],
      }),
    },
  }];
  const output = [
    { type: "reasoning", content: [{ type: "output_text", text: "A map will do." }] },
    { type: "function_call", call_id: "c", name: "find_map", arguments: "{}" },
    { type: "message", content: [{ type: "output_text", text: "Turn left at the mill." }] },
  ];
  const openwebui = [{
    id: "mill", title: "The mill", chat: {
      title: "The mill", models: ["m"], history: {
        currentId: "b", messages: {
          a: { id: "a", parentId: null, childrenIds: ["b"], role: "user", content: "Which way?" },
          b: { id: "b", parentId: "a", childrenIds: [], role: "assistant", content: "", done: true, output },
        },
      },
    },
  }];
  await field.setInputFiles([["conversations.json", chatgpt], ["chats.json", openwebui]].map(([name, data]) => ({
    name: name as string, mimeType: "application/json", buffer: Buffer.from(`\ufeff${JSON.stringify(data)}`),
  })));
  await expect(library.dialog).toContainText("2 chats: 2 new");
  await expect(library.dialog).toContainText("1 part of a message is not text; only its name is kept.");
  await expect(library.dialog).toContainText("1 source of an answer is left out, since its text has no link to it.");
  await library.button("Import").click();
  await expect(library.dialog).toContainText("2 chats imported.");
  await library.close();

  await app.chat("Peat").click();
  await expect(app.message(2)).toContainText("Nine metres. (Peat map (example.org)) It grows.");
  await expect(app.message(2).getByRole("link", { name: "Peat map" })).toHaveAttribute("href", "https://example.org/peat");
  await app.chat("The mill").click();
  await expect(app.message(2)).toContainText("Turn left at the mill.");
  await expect(app.message(2)).toContainText("[tool: find_map]");
});
