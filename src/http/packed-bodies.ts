/** Bodies in the codings that were requested, each made once for all callers and kept by its version. */
import { BoundedCache } from "#app/kept.ts";
import { unlessFailed } from "#kit/guard.ts";
import { compress } from "./compression.ts";
import type { Encoding } from "./negotiate.ts";

/** `version`: another one where anything of the bytes is. */
type Body = { version: string; bytes: Uint8Array };

export class PackedBodies {
  readonly #made: BoundedCache<Uint8Array>;
  readonly #making = new Map<string, Promise<Uint8Array>>();

  /** `most_bytes`: of all that are kept. */
  constructor(most_bytes: number) {
    this.#made = new BoundedCache(most_bytes);
  }

  of({ version, bytes }: Body, encoding: Encoding): Uint8Array | Promise<Uint8Array> {
    const key = `${encoding} ${version}`;
    const made = this.#made.find(key) ?? this.#making.get(key);
    if (made) return made;
    const making = this.#make(key, bytes, encoding);
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
    const packed = await unlessFailed(compress(bytes, encoding), () => this.#making.delete(key));
    this.#making.delete(key);
    this.#made.keep(key, packed, packed.length);
    return packed;
  }
}
