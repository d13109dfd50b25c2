// What the pictures show: a conversation, a list of chats, models of usual sizes.
import type { ChatPage } from "../support/chatPage";
import { id, openWith, record } from "../support/log";
import { says, status, type StandIn } from "../support/standIn";

export const EXCHANGES = [
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

/** Lists models of usual sizes. */
export const listModels = (standIn: StandIn): Promise<unknown> =>
  standIn.script([status(200, "application/json", JSON.stringify(TAGS))], { path: "/api/tags", times: null });

/** Asks the questions of the conversation. */
export async function converse(app: ChatPage, standIn: StandIn): Promise<void> {
  for (const [question, answer] of EXCHANGES) {
    await standIn.script(says(answer));
    await app.exchange(question);
  }
}

const DAY = 86_400_000;
const HOUSE = id(0xf01);
const CHATS: [title: string, days: number, head?: object][] = [
  ["A name for a boat", 0.02],
  ["Packing list for three days in Lisbon", 0.04],
  ["Quotation for the joiner", 0.1, { pinned: 1e12 }],
  ["Paint for old frames", 1, { folder: HOUSE }],
  ["Repairing a window sill", 3, { folder: HOUSE }],
  ["Bread without kneading", 1],
  ["Why leap seconds are going away", 4],
  ["Letter to the landlord", 6],
  ["Regular expressions for dates", 12, { archived: 1e12 }],
  ["A walk from Bath to Bristol", 40],
];

/** Opens the page with a list of chats of several days, one of them pinned, two in a folder, one archived. */
export async function openWithList(app: ChatPage, model?: string): Promise<void> {
  const now = Date.now();
  const log: Record<string, string> = { [`sash:f:${HOUSE}`]: record({ id: HOUSE, name: "House", order: 0, system: "Answer for a house of 1890.", rev: 1 }) };
  for (const [n, [title, days, head]] of CHATS.entries()) {
    const [chat, touched] = [id(0xc000 + n), now - days * DAY];
    log[`sash:c:${chat}`] = record({ id: chat, title, created: touched, policy: { messages: 3 }, rev: 1, ...head });
    for (const [seq, role] of [[1, "user"], [2, "assistant"]] as const) {
      const [own, parent] = [id(n * 2 + seq), id(n * 2 + 1)];
      const message = { id: own, ...(seq === 2 && { parent, model: "llama3.2" }), seq, role, content: seq === 1 ? `${title}: what do you suggest?` : "With pleasure.", created: touched + seq };
      log[`sash:m:${chat}:${seq.toString(36).padStart(6, "0")}-${own}`] = record(message);
    }
  }
  await openWith(app, log, model);
}
