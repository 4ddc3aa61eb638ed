// The urban services of a city: where each is and what it is, fixed by the seed.
import { around, distance, type Point } from "../geo.ts";
import { between, hash, hashText, pick, unit } from "../rng.ts";
import type { City, Word } from "./model.ts";
import { toCharging } from "./chargers.ts";
import { postCodeOf } from "./post-codes.ts";
import { SERVICE_TYPES, type ServiceThing, type ServiceType } from "./service-model.ts";
import { nameOf, operatorsIn } from "./service-words.ts";

const REACH_M = 4000;
const GOLDEN_TURN = 0.381966;
/** Things that one question finds together stay further apart than any source's pin is off. */
const APART_M = 62;

/** How many there are of each, and how many have a name on the sign. */
const PLAN: Readonly<Record<ServiceType, { readonly count: number; readonly named: number }>> = {
  aed: { count: 40, named: 0.45 },
  toilets: { count: 36, named: 0.4 },
  drinking_water: { count: 36, named: 0.15 },
  fountain: { count: 26, named: 0.6 },
  wifi: { count: 40, named: 0.9 },
  parking: { count: 60, named: 0.7 },
  charging: { count: 50, named: 0.65 },
  locker: { count: 36, named: 0.5 },
};

/** Where there is more of it than one page of the maps provider holds. */
const CROWDED: ReadonlySet<string> = new Set(["paris", "berlin", "tokyo", "san-francisco"]);
const CROWDED_COUNT: Partial<Record<ServiceType, number>> = { parking: 140, charging: 130 };

export function listServices(city: City, seed: number): readonly ServiceThing[] {
  const all: ServiceThing[] = [];
  for (const type of SERVICE_TYPES) {
    // A question for water finds fountains too.
    const taken = type === "fountain" ? all.filter(isWater) : [];
    const toOne = (at: Point, index: number): ServiceThing => ({
      lat: at.lat,
      lon: at.lon,
      ...toThing(city, type, { index, key: hash(seed, hashText(city.id), hashText(type), index) }),
    });
    all.push(...listPositions(city, type, { seed, taken }).map(toOne));
  }
  return all;
}

const isWater = ({ service_type }: ServiceThing): boolean => service_type === "drinking_water";

const countOf = (type: ServiceType, { id }: City): number =>
  (CROWDED.has(id) ? CROWDED_COUNT[type] : undefined) ?? PLAN[type].count;

/** Every sixth is next door to the one before it. */
const NEXT_DOOR = { cycle: 6, from_m: 63, to_m: 80 } as const;

type Ground = { readonly seed: number; readonly taken: readonly Point[] };

/** A sunflower with jitter and a few neighbours, nearest to the centre first. */
function listPositions(city: City, type: ServiceType, { seed, taken }: Ground): readonly Point[] {
  const key = hash(seed, hashText(city.id), hashText(type));
  const count = countOf(type, city);
  const placed: Point[] = [];
  for (let slot = 0; slot < count; slot += 1) {
    const share = (slot + 0.2 + 0.6 * unit(key, slot, 1)) / count;
    const turn = unit(key, 2) + slot * GOLDEN_TURN + 0.06 * unit(key, slot, 3);
    const next = slot % NEXT_DOOR.cycle === NEXT_DOOR.cycle - 1 ? placed.at(-1) : undefined;
    placed.push(
      next === undefined
        ? freeSpot([...taken, ...placed], APART_M, (round) =>
            around(city, turn + round * 0.13, REACH_M * share ** 0.8 + round * 9),
          )
        : freeSpot([...taken, ...placed], APART_M, (round) =>
            around(
              next,
              turn + round * 0.13,
              between(NEXT_DOOR.from_m, NEXT_DOOR.to_m, key, slot, 4),
            ),
          ),
    );
  }
  return placed.toSorted((a, b) => distance(city, a) - distance(city, b));
}

/** The first of the spots with nothing so near. */
export function freeSpot(
  taken: readonly Point[],
  apart_m: number,
  spotAt: (round: number) => Point,
): Point {
  for (let round = 0; ; round += 1) {
    const at = spotAt(round);
    if (taken.every((other) => distance(at, other) >= apart_m)) return at;
  }
}

type Slot = { readonly index: number; readonly key: number };

function toThing(
  city: City,
  type: ServiceType,
  { index, key }: Slot,
): Omit<ServiceThing, "lat" | "lon"> {
  const street = wordOf(pick(city.streets, hash(key, 1)));
  return {
    kind: "service",
    service_type: type,
    city,
    index,
    key,
    name: unit(key, 2) < PLAN[type].named ? toName(type, city, index) : "",
    operator: pick(operatorsIn(type, city), hash(key, 3)),
    street,
    street_number: String(between(1, 180, key, 4)),
    post_code: postCodeOf(city, street),
    opening_hours: pick(HOURS, hash(key, 6)),
    access:
      type !== "parking" && type !== "charging" && unit(key, 7) < 0.12 ? "customers" : "public",
    ...(type === "drinking_water" ? { potable: true } : {}),
    ...(type === "fountain" ? { potable: pick([true, false, false, null], hash(key, 8)) } : {}),
    ...(type === "parking" ? { parking: toParking(key) } : {}),
    ...(type === "charging" ? { charging: toCharging(city, key) } : {}),
  };
}

const HOURS = [
  null,
  null,
  "24/7",
  "Mo-Su 06:00-22:00",
  "Mo-Fr 08:00-20:00; Sa 09:00-18:00",
] as const;

/** Streets and squares in turn, then the two together: no name twice in a city of this size. */
function toName(type: ServiceType, city: City, index: number): string {
  const words = [...city.streets, ...city.places].map(wordOf);
  const salt = hashText(type) % words.length;
  const first = words[(index + salt) % words.length] ?? "";
  const lap = Math.floor(index / words.length);
  if (lap === 0) return nameOf(type, city, first);
  const second = words[(index + salt + lap * 7) % words.length] ?? "";
  return nameOf(type, city, `${first}${city.joiner}${second}`);
}

const wordOf = (word: Word): string => (typeof word === "string" ? word : word[0]);

function toParking(key: number): NonNullable<ServiceThing["parking"]> {
  const kind = pick(["garage", "lot", "lot", "street"] as const, hash(key, 9));
  return {
    kind,
    fee: kind === "garage" ? true : pick([true, false, false, null], hash(key, 10)),
    capacity: unit(key, 11) < 0.7 ? between(8, kind === "garage" ? 620 : 90, key, 12) : null,
  };
}
