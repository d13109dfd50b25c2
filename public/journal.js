// The redo journal of the log, in IndexedDB: localStorage reaches the disk up to a minute late, this at once.
// What is noted, and what becomes of it at the next start, is for src/log/journal.rs to say.

const NAME = "sash";
const STORE = "redo";
const DELETING = "sash:deleting"; // stands in localStorage while everything is being deleted
const ARRIVED = 100; // ms in which what one tab wrote has come to another one
const LET_GO = 5_000; // ms in which other tabs close their journal; one that is frozen does when it wakes

/** Opens the journal. */
export async function openJournal() {
  const db = await opened();
  let pending = new Map(); // key -> [record or null, time], or undefined for one to be dropped
  const journal = { failed: false, note, forget, clear, read: () => all(db) };
  let closed = false;
  // Another version of the page wants to change the form, or everything is being deleted: both wait for this one to
  // let go. What is deleted must not be noted again.
  db.onversionchange = ({ newVersion }) => {
    closed = newVersion === null;
    db.close();
  };
  return journal;

  function note(key, record) {
    write(key, [record ?? null, Date.now()]);
  }

  function forget(key) {
    write(key, undefined);
  }

  // All that one task of the page writes goes in one transaction, begun as soon as that task is over.
  function write(key, value) {
    if (closed) return;
    if (pending.size === 0) queueMicrotask(flush);
    pending.set(key, value);
  }

  function flush() {
    const batch = pending;
    pending = new Map();
    if (closed) return;
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
    const request = indexedDB.open(NAME, 1);
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

/** Whether everything was being deleted when that was broken off, or is being deleted by another tab. */
export function isDeleting() {
  try {
    return localStorage.getItem(DELETING) !== null;
  } catch {
    return false; // Storage is blocked: nothing is kept.
  }
}

/**
 * Deletes all that Sash keeps in this browser; settles when nothing of it is left. The other tabs write nothing more
 * once they hear of the mark, and begin anew when it goes. The journal goes first: it would bring back what is
 * deleted after it, and it is gone only when every tab has let go of it.
 */
export async function deleteEverything() {
  mark();
  await journalDeleted();
  removeAll(localStorage);
  // What another tab wrote before it heard of the mark may get here by a longer way than that it heard.
  await new Promise((resolve) => setTimeout(resolve, ARRIVED));
  removeAll(localStorage);
  removeAll(sessionStorage);
  localStorage.removeItem(DELETING);
}

// The storage may be full: then something of what goes anyway makes room for the mark.
function mark() {
  for (const key of ours(localStorage)) {
    try {
      localStorage.setItem(DELETING, "1");
      return;
    } catch {
      localStorage.removeItem(key);
    }
  }
}

function removeAll(storage) {
  for (const key of ours(storage)) storage.removeItem(key);
}

const ours = (storage) => Object.keys(storage).filter((key) => key.startsWith("sash:") && key !== DELETING);

function journalDeleted() {
  return new Promise((resolve) => {
    setTimeout(resolve, LET_GO);
    try {
      const request = indexedDB.deleteDatabase(NAME);
      request.onsuccess = request.onerror = () => resolve();
    } catch (error) {
      console.warn("There is no journal to delete.", error);
      resolve();
    }
  });
}
