// The named spots of a city, fixed by the seed: streets with their houses, points of interest, areas.
import { around, distance, type Point } from "../geo.ts";
import { between, hash, hashText, pick, unit } from "../rng.ts";
import type { City } from "./model.ts";
import type { Country } from "./countries.ts";
import { type Name, namePoi, POI_KINDS, type PoiKind, toName, type Town } from "./towns.ts";

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
const POI_COUNTS: Readonly<Record<PoiKind, number>> = {
  museum: 3,
  station: 3,
  airport: 1,
  subway: 4,
  cafe: 6,
  shop: 4,
  office: 2,
};
const HOUSE_STEP_M = 9;
const AIRPORT_M = 14_000;
const NEIGHBOURHOODS = 6;

export function listSpots(town: Town, seed: number): Gazetteer {
  const key = hash(seed, hashText(town.city.id), 0x6761);
  const areas = listAreas(town, key);
  const quarters = areas.filter(({ kind }) => kind === "neighbourhood");
  const streets = town.city.streets.map((word, n) => {
    const street = toStreet({ town, name: toName(word), key: hash(key, 1, n), index: n });
    return { ...street, area: nearestName(street, quarters) };
  });
  const pois = POI_KINDS.flatMap((kind, k) =>
    Array.from({ length: POI_COUNTS[kind] }, (_, n) =>
      toPoi({ town, kind, key: hash(key, 2, k, n), index: k * 3 + n }, streets),
    ),
  );
  return { town, streets, pois, areas };
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
    post_code: town.post_codes.length === 0 ? "" : pick(town.post_codes, hash(key, 5)),
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
    const at = around(centre(town.city), unit(key, 1), AIRPORT_M);
    const name = namePoi(kind, town.name, town);
    return { ...bare(town, key), ...at, kind, name, half_m: 1500 };
  }
  const street = pick(streets, hash(key, 2));
  const host = findHouse(street, between(1, street.houses, key, 3)) ?? street;
  const name = namePoi(kind, toName(pick(town.city.places, index)), town);
  return { ...host, kind, key, name, half_m: kind === "station" ? 120 : 20 };
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
