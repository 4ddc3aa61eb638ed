/** Settings of a source that it may refuse, and others that it takes then, for a bounded time. */
import type { Clock } from "#ports.ts";
import type { Ask } from "#upstream/lookup/ask-source.ts";

/** After so long the usual settings are tried again: a deployment may have learned them meanwhile. */
const OTHERS_MS = 3_600_000;

type Options<Q, V> = {
  clock: Clock;
  usual: Ask<Q, V>;
  other: Ask<Q, V>;
  /** The failure by which the source refuses the usual settings. */
  refusal: string;
};

export class Alternative<Q, V> {
  readonly #options: Options<Q, V>;
  /** Until when the other settings are used, epoch ms. */
  #others_until_ms = 0;

  constructor(options: Options<Q, V>) {
    this.#options = options;
  }

  /** Asks with the usual settings; where they are refused, with the others at once. */
  readonly ask: Ask<Q, V> = async (query, options) => {
    const { clock, usual, other, refusal } = this.#options;
    if (clock.now() < this.#others_until_ms) return await other(query, options);
    const reply = await usual(query, options);
    if (reply.status === "ok" || reply.reason !== refusal) return reply;
    this.#others_until_ms = clock.now() + OTHERS_MS;
    return await other(query, options);
  };
}
