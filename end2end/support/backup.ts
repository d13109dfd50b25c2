// The folder of a backup, as a test reads it while Sash writes.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The texts of the chats in a backup. A file that was replaced while it was read is looked for again. */
export async function backedUp(folder: string): Promise<string> {
  const chats = join(folder, "chats");
  try {
    const files = (await readdir(chats)).map((name) => readFile(join(chats, name), "utf8"));
    return (await Promise.all(files)).join("");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).path === chats) throw error;
    return backedUp(folder);
  }
}
