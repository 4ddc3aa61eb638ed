// The named spots of a city, fixed by the seed: streets with their houses, points of interest, areas.
import { around, distance, type Point } from "../geo.ts";
import { between, hash, hashText, pick, unit } from "../rng.ts";
import type { City } from "./model.ts";
import type { Country } from "./countries.ts";
import { postCodeOf } from "./post-codes.ts";
import type { ServiceThing } from "./service-model.ts";
import { labelOf } from "./service-words.ts";
import { modesOf, type TransitStation } from "./transit-model.ts";
import {
  englishOf,
  type Name,
  namePoi,
  POI_KINDS,
  type PoiKind,
  toName,
  type Town,
} from "./towns.ts";

export type SpotKind =
  | "house"
  | "street"
  | PoiKind
  | "neighbourhood"
  | "postcode"
  | "city"
  | "region"
  | "country";

export type Spot = Point & {
  readonly kind: SpotKind;
  /** The number that represents it in every hash. */
  readonly key: number;
  /** Empty for houses. */
  readonly name: Name;
  /** Of houses and points of interest. */
  readonly street: Name | null;
  readonly number: string;
  /** "" where there is none. */
  readonly post_code: string;
  readonly area: Name | null;
  readonly town: Town | null;
  readonly country: Country;
  /** How far it reaches to every side. */
  readonly half_m: number;
};

export type Street = Spot & {
  readonly houses: number;
  /** The direction it runs in, a share of the full turn. */
  readonly turn: number;
};

export type Gazetteer = {
  readonly town: Town;
  readonly streets: readonly Street[];
  readonly pois: readonly Spot[];
  /** Neighbourhoods, post codes, the city, its region. */
  readonly areas: readonly Spot[];
};

const NAMELESS: Name = { local: "", english: "" };
/** Of those that are here alone; stations and car parks are the world's own. */
const POI_COUNTS: Readonly<Partial<Record<PoiKind, number>>> = {
  museum: 3,
  airport: 1,
  cafe: 6,
  shop: 4,
  office: 2,
  pharmacy: 4,
  hotel: 4,
};
const CAR_PARKS = 8;
/** A house as near as this is the address of a station or a car park. */
const NEXT_TO_M = 400;
const HOUSE_STEP_M = 9;
const AIRPORT_M = 14_000;
const NEIGHBOURHOODS = 6;

/** What else there is in the world that has a name and a place. */
type Neighbours = {
  readonly seed: number;
  readonly stations: readonly TransitStation[];
  readonly services: readonly ServiceThing[];
};

const keyOf = ({ city }: Town, seed: number): number => hash(seed, hashText(city.id), 0x6761);

export function listStreets(town: Town, seed: number): readonly Street[] {
  const key = keyOf(town, seed);
  const quarters = listAreas(town, key).filter(({ kind }) => kind === "neighbourhood");
  return town.city.streets.map((word, n) => {
    const street = toStreet({ town, name: toName(word), key: hash(key, 1, n), index: n });
    return { ...street, area: nearestName(street, quarters) };
  });
}

export function listSpots(town: Town, { seed, stations, services }: Neighbours): Gazetteer {
  const key = keyOf(town, seed);
  const [streets, areas] = [listStreets(town, seed), listAreas(town, key)];
  const pois = POI_KINDS.flatMap((kind, k) =>
    Array.from({ length: POI_COUNTS[kind] ?? 0 }, (_, n) =>
      toPoi({ town, kind, key: hash(key, 2, k, n), index: k * 3 + n }, streets),
    ),
  );
  const others = [
    ...stations.flatMap((station) => toStationSpot(station, town, streets) ?? []),
    ...services
      .filter(isCarPark)
      .slice(0, CAR_PARKS)
      .map((each) => toCarPark(each, town, streets)),
  ];
  return { town, streets, pois: [...pois, ...others], areas };
}

/** The house of that number; null: the street is shorter. */
export function findHouse(street: Street, number: number): Spot | null {
  if (!Number.isInteger(number) || number < 1 || number > street.houses) return null;
  const along_m = (number - street.houses / 2) * HOUSE_STEP_M;
  const on = around(street, street.turn, along_m);
  const { houses: _, turn, ...spot } = street;
  return {
    ...spot,
    ...around(on, turn + (number % 2 === 0 ? 0.25 : 0.75), 9),
    kind: "house",
    key: hash(street.key, 3, number),
    name: NAMELESS,
    street: street.name,
    number: String(number),
    half_m: 12,
  };
}

export const listHouses = (street: Street): Spot[] =>
  Array.from({ length: street.houses }, (_, n) => findHouse(street, n + 1)).flatMap(
    (house) => house ?? [],
  );

export const countrySpot = (country: Country): Spot => ({
  kind: "country",
  key: hashText(country.code),
  name: country,
  lat: country.lat,
  lon: country.lon,
  street: null,
  number: "",
  post_code: "",
  area: null,
  town: null,
  country,
  half_m: 400_000,
});

const bare = (town: Town, key: number): Omit<Spot, "kind" | "name" | "half_m" | keyof Point> => ({
  key,
  street: null,
  number: "",
  post_code: "",
  area: null,
  town,
  country: town.country,
});

