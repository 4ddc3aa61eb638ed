// Where stations are and what is special about each: fixed by the seed, untouched by time.
import { around, type Point } from "../geo.ts";
import { between, hash, pick, unit, uuid } from "../rng.ts";
import { postCodeOf } from "./post-codes.ts";
import type { City, Condition, Operator, Place, StationPlan, Text, Word } from "./model.ts";

/**
 * Every state that a client must distinguish occurs in every system of some size, near the centre
 * too.
 */
const CONDITIONS: Readonly<Record<number, Condition>> = {
  2: "often_empty",
  4: "often_full",
  7: "not_renting",
  9: "silent",
  12: "not_returning",
  15: "not_installed",
  18: "often_empty",
  20: "closed",
  23: "often_full",
};
const CONDITION_CYCLE = 27;
const GOLDEN_TURN = 0.381966;

export type PlaceOptions = {
  /** How often the operator has renumbered. */
  readonly generation?: number;
  /** The city's classic docks: other operators put their lots and bays next to them. */
  readonly docks?: Operator | null;
};

/** Lists all stations of an operator, nearest to the centre first. */
export function listPlaces(operator: Operator, options: PlaceOptions = {}): Place[] {
  const { generation = 0, docks = null } = options;
  const plan = operator.stations;
  if (plan === null) return [];
  const places = Array.from({ length: plan.count }, (_, index) =>
    toPlace(operator, plan, index, generation),
  ).map((place) => nextDoor(place, plan, docks));
  return [
    ...places.map((place) => withNumber(place, plan, 1)),
    ...listTwins(places, plan, generation),
  ];
}

/** The docks of an operator that was replaced, as it still lists them: `docks` are its successor's. */
export function listRetired(
  operator: Operator,
  docks: readonly Place[],
  generation: number,
): Place[] {
  return docks.map((dock) => ({
    ...dock,
    operator,
    ...toIds(operator, dock.index, generation),
    name: Object.fromEntries(
      Object.entries(dock.name).map(([tag, text]) => [tag, text.toLocaleUpperCase("und")]),
    ),
    condition: "retired",
  }));
}

/** The share of lots and bays that are by a dock, and of those the share on the very same pin. */
const NEXT_DOOR = { share: 0.96, same_pin: 0.3, within_m: 38 } as const;

function nextDoor(place: Place, plan: StationPlan, docks: Operator | null): Place {
  const { operator, index } = place;
  const { key } = operator;
  const host = docks?.stations ?? null;
  if (plan.model === "pool" || !docks || !host) return place;
  if (unit(key, index, 15) >= NEXT_DOOR.share) return place;
  // Each at a dock of its own, the inner ones first.
  const at = toPosition(docks, host, (index * 3 + (key % 3)) % host.count);
  if (unit(key, index, 16) < NEXT_DOOR.same_pin) return { ...place, ...at };
  return {
    ...place,
    ...around(at, unit(key, index, 17), NEXT_DOOR.within_m * unit(key, index, 18)),
  };
}

/** Of classic docks every eleventh shares its corner with another, distinguished by "(1)" and "(2)". */
const TWIN_CYCLE = 11;
const isTwinned = (index: number, plan: StationPlan): boolean =>
  plan.model === "pool" && index < plan.count && index % TWIN_CYCLE === 5;

function listTwins(places: readonly Place[], plan: StationPlan, generation: number): Place[] {
  const firsts = places.filter(({ index }) => isTwinned(index, plan));
  return firsts.map((first, n) => {
    const { key } = first.operator;
    const index = plan.count + n;
    const twin = toPlace(first.operator, plan, index, generation);
    const at = around(first, unit(key, index, 12), between(18, 40, key, index, 13));
    const { name, address, post_code } = first;
    return {
      ...twin,
      ...at,
      name: numbered(name, 2),
      address,
      post_code,
      twin: first.index,
      condition: "open",
    };
  });
}

function withNumber(place: Place, plan: StationPlan, number: number): Place {
  if (!isTwinned(place.index, plan)) return place;
  const twin = plan.count + Math.floor(place.index / TWIN_CYCLE);
  return { ...place, name: numbered(place.name, number), twin, condition: "open" };
}

