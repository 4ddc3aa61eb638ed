/**
 * What makes charging stations of several sources one, after
 * docs/identity.md, "Car parks and charging stations": a charging point in common, the operator's id,
 * else nearness, operator, connectors and address together. Registers are often 30 to 100 m off, and
 * stations of two operators lie side by side.
 */
import type { Lexicon, Name } from "#kit/names/name.ts";
import { compareNames } from "#kit/names/similarity.ts";
import { evseIdOf, operatorOf, poolKey } from "./evse-id.ts";
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
  evse_ids: ReadonlySet<string>;
  /** Operators of these ids. */
  parties: ReadonlySet<string>;
  /** Operator and brand; empty: not known. */
  companies: readonly Company[];
  name: Name | null;
  street: Street | null;
  /** Types that say something, with the most power of each; null: it is not known. */
  types: ReadonlyMap<string, number | null>;
  count: number | null;
  /** The number on the station and the id at its source, letters and digits alone. */
  code: string | null;
  id: string;
};

/** Pins of two sources of one station; the neighbour is as near in a town. */
const DISTANCE: DistanceWeights = [
  [10, 3],
  [30, 2],
  [60, 0.8],
  [80, 0],
  [100, -1.5],
  [150, -3],
];
const WEIGHTS = {
  /** Points of one operator that are all others: two of its stations, or each source knows some points. */
  other_points: -4,
  /** An id that is the beginning of the other's: that of the station. */
  id_begins: 6,
  same_company: 2,
  other_company: -8,
  /** Next to a station without an operator lies another's as often. */
  unknown_company: -0.8,
  same_code: 4,
  same_name: 2,
  like_name: 0.5,
  other_name: -0.7,
  other_number: -3,
  same_types: 1,
  common_types: 0.3,
  other_types: -3,
  same_power: 1,
  unlike_power: -0.3,
  other_power: -2,
  same_count: 0.7,
  unlike_count: -0.3,
  other_count: -1,
} as const;

const SAME_POWER = 1.15;
const OTHER_POWER = 2.5;
const OTHER_COUNT = 3;
/** Shorter codes are numbers that many stations have. */
const LEAST_CODE = 4;
/** What is left of an id must name more than an operator. */
const LEAST_BEGINNING = 8;
/** Sources mean several plugs by these, or none that they know. */
const VAGUE_TYPES: ReadonlySet<string> = new Set(["Other", "Tesla"]);

/** Words that any charging station is called by. */
const SILENT: ReadonlySet<string> = new Set(
  (
    "charging charger charge station point points ev evse electric vehicle car ladestation ladesaule " +
    "ladepunkt laden ladepark schnellladestation borne bornes recharge stations irve de pour vehicules " +
    "electriques laadpaal laadpunt laadstation punto carga recarga colonnina ricarica stazione di hub"
  ).split(" "),
);

export const CHARGING_IDENTITY: FacilityIdentity<Features> = {
  reach_m: 150,
  keysOf: listKeys,
  isOfPart: (key) => /^(?:evse|pool|station):/.test(key),
  featuresOf: toFeatures,
  weigh,
  // Side by side, of one operator, and no id says which: either is the station.
  areAlike: (a, b) => haveSameOperator(a, b) === true,
  mayBeParts,
};

/** Posts of one operator of which another source counts as many as all of them together. */
function mayBeParts(parts: readonly Features[], whole: Features): boolean {
  if (whole.count === null) return false;
  const [part, ...others] = parts;
  if (!others.every((other) => haveSameOperator(part!, other) === true)) return false;
  if ((weighIds(part!, whole) ?? -1) < 0) return false;
  return parts.reduce((sum, { count }) => sum + (count ?? 1), 0) <= whole.count;
}

function listKeys({ keys, external_id }: Place): readonly string[] {
  const pool = poolKey(external_id);
  return pool === null ? keys : [...keys, pool];
}

function toFeatures(place: Place, lexicon: Lexicon): Features {
  const { attributes, external_id, keys } = place;
  const evse_ids = new Set(keys.flatMap((key) => evseIdOf(key) ?? []));
  const charging = (attributes["charging"] ?? {}) as {
    connector_count?: unknown;
    connectors?: readonly { type?: unknown; max_kw?: unknown }[];
  };
  const types = new Map<string, number | null>();
  for (const { type, max_kw } of charging.connectors ?? []) {
    const name = String(type);
    if (VAGUE_TYPES.has(name)) continue;
    const [kw, before] = [toPositive(max_kw), types.get(name)];
    types.set(name, kw === null || before === null ? null : Math.max(kw, before ?? 0));
  }
  const companies = [attributes["operator"], attributes["brand"]].flatMap(
    (text) => companyOf(text) ?? [],
  );
  const own_name = ownNameOf(place);
  const named = own_name === null ? null : companyOf(own_name);
  const isCompany = named !== null && companies.some((company) => areOneCompany(company, named));
  return {
    evse_ids,
    parties: new Set([...evse_ids].map(operatorOf)),
    companies,
    name: own_name === null || isCompany ? null : nameOfWords(wordsBut(own_name, SILENT), lexicon),
    street: streetOf(place, lexicon),
    types,
    count: toPositive(charging.connector_count),
    code: toCode(attributes["code"]),
    id: toCode(external_id) ?? "",
  };
}

