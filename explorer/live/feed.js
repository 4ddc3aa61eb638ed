/**
 * The stream of what is looked at. One is open at a time: the one of another box takes the place of
 * the last one when its snapshot has come, so that nothing is missing meanwhile.
 */
import { Run } from "./run.js";

/**
 * @typedef {import("./run.js").Over} Over @typedef {import("./run.js").Means} Means
 * @typedef {import("./known.js").Snapshot} Snapshot @typedef {import("./known.js").Delta} Delta
 * @typedef {{ kind: "off" | "opening" | "open" | "broken" | "refused", message: string }} Condition
 * `off`: no box is looked at; `broken`: it is tried again; `refused`: the service gives none now, and `message` says why.
 * @typedef {{ snapshot(snapshot: Snapshot, target: string): void, delta(delta: Delta): void, status(status: any): void, condition(now: Condition): void }} Listener
 */

const BASE_MS = 2_000;
const MOST_MS = 60_000;
/** A service that gives none is not soon asked again, ms. */
const REFUSED_MS = 30_000;
const LATER = new Set(["408", "425", "429", "500", "502", "503", "504"]);
/** Such streams end for a reason that does not pass in seconds. */
const LASTING = new Set(["units", "replaced", "refused", "large"]);

export class Feed {
  #means;
  #listener;
  #random;
  #now;
  /** @type {Run | null} */
  #open = null;
  /** Takes the place of the open one with its snapshot. @type {Run | null} */
  #next = null;
  #isPaused = false;
  /** The service knows no streams. */
  #isNever = false;
  /** It has said that it gives none before, ms. */
  #not_before_ms = 0;
  /** @type {Condition} */
  #condition = { kind: "off", message: "" };

  /** @param {{ means: Means, listener: Listener, random?: () => number, now?: () => number }} given */
  constructor({ means, listener, random = Math.random, now = Date.now }) {
    this.#means = means;
    this.#listener = listener;
    this.#random = random;
    this.#now = now;
  }

  get condition() {
    return this.#condition;
  }

  /** Looks at another box, or at none. @param {string | null} target */
  watch(target) {
    const newest = this.#next ?? this.#open;
    if (newest?.target === target) return;
    if (target === null) {
      this.#endAll();
      return this.#say("off");
    }
    this.#next?.end();
    this.#next = null;
    if (this.#open !== null && !this.#open.isBegun) {
      this.#open.end();
      this.#open = null;
    }
    const run = this.#toRun(target, null);
    if (this.#open === null) this.#open = run;
    else this.#next = run;
    if (this.#open === run && this.#condition.kind !== "refused") this.#say("opening");
    if (!this.#isPaused) this.#start(run);
  }

  /** Ends what is open; what is looked at is kept. */
  pause() {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#open?.end();
    this.#next?.end();
  }

  /** Goes on where it was. */
  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const { target, last_id = null } = this.#next ?? this.#open ?? {};
    const isBegun = this.#next === null && this.#open?.isBegun === true;
    this.#next = null;
    this.#open = target === undefined ? null : this.#toRun(target, last_id);
    if (this.#open === null) return;
    this.#open.isBegun = isBegun;
    this.#start(this.#open);
  }

  #endAll() {
    this.#open?.end();
    this.#next?.end();
    this.#open = null;
    this.#next = null;
  }

  /** @param {Run} run */
  #start(run) {
    if (this.#isNever) return this.#say("refused");
    void run.read();
  }

  /** @param {string} target @param {string | null} last_id */
  #toRun(target, last_id) {
    /** @type {Run} */
    const run = new Run(target, last_id, this.#toMeans(), {
      snapshot: (snapshot) => {
        if (this.#next === run) {
          this.#open?.end();
          this.#open = run;
          this.#next = null;
        }
        this.#listener.snapshot(snapshot, target);
        this.#say("open");
      },
      delta: (delta) => {
        this.#listener.delta(delta);
        this.#say("open");
      },
      status: (status) => {
        this.#listener.status(status);
        this.#say("open");
      },
      over: (over, failures) => this.#judge(run, over, failures),
    });
    return run;
  }

  /** Opens nothing before the service wants it. @returns {Means} */
  #toMeans() {
    const { open, wait } = this.#means;
    return {
      wait,
      open: async (target, headers, signal) => {
        const left_ms = this.#not_before_ms - this.#now();
        if (left_ms > 0) await wait(left_ms, signal);
        signal.throwIfAborted();
        return open(target, headers, signal);
      },
    };
  }

  /** When it is tried again, ms; null: never. @param {Run} run @param {Over} over @param {number} failures @returns {number | null} */
  #judge(run, over, failures) {
    if (over.kind === "broken") {
      this.#say("broken");
      return this.#spread(Math.min(MOST_MS, BASE_MS * 2 ** (failures - 1)));
    }
    const { kind, reason, message, retry_s } = over;
    if (kind === "bye" && !LASTING.has(reason)) {
      this.#say("broken");
      const least_ms = failures > 1 ? Math.min(MOST_MS, BASE_MS * 2 ** (failures - 2)) : 0;
      return this.#spread(Math.max(retry_s * 1_000, least_ms));
    }
    // The place that the last box still has may be the one that is lacking.
    if (run === this.#next && this.#open !== null) {
      this.#open.end();
      this.#open = run;
      this.#next = null;
      if (kind === "refused" && LATER.has(reason)) return this.#spread(BASE_MS);
    }
    this.#say("refused", message);
    // Another box may be small enough.
    if (reason === "large") return null;
    if (kind === "refused" && !LATER.has(reason)) {
      this.#isNever = reason === "404" || reason === "405" || reason === "501";
      return null;
    }
    const least_ms = Math.min(10 * REFUSED_MS, REFUSED_MS * 2 ** Math.min(failures - 1, 4));
    const wait_ms = this.#spread(Math.max(retry_s * 1_000, least_ms));
    this.#not_before_ms = this.#now() + wait_ms;
    return wait_ms;
  }

  /** Never earlier than is wished, and not all at one moment. @param {number} ms */
  #spread(ms) {
    return ms * (1 + this.#random() / 2);
  }

  /** @param {Condition["kind"]} kind */
  #say(kind, message = "") {
    if (this.#condition.kind === kind && this.#condition.message === message) return;
    this.#condition = { kind, message };
    this.#listener.condition(this.#condition);
  }
}
