/**
 * What the id of a vehicle is without what a publisher puts before it (R11): aggregators add a code
 * space (`YGL:Vehicle:x`) or the provider's name (`lime_zurich:x`, `roll-x`) to the operator's own id.
 */
import { fold, nameWords } from "#kit/names/fold.ts";

/**
 * `YGL:Vehicle:`, `lime_zurich:`, `dott/`, `roll|`, `roll#`: begins with a letter, or with a number before
 * a word as in `44:Vehicle:`, and ends at a mark that no id of ours has.
 */
const SPACE =
  /^(?:\d[\p{L}\d_.-]{0,63}[:/|#]+(?=\p{L}{1,63}[:/|#]))?(?:\p{L}[\p{L}\d_.-]{0,63}[:/|#]+)+(?=.)/u;
/** Marks that may follow a provider's name, and also occur within an id. */
const MARK = /[_. -]/;
/** What publishers call a vehicle in front of its id. */
const KINDS = ["vehicle", "bike", "bicycle", "scooter", "moped", "car"];

/** Words that may come before an id in a system of these names: those of its names, and of kinds of vehicles. */
export function prefixWords(names: readonly string[]): ReadonlySet<string> {
  const words = names.flatMap((name) => nameWords(fold(name)));
  // A number may be the id itself.
  return new Set([...words, ...KINDS].filter((word) => /\p{L}/u.test(word)));
}

/** Returns the id without code space and provider's name; never empty where `id` is not. */
export function bareVehicleId(id: string, words: ReadonlySet<string>): string {
  let rest = id.trim().replace(SPACE, "");
  for (;;) {
    const end = rest.search(MARK);
    if (end < 1 || end === rest.length - 1) return rest;
    if (!words.has(fold(rest.slice(0, end)))) return rest;
    rest = rest.slice(end + 1);
  }
}

/**
 * Returns the id in one letter case: publishers write the same one in capitals or small letters. Another
 * vehicle may have it where case counts (`aB3`, `Ab3`), so equal ids as they are go first.
 */
export function foldedId(bare: string): string {
  return bare.toLowerCase();
}

/** From this length on an id is no other vehicle's by chance, wherever the two are. */
export const DISTINCTIVE_ID = 16;

/**
 * A number of 53 bits for an id of a kind of vehicle (two rounds of cyrb53): with a hundred thousand on
 * either side, one pair in a million feeds is equal by chance. 0: it has none.
 */
export function vehicleKey(bare: string, modes: number): number {
  if (bare === "") return 0;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i <= bare.length; i++) {
    const unit = i < bare.length ? bare.charCodeAt(i) : modes;
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0) || 1;
}
