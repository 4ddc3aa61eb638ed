/**
 * A text that is the same for all requests within some seconds: rendered once, and compressed once
 * for each encoding. Its bytes are shared and never written to.
 */
import type { Clock } from "#ports.ts";
import { compress } from "./compression.ts";
import type { Encoding } from "./negotiate.ts";

export class Rendered {
  readonly #clock: Clock;
  readonly #life_ms: number;
  readonly #render: () => string;
  #made_at_ms = Number.NaN;
  #plain: Uint8Array = new Uint8Array(0);
  #packed = new Map<Encoding, Promise<Uint8Array>>();

  constructor(clock: Clock, life_ms: number, render: () => string) {
    this.#clock = clock;
    this.#life_ms = life_ms;
    this.#render = render;
  }

  plain(): Uint8Array {
    const age_ms = this.#clock.now() - this.#made_at_ms;
    // When the clock was set back, the held text is too old as well.
    if (!(age_ms >= 0 && age_ms < this.#life_ms)) {
      this.#plain = Buffer.from(this.#render());
      this.#made_at_ms = this.#clock.now();
      this.#packed = new Map();
    }
    return this.#plain;
  }

  packed(encoding: Encoding): Promise<Uint8Array> {
    const plain = this.plain();
    const entry = this.#packed.get(encoding) ?? compress(plain, encoding);
    this.#packed.set(encoding, entry);
    return entry;
  }
}