const numbered = (name: Text, number: number): Text =>
  Object.fromEntries(Object.entries(name).map(([tag, text]) => [tag, `${text} (${number})`]));

/** Radius grows so that half of everything is in the inner 42 % of the reach. */
export const spread = (share: number): number => share ** 0.8;

function toPlace(operator: Operator, plan: StationPlan, index: number, generation: number): Place {
  const { key, city } = operator;
  const virtual = unit(key, index, 1) < plan.virtual_share;
  const counted = !virtual && !(plan.uncounted_docks === "null" && index % 9 === 3);
  return {
    ...toPosition(operator, plan, index),
    operator,
    index,
    ...toIds(operator, index, generation),
    twin: null,
    name: toName(city, index, hash(key, 2)),
    address: toAddress(city, key, index),
    post_code: postCodeOf(city, streetOf(city, key, index)),
    capacity: toCapacity(operator, plan, index),
    virtual,
    charging: unit(key, index, 4) < plan.charging_share,
    docks_counted: counted,
    condition:
      plan.model === "bays" || plan.always_open
        ? "open"
        : (CONDITIONS[(index + (key % 5)) % CONDITION_CYCLE] ?? "open"),
  };
}

/** A sunflower keeps stations apart without looking like a grid. */
function toPosition(operator: Operator, plan: StationPlan, index: number): Point {
  const { key, city, reach_m } = operator;
  const share = (index + 0.2 + 0.6 * unit(key, index, 5)) / plan.count;
  const turn = unit(key, 6) + index * GOLDEN_TURN + 0.04 * unit(key, index, 7);
  return around(city, turn, reach_m * spread(share));
}

function toCapacity(operator: Operator, plan: StationPlan, index: number): number {
  const { key, fleet } = operator;
  if (plan.model === "pool") return between(12, 42, key, index, 8);
  if (plan.model === "bays") return between(4, 12, key, index, 8);
  const share = ((fleet?.count ?? 0) * (fleet?.docked_share ?? 0)) / plan.count;
  return Math.ceil(share) + between(1, 4, key, index, 8);
}

/** A renumbered system states the former id of nine stations in ten. */
function toIds(
  operator: Operator,
  index: number,
  generation: number,
): Pick<Place, "id" | "legacy_id"> {
  if (generation === 0) return { id: toId(operator, index), legacy_id: null };
  const former = toIds(operator, index, generation - 1).id;
  return {
    id: uuid(operator.key, index, 9, generation),
    legacy_id: unit(operator.key, index, 14) < 0.9 ? former : null,
  };
}

function toId(operator: Operator, index: number): string {
  switch (operator.ids) {
    case "numbers":
      return String(1001 + index * 3 + (operator.key % 3));
    case "codes":
      return `${operator.city.country}${operator.city.id.slice(0, 3).toUpperCase()}:Station:${operator.key % 90}${String(index + 1).padStart(4, "0")}`;
    case "uuids":
      return uuid(operator.key, index, 9);
  }
}

/** Walks over all pairs of street and place before it repeats one. */
function toName(city: City, index: number, salt: number): Text {
  const pairs = city.streets.length * city.places.length;
  const pair = (index * 31 + (salt % pairs)) % pairs;
  const street = pick(city.streets, pair % city.streets.length);
  const place = pick(city.places, Math.floor(pair / city.streets.length));
  const lap = Math.floor(index / pairs);
  const suffix = lap === 0 ? "" : ` (${lap + 1})`;
  const inTongue = (which: 0 | 1): string =>
    wordIn(street, which) + city.joiner + wordIn(place, which) + suffix;
  return Object.fromEntries(city.languages.map((tag) => [tag, inTongue(tag === "en" ? 1 : 0)]));
}

const wordIn = (word: Word, which: 0 | 1): string =>
  typeof word === "string" ? word : word[which];

const streetOf = (city: City, key: number, index: number): string =>
  wordIn(pick(city.streets, hash(key, index, 10)), 0);

function toAddress(city: City, key: number, index: number): string {
  const street = streetOf(city, key, index);
  const number = between(1, 180, key, index, 11);
  return ["FR", "GB", "US", "AU", "ZA", "FJ"].includes(city.country)
    ? `${number} ${street}`
    : `${street} ${number}`;
}