const centre = ({ lat, lon }: City): Point => ({ lat, lon });

type StreetPlan = {
  readonly town: Town;
  readonly name: Name;
  readonly key: number;
  readonly index: number;
};

/** The first one passes the very centre, where questions are asked. */
function toStreet({ town, name, key, index }: StreetPlan): Street {
  const off_m = index === 0 ? 40 : 150 + 1700 * unit(key, 3);
  const houses = between(60, 150, key, 1);
  return {
    ...bare(town, key),
    ...around(centre(town.city), unit(key, 2), off_m),
    kind: "street",
    name,
    houses,
    turn: unit(key, 4),
    half_m: (houses * HOUSE_STEP_M) / 2,
    post_code: postCodeOf(town.city, name.local),
  };
}

type PoiPlan = {
  readonly town: Town;
  readonly kind: PoiKind;
  readonly key: number;
  readonly index: number;
};

function toPoi({ town, kind, key, index }: PoiPlan, streets: readonly Street[]): Spot {
  if (kind === "airport") {
    // It is called after the east.
    const at = around(centre(town.city), 0.25 + 0.1 * (unit(key, 1) - 0.5), AIRPORT_M);
    const name = namePoi(kind, town.name, town);
    return { ...bare(town, key), ...at, kind, name, half_m: 1500 };
  }
  const street = pick(streets, hash(key, 2));
  const host = findHouse(street, between(1, street.houses, key, 3)) ?? street;
  const name = namePoi(kind, toName(pick(town.city.places, index)), town);
  return { ...host, kind, key, name, half_m: kind === "station" ? 120 : 20 };
}

/** A station of trains or of the metro under the name that its timetable has; null: neither. */
function toStationSpot(
  { key, name, lat, lon, form, ...station }: TransitStation,
  town: Town,
  streets: readonly Street[],
): Spot | null {
  const modes = form === "station" ? modesOf({ lines: station.lines }) : [];
  const railway = modes.includes("rail") || modes.includes("rapid_transit");
  if (!railway && !modes.includes("metro")) return null;
  const kind = railway ? "station" : "subway";
  const names = { local: name, english: englishOf(town.city, name) };
  const half_m = railway ? 120 : 20;
  return { ...addressNear({ lat, lon }, town, streets), kind, key, lat, lon, name: names, half_m };
}

const isCarPark = ({ service_type, name }: ServiceThing): boolean =>
  service_type === "parking" && name !== "";

function toCarPark(thing: ServiceThing, town: Town, streets: readonly Street[]): Spot {
  const { key, name, lat, lon, city, street, street_number, post_code } = thing;
  const where = englishOf(city, name.replace(labelOf("parking", city), "").trim());
  return {
    ...addressNear({ lat, lon }, town, streets),
    kind: "parking",
    key,
    lat,
    lon,
    name: { local: name, english: `${where} Parking` },
    street: { local: street, english: englishOf(city, street) },
    number: street_number,
    post_code,
    half_m: 20,
  };
}

/** The nearest of the spots, the first of several that are equally near. */
function nearestTo<T extends Point>(at: Point, spots: readonly T[]): T | undefined {
  let [nearest, least_m]: [T | undefined, number] = [undefined, Infinity];
  for (const spot of spots) {
    const away_m = distance(at, spot);
    if (away_m < least_m) [nearest, least_m] = [spot, away_m];
  }
  return nearest;
}

/** The address of the nearest house, if there is one. */
function addressNear(at: Point, town: Town, streets: readonly Street[]) {
  const street = nearestTo(at, streets);
  const house = street && nearestTo(at, listHouses(street));
  return house && distance(at, house) <= NEXT_TO_M ? house : bare(town, 0);
}

function listAreas(town: Town, key: number): Spot[] {
  const middle = centre(town.city);
  const quarters = Array.from({ length: NEIGHBOURHOODS }, (_, n): Spot => {
    const k = hash(key, 5, n);
    const at = around(middle, (n + 0.6 * unit(k, 1)) / NEIGHBOURHOODS, 500 + 1500 * unit(k, 2));
    // From the other end of the list than points of interest, which begin with the first.
    const name = toName(pick(town.city.places, -1 - n));
    return { ...bare(town, k), ...at, kind: "neighbourhood", name, half_m: 700 };
  });
  const codes = town.post_codes.map((post_code, n): Spot => {
    const k = hash(key, 6, n);
    const at = around(middle, (n + unit(k, 1)) / 4, 900);
    const name = { local: post_code, english: post_code };
    return { ...bare(town, k), ...at, kind: "postcode", name, post_code, half_m: 1500 };
  });
  const at = { ...bare(town, hash(key, 7)), ...middle };
  const region = around(middle, unit(key, 9), 30_000);
  return [
    ...quarters,
    ...codes,
    { ...at, kind: "city", name: town.name, half_m: 9000 },
    { ...at, ...region, kind: "region", key: hash(key, 8), name: town.region, half_m: 90_000 },
  ];
}

function nearestName(at: Point, spots: readonly Spot[]): Name | null {
  const near = spots.toSorted((a, b) => distance(at, a) - distance(at, b))[0];
  return near?.name ?? null;
}
