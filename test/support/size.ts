/**
 * How much is tried: `npm test` tries a sample of what has many cells, seeds or steps, and
 * `npm run trials -- whole` all of it, with the same tests.
 */

const WHOLE = process.env["VICINITY_TESTS"] === "whole";

/** `whole` in the trial, else `sample`. */
export function sized<T>(sample: T, whole: T): T {
  return WHOLE ? whole : sample;
}
