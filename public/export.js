// Writes all chats of this browser into a file, without the program: for when that does not start. The lines are
// those of crates/form/src; each carries its record's own checksum. Where localStorage and the journal differ, the
// rules of kernel/log/src/journal.rs decide; its tests/data/journal.json holds both to them.

const KEPT = /^sash:(c|f|p|q|m|t|s|x|bad):/; // heads, folders, prompts, queues, messages, tails, packed ones, tombstones, set aside; no drafts
const RECORD = /^(\d+)\|([0-9a-f]{8})\|/;

// What this page says, by the code of the language; its elements by their ids. The choice is that of boot.js.
const WORDS = {
  en: {
    dir: "ltr",
    elements: {},
    none: "This browser keeps no chats for this address. Another address, also another port, has its own.",
    found: (chats, records, aside) =>
      `${counted(chats, "chat")} in ${counted(records, "record")}${aside ? `, ${counted(aside, "damaged one")} among them` : ""}.`,
    saved: (kilobytes, name) => `${counted(kilobytes, "kilobyte")} saved as ${name}.`,
    failed: (why) => `The chats could not be read: ${why}`,
  },
  de: {
    dir: "ltr",
    elements: {
      title: "Chats sichern",
      about:
        "Diese Seite geht auch, wenn Sash selbst nicht startet. Sie liest, was dieser Browser für diese Adresse aufbewahrt, ändert nichts und sendet nichts.",
      found: "Chats werden gesucht …",
      save: "Alle Chats als Datei speichern",
      holds:
        "Die Datei enthält alles, auch Belege, andere Versionen und den Papierkorb. Sash nimmt sie unter Importieren zurück, hier oder in einem anderen Browser.",
      back: "Zurück zu Sash",
    },
    none: "Dieser Browser hat für diese Adresse keine Chats. Eine andere Adresse, auch ein anderer Port, hat ihre eigenen.",
    found: (chats, records, aside) =>
      `${counted(chats, "Chat")} in ${counted(records, "Datensatz", "Datensätzen")}${aside ? `, davon ${number(aside)} beschädigt` : ""}.`,
    saved: (kilobytes, name) => `${number(kilobytes)} Kilobyte gespeichert als ${name}.`,
    failed: (why) => `Die Chats konnten nicht gelesen werden: ${why}`,
  },
  he: {
    dir: "rtl",
    elements: {
      title: "שמירת הצ׳אטים",
      about:
        "הדף הזה עובד גם כש־Sash עצמו אינו מתחיל. הוא קורא את מה שהדפדפן שומר לכתובת הזאת, אינו משנה דבר ואינו שולח דבר.",
      found: "מחפשים צ׳אטים…",
      save: "שמירת כל הצ׳אטים כקובץ",
      holds:
        "הקובץ מכיל הכול, כולל קבלות, גרסאות אחרות והאשפה. Sash מקבל אותו בחזרה תחת ייבוא, כאן או בדפדפן אחר.",
      back: "חזרה אל Sash",
    },
    none: "הדפדפן הזה אינו שומר צ׳אטים לכתובת הזאת. לכתובת אחרת, גם לפורט אחר, יש משלה.",
    found: (chats, records, aside) =>
      `צ׳אטים: ${number(chats)}, רשומות: ${number(records)}${aside ? `, מהן פגומות: ${number(aside)}` : ""}.`,
    saved: (kilobytes, name) => `‏${number(kilobytes)} kB נשמרו בשם ${name}.`,
    failed: (why) => `לא ניתן היה לקרוא את הצ׳אטים: ${why}`,
  },
};

const words = WORDS[language()];
const found = document.getElementById("found");
const save = document.getElementById("save");

/** What is kept, by key: of what localStorage and the journal have under each the better one. */
async function records() {
  const records = new Map(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key)]));
  const entries = await journaled();
  const newest = form(records.get("sash:meta") ?? entries.find(([key]) => key === "sash:meta")?.[1]);
  for (const [key, noted, at, rev] of entries) replay(records, key, noted, at, rev, newest);
  for (const key of records.keys()) if (!KEPT.test(key)) records.delete(key);
  return { records, newest };
}

