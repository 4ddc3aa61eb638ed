// How full a car park is in a given minute, and the slips with which its numbers are published.
import { between, hash, pick, unit } from "../rng.ts";
import type { ServiceThing, Spaces } from "./service-model.ts";

const MINUTE_S = 60;
const DAY_S = 86_400;
/** Of those that are counted, how many are full at any time. */
const FULL = 0.06;

/** Reports whether its spaces are counted: a street's never are. */
export const isCounted = ({ parking }: ServiceThing): boolean =>
  parking !== undefined && parking.kind !== "street" && parking.capacity !== null;

/** The spaces of a car park in the minute of `now_ms`; all that count them agree. Null: nobody does. */
export function spacesOf(thing: ServiceThing, now_ms: number): Spaces | null {
  const capacity = thing.parking?.capacity ?? null;
  if (capacity === null || !isCounted(thing)) return null;
  const beat = Math.floor(now_ms / 1000 / MINUTE_S);
  const taken = takenIn(thing, capacity, beat);
  const before = takenIn(thing, capacity, beat - 1);
  const for_disabled = unit(thing.key, 40) < 0.4 ? between(1, 4, thing.key, 41) : 0;
  const free = capacity - taken;
  return {
    capacity,
    free,
    trend: taken > before ? "filling" : taken < before ? "emptying" : "steady",
    disabled: { capacity: for_disabled, free: Math.min(for_disabled, free) },
    slip: slipOf(thing),
    since_s: beat * MINUTE_S,
  };
}

/** A wave through the day, each car park's at its own hour, and a little coming and going. */
function takenIn({ key }: ServiceThing, capacity: number, beat: number): number {
  if (unit(key, 42) < FULL) return capacity;
  const turn = ((beat * MINUTE_S) % DAY_S) / DAY_S + unit(key, 43);
  const share = 0.5 + 0.38 * Math.sin(2 * Math.PI * turn) + 0.06 * (unit(key, beat, 44) - 0.5);
  return Math.round(capacity * share);
}

const SLIPS = ["minus_one", "words", "unknown", "stale", "beyond"] as const;

/** Every sixth has one. */
const slipOf = ({ key }: ServiceThing): Spaces["slip"] =>
  unit(key, 45) < 1 / 6 ? pick(SLIPS, hash(key, 46)) : null;

/** The number of free spaces as it is published. */
export function publishedFree({ free, capacity, slip }: Spaces): string | number {
  if (slip === "minus_one") return -1;
  if (slip === "words") return `${free} (${Math.round((free / capacity) * 100)}%)`;
  return slip === "beyond" ? capacity + 20 : free;
}

const TWO_DAYS_S = 2 * DAY_S;

/** When it was counted as it is published, in seconds. */
export const publishedTime = ({ slip, since_s }: Spaces): number =>
  slip === "stale" ? since_s - TWO_DAYS_S : since_s;
