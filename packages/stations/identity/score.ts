/**
 * Evidence for and against two observations being one station: a sum of weights, and the same
 * as a list of reasons. Pure; one function serves both, so that no reason can differ from the score.
 */
import { isCoordinateKey } from "./station-keys.ts";
import type { Kinship } from "./kinship.ts";
import { KINSHIP_UNKNOWN } from "./kinship.ts";
import type { Prepared } from "./prepare.ts";
import { compareNames } from "#kit/names/similarity.ts";
import { REASON_CODES } from "./weights.ts";
import type { ReasonCode } from "./weights.ts";

/** One finding and what it weighs (natural logarithm of a likelihood ratio). */
export type WeighedReason = { code: ReasonCode; weight: number };

/** What is known of a pair apart from the two observations. */
export type PairContext = {
  distance_m: number;
  kinship: Kinship;
  keys: "equal" | "elsewhere" | "unknown";
};

type Slot = Record<(typeof REASON_CODES)[number], number>;
const SLOT = Object.fromEntries(REASON_CODES.map((code, index) => [code, index])) as Slot;

/** Sum of weights. Symmetrical in a and b. */
export function scorePair(prepared: Prepared, a: number, b: number, pair: PairContext): number {
  const { tuning, found } = prepared;
  found.fill(Number.NaN);
  found[SLOT.distance] = weighDistance(prepared, a, b, pair.distance_m);
  if (pair.kinship === KINSHIP_UNKNOWN) found[SLOT.kinship_unknown] = tuning.kinship_unknown;
  if (pair.keys === "equal") found[SLOT.key_equal] = tuning.key_equal;
  if (pair.keys === "elsewhere") found[SLOT.key_elsewhere] = tuning.key_elsewhere;
  weighName(prepared, a, b);
  weighCapacity(prepared, a, b);
  if (-1 === prepared.virtual[a]! * prepared.virtual[b]!)
    found[SLOT.virtual_differs] = tuning.virtual_differs;
  if (pair.distance_m < COORDINATE_KEY_M && hasCoordinateKey(prepared, a, b))
    found[SLOT.coordinate_key] = tuning.coordinate_key;
  let sum = 0;
  for (const weight of found) if (!Number.isNaN(weight)) sum += weight;
  return sum;
}

/** The reasons of the pair, in the order of REASONS. */
export function reasonsOf(
  prepared: Prepared,
  a: number,
  b: number,
  pair: PairContext,
): WeighedReason[] {
  scorePair(prepared, a, b, pair);
  const { found } = prepared;
  const reasons: WeighedReason[] = [];
  for (let i = 0; i < REASON_CODES.length; i++)
    if (!Number.isNaN(found[i]!))
      reasons.push({ code: REASON_CODES[i]!, weight: Math.round(found[i]! * 100) / 100 });
  return reasons;
}

/**
 * How likely a pin of the same station is this far away, against stations scattered at the
 * usual spacing. Most pins err as Student's t in two dimensions with two degrees of freedom (half
 * within one step of both precisions, nine tenths within three); a few moved anywhere.
 */
function weighDistance(prepared: Prepared, a: number, b: number, distance_m: number): number {
  const pa = prepared.precision[a]!;
  const pb = prepared.precision[b]!;
  const { spacing_m, moved_share, diameter_m } = prepared.tuning;
  const step2 = pa * pa + pb * pb;
  const spread = 1 + (distance_m * distance_m) / step2;
  const honest = (1 - moved_share) / (Math.PI * step2 * spread * spread);
  const moved = moved_share / (Math.PI * diameter_m * diameter_m);
  return Math.log((honest + moved) * spacing_m * spacing_m);
}

const SIMILAR = 0.5;

function weighName(prepared: Prepared, a: number, b: number): void {
  const { tuning, names, lexicon, found } = prepared;
  const x = names[a]!;
  const y = names[b]!;
  if (x === y && x.words.length > 0) {
    // A text is prepared once, so the same text is the same object.
    found[SLOT.name_equal] = tuning.name_equal;
    found[SLOT.name_literal] = tuning.name_literal;
    return;
  }
  const name = compareNames(lexicon, x, y);
  if (name.similarity < 0) found[SLOT.name_unknown] = 0;
  else {
    const span = tuning.name_equal - tuning.name_different;
    const { similarity } = name;
    const slot =
      similarity === 1
        ? SLOT.name_equal
        : similarity >= SIMILAR
          ? SLOT.name_similar
          : SLOT.name_different;
    found[slot] = tuning.name_different + span * similarity * similarity;
  }
  if (name.number_conflict) found[SLOT.number_conflict] = tuning.number_conflict;
  if (name.side_conflict) found[SLOT.side_conflict] = tuning.side_conflict;
  if (x.suffix !== y.suffix && x.words.length > 0 && y.words.length > 0) {
    const both = x.suffix !== 0 && y.suffix !== 0;
    if (both) found[SLOT.twin_conflict] = tuning.twin_conflict;
    else found[SLOT.twin_one_sided] = tuning.twin_one_sided;
  }
}

function weighCapacity(prepared: Prepared, a: number, b: number): void {
  const { tuning, found } = prepared;
  const x = prepared.capacity[a]!;
  const y = prepared.capacity[b]!;
  if (x <= 0 || y <= 0) return;
  if (x === y) found[SLOT.capacity_equal] = tuning.capacity_equal;
  else if (x > 2 * y || y > 2 * x) found[SLOT.capacity_differs] = tuning.capacity_differs;
}

/** Coordinates that make the same key are the same to a millionth of a degree. */
const COORDINATE_KEY_M = 1;

function hasCoordinateKey(prepared: Prepared, a: number, b: number): boolean {
  return isKeyOf(prepared, a, b) || isKeyOf(prepared, b, a);
}

function isKeyOf(prepared: Prepared, a: number, b: number): boolean {
  if (!prepared.has_coordinate_key[a]) return false;
  const other = prepared.observations[b]!;
  return isCoordinateKey(prepared.observations[a]!.id, other.lat, other.lon);
}
