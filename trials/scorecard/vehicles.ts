/**
 * Vehicles of two feeds, judged like stations: seeded fleets, of which the truth is known, as an operator
 * and a second publisher would show them. What is judged is what the world shows, by the packers of the
 * service.
 */
import type { Feed } from "#stations/index.ts";
import {
  areOneBrand,
  bareVehicleId,
  type BrandFleet,
  fleetOf,
  identityColumns,
  NO_VEHICLE,
  pairVehicles,
  prefixWords,
} from "#stations/resolution.ts";
import { METRES_PER_DEGREE } from "#kit/geo.ts";

/** How the second feed writes the ids of the first. */
const FORMS = {
  same: (id: string) => id,
  code_space: (id: string) => `YRO:Vehicle:${id}`,
  provider: (id: string) => `roll_city:${id}`,
  brand: (id: string) => `roll-${id}`,
  bars: (id: string) => `YRO|Vehicle|${id}`,
  hash: (id: string) => `roll_city#${id}`,
  capitals: (id: string) => id.toUpperCase(),
  capitals_behind: (id: string) => `YRO:VEHICLE:${id.toUpperCase()}`,
  /** Another id for each trip: nothing to be merged by. */
  rotating: (id: string) => `z${id.split("").toReversed().join("")}9`,
  /** The same, in which case counts: as short as ids are, so that some differ in case alone. */
  rotating_codes: (_: string, random: () => number) => codeOf(random, 4),
  /** Numbers that each feed counts up for itself: another vehicle has this one's. */
  own_numbers: (id: string) => String(24_400 - Number(id)),
} as const;

export type VehicleCard = {
  form: keyof typeof FORMS;
  ids: Ids;
  /** Vehicles that both feeds have, where their ids agree. */
  same: number;
  found: number;
  /** Merges of two vehicles that are two. */
  wrong: number;
  possible: number;
};

type Ids = (typeof IDS)[number];
/** Codes are of letters and digits, and case counts in them. */
const IDS = ["uuid", "number", "code", "short_code"] as const;
/** Forms that are not of every kind of ids. */
const ONLY: Readonly<Record<string, readonly Ids[]>> = {
  own_numbers: ["number"],
  rotating_codes: ["short_code"],
  // Of four letters and digits, several hundred are the same in capitals.
  capitals: ["uuid", "number", "code"],
  capitals_behind: ["uuid", "number", "code"],
};
const DISAGREE: ReadonlySet<string> = new Set(["rotating", "rotating_codes", "own_numbers"]);

/** A vehicle in truth: its number, its place and kind. */
type Vehicle = { id: string; lat: number; lon: number; modes: number };

const FLEET = 4_000;
/** Of each feed alone. */
const ALONE = 400;
const CITY_M = 6_000;

export function judgeVehicles(seed: number): VehicleCard[] {
  const random = randomOf(seed);
  return IDS.flatMap((ids) =>
    (Object.keys(FORMS) as (keyof typeof FORMS)[])
      .filter((form) => ONLY[form]?.includes(ids) ?? true)
      .map((form) => judgeOne(random, form, ids)),
  );
}

function judgeOne(
  random: () => number,
  form: keyof typeof FORMS,
  ids: VehicleCard["ids"],
): VehicleCard {
  let next = 10_000;
  const fleet = Array.from({ length: FLEET }, () => vehicleOf(random, idOf(random, ids, next++)));
  const mine = [
    ...fleet,
    ...Array.from({ length: ALONE }, () => vehicleOf(random, idOf(random, ids, next++))),
  ];
  // Some have moved since, and every pin errs a little.
  const theirs = [
    ...fleet.map((each) =>
      random() < 0.05 ? { ...vehicleOf(random, each.id), modes: each.modes } : shake(random, each),
    ),
    ...Array.from({ length: ALONE }, () => vehicleOf(random, idOf(random, ids, next++))),
  ].map((each) => ({ ...each, id: FORMS[form](each.id, random) }));
  const one = sideOf("roll", "Roll Field", mine);
  const other = sideOf("roll_city", "Roll City", theirs);
  if (!areOneBrand(one.fleet, other.fleet)) throw new Error("one brand is two");
  const match = pairVehicles(one.vehicles, other.vehicles)?.a;
  const card: VehicleCard = {
    form,
    ids,
    same: DISAGREE.has(form) ? 0 : FLEET,
    found: 0,
    wrong: 0,
    possible: 0,
  };
  match?.same.forEach((row, i) => {
    if (row === NO_VEHICLE) return;
    if (row === i && i < FLEET) card.found++;
    else card.wrong++;
  });
  card.possible = match?.near.reduce((sum, each) => sum + (each === NO_VEHICLE ? 0 : 1), 0) ?? 0;
  return card;
}

function sideOf(system_id: string, name: string, vehicles: readonly Vehicle[]) {
  const feed: Feed = {
    id: `gbfs:${system_id}`,
    kind: "gbfs",
    system_id,
    names: [name, "Roll"],
    urls: [],
  };
  const fleet: BrandFleet = fleetOf(feed, name, null);
  const words = prefixWords([system_id, name, "Roll"]);
  const index = {
    lat: Float64Array.from(vehicles, ({ lat }) => lat),
    lon: Float64Array.from(vehicles, ({ lon }) => lon),
  };
  const keyed = vehicles.map(({ id, modes }) => ({ id: bareVehicleId(id, words), modes }));
  const identity = identityColumns(index, keyed);
  const state = Uint32Array.from(vehicles, ({ modes }) => modes);
  return { fleet, vehicles: { count: vehicles.length, index, state, identity } };
}

function vehicleOf(random: () => number, id: string): Vehicle {
  return {
    id,
    lat: 48 + ((random() - 0.5) * CITY_M) / METRES_PER_DEGREE,
    lon: 11 + ((random() - 0.5) * CITY_M) / (METRES_PER_DEGREE * 0.669),
    modes: random() < 0.8 ? 2 : 1,
  };
}

function shake(random: () => number, vehicle: Vehicle): Vehicle {
  const by = (): number => ((random() - 0.5) * 8) / METRES_PER_DEGREE;
  return { ...vehicle, lat: vehicle.lat + by(), lon: vehicle.lon + by() };
}

function idOf(random: () => number, ids: VehicleCard["ids"], number: number): string {
  if (ids === "number") return String(number);
  if (ids === "code") return codeOf(random, 7);
  if (ids === "short_code") return codeOf(random, 4);
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  return [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-");
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const CODE = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;

function codeOf(random: () => number, length: number): string {
  return Array.from({ length }, () => CODE[Math.floor(random() * CODE.length)]!).join("");
}

/** Mulberry32: the same fleets for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function vehicleText(cards: readonly VehicleCard[]): string {
  const rows = cards.map(({ form, ids, same, found, wrong, possible }) => {
    const merged = found + wrong;
    const precision = merged === 0 ? "-" : (found / merged).toFixed(4);
    const recall = same === 0 ? "-" : (found / same).toFixed(4);
    const name = `${ids} ${form}`.padEnd(22);
    return `${name}${precision.padStart(9)}${recall.padStart(8)}${`${found}/${same}`.padStart(12)}${String(wrong).padStart(7)}${String(possible).padStart(10)}`;
  });
  return ["vehicles              precision  recall        same  wrong  possible", ...rows].join(
    "\n",
  );
}
