// InPost's points: lockers, and what else its lists hold: shops, tests, the closed and the lost.
import { inpostNameOf, isInInpost } from "../listing.ts";
import { around, type Point } from "../geo.ts";
import { hash, hashText, pick, unit } from "../rng.ts";
import type { City } from "../world/model.ts";
import type { ServiceThing } from "../world/service-model.ts";
import { hoursOf } from "./hours.ts";

export type Listing = Point & {
  readonly item: Readonly<Record<string, unknown>>;
  /** A parcel shop and no locker. */
  readonly isShop: boolean;
};

export const NOWHERE: Point = { lat: 0, lon: 0 };
const OFF_M = 5;

type Setting = { readonly seed: number; readonly origin: string };

export function listPoints(
  cities: readonly City[],
  services: readonly ServiceThing[],
  { seed, origin }: Setting,
): readonly Listing[] {
  const lockers = services.filter(isInInpost);
  const served = new Set(lockers.map(({ city }) => city));
  return [
    ...lockers.map((thing) => toListing(thing, origin)),
    ...cities.filter((city) => served.has(city)).flatMap((city) => listOthers(city, seed, origin)),
  ];
}

function toListing(thing: ServiceThing, origin: string): Listing {
  const { key, city } = thing;
  const at = around(thing, unit(key, 241), OFF_M * unit(key, 242));
  const name = inpostNameOf(thing);
  const place = { lat: Number(at.lat.toFixed(5)), lon: Number(at.lon.toFixed(5)) };
  const item = {
    ...factsOf({ name, key, origin, city }),
    type: pick([["parcel_locker"], ["parcel_locker"], ["parcel_locker", "pop"]], hash(key, 243)),
    status: "Operating",
    location: { longitude: place.lon, latitude: place.lat },
    ...addressOf(thing),
    ...hoursOf(thing),
  };
  return { ...place, item, isShop: false };
}

type NamedRow = {
  readonly name: string;
  readonly key: number;
  readonly origin: string;
  readonly city: City;
};

function factsOf({ name, key, origin, city }: NamedRow): Record<string, unknown> {
  const availability = pick(["NORMAL", "LOW", "VERY_LOW", "NO_DATA"], hash(key, 244));
  return {
    href: `${origin}/upstreams/inpost/v1/points/${name}`,
    // The oldest hosts leave it out.
    ...(city.country === "PL" && unit(key, 245) < 0.3 ? {} : { country: city.country }),
    name,
    location_type: pick(["Outdoor", "Indoor"], hash(key, 246)),
    functions: ["parcel", "parcel_collect", "parcel_send"],
    payment_available: unit(key, 247) < 0.5,
    payment_type: { "0": "Payments are not supported" },
    virtual: "0",
    partner_id: 0,
    is_next: false,
    easy_access_zone: true,
    image_url: `https://static.example/points/${name}.jpg`,
    physical_type: "newfm",
    locker_availability: { status: availability, details: { A: availability, B: "NORMAL" } },
    ...(unit(key, 248) < 0.8 ? { last_updated_date: { seconds: 1_760_000_000, nanos: 0 } } : {}),
  };
}

/** In Britain the display name hides behind the number of the house. */
function addressOf({
  name,
  street,
  street_number,
  post_code,
  city,
  key,
}: ServiceThing): Record<string, unknown> {
  const british = city.country === "GB";
  const output = name === "" ? `${street} ${street_number}` : name;
  const building = british ? `24/7 InPost Locker - ${output}` : street_number;
  const state = { city: city.name, province: city.name, post_code, street };
  return {
    location_description: british || name === "" ? pick(BY, hash(key, 249)) : name,
    address: { line1: `${street} ${building}`, line2: `${post_code} ${city.name}` },
    address_details: { ...state, building_number: building, flat_number: null },
  };
}

const BY = ["Against the wall at the rear of the store.", "Left of the entrance", null] as const;

/** Not to be shown to anybody who looks for a locker. */
const OTHERS: readonly Readonly<Record<string, unknown>>[] = [
  { status: "Disabled" },
  { status: "NonOperating" },
  { status: "Created" },
  { type: ["pop"], functions: ["parcel", "parcel_collect"] },
  { type: ["pop"] },
  { address_details: { city: "TEST", province: "TEST", post_code: "00-000", street: "Test" } },
  { address_details: { city: "Test City", province: "TEST", post_code: "", street: "" } },
  { location: { longitude: 0, latitude: 0 } },
];

function listOthers(city: City, seed: number, origin: string): Listing[] {
  const key = hash(seed, hashText(city.id), 0x696e);
  return OTHERS.map((extra, n) => {
    const lost = extra["location"] !== undefined;
    const at = lost ? NOWHERE : around(city, unit(key, n, 1), 80 + 1200 * unit(key, n, 2));
    const name = `${city.country}X${city.id.slice(0, 2).toUpperCase()}${n}`;
    const item = {
      ...factsOf({ name, key: hash(key, n), origin, city }),
      type: ["parcel_locker"],
      status: "Operating",
      country: city.country,
      location: { longitude: at.lon, latitude: at.lat },
      location_description: null,
      address: { line1: "Test 1", line2: city.name },
      address_details: { city: city.name, province: city.name, post_code: "", street: "" },
      opening_hours: "24/7",
      location_247: true,
      operating_hours_extended: { customer: null },
      ...extra,
    };
    return { ...at, item, isShop: n === 3 || n === 4 };
  });
}
