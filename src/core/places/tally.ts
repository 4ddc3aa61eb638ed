/** What an answer counts of all that was found (§4.6): by token, and what is unknown of a filter. */
import { UNKNOWN_COUNTS, type UnknownCount } from "#api/usable.ts";
import type { ServiceToken } from "./place-tokens.ts";
import type { UnknownPlaces, Wish } from "./usable-filter.ts";

export class PlaceTally {
  readonly #by_token: Record<string, number>;
  readonly #unknown: UnknownPlaces;
  #total = 0;
  #undrinkable = 0;
  #uncertain = 0;

  constructor(
    tokens: readonly ServiceToken[],
    wishes: readonly Pick<Wish<never>, "count">[],
    strict = false,
  ) {
    this.#by_token = Object.fromEntries(tokens.map((token) => [token, 0]));
    const wanted = UNKNOWN_COUNTS.filter((name) => wishes.some(({ count }) => count === name));
    this.#unknown = Object.fromEntries(wanted.map((name) => [name, 0]));
    if (strict && wishes.length > 0) this.#unknown.left_out = 0;
  }

  /** Counts things of a requested token that fit. */
  add(token: ServiceToken, things = 1): void {
    this.#by_token[token]! += things;
    this.#total += things;
  }

  /** Counts water of unknown quality that is shown after drinking water: of the total, and of no token. */
  addUncertain(things = 1): void {
    this.#uncertain += things;
    this.#total += things;
  }

  /** Counts things of which it is unknown whether they fit; `left_out`: that are left out for it. */
  addUnknown(count: UnknownCount | "left_out", things = 1): void {
    this.#unknown[count] = (this.#unknown[count] ?? 0) + things;
  }

  /** Counts water that is known not to be potable, whether or not it fits. */
  addUndrinkable(things = 1): void {
    this.#undrinkable += things;
  }

  get total(): number {
    return this.#total;
  }

  /** Every requested token, zero included. */
  get by_token(): Readonly<Record<string, number>> {
    return this.#by_token;
  }

  get unknown(): UnknownPlaces {
    return this.#unknown;
  }

  get undrinkable(): number {
    return this.#undrinkable;
  }

  get uncertain(): number {
    return this.#uncertain;
  }
}
