// The redo journal of the log, in IndexedDB: localStorage reaches the disk up to a minute late, this at once.
// What is noted, and what becomes of it at the next start, is for src/log/journal.rs to say.

const STORE = "redo";

/** Opens the journal. */
export async function openJournal() {
  const db = await opened();
  let pending = new Map(); // key -> [record or null, time], or undefined for one to be dropped
  const journal = { failed: false, note, forget, clear, read: () => all(db) };
  // Another version of the page wants to change the form: it waits for this one to let go.
  db.onversionchange = () => db.close();
  return journal;

  function note(key, record) {
    write(key, [record ?? null, Date.now()]);
  }

  function forget(key) {
    write(key, undefined);
  }

  // All that one task of the page writes goes in one transaction, begun as soon as that task is over.
  function write(key, value) {
    if (pending.size === 0) queueMicrotask(flush);
    pending.set(key, value);
  }

  function flush() {
    const batch = pending;
    pending = new Map();
    try {
      const transaction = db.transaction(STORE, "readwrite", { durability: "relaxed" });
      transaction.onabort = () => failed(transaction.error);
      const store = transaction.objectStore(STORE);
      for (const [key, value] of batch) {
        if (value) store.put(value, key);
        else store.delete(key);
      }
      transaction.commit?.();
    } catch (error) {
      failed(error);
    }
  }

  function failed(error) {
    if (!journal.failed) console.warn("The journal is not written: a crash of the browser may cost the last minute.", error);
    journal.failed = true;
  }

  /** Drops every entry; settles when that is done. */
  function clear() {
    pending.clear();
    const transaction = db.transaction(STORE, "readwrite");
    transaction.objectStore(STORE).clear();
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("sash", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("Another tab holds the journal."));
  });
}

/** What is noted: [key, record or null, milliseconds since 1970] each. */
function all(db) {
  return new Promise((resolve, reject) => {
    const store = db.transaction(STORE, "readonly").objectStore(STORE);
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    values.onsuccess = () => resolve(keys.result.map((key, n) => [String(key), ...values.result[n]]));
    values.onerror = () => reject(values.error);
  });
}
