// A chat whose first answer is outside the window, and a draft that refers to it.
import type { Page } from "@playwright/test";
import type { ChatPage } from "./chatPage";
import { says, type StandIn } from "./standIn";
import { timersRun, watchTimers } from "./waiting";

const EXCHANGES = [
  ["How do I store the road map of a town?", "As an **adjacency list**: each crossing with its streets."],
  ["What should we cook tonight?", "Lentil soup with lemon."],
  ["And tomorrow?", "Pancakes, perhaps."],
  ["Is there wine?", "A bottle of red."],
];

export const DRAFT = "How large is the adjacency list of streets you suggested?";

/** Opens the page and holds the talk; `begin` is done before its first question. */
export async function conversation(app: ChatPage, standIn: StandIn, begin = async () => {}): Promise<void> {
  for (const [, answer] of EXCHANGES) await standIn.script(says(answer));
  await watchTimers(app.page);
  await app.openReady();
  await begin();
  for (const [question] of EXCHANGES) await app.exchange(question);
}

/** Longer than the pause in the typing after which a draft is looked up, and shorter than what else the page puts off. */
const TYPING_PAUSE = 200;

/** Waits until the draft has been looked up, in a page that `watchTimers` looks at. */
export const lookedUp = (page: Page): Promise<void> => timersRun(page, TYPING_PAUSE);
