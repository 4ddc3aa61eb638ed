/**
 * Time as requests (docs/decisions/0032-a-burst-counts-time.md): an answer counts as one request, and
 * as one more for each whole `TOKEN_MS` of the serving thread that it took. One that took less is one
 * request, as ever; no mix of questions gets more than `TOKEN_MS` of the thread a request.
 */
export const TOKEN_MS = 2;

/**
 * An answer is charged for no more than this, twice what the dearest question takes (docs/lab/density.md).
 * What takes longer is no fault of the caller: a first question, for which data of all are read, or a
 * machine that lacks processors.
 */
const MOST_MS = 50;

/** Returns the requests that an answer counts as, beyond the one that was counted when it came. */
export function toTokens(ms: number, token_ms: number = TOKEN_MS): number {
  return ms < token_ms ? 0 : Math.floor(Math.min(ms, MOST_MS) / token_ms);
}
