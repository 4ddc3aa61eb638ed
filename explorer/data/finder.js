/** Looks for what is typed: what is near of a class, then places by name, then addresses. */
import { ABORTED, call } from "./api.js";
import { askAddresses, askClasses, askPlaces } from "./asks.js";
import { createPace } from "./pace.js";

/**
 * @typedef {{ lat: number, lon: number }} Point
 * `near`: the nearest of a class; `isWhole`: nothing more is on its way; `problem`: why a question failed;
 * `message`: why nothing is known of what is near
 * @typedef {{ near: any[], places: any[], isWhole: boolean, problem: string | null, message: string | null }} Found
 */

/** From one request to the next while someone types. */
export const GAP_MS = 250;
/** Letters of an address, at least. */
const ADDRESS_LETTERS = 4;

/** Creates what looks for texts, whose requests have one pace. */
export function createFinder() {
  const pace = createPace(GAP_MS);

  /**
   * Reports what is found as it comes, and at the end that it is whole; nothing once the signal has ended.
   * @param {string} text @param {{ point: Point | null, classes: string, signal: AbortSignal, report: (found: Found) => void }} given
   */
  return async (text, { point, classes, signal, report }) => {
    /** @type {Found} */
    const found = { near: [], places: [], isWhole: false, problem: null, message: null };
    const ask = async (/** @type {import("./api.js").Ask} */ question) => {
      const done = await pace(() => call(question, signal), signal);
      if (done === null || done.problem === ABORTED || signal.aborted) return null;
      found.problem ??= done.problem;
      return done;
    };
    if (classes !== "" && point !== null) {
      const done = await ask(askClasses(classes, point));
      if (done === null) return;
      found.near = done.body?.results ?? [];
      found.message = done.body?.message ?? null;
      report({ ...found });
    }
    const named = await ask(askPlaces(text, point));
    if (named === null) return;
    found.places = named.body?.results ?? [];
    const isBare = found.near.length === 0 && found.places.length === 0 && classes === "";
    if (isBare && found.problem === null && text.length >= ADDRESS_LETTERS) {
      report({ ...found });
      const addressed = await ask(askAddresses(text));
      if (addressed === null) return;
      found.places = addressed.body?.results ?? [];
    }
    report({ ...found, isWhole: true });
  };
}
