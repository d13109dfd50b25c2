// Writes all chats of this browser into a file, without the program: for when that does not start. The lines are
// those of src/log/transfer; each carries its record's own checksum, so nothing is read or counted anew here.

const KEPT = /^sash:(c|m|t|s|x|bad):/; // heads, messages, tails, packed ones, tombstones, set aside
const RECORD = /^1\|([0-9a-f]{8})\|/;

const found = document.getElementById("found");
const save = document.getElementById("save");

/** What is kept, by key: what localStorage has, and what only the journal has yet. */
async function records() {
  const records = new Map();
  for (let n = 0; n < localStorage.length; n++) {
    const key = localStorage.key(n);
    if (KEPT.test(key)) records.set(key, localStorage.getItem(key));
  }
  for (const [key, record] of await journaled()) {
    if (!KEPT.test(key)) continue;
    if (record === null) records.delete(key); // taken back
    else if (!records.has(key)) records.set(key, record);
  }
  return records;
}

/** After a crash of the browser the journal is ahead of localStorage. Without one there is nothing to add. */
async function journaled() {
  try {
    const { openJournal } = await import("/journal.js");
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("It did not open in time.")), 2_000));
    const entries = await Promise.race([openJournal().then((journal) => journal.read()), late]);
    return [...entries];
  } catch (error) {
    console.warn("The journal is not readable.", error);
    return [];
  }
}

/** The lines of the file: heads first, as the program writes them. */
function lines(records) {
  const keys = [...records.keys()].sort();
  const isHead = (key) => key.startsWith("sash:c:");
  const ordered = [...keys.filter(isHead), ...keys.filter((key) => !isHead(key))];
  const header = {
    app: "sash",
    schema: 1,
    exported: Date.now(),
    chats: chats(keys).size,
    messages: keys.filter((key) => key.startsWith("sash:m:")).length,
  };
  return [JSON.stringify(header), ...ordered.map((key) => line(key, records.get(key)))].map((line) => line + "\n");
}

function line(key, record) {
  const crc = RECORD.exec(record);
  if (key.startsWith("sash:bad:") || !crc || !/^[!-~]+$/.test(key)) return JSON.stringify({ key, raw: record });
  return `{"key":"${key}","crc":"${crc[1]}","data":${record.slice(crc[0].length)}}`;
}

function chats(keys) {
  const named = keys.filter((key) => !/^sash:(x|bad):/.test(key));
  return new Set(named.map((key) => key.split(":")[2]));
}

const counted = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

async function start() {
  const theme = /^"?(light|dark)"?$/.exec(localStorage.getItem("sash:theme") ?? "");
  if (theme) document.documentElement.dataset.theme = theme[1];
  const kept = await records();
  const keys = [...kept.keys()];
  const aside = keys.filter((key) => key.startsWith("sash:bad:")).length;
  const all = chats(keys).size;
  if (keys.length === 0) {
    found.textContent = "This browser keeps no chats for this address. Another address, also another port, has its own.";
    return;
  }
  const damaged = aside > 0 ? `, ${counted(aside, "damaged one")} among them` : "";
  found.textContent = `${counted(all, "chat")} in ${counted(keys.length, "record")}${damaged}.`;
  save.disabled = false;
  save.addEventListener("click", () => download().catch(failed));
}

async function download() {
  // Read anew: another tab may have written since.
  const file = new Blob(lines(await records()), { type: "application/jsonl" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `sash-chats-${new Date().toISOString().slice(0, 10)}.jsonl`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  found.textContent = `${counted(Math.ceil(file.size / 1000), "kilobyte")} saved as ${link.download}.`;
}

function failed(error) {
  console.error("The chats could not be read.", error);
  found.textContent = `The chats could not be read: ${error instanceof Error ? error.message : error}`;
}

start().catch(failed);