/** The version of the records: `sash:meta` says it. Without that every version is taken as it stands. */
function form(meta) {
  try {
    return JSON.parse(meta).schema ?? Infinity;
  } catch {
    return Infinity;
  }
}

/** Brings the record under a key up to what the journal noted. */
function replay(records, key, noted, at, rev, newest) {
  const there = records.get(key);
  if (there === noted || (there === undefined && noted === null)) return;
  if (noted === null) {
    if (isRemoved(key, at, rev, there, newest)) records.delete(key);
  } else if (there === undefined) {
    records.set(key, noted);
  } else if (supersedes(key, noted, there, newest)) {
    if (!isWhole(there, newest)) records.set(`sash:bad:${key}`, there);
    records.set(key, noted);
  }
}

/** Whether a removal covers a record: not one that was written again since. Older entries have no revision. */
function isRemoved(key, at, rev, there, newest) {
  const found = payload(there, newest);
  const numbered = /^sash:[cfpq]:/.test(key) ? (found && (found.rev ?? 0)) : /^sash:x:/.test(key) ? found?.at : undefined;
  if (!Number.isInteger(numbered)) return true;
  return Number.isInteger(rev) ? numbered <= rev : !Number.isInteger(found.at) || found.at <= at;
}

/** Whether a noted record is to stand in the place of another one. */
function supersedes(key, noted, there, newest) {
  if (!isWhole(noted, newest)) return false;
  if (/^sash:[cfp]:/.test(key)) return revision(noted, newest) > revision(there, newest);
  if (/^sash:q:/.test(key)) {
    const [ours, theirs] = [revision(noted, newest), revision(there, newest)];
    return ours > theirs || (ours === theirs && written(noted, newest) > written(there, newest));
  }
  // Tombstones and segments as they were noted last; anything else is never rewritten: one that differs is damaged.
  return /^sash:[xs]:/.test(key) || !isWhole(there, newest);
}

/** When a queue was written; less than any time where it cannot be read. */
function written(record, newest) {
  const at = payload(record, newest)?.at;
  return Number.isInteger(at) ? at : -1;
}

/** How often a head, a folder, a prompt or a queue was rewritten; less than never where it cannot be read. */
function revision(record, newest) {
  const head = payload(record, newest);
  if (head === undefined) return -1;
  return Number.isInteger(head?.rev) && head.rev >= 0 ? head.rev : 0;
}

/** What a record of this form says; undefined where it cannot be read. */
function payload(record, newest) {
  try {
    const [whole, version] = RECORD.exec(record);
    return Number(version) <= newest && isWhole(record, newest) ? JSON.parse(record.slice(whole.length)) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a record is as it was written, or of a later form, which says nothing about its parts. */
function isWhole(record, newest) {
  const version = Number(/^(\d+)\|/.exec(record)?.[1] ?? 0);
  if (version > newest) return true;
  const parts = RECORD.exec(record);
  return version > 0 && parts !== null && checksum(record.slice(parts[0].length)) === parts[2];
}

/** CRC-32, as in zlib. */
function checksum(text) {
  let crc = ~0;
  for (const byte of new TextEncoder().encode(text)) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 255];
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
  return byte;
});

/** After a crash of the browser the journal is ahead of localStorage. Without one there is nothing to add. */
async function journaled() {
  try {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("It did not open in time.")), 2_000));
    return await Promise.race([noted(), late]);
  } catch (error) {
    console.warn("The journal is not readable.", error);
    return [];
  }
}

/** The database of the program. */
function opened() {
  return new Promise((resolve, reject) => {
    // The version that is there; where none is, the program adds what it needs.
    const opening = indexedDB.open("sash");
    opening.onupgradeneeded = () => opening.result.createObjectStore("redo");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => resolve(opening.result);
  });
}

/** What is noted: [key, record or null, milliseconds since 1970] each. */
async function noted() {
  const database = await opened();
  return new Promise((resolve, reject) => {
    const store = database.transaction("redo", "readonly").objectStore("redo");
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    values.onsuccess = () => {
      database.close();
      resolve(keys.result.map((key, n) => [String(key), ...values.result[n]]));
    };
    values.onerror = () => reject(values.error);
  });
}

