// The pictures of the README, made from a real conversation and written to docs/.
import { join } from "node:path";
import { test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { says, status, type StandIn } from "../support/standIn";
import { frames } from "../support/waiting";

const docs = join(__dirname, "../../docs");

const EXCHANGES = [
  ["What is a sash window?", "A window whose panes slide up and down in their frame; each of them is a **sash**."],
  ["Why does it stay where I leave it?", "*Weights* inside the frame pull up about as hard as the sash pulls down."],
  [
    "How would I model one in Rust?",
    `Two numbers are enough, as long as nobody can set them to nonsense:

\`\`\`rust
/// A sash in its frame, in millimetres.
struct Sash { lower: u32, height: u32 }
\`\`\`

- \`lower\` is the distance from the sill
- \`lower + height\` may never exceed the frame`,
  ],
];

/** As a real Ollama lists them; the stand-in's own models are tiny. */
const listed = (name: string, family: string, parameter_size: string, size: number) => ({
  name,
  model: name,
  modified_at: "2025-01-01T00:00:00Z",
  size,
  digest: Buffer.from(name).toString("hex").padEnd(64, "0"),
  details: { parent_model: "", format: "gguf", family, families: [family], parameter_size, quantization_level: "Q4_K_M" },
});
const TAGS = { models: [listed("llama3.2:latest", "llama", "3.2B", 2_019_393_189), listed("qwen3:4b", "qwen3", "4.0B", 2_497_293_931)] };

async function conversation(app: ChatPage, standIn: StandIn): Promise<void> {
  for (const title of ["A name for a boat", "Packing list for three days in Lisbon"]) {
    await standIn.script(says("With pleasure."));
    if ((await app.messages.count()) > 0) await app.newChat();
    await app.exchange(title);
  }
  await app.newChat();
  for (const [question, answer] of EXCHANGES) {
    await standIn.script(says(answer));
    await app.exchange(question);
  }
  await app.composer.fill("And what would a test for it look like?");
  await app.page.mouse.move(0, 0);
}

const PICTURES = {
  "screenshot.png": { colorScheme: "light", width: 1280, height: 800 },
  "screenshot-dark.png": { colorScheme: "dark", width: 1280, height: 800 },
  "screenshot-phone.png": { colorScheme: "light", width: 390, height: 844 },
} as const;

test("pictures of a conversation", async ({ app, standIn, page }) => {
  await standIn.script([status(200, "application/json", JSON.stringify(TAGS))], { path: "/api/tags", times: null });
  await app.openReady();
  await conversation(app, standIn);
  for (const [name, { colorScheme, ...size }] of Object.entries(PICTURES)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    // To the end, as after an answer.
    await app.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await frames(page);
    await page.screenshot({ path: join(docs, name), animations: "disabled", caret: "hide" });
  }
});
