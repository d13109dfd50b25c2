// The directory of a backup, as a test reads it while Sash writes.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** All files of a directory with their texts, by path; none of one that is missing. A file that was replaced while it was read is looked for again. */
export async function filesOf(directory: string): Promise<Record<string, string>> {
  const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT";
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(await Promise.all(files.map(async (path) => [path.slice(directory.length + 1), await readFile(path, "latin1")])));
  } catch (error) {
    if (!isMissing(error)) throw error;
    return (error as NodeJS.ErrnoException).path === directory ? {} : filesOf(directory);
  }
}

/** The texts of the chats in a backup. */
export async function backedUp(directory: string): Promise<string> {
  return Object.values(await filesOf(join(directory, "chats"))).join("");
}

/** The chats of which a backup has a copy. */
export async function chatsIn(directory: string): Promise<string[]> {
  const copies = Object.keys(await filesOf(join(directory, "chats"))).filter((path) => path.endsWith(".jsonl"));
  return [...new Set(copies.map((path) => path.split(/[/\\]/)[0]))];
}

/** The files of copies that are not as their headers say. One without a byte is none yet: the browser makes it so before it writes. */
export async function tornCopies(directory: string): Promise<string[]> {
  const copies = Object.entries(await filesOf(directory)).filter(([path, text]) => path.endsWith(".jsonl") && text !== "");
  return copies.filter(([, text]) => !isWhole(text)).map(([path]) => path);
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\n");
  try {
    const content = createHash("sha256").update(text.slice(end + 1), "latin1").digest("hex");
    return JSON.parse(text.slice(0, end)).backup.content === content;
  } catch {
    return false;
  }
}
