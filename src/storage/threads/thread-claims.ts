/** Claims of the threads of one process (ports/claims.ts): made and ended by the thread that has them all. */
import type { Claims } from "#ports/claims.ts";
import type { Time } from "#storage/store-time.ts";

/** Functions of the thread that has the claims. `token`: of the claim that is made; null: another has the key. */
export type ClaimCalls = {
  claim(key: Uint8Array, life_ms: number): number | null;
  endClaim(key: Uint8Array, token: number): void;
};

/** The claims of all threads. */
export class ThreadClaims implements ClaimCalls {
  readonly #time: Pick<Time, "now">;
  readonly #held = new Map<string, { token: number; until_ms: number }>();
  #next = 1;

  constructor(time: Pick<Time, "now">) {
    this.#time = time;
  }

  readonly claim = (key: Uint8Array, life_ms: number): number | null => {
    const now_ms = this.#time.now();
    const name = nameOf(key);
    if ((this.#held.get(name)?.until_ms ?? -Infinity) > now_ms) return null;
    for (const [other, { until_ms }] of this.#held) {
      // In the order in which they were made: what is left behind has as long to live as this.
      if (until_ms > now_ms) break;
      this.#held.delete(other);
    }
    const token = this.#next++;
    this.#held.delete(name);
    this.#held.set(name, { token, until_ms: now_ms + life_ms });
    return token;
  };

  readonly endClaim = (key: Uint8Array, token: number): void => {
    const name = nameOf(key);
    if (this.#held.get(name)?.token === token) this.#held.delete(name);
  };
}

type Later<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;

/** The claims as a thread makes them, by calls to the one that has them. */
export function claimsOver(calls: { [K in keyof ClaimCalls]: Later<ClaimCalls[K]> }): Claims {
  return {
    async claim(key, life_ms) {
      const token = await calls.claim(key, life_ms);
      return token === null ? "held" : { end: () => calls.endClaim(key, token) };
    },
  };
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString("base64url");
}
