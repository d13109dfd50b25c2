// Images made in the browser, so that no binary file stands in the repository.
import type { Locator, Page } from "@playwright/test";

export interface Picture {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** An image of this size and type: stripes, so that it is neither empty nor trivially small. */
export async function picture(page: Page, name: string, [width, height]: [number, number], type = "image/png"): Promise<Picture> {
  const base64 = await page.evaluate(
    async ({ width, height, type }) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [width, height];
      const context = canvas.getContext("2d");
      if (!context) throw new Error("no canvas");
      for (let x = 0; x < width; x += 10) {
        context.fillStyle = `hsl(${x % 360} 80% 50%)`;
        context.fillRect(x, 0, 5, height);
      }
      return canvas.toDataURL(type).split(",")[1];
    },
    { width, height, type },
  );
  return { name, mimeType: type, buffer: Buffer.from(base64, "base64") };
}

/** Drops files on the page, or on a part of it, as a person does from a folder. */
export async function drop(page: Page, files: Picture[], on = page.locator("#prompt")): Promise<void> {
  await transfer(on, files, "drop");
}

/** Pastes files from the clipboard. */
export async function paste(page: Page, files: Picture[], text = ""): Promise<void> {
  await transfer(page.locator("#prompt"), files, "paste", text);
}

async function transfer(on: Locator, files: Picture[], what: "drop" | "paste", text = ""): Promise<void> {
  const plain = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString("base64") }));
  await on.evaluate(
    (target, { plain, what, text }) => {
      const data = new DataTransfer();
      if (text) data.setData("text/plain", text);
      for (const { name, mimeType, base64 } of plain) {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      const event =
        what === "drop"
          ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      target.dispatchEvent(event);
    },
    { plain, what, text },
  );
}
