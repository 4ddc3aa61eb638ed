/**
 * Extracts that are dense with places: what an attacker writes, and what a large city has. Each comes
 * with questions whose circle holds all of it.
 */
import { writeFile } from "node:fs/promises";
import { createRng } from "../../bench/world.ts";
import { type PbfNode, toPbf } from "../../sandbox/pbf/encode.ts";

/** The middle of every one of them. */
export const DENSE_AT = { lat: 47.1, lon: 9.5 } as const;

export type DensePlaces = {
  name: string;
  /** Nodes of the extract. */
  nodes(): Generator<PbfNode>;
  /** Paths of questions, the heaviest first. */
  paths: readonly string[];
  /** Names a search of which the first result is then read by its id. */
  first?: string;
  /** Car parks of a register next to the extract, as a ParkAPI document; absent: there is none. */
  register?(): string;
};

const AT = `lat=${DENSE_AT.lat}&lon=${DENSE_AT.lon}`;
const ALL = "aed,toilets,drinking_water,fountain,wifi,parking,charging,locker";
const SERVICES = `/v1/services/nearby?${AT}&radius=10000`;
const PLACES = `/v1/places/nearby?${AT}&radius=10000`;

type Tags = Readonly<Record<string, string>>;

/** A hundred thousand toilets within a centimetre. */
export const ONE_SPOT: DensePlaces = {
  name: "100,000 toilets on one point",
  *nodes() {
    yield* corners();
    for (let n = 0; n < 100_000; n++)
      yield nodeAt(n + 10, [n % 100, 0], { amenity: "toilets", name: "Toilet Spot" });
  },
  paths: [
    `/v1/services/nearby?${AT}&types=toilets&limit=200`,
    `/v1/nearby?${AT}&include=places&radius=400`,
    `/v1/services/nearby?${AT}&types=toilets&limit=200&usable=now`,
  ],
};

/** Street-side car parks of a large city, or ten of them. */
export function carParks(count: number): DensePlaces {
  return {
    name: `${count.toLocaleString("en")} car parks over 10 km`,
    nodes: () => scattered(count, () => ({ amenity: "parking", parking: "street_side" })),
    paths: [
      `/v1/parking/nearby?${AT}&radius=10000&limit=1`,
      `/v1/parking/nearby?${AT}&radius=10000&limit=200`,
      `${SERVICES}&types=${ALL}&limit=200`,
      `/v1/parking/nearby?${AT}&radius=10000&fee=no&usable=now`,
      `/v1/nearby?${AT}&include=places&radius=400`,
    ],
  };
}

/** Car parks of a map with as many facts as it may say, and a register that has some of them. */
export function severalSources(count: number, entries: number): DensePlaces {
  const parking = `/v1/parking/nearby?${AT}&radius=10000`;
  return {
    name: `${count.toLocaleString("en")} car parks and ${entries.toLocaleString("en")} entries of a register`,
    nodes: () =>
      scattered(count, (n) => ({
        ...{ amenity: "parking", parking: "surface", name: `Parkplatz ${n % 400}` },
        ...{ capacity: String(10 + (n % 90)), operator: `Operator ${n % 7}` },
        opening_hours: hoursOf(n),
      })),
    register: () => JSON.stringify({ items: [...entriesOf(entries)] }),
    paths: [
      `${parking}&limit=200&usable=now&fee=no&wheelchair=yes`,
      `${parking}&limit=200&usable=now&fee=no&strict=true`,
      `${parking}&limit=200&usable=now`,
      `${SERVICES}&types=${ALL}&limit=200&wheelchair=yes&fee=no`,
      `${parking}&limit=200`,
      `/v1/nearby?${AT}&include=places&radius=400`,
    ],
    first: `${parking}&limit=1`,
  };
}

/** Hours of a shop in a few thousand spellings: each is compiled once. */
function hoursOf(n: number): string {
  const two = (value: number): string => String(value % 60).padStart(2, "0");
  return `Mo-Fr 08:${two(n)}-12:00,13:00-18:${two(n * 7)}; Sa 09:00-12:${two(Math.floor(n / 60))}; PH off`;
}

function* entriesOf(count: number): Generator<object> {
  const rng = createRng(7);
  for (let n = 0; n < count; n++) {
    const [lat, lon] = [DENSE_AT.lat + (rng() - 0.5) * 0.01, DENSE_AT.lon + (rng() - 0.5) * 0.01];
    yield {
      ...{ original_uid: `p${n}`, source_uid: "s", name: `Parkplatz ${n % 400}`, lat, lon },
      ...{ type: "OFF_STREET_PARKING_GROUND", capacity: 10 + (n % 90), opening_hours: hoursOf(n) },
    };
  }
}

