// Voices that say nothing: a test ends what they speak. Chromium without windows has none, and a browser's own cannot be made.
import type { Page } from "@playwright/test";

export interface Voice {
  name: string;
  lang: string;
  local: boolean;
}

interface Speaker {
  said: string[];
  stops: number;
  add(voices: Voice[]): void;
  end(): void;
}

declare global {
  interface Window {
    speaker: Speaker;
  }
}

/** Gives the page voices of ours, none at first. Before it is opened. */
export const fakeVoices = (page: Page): Promise<void> => page.addInitScript(giveVoices);

/** Runs in the page: the same. */
export function giveVoices(): void {
  class Utterance {
    voice: { voiceURI: string } | null = null;
    lang = "";
    rate = 1;
    onend: (() => void) | null = null;
    onerror: (() => void) | null = null;
    constructor(readonly text: string) {}
  }
  let voices: object[] = [];
  let spoken: Utterance | undefined;
  const speech = {
    onvoiceschanged: null as (() => void) | null,
    getVoices: () => voices,
    resume() {},
    cancel() {
      window.speaker.stops += 1;
      spoken = undefined;
    },
    speak(utterance: Utterance) {
      spoken = utterance;
      window.speaker.said.push(`${utterance.voice?.voiceURI} ${utterance.rate}: ${utterance.text}`);
    },
  };
  window.speaker = {
    said: [],
    stops: 0,
    add(more) {
      // The page asks whether it is a voice.
      voices = more.map(({ name, lang, local }) =>
        Object.create(SpeechSynthesisVoice.prototype, {
          voiceURI: { value: name },
          name: { value: name },
          lang: { value: lang },
          localService: { value: local },
          default: { value: false },
        }),
      );
      speech.onvoiceschanged?.();
    },
    end: () => spoken?.onend?.(),
  };
  Object.defineProperty(window, "speechSynthesis", { value: speech });
  Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Utterance });
}
