// Which registry lists which service, and under which id. The registries name each other's ids
// (`ref:FR:GeoDAE` on the map), so that all of it is in one place. Every share is seeded.
import { CITIES } from "./world/cities.ts";
import { hash, hex, unit } from "./rng.ts";
import { isCounted } from "./world/car-parks.ts";
import { isInpostCountry } from "./world/service-words.ts";
import type { ServiceThing, ServiceType } from "./world/service-model.ts";

/** The share of real things that mappers have drawn; of what no other source lists they have all. */
const DRAWN: Readonly<Record<ServiceType, number>> = {
  aed: 0.85,
  toilets: 0.8,
  drinking_water: 1,
  fountain: 1,
  wifi: 1,
  parking: 0.8,
  charging: 0.75,
  locker: 0.7,
};
const SHARES = {
  openaedmap: 0.95,
  geodae: 0.8,
  /** Of the defibrillators in both: those that mappers gave the registry's number. */
  geodae_ref: 0.5,
  /** Of the drawn toilets; all undrawn ones are listed: three in ten are its own. */
  refuge: 0.5,
  inpost: 0.85,
  openchargemap: 0.7,
  ocpi_bulk: 0.6,
  irve: 0.9,
  parkapi: 0.6,
  /** Of those of ParkAPI. */
  both_registers: 0.3,
  oicp: 0.6,
  /** Of those of OICP. */
  both_charging: 0.3,
} as const;

export const isDrawn = (thing: ServiceThing): boolean => {
  const alone =
    (thing.service_type === "aed" && !isFrench(thing)) ||
    (thing.service_type === "locker" && !hasInpost(thing));
  return alone || unit(thing.key, 101) < DRAWN[thing.service_type];
};

const isFrench = ({ city }: ServiceThing): boolean => city.country === "FR";

export const isInOpenAedMap = (thing: ServiceThing): boolean =>
  thing.service_type === "aed" && isDrawn(thing) && unit(thing.key, 102) < SHARES.openaedmap;

export const isInGeodae = (thing: ServiceThing): boolean =>
  thing.service_type === "aed" &&
  isFrench(thing) &&
  (!isDrawn(thing) || unit(thing.key, 103) < SHARES.geodae);

export const gidOf = ({ key }: ServiceThing): string => String(10_000 + (hash(key, 104) % 800_000));

/** Reports whether the map's element has the registry's number. */
export const isJoined = (thing: ServiceThing): boolean =>
  isInGeodae(thing) && isDrawn(thing) && unit(thing.key, 105) < SHARES.geodae_ref;

export const isInRefuge = (thing: ServiceThing): boolean =>
  thing.service_type === "toilets" && (!isDrawn(thing) || unit(thing.key, 106) < SHARES.refuge);

export const refugeIdOf = (thing: ServiceThing): number => 20_000 + codeOf(thing);

const hasInpost = ({ city }: ServiceThing): boolean => isInpostCountry(city);

export const isInInpost = (thing: ServiceThing): boolean =>
  thing.service_type === "locker" &&
  hasInpost(thing) &&
  (!isDrawn(thing) || unit(thing.key, 107) < SHARES.inpost);

/** Returns what InPost calls a name, which is an id. */
export const inpostNameOf = (thing: ServiceThing): string => {
  const { country, id } = thing.city;
  const number = String(1000 + thing.index * 7 + (thing.key % 7));
  if (country === "PL") return `${id.slice(0, 3).toUpperCase()}${number}${"ABMN"[thing.key % 4]}`;
  return country === "GB" ? `UK000${number}` : `${country}${number}`;
};

export const isInOpenChargeMap = (thing: ServiceThing): boolean =>
  thing.service_type === "charging" && unit(thing.key, 108) < SHARES.openchargemap;

export const openChargeMapIdOf = (thing: ServiceThing): number => 150_000 + codeOf(thing);

/** Operators that report their plugs' states, and a few that only list them. */
export const isInOcpi = (thing: ServiceThing): boolean =>
  thing.charging !== undefined && (thing.charging.live || unit(thing.key, 109) < 0.15);

export const partyOf = ({ operator, city }: ServiceThing): { country: string; party: string } => ({
  country: city.country,
  party: operator
    .replaceAll(/[^A-Z]/gi, "")
    .slice(0, 3)
    .toUpperCase(),
});

export const ocpiIdOf = ({ key }: ServiceThing): string => `LOC-${hex(8, key, 110)}`;

/** Charging stations in an open file of locations; some are reported by their operators as well. */
export const isInOcpiBulk = (thing: ServiceThing): boolean =>
  thing.charging !== undefined && unit(thing.key, 114) < SHARES.ocpi_bulk;

export const isInIrve = (thing: ServiceThing): boolean =>
  thing.charging !== undefined && isFrench(thing) && unit(thing.key, 115) < SHARES.irve;

/** What the French register calls a station. */
export const irveIdOf = (thing: ServiceThing): string => {
  const { country, party } = partyOf(thing);
  return `${country}${party.padEnd(3, "X")}P${codeOf(thing)}`;
};

/** EVSE id of the nth plug, the same in every register: one of a station, counted from 0. */
export const evseIdOf = (thing: ServiceThing, n: number): string => {
  const { country, party } = partyOf(thing);
  return `${country}*${party.padEnd(3, "X")}*E${codeOf(thing)}*${n + 1}`;
};

/** Charging stations that report their plugs, each in one of the two registers or in both. */
export const isInOicp = (thing: ServiceThing): boolean =>
  thing.charging?.live === true && unit(thing.key, 118) < SHARES.oicp;

export const isInDatexEnergy = (thing: ServiceThing): boolean =>
  thing.charging?.live === true &&
  (!isInOicp(thing) || unit(thing.key, 119) < SHARES.both_charging);

/** The id of its first plug, which is that of the place. */
export const oicpIdOf = (thing: ServiceThing): string => evseIdOf(thing, 0).replaceAll("*", "");

export const datexEnergyIdOf = ({ city, index }: ServiceThing): string =>
  `${city.country}-${city.id}_E${index + 1}`;

/** Car parks whose spaces are counted, in one register of the two or in both. */
export const isInParkApi = (thing: ServiceThing): boolean =>
  isCounted(thing) && unit(thing.key, 111) < SHARES.parkapi;

export const isInDatexParking = (thing: ServiceThing): boolean =>
  isCounted(thing) && (!isInParkApi(thing) || unit(thing.key, 112) < SHARES.both_registers);

/** The publisher's id of a car park, and that of the publisher. */
export const parkApiIdOf = ({
  city,
  index,
  key,
}: ServiceThing): { source: string; uid: string } => ({
  source: `${city.id}-parking`,
  uid: `site-${index}-${hex(4, key, 113)}`,
});

export const datexParkingIdOf = ({ city, index }: ServiceThing): string =>
  `${city.country}-${city.id}_P${index + 1}`;

const TYPE_NUMBERS: Readonly<Record<ServiceType, number>> = {
  aed: 0,
  toilets: 1,
  drinking_water: 2,
  fountain: 3,
  wifi: 4,
  parking: 5,
  charging: 6,
  locker: 7,
};

/** A number of six digits or seven of each service's own. */
export const codeOf = ({ city, service_type, index, key }: ServiceThing): number =>
  CITIES.findIndex(({ id }) => id === city.id) * 100_000 +
  TYPE_NUMBERS[service_type] * 10_000 +
  index * 10 +
  (key % 10);