/** Points of interest of three classes, with hours and names. */
export function shops(count: number): DensePlaces {
  const mains: readonly Tags[] = [{ shop: "books" }, { amenity: "restaurant" }, { shop: "bakery" }];
  const classes = "classes=books,restaurant,bakery";
  return {
    name: `${count.toLocaleString("en")} points of interest over 10 km`,
    nodes: () =>
      scattered(count, (n) => ({
        ...mains[n % mains.length],
        ...{ name: `Place ${n}`, opening_hours: hoursOf(n), wheelchair: "limited" },
      })),
    paths: [
      `${PLACES}&${classes}&limit=100&usable=now`,
      `${PLACES}&${classes}&limit=100&usable=now&wheelchair=yes`,
      `${PLACES}&${classes}&limit=100`,
    ],
  };
}

/** Services of all kinds, with hours, names and facts. */
export function city(count: number): DensePlaces {
  const mains: readonly Tags[] = [
    { amenity: "toilets", wheelchair: "yes", fee: "no" },
    { amenity: "drinking_water" },
    { amenity: "fountain", drinking_water: "no" },
    { emergency: "defibrillator", access: "yes" },
    { amenity: "cafe", internet_access: "wlan", opening_hours: "Mo-Fr 08:00-18:00" },
    { amenity: "charging_station", "socket:type2": "2" },
    { amenity: "parking", capacity: "40", fee: "yes" },
  ];
  return {
    name: `${count.toLocaleString("en")} services of all kinds over 10 km`,
    nodes: () => scattered(count, (n) => ({ ...mains[n % mains.length], name: `Place ${n}` })),
    paths: [
      `${SERVICES}&types=${ALL}&limit=200`,
      `${SERVICES}&types=${ALL}&limit=200&usable=now`,
      `${SERVICES}&types=${ALL}&limit=1&wheelchair=yes&fee=no&access=public`,
    ],
  };
}

/** A hundred thousand toilets in a few streets: none is on another, and all are in one circle. */
export const ONE_QUARTER: DensePlaces = {
  name: "100,000 toilets within 300 m",
  *nodes() {
    yield* corners();
    for (let n = 0; n < 100_000; n++)
      yield nodeAt(n + 10, [(n % 316) * 80, Math.floor(n / 316) * 120], { amenity: "toilets" });
  },
  paths: [
    `/v1/services/nearby?${AT}&types=toilets&limit=200`,
    `/v1/services/nearby?${AT}&types=toilets&limit=200&usable=now`,
    `/v1/nearby?${AT}&include=places&radius=400`,
  ],
};

/** Questions that cost least: of the ocean, and of a corner of the extract where one toilet is. */
export const PLAIN_PATHS = {
  ocean: "/v1/nearby?lat=-40&lon=-120",
  sparse: "/v1/services/nearby?lat=47.25&lon=9.7&types=toilets",
} as const;

export async function writeDense(path: string, { nodes }: DensePlaces): Promise<void> {
  await writeFile(path, toPbf(nodes(), { data_at_s: 1_790_000_000, level: 6 }));
}

/** The extract reaches beyond every circle, and has one lone toilet. */
function* corners(): Generator<PbfNode> {
  yield { type: "node", id: 1, lat7: 469_000_000, lon7: 92_000_000, tags: {} };
  yield { type: "node", id: 2, lat7: 473_000_000, lon7: 98_000_000, tags: {} };
  yield { type: "node", id: 3, lat7: 472_500_000, lon7: 97_000_000, tags: { amenity: "toilets" } };
}

/** Evenly within ten kilometres, from a fixed seed. */
function* scattered(count: number, tagsOf: (n: number) => Tags): Generator<PbfNode> {
  yield* corners();
  const rng = createRng(count);
  for (let n = 0; n < count; n++) {
    const metres = 9_990 * Math.sqrt(rng());
    const angle = 2 * Math.PI * rng();
    const north = (metres * Math.cos(angle)) / 111_195;
    const east = (metres * Math.sin(angle)) / (111_195 * Math.cos((DENSE_AT.lat * Math.PI) / 180));
    yield nodeAt(n + 10, [north * 1e7, east * 1e7], tagsOf(n));
  }
}

function nodeAt(id: number, [north7, east7]: readonly [number, number], tags: Tags): PbfNode {
  const lat7 = Math.round(DENSE_AT.lat * 1e7 + north7);
  return { type: "node", id, lat7, lon7: Math.round(DENSE_AT.lon * 1e7 + east7), tags };
}
