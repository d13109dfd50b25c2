// What the tasks need of a browser, whoever drives it.

/** A browser that runs. */
export interface Engine {
  /** A profile without cookies, storage and cache. */
  profile(): Promise<Profile>;
  stop(): Promise<void>;
}

/** What tabs share: cookies, storage, cache. */
export interface Profile {
  /** Opens an empty tab and brings it to the front. */
  tab(): Promise<Tab>;
  close(): Promise<void>;
}

/** One tab, of 1280 by 800 pixels or so. Places are CSS pixels from the viewport's upper left corner. */
export interface Tab {
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  /**
   * Runs a function in the page. It sees nothing of this program, returns JSON, and must not be asynchronous:
   * WebDriver and WebDriver BiDi disagree on promises.
   */
  run<T, A extends unknown[]>(work: (...given: A) => T, ...given: A): Promise<T>;
  /** Moves the pointer. */
  move(x: number, y: number): Promise<void>;
  /** Presses the pointer's button. */
  down(): Promise<void>;
  /** Lets it go. */
  up(): Promise<void>;
  /** Presses keys as a chord, by their names in the DOM: "Enter", "Control+k". */
  press(chord: string): Promise<void>;
  /** Types text, a key for each character. */
  type(text: string): Promise<void>;
  /** Brings the tab to the front. */
  show(): Promise<void>;
  /** What it looks like, as PNG. */
  picture(): Promise<Buffer>;
}

/** The size of a tab. */
export const SIZE = { width: 1280, height: 800 };
