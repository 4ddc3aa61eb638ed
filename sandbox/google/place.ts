// Places as the Places API describes them: car parks and chargers of the world, and what has an address.
import { hash, unit } from "../rng.ts";
import { boxAround } from "../world/countries.ts";
import type { Spot } from "../world/gazetteer.ts";
import { addressLine, say, type Tongue, tongueFor } from "../world/say.ts";
import type { ServiceThing } from "../world/service-model.ts";
import { toTown } from "../world/towns.ts";
import { toEvChargeOptions } from "./ev.ts";
import { toHours } from "./hours.ts";
import { componentsOf, formattedAddress, isPoi, placeId, toPlusCode, typesOf } from "./results.ts";

export type PlaceContext = {
  readonly now_ms: number;
  readonly language: string;
  /** A deployment from before parking_garage and parking_lot. */
  readonly old: boolean;
};

export type Place = Record<string, unknown>;

const RATES = {
  gone: 0.04,
  shut: 0.04,
  planned: 0.01,
  unknown: 0.04,
  third_party: 0.12,
  /** Kinds of parking that the types do not name. */
  untyped: 0.2,
} as const;

/** Car parks and charging stations are all it lists. */
export const isListed = ({ service_type }: ServiceThing): boolean =>
  service_type === "parking" || service_type === "charging";

export const idOf = ({ key }: ServiceThing): string => placeId(key);

export function statusOf({ key }: ServiceThing): string | null {
  const fate = unit(key, 201);
  if (fate < RATES.gone) return "CLOSED_PERMANENTLY";
  if (fate < RATES.gone + RATES.shut) return "CLOSED_TEMPORARILY";
  if (fate < RATES.gone + RATES.shut + RATES.planned) return "FUTURE_OPENING";
  return fate < RATES.gone + RATES.shut + RATES.planned + RATES.unknown ? null : "OPERATIONAL";
}

/** The main type first. */
export function serviceTypes({ key, parking }: ServiceThing, old: boolean): string[] {
  const generic = ["point_of_interest", "establishment"];
  if (parking === undefined)
    return [
      "electric_vehicle_charging_station",
      ...(unit(key, 202) < 0.1 ? ["gas_station"] : []),
      ...generic,
    ];
  const plain = old || parking.kind === "street" || unit(key, 203) < RATES.untyped;
  return [...(plain ? [] : [`parking_${parking.kind}`]), "parking", ...generic];
}

export function toServicePlace(thing: ServiceThing, context: PlaceContext): Place {
  const { key, name, operator, service_type } = thing;
  const spot = spotOf(thing);
  const types = serviceTypes(thing, context.old);
  // Of the nameless ones some go by their operator, the others by nothing.
  const text = name !== "" ? name : unit(key, 204) < 0.5 ? operator : "";
  const businessStatus = statusOf(thing);
  const options =
    service_type === "parking" ? toParkingOptions(thing) : toEvChargeOptions(thing, context.now_ms);
  return {
    ...addressOf(spot, context.language),
    ...(text === "" ? {} : { displayName: { text, languageCode: spot.town?.language } }),
    types,
    primaryType: types[0],
    ...(businessStatus === null ? {} : { businessStatus }),
    ...toOpening(thing, context),
    ...toAttributions(thing),
    ...(options === undefined
      ? {}
      : { [service_type === "parking" ? "parkingOptions" : "evChargeOptions"]: options }),
  };
}

function toOpening(thing: ServiceThing, { now_ms, language }: PlaceContext): Place {
  if (thing.opening_hours === null) return {};
  const hours = toHours(thing.opening_hours, { city: thing.city, now_ms, language });
  const regular = { regularOpeningHours: hours.regular };
  return unit(thing.key, 205) < 0.2 ? regular : { ...regular, currentOpeningHours: hours.current };
}

const toAttributions = ({ key, operator }: ServiceThing): Place =>
  unit(key, 206) < RATES.third_party
    ? { attributions: [{ provider: operator, providerUri: "https://operator.example/places" }] }
    : {};

/** Options known to apply and options known not to; the rest are left out. */
function toParkingOptions({ key, parking }: ServiceThing): unknown {
  if (parking === undefined || parking.fee === null || unit(key, 207) < 0.1) return undefined;
  const { kind, fee } = parking;
  const [free, paid] = {
    garage: ["freeGarageParking", "paidGarageParking"],
    lot: ["freeParkingLot", "paidParkingLot"],
    street: ["freeStreetParking", "paidStreetParking"],
  }[kind] as [string, string];
  const valet = kind === "garage" && unit(key, 208) < 0.15;
  return { [free]: !fee, [paid]: fee, ...(valet ? { valetParking: true } : {}) };
}

function spotOf(thing: ServiceThing): Spot {
  const { lat, lon, key, street, street_number, post_code } = thing;
  const town = toTown(thing.city);
  return {
    kind: "house",
    lat,
    lon,
    key,
    post_code,
    area: null,
    half_m: 30,
    name: { local: "", english: "" },
    street: { local: street, english: street },
    number: street_number,
    town,
    country: town.country,
  };
}

const PRIMARY: Readonly<Partial<Record<Spot["kind"], string>>> = {
  museum: "museum",
  station: "train_station",
  airport: "airport",
  subway: "subway_station",
  cafe: "cafe",
  shop: "grocery_store",
  pharmacy: "pharmacy",
  hotel: "hotel",
  parking: "parking",
  city: "locality",
  region: "administrative_area_level_1",
  country: "country",
};

/** The types of a spot as this API has them: the main one among them. */
export function spotTypes(spot: Spot): string[] {
  const primary = PRIMARY[spot.kind];
  return [...new Set([...(primary === undefined ? [] : [primary]), ...typesOf(spot)])];
}

export function toSpotPlace(spot: Spot, { language }: PlaceContext): Place {
  const tongue = tongueFor(spot, language, "english");
  const primaryType = PRIMARY[spot.kind];
  const text = say(spot.name, tongue) || addressLine(spot, tongue);
  const languageCode = tongue === "english" ? "en" : spot.town?.language;
  return {
    ...addressOf(spot, language),
    displayName: { text, ...(languageCode === undefined ? {} : { languageCode }) },
    types: spotTypes(spot),
    ...(primaryType === undefined ? {} : { primaryType }),
    ...(isPoi(spot) ? { businessStatus: "OPERATIONAL" } : {}),
  };
}

/** What all places have. */
function addressOf(spot: Spot, language: string): Place {
  const tongue: Tongue = tongueFor(spot, language, "english");
  const id = placeId(spot.key);
  const [south, west, north, east] = boxAround(spot, Math.max(150, spot.half_m));
  return {
    name: `places/${id}`,
    id,
    formattedAddress: formattedAddress(spot, tongue),
    addressComponents: componentsOf(spot, tongue).map(({ long, short, types }) => ({
      longText: long,
      shortText: short,
      types,
      languageCode: tongue === "english" ? "en" : spot.country.languages[0],
    })),
    plusCode: toPlusCode(spot, tongue),
    location: { latitude: spot.lat, longitude: spot.lon },
    viewport: {
      low: { latitude: south, longitude: west },
      high: { latitude: north, longitude: east },
    },
    googleMapsUri: `https://maps.google.com/?cid=${hash(spot.key, 209)}${spot.key % 100_000}`,
  };
}
