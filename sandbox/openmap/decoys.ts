// What is on the map next to the services and must not be taken for one: private, disused, broken,
// not for cars, not drinkable, or another thing of almost the same tags (places.md 3).
import { around, type Point } from "../geo.ts";
import { hash, hashText, pick, unit } from "../rng.ts";
import type { City } from "../world/model.ts";
import { SERVICE_TYPES, type ServiceThing, type ServiceType } from "../world/service-model.ts";
import { freeSpot } from "../world/services.ts";
import { decoyIdOf, type Element } from "./element.ts";
import type { Tags } from "./query.ts";

const MAIN: Readonly<Record<ServiceType, Tags>> = {
  aed: { emergency: "defibrillator" },
  toilets: { amenity: "toilets" },
  drinking_water: { amenity: "drinking_water" },
  fountain: { amenity: "fountain" },
  wifi: { amenity: "restaurant", internet_access: "wlan" },
  parking: { amenity: "parking" },
  charging: { amenity: "charging_station", "socket:type2": "2" },
  locker: { amenity: "parcel_locker" },
};

/** A service's tag with one of these next to it is shut to the public, or is no more. */
const SHUT: readonly Tags[] = [
  { access: "private" },
  { access: "private" },
  { access: "no" },
  { access: "permit" },
  { access: "residents" },
  { access: "employees" },
  { access: "delivery" },
  { disused: "yes" },
  { abandoned: "yes" },
];

/** Almost a service of the type; lifecycle prefixes move the tag to another key. */
const ALMOST: readonly (readonly [ServiceType, Tags])[] = [
  ["aed", { emergency: "defibrillator", locked: "yes" }],
  ["aed", { emergency: "defibrillator", operational_status: "broken" }],
  ["aed", { emergency: "defibrillator", operational_status: "closed" }],
  ["aed", { "removed:emergency": "defibrillator" }],
  ["toilets", { "disused:amenity": "toilets" }],
  ["toilets", { amenity: "pub", toilets: "yes" }],
  ["drinking_water", { amenity: "drinking_water", drinking_water: "no" }],
  ["drinking_water", { amenity: "watering_place" }],
  ["drinking_water", { man_made: "water_tap", drinking_water: "no" }],
  ["drinking_water", { man_made: "water_tap" }],
  ["drinking_water", { natural: "spring" }],
  ["fountain", { "abandoned:amenity": "fountain" }],
  ["wifi", { amenity: "cafe", internet_access: "yes" }],
  ["wifi", { amenity: "library", internet_access: "terminal" }],
  ["wifi", { amenity: "cafe", internet_access: "no" }],
  ["parking", { amenity: "parking_space" }],
  ["parking", { amenity: "motorcycle_parking", capacity: "12" }],
  ["parking", { amenity: "bicycle_parking", capacity: "30" }],
  ["charging", { amenity: "charging_station", bicycle: "yes", motorcar: "no" }],
  ["charging", { "planned:amenity": "charging_station" }],
  ["locker", { amenity: "vending_machine", vending: "parking_tickets" }],
  ["locker", { "was:amenity": "parcel_locker" }],
];

const ALONE_M = 60;
const REACH_M = 1800;

export function listDecoys(city: City, services: readonly ServiceThing[], seed: number): Element[] {
  const key = hash(seed, hashText(city.id), 0x6465);
  const shut = SERVICE_TYPES.flatMap((type) =>
    SHUT.map((tags) => [type, { ...MAIN[type], ...tags }] as const),
  );
  const placed: Point[] = [];
  return [...shut, ...ALMOST].map(([type, tags], n) => {
    const taken = [...services.filter(({ service_type }) => isLike(service_type, type)), ...placed];
    const at = freeSpot(taken, ALONE_M, (round) =>
      around(city, unit(key, n, round, 1), 60 + REACH_M * unit(key, n, round, 2) ** 0.7),
    );
    placed.push(at);
    const shape = type === "parking" && n % 2 === 0 ? "way" : "node";
    const operator = pick<Tags>([{}, {}, { operator: "Private Estates" }], hash(key, n, 3));
    return { ...at, type: shape, id: decoyIdOf(city, n, shape), tags: { ...tags, ...operator } };
  });
}

const WATER: ReadonlySet<ServiceType> = new Set(["drinking_water", "fountain"]);
const isLike = (a: ServiceType, b: ServiceType): boolean =>
  a === b || (WATER.has(a) && WATER.has(b));
