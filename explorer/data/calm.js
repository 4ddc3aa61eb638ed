/** How soon what moves is asked for again: the longer the page is left alone, the later. */

/** The age of an answer on a page that is left alone, ms; its age is said all the same. */
const MOST_MS = 300_000;

export class Calm {
  #factor = 1;

  /** When the next answer is asked for, ms; twice as late each time. @param {number} pace_ms of a page that is used */
  next(pace_ms) {
    const wait_ms = Math.max(pace_ms, Math.min(MOST_MS, pace_ms * this.#factor));
    this.#factor *= 2;
    return wait_ms;
  }

  /** The page is used again; returns whether answers had become rare. */
  end() {
    const wasRare = this.#factor > 2;
    this.#factor = 1;
    return wasRare;
  }
}

/** What someone does who uses the page, or comes back to it. */
const SIGNS = [
  ...["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focusin"],
  "visibilitychange",
];

/** Calls back at each sign of someone who uses the page. @param {() => void} used */
export function followUse(used) {
  for (const sign of SIGNS) document.addEventListener(sign, used, { passive: true, capture: true });
}
