/**
 * What objects of an extract add to the page that they lie in, in bytes, known before any page is made:
 * fitted to the bases of ten extracts, from -4 to +12 % of each (docs/lab/pages.md).
 */
import { createKeyMatcher, type KeyMatcher } from "../../base/base-keys.ts";
import type { WayView } from "../../pbf/views.ts";
import { WALKED_KEYS } from "../../walk/walk-rules.ts";
import { bitOf } from "./router.ts";
import type { SplitSection } from "./split-types.ts";

export const NODE_BYTES = 2;
/** Of a node that sections want. */
export const TAGGED_BYTES = 180;
/** Of a way: for each of its nodes where it may be walked, and once for a name and for an address. */
const WALKED_BYTES = 22;
const NAME_BYTES = 290;
const ADDRESS_BYTES = 60;

/** Buildings, which the walking section wants for their doors, are not walked. */
const WALKED = { name: "walked", keys: { node: [], way: WALKED_KEYS, relation: [] } };
const NAMED = { name: "named", keys: { node: [], way: ["name"], relation: [] } };
const ADDRESSED = {
  name: "addressed",
  keys: { node: [], way: ["addr:housenumber"], relation: [] },
};

/** `first`: what its first node adds; `each`: what all others do. */
export type WayWeight = { isWanted: boolean; first: number; each: number };

export class WayWeights {
  readonly #matcher: KeyMatcher;
  readonly #wanted: number;
  readonly #walk: number;
  readonly #named: number;
  readonly #addressed: number;
  /** By what the matcher says: there are few. */
  readonly #cache = new Map<number, WayWeight>();

  constructor(sections: readonly SplitSection[]) {
    const all = [...sections, WALKED, NAMED, ADDRESSED];
    this.#matcher = createKeyMatcher(all, "way");
    this.#wanted = 2 ** sections.length - 1;
    this.#walk = bitOf(sections, "walk") === 0 ? 0 : bitOf(all, WALKED.name);
    const isNamed = bitOf(sections, "geocoder") !== 0;
    this.#named = isNamed ? bitOf(all, NAMED.name) : 0;
    this.#addressed = isNamed ? bitOf(all, ADDRESSED.name) : 0;
  }

  of(way: WayView): WayWeight {
    const mask = way.maskOf(this.#matcher);
    let weight = this.#cache.get(mask);
    if (weight === undefined) this.#cache.set(mask, (weight = this.#weigh(mask)));
    return weight;
  }

  #weigh(mask: number): WayWeight {
    if ((mask & this.#wanted) === 0) return { isWanted: false, first: 0, each: 0 };
    const each = mask & this.#walk ? WALKED_BYTES : 0;
    const once =
      (mask & this.#named ? NAME_BYTES : 0) + (mask & this.#addressed ? ADDRESS_BYTES : 0);
    return { isWanted: true, first: each + once, each };
  }
}

/** Of a reference to a node of which no more is known. */
export const REFERENCE_BYTES = WALKED_BYTES;
