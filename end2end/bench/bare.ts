// The page that an answer is held against: it asks for the same stream, reads its lines and appends the text once
// a frame, and stays at its end. Nothing else.
import type { Page } from "@playwright/test";

const HTML = `<!doctype html><meta charset=utf-8><title>Bare</title>
<style>
  body { margin: 0; height: 100vh; overflow-y: auto; }
  pre { max-width: 45rem; margin: 0 auto; white-space: pre-wrap; font: 16px/1.6 system-ui; }
</style><pre></pre>`;

/** Opens it at the address of a Sash. */
export async function openBare(page: Page, url: string): Promise<void> {
  const address = `${url}/bare`;
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: HTML }));
  await page.goto(address);
  await page.unroute(address);
}

/** Asks, and waits for the end of the answer. */
export const askBare = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const place = document.querySelector("pre")!.appendChild(document.createTextNode(""));
    const answer = await fetch("/api/v1/response", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "llama3.2", prompt: "Go", context: [] }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    let [fresh, due, rest] = ["", false, ""];
    const show = () => {
      due = false;
      place.appendData(fresh);
      fresh = "";
      document.body.scrollTop = document.body.scrollHeight;
    };
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const frame = JSON.parse(line) as { type: string; text?: string };
        if (frame.type === "text") fresh += frame.text;
      }
      if (fresh && !due) {
        due = true;
        requestAnimationFrame(show);
      }
    }
    await new Promise(requestAnimationFrame);
    return place.length;
  });
