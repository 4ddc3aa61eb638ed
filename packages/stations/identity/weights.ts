/**
 * Every number by which stations are distinguished, with its reason. docs/identity.md is generated
 * from this table. Weights are natural logarithms of likelihood ratios: how many times likelier a
 * finding is between two observations of one station than between neighbours (+2.3: ten times).
 * They add up; cluster.ts turns the sum into a probability.
 */

export const WEIGHTS = {
  key_equal: { value: 16, why: "a key in common: outweighs what a rename and a move can say" },
  key_elsewhere: {
    value: -6,
    why: "the key of one of them is found on another observation of the other's feed",
  },
  coordinate_key: {
    value: 4,
    why: "CityBikes' id is the MD5 of the very coordinates the other publishes",
  },
  name_equal: { value: 6, why: "the same words and numbers, whatever their spelling and order" },
  name_literal: {
    value: 3,
    why: "letter by letter the same, in addition to `name_equal`: distinguishes `Oak St` from `Oak St*` where both sides have both",
  },
  name_different: {
    value: -3,
    why: "no word in common; docks get renamed. Names alike in part lie between the two, by the square of what they share: neighbours share a street",
  },
  number_conflict: {
    value: -6,
    why: "each side has a number the other lacks: 28 St and 29 St are two places",
  },
  side_conflict: { value: -6, why: "east here and west there: two sides of one crossing" },
  twin_conflict: { value: -9, why: "twin docks: (1) here and (2) there" },
  twin_one_sided: { value: -2, why: "a twin's suffix on one side alone" },
  capacity_equal: { value: 0.7, why: "the same number of docks; many docks share a size" },
  capacity_differs: { value: -0.7, why: "more than a factor of two apart; docks get extended" },
  virtual_differs: { value: -1, why: "a painted bay on one side, docks on the other" },
  kinship_unknown: {
    value: -6,
    why: "nothing says who runs one of the two: as much as an equal name weighs, so that place alone never merges them",
  },
} as const satisfies Record<string, { value: number; why: string }>;
type WeightName = keyof typeof WEIGHTS;

/** Findings in the order they are reported. */
export const REASON_CODES = [
  "key_equal",
  "key_elsewhere",
  "coordinate_key",
  "distance",
  "name_equal",
  "name_literal",
  "name_similar",
  "name_different",
  "name_unknown",
  "number_conflict",
  "side_conflict",
  "twin_conflict",
  "twin_one_sided",
  "capacity_equal",
  "capacity_differs",
  "virtual_differs",
  "kinship_unknown",
] as const;
export type ReasonCode = (typeof REASON_CODES)[number] | "too_far" | "override" | "succession";

export const THRESHOLDS = {
  merge: { value: 0.8, unit: "", why: "probability from which two observations are one station" },
  possible: { value: 0.3, unit: "", why: "probability from which a pair is a `possible_match`" },
  candidate: {
    value: -4,
    unit: "",
    why: "sum of weights below which a pair is not considered, and which no pair within a station may have",
  },
  diameter_m: {
    value: 150,
    unit: " m",
    why: "no two observations of one station lie further apart; equal keys beyond it are a conflict",
  },
  spacing_m: {
    value: 200,
    unit: " m",
    why: "usual distance between neighbouring stations of one system: the background of the distance weight",
  },
  moved_share: {
    value: 0.05,
    unit: "",
    why: "share of stations that one of two sources shows anywhere within the bound: the dock moved, or the pin is old",
  },
} as const satisfies Record<string, { value: number; unit: string; why: string }>;

/** The numbers as one resolution uses them; the scorecard varies some when it holds a city out. */
export type Tuning = Record<WeightName | keyof typeof THRESHOLDS, number>;

export const TUNING: Tuning = Object.fromEntries(
  Object.entries({ ...WEIGHTS, ...THRESHOLDS }).map(([name, { value }]) => [name, value]),
) as Tuning;
