/**
 * What makes car parks of several sources one (docs/identity.md, "Car parks and charging stations"):
 * a key in common, else nearness, name, capacity and kind together. A car park is an area: a register
 * may have its entrance, 100 m from the centre that a map has.
 */
import type { Lexicon, Name } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import {
  areOneCompany,
  type Company,
  companyOf,
  type DistanceWeights,
  nameOfWords,
  ratioOf,
  type Street,
  streetOf,
  toPositive,
  weighDistance,
  weighStreets,
  wordsBut,
} from "./facility-evidence.ts";
import type { FacilityIdentity } from "./facility-groups.ts";
import { ownNameOf } from "./place-naming.ts";
import type { Place } from "./place.ts";

type Features = {
  /** What is left of its name without words for car parks and without numbers. */
  name: Name | null;
  /** Numbers and single letters of the name: `2` of "P2", `b` of "Parkplatz B". */
  numbers: ReadonlySet<string>;
  capacity: number | null;
  kind: "garage" | "lot" | "street" | null;
  operator: Company | null;
  street: Street | null;
};

const DISTANCE: DistanceWeights = [
  [10, 3.4],
  [25, 2.4],
  [50, 1.4],
  [100, -0.5],
  [150, -2],
];
const WEIGHTS = {
  /** A town is full of car parks without a name: next to a named one lies another. */
  unnamed: -1.6,
  both_unnamed: -0.7,
  same_name: 5,
  /** Names alike in part lie between these two, by what they share. */
  half_name: 1,
  other_name: -4,
  same_numbers: 2,
  other_number: -1.5,
  same_capacity: 2,
  like_capacity: 0.7,
  unlike_capacity: -0.7,
  other_capacity: -2.5,
  same_kind: 0.7,
  other_kind: -2.5,
  same_operator: 0.7,
  other_operator: -0.5,
} as const;

const SAME_CAPACITY = 1.03;
const LIKE_CAPACITY = 1.25;
const OTHER_CAPACITY = 2.5;

/** Words for car parks, in the languages of registers. */
const SILENT: ReadonlySet<string> = new Set(
  (
    "parkhaus parkplatz parkgarage parkgaragen parkdeck parkpalette parkflache parking parkings park " +
    "parkering parkeergarage parkeerterrein parkeerplaats p pr garage tiefgarage tg ph pp r ride and " +
    "und et car carpark parkhouse lot multi storey underground parc parc-relais relais stationnement " +
    "souterrain ouvrage aparcamiento aparcament estacionamento estacionamiento parcheggio autosilo " +
    "parkplatze e o y am an der die das de du des la le les l del della of the on in im zur zum"
  ).split(" "),
);
/** `P2`, `P 2`, `PH3`, `TG 1`. */
const NUMBERED = /^(?:p|ph|pp|tg|pr)?0*(\d{1,4}[a-z]?)$/;
const SINGLE_LETTER = /^[a-hj-z]$/;

export const PARKING_IDENTITY: FacilityIdentity<Features> = {
  reach_m: 150,
  keysOf: ({ keys }) => keys,
  isOfPart: () => false,
  featuresOf: toFeatures,
  weigh,
  areAlike: () => false,
  mayBeParts: () => false,
};

function toFeatures(place: Place, lexicon: Lexicon): Features {
  const { attributes } = place;
  const own_name = ownNameOf(place);
  const numbers = new Set<string>();
  const words = (own_name === null ? [] : wordsBut(own_name, SILENT)).filter((word) => {
    const number = NUMBERED.exec(word)?.[1] ?? (SINGLE_LETTER.test(word) ? word : null);
    if (number !== null) numbers.add(number);
    return number === null;
  });
  return {
    name: nameOfWords(words, lexicon),
    numbers,
    capacity: toPositive(attributes["capacity"]) ?? capacityOf(attributes["availability"]),
    kind: kindOf(attributes["parking"]),
    operator: companyOf(attributes["operator"]),
    street: streetOf(place, lexicon),
  };
}

/** As the live half of a register has it. */
function capacityOf(availability: unknown): number | null {
  return toPositive((availability as { capacity?: unknown } | undefined)?.capacity);
}

/** null: not known. */
function kindOf(parking: unknown): Features["kind"] {
  const { kind, features } = (parking ?? {}) as { kind?: unknown; features?: unknown };
  if (kind === "garage" || kind === "lot") return kind;
  const list: readonly unknown[] = Array.isArray(features) ? features : [];
  return list.some((feature) => String(feature).includes("street")) ? "street" : null;
}

/** null: two numbers of one row of car parks. */
function weigh(a: Features, b: Features, metres: number, lexicon: Lexicon): number | null {
  const name = weighNames(a, b, lexicon);
  if (name === null) return null;
  return (
    weighDistance(DISTANCE, metres) +
    name +
    weighCapacities(ratioOf(a.capacity, b.capacity)) +
    weighKinds(a.kind, b.kind) +
    weighOperators(a.operator, b.operator) +
    weighStreets(a.street, b.street, lexicon)
  );
}

function weighNames(a: Features, b: Features, lexicon: Lexicon): number | null {
  const { unnamed, both_unnamed, other_name, half_name, same_name } = WEIGHTS;
  if (isUnnamed(a) || isUnnamed(b)) return isUnnamed(a) && isUnnamed(b) ? both_unnamed : unnamed;
  const numbers = weighNumbers(a.numbers, b.numbers);
  if (numbers === null) return null;
  // "P2" alone is a name where both have it.
  if (a.name === null || b.name === null)
    return a.name === b.name ? numbers : unnamed + Math.min(0, numbers);
  const { similarity, side_conflict } = compareNames(lexicon, a.name, b.name);
  if (side_conflict) return null;
  // Another script says nothing.
  if (similarity < 0) return unnamed + numbers;
  if (similarity < 0.5) return other_name + (half_name - other_name) * similarity * 2 + numbers;
  return half_name + (same_name - half_name) * (similarity - 0.5) * 2 + numbers;
}

function isUnnamed({ name, numbers }: Features): boolean {
  return name === null && numbers.size === 0;
}

function weighNumbers(a: ReadonlySet<string>, b: ReadonlySet<string>): number | null {
  if (a.size === 0 && b.size === 0) return 0;
  if (a.size === 0 || b.size === 0) return WEIGHTS.other_number;
  for (const number of a) if (b.has(number)) return WEIGHTS.same_numbers;
  return null;
}

function weighCapacities(ratio: number | null): number {
  if (ratio === null) return 0;
  if (ratio <= SAME_CAPACITY) return WEIGHTS.same_capacity;
  if (ratio <= LIKE_CAPACITY) return WEIGHTS.like_capacity;
  return ratio < OTHER_CAPACITY ? WEIGHTS.unlike_capacity : WEIGHTS.other_capacity;
}

function weighKinds(a: Features["kind"], b: Features["kind"]): number {
  if (a === null || b === null) return 0;
  return a === b ? WEIGHTS.same_kind : WEIGHTS.other_kind;
}

function weighOperators(a: Company | null, b: Company | null): number {
  if (a === null || b === null) return 0;
  return areOneCompany(a, b) ? WEIGHTS.same_operator : WEIGHTS.other_operator;
}