/** The lines of the images, a Blob each: together they may be longer than any text. Without any there is nothing to add. */
async function images() {
  const database = await opened();
  return new Promise((resolve, reject) => {
    const found = [];
    const done = () => {
      database.close();
      resolve(found);
    };
    if (!database.objectStoreNames.contains("images")) return done();
    const walking = database.transaction("images", "readonly").objectStore("images").openCursor();
    walking.onerror = () => reject(walking.error);
    walking.onsuccess = () => {
      const at = walking.result;
      if (!at) return done();
      const [bytes] = at.value;
      if (/^[0-9a-f]{64}$/.test(at.key) && bytes instanceof Uint8Array) {
        found.push(new Blob([`{"image":"${at.key}","data":"${base64(bytes)}"}\n`]));
      }
      at.continue();
    };
  });
}

function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/** The lines of the file: heads first, as the program writes them. */
function lines({ records, newest }) {
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
  return [JSON.stringify(header), ...ordered.map((key) => line(key, records.get(key), newest))].map((line) => line + "\n");
}

/** A record that is damaged, or of another form than this one's, goes out as it is; so does half a character. */
function line(key, record, newest) {
  const parts = RECORD.exec(record);
  const isOurs = parts && (newest === Infinity || Number(parts[1]) === newest) && isWhole(record, newest);
  if (key.startsWith("sash:bad:") || !isOurs || !/^[!-~]+$/.test(key)) return JSON.stringify({ key, raw: record });
  return `{"key":"${key}","crc":"${parts[2]}","data":${record.slice(parts[0].length)}}`;
}

function chats(keys) {
  const named = keys.filter((key) => !/^sash:(x|bad):/.test(key));
  return new Set(named.map((key) => key.split(":")[2]));
}

function number(n) {
  return n.toLocaleString(document.documentElement.lang);
}

function counted(n, one, many = `${one}s`) {
  return `${number(n)} ${n === 1 ? one : many}`;
}

/** The code of the language: what the person chose, else the first of the browser's that this page speaks. */
function language() {
  const spoken = (tag) => Object.keys(WORDS).find((code) => tag.toLowerCase().replace(/^iw\b/, "he").split("-")[0] === code);
  let chosen = null;
  try {
    chosen = localStorage.getItem("sash:language");
  } catch {
    // Storage is blocked, which is said where the chats are read.
  }
  const code = [chosen ?? "", ...navigator.languages].map(spoken).find(Boolean) ?? "en";
  document.documentElement.lang = code;
  document.documentElement.dir = WORDS[code].dir;
  for (const [id, text] of Object.entries(WORDS[code].elements)) document.getElementById(id).textContent = text;
  if (WORDS[code].elements.title) document.title = `${WORDS[code].elements.title} · Sash`;
  return code;
}

async function start() {
  const theme = /^"?(light|dark)"?$/.exec(localStorage.getItem("sash:theme") ?? "");
  if (theme) document.documentElement.dataset.theme = theme[1];
  const keys = [...(await records()).records.keys()];
  const aside = keys.filter((key) => key.startsWith("sash:bad:")).length;
  const all = chats(keys).size;
  if (keys.length === 0) {
    found.textContent = words.none;
    return;
  }
  found.textContent = words.found(all, keys.length, aside);
  save.disabled = false;
  save.addEventListener("click", () => download().catch(failed));
}

async function download() {
  // Read anew: another tab may have written since.
  const ofMessages = await images().catch((error) => (console.warn("The images are not readable.", error), []));
  const file = new Blob([...lines(await records()), ...ofMessages], { type: "application/jsonl" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `sash-chats-${new Date().toISOString().slice(0, 10)}.jsonl`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  found.textContent = words.saved(Math.ceil(file.size / 1000), link.download);
}

function failed(error) {
  console.error("The chats could not be read.", error);
  found.textContent = words.failed(error instanceof Error ? error.message : error);
}

start().catch(failed);