function toCode(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const code = value
    .slice(-64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  return code.length >= LEAST_CODE ? code : null;
}

function weigh(a: Features, b: Features, metres: number, lexicon: Lexicon): number | null {
  const ids = weighIds(a, b);
  if (ids === null) return null;
  return (
    weighDistance(DISTANCE, metres) +
    ids +
    weighOperators(a, b) +
    weighNames(a, b, lexicon) +
    weighStreets(a.street, b.street, lexicon) +
    weighTypes(a.types, b.types) +
    weighPowers(ratioOfPowers(a.types, b.types)) +
    weighCounts(ratioOf(a.count, b.count))
  );
}

/** null: points of different operators are never one for lying side by side. */
function weighIds(a: Features, b: Features): number | null {
  if (a.evse_ids.size === 0 || b.evse_ids.size === 0) return 0;
  if (!haveCommonParty(a, b)) return null;
  for (const id of a.evse_ids) if (b.evse_ids.has(id)) return WEIGHTS.id_begins;
  return beginsWith(a, b) || beginsWith(b, a) ? WEIGHTS.id_begins : WEIGHTS.other_points;
}

function haveCommonParty({ parties }: Features, other: Features): boolean {
  for (const party of parties) if (other.parties.has(party)) return true;
  return false;
}

function beginsWith({ evse_ids: some }: Features, { evse_ids: others }: Features): boolean {
  for (const id of some)
    if (id.length >= LEAST_BEGINNING)
      for (const other of others) if (other.startsWith(id)) return true;
  return false;
}

function weighOperators(a: Features, b: Features): number {
  const code = hasCodeOf(a, b) || hasCodeOf(b, a) ? WEIGHTS.same_code : 0;
  const same = haveSameOperator(a, b);
  if (same === null) return WEIGHTS.unknown_company + code;
  return same ? WEIGHTS.same_company + code : WEIGHTS.other_company;
}

/** null: it is not known of both. */
function haveSameOperator(a: Features, b: Features): boolean | null {
  if (haveCommonParty(a, b)) return true;
  if (a.companies.length === 0 || b.companies.length === 0) return null;
  return a.companies.some((one) => b.companies.some((other) => areOneCompany(one, other)));
}

/** The number on a station may be a part of its id elsewhere. */
function hasCodeOf({ code }: Features, other: Features): boolean {
  return code !== null && (code === other.code || other.id.endsWith(code));
}

function weighNames(a: Features, b: Features, lexicon: Lexicon): number {
  if (a.name === null || b.name === null) return 0;
  const { similarity, number_conflict } = compareNames(lexicon, a.name, b.name);
  if (similarity < 0) return 0;
  if (number_conflict) return WEIGHTS.other_number;
  if (similarity === 1) return WEIGHTS.same_name;
  return similarity >= 0.5 ? WEIGHTS.like_name : WEIGHTS.other_name;
}

function weighTypes(a: Features["types"], b: Features["types"]): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const type of a.keys()) if (b.has(type)) common++;
  if (common === 0) return WEIGHTS.other_types;
  return common === a.size && common === b.size ? WEIGHTS.same_types : WEIGHTS.common_types;
}

/** Of the type whose powers differ most; null: of none both are known. */
function ratioOfPowers(a: Features["types"], b: Features["types"]): number | null {
  let most: number | null = null;
  for (const [type, max_kw] of a) {
    const ratio = ratioOf(max_kw, b.get(type) ?? null);
    if (ratio !== null) most = Math.max(most ?? 1, ratio);
  }
  return most;
}

function weighPowers(ratio: number | null): number {
  if (ratio === null) return 0;
  if (ratio <= SAME_POWER) return WEIGHTS.same_power;
  return ratio < OTHER_POWER ? WEIGHTS.unlike_power : WEIGHTS.other_power;
}

function weighCounts(ratio: number | null): number {
  if (ratio === null) return 0;
  if (ratio === 1) return WEIGHTS.same_count;
  return ratio < OTHER_COUNT ? WEIGHTS.unlike_count : WEIGHTS.other_count;
}
