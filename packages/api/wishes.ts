/**
 * The grammar of wishes (ask_here), as data: what may be wished, and what of it. A wish is written
 * `KIND[:OPTION…][>=NUMBER UNIT][>NAME][~DISTANCE]`, such as `charger:CCS2:free>=50kW`.
 */
import { PLACE_CLASSES } from "./place-classes.ts";
import { CONNECTOR_TYPES, SERVICE_TYPES } from "./tokens.ts";

type ServiceType = (typeof SERVICE_TYPES)[number];

/** What `>=` bounds: how many there are, their battery, their power, or for how long it is still open. */
export type WishUnit = "" | "%" | "kW" | "min";

/**
 * `service`: an urban service of a type. `place`: a place of a class. `mobility`: a vehicle of a mode, or a station that has one. `transit`:
 * the next departure of modes, or a stop of them.
 */
export type WishKind = {
  readonly options: readonly WishOption[];
  readonly units: readonly WishUnit[];
} & (
  | { readonly family: "service"; readonly type: ServiceType }
  | { readonly family: "place"; readonly place_class: string }
  | { readonly family: "mobility"; readonly mode: "bicycle" | "scooter" | "moped" | "car" }
  | { readonly family: "transit"; readonly modes: readonly string[] }
);

/** What each option means, for people and for models. */
const WISH_OPTIONS = {
  open: "known to be open at the time",
  wheelchair: "known to be accessible with a wheelchair",
  no_fee: "known to cost nothing",
  public: "known to be for all, not for customers only",
  free: "with a plug that is free now",
  dock: "a free dock to return one, in place of a vehicle",
  electric: "with a motor",
  cargo: "to carry loads",
  seated: "with a seat",
  last: "the last departure of the day",
  stop: "the stop, in place of a departure",
} as const;
export type WishOption = keyof typeof WISH_OPTIONS;

const OF_SERVICE = ["open", "wheelchair", "no_fee", "public"] as const;
const service = (type: ServiceType): WishKind => {
  const isCharger = type === "charging";
  return {
    ...{ family: "service", type, units: isCharger ? ["kW", "min"] : ["min"] },
    options: isCharger ? [...OF_SERVICE, "free"] : OF_SERVICE,
  };
};
const vehicle = (
  mode: Extract<WishKind, { family: "mobility" }>["mode"],
  ...more: readonly WishOption[]
): WishKind => {
  return { family: "mobility", mode, options: ["dock", "electric", ...more], units: ["", "%"] };
};
const transit = (...modes: readonly string[]): WishKind => {
  return { family: "transit", modes, options: ["last", "stop", "wheelchair"], units: [] };
};

/** Kinds that have a word of their own; the others are classes of places. */
export const OWN_KINDS: Readonly<Record<string, WishKind>> = {
  toilet: service("toilets"),
  water: service("drinking_water"),
  fountain: service("fountain"),
  aed: service("aed"),
  wifi: service("wifi"),
  parking: service("parking"),
  charger: service("charging"),
  locker: service("locker"),
  bike: vehicle("bicycle", "cargo"),
  scooter: vehicle("scooter", "seated"),
  moped: vehicle("moped"),
  car: vehicle("car"),
  bus: transit("bus"),
  tram: transit("tram"),
  metro: transit("metro"),
  rail: transit("rail"),
  train: transit("rail", "rapid_transit"),
  ferry: transit("ferry"),
  transit: transit(),
};

const SERVICES: ReadonlySet<string> = new Set(SERVICE_TYPES);
const OF_PLACE = { family: "place", options: ["open", "wheelchair"], units: ["min"] } as const;

export const WISH_KINDS: Readonly<Record<string, WishKind>> = {
  ...Object.fromEntries(
    PLACE_CLASSES.filter((place_class) => !SERVICES.has(place_class)).map((place_class) => [
      place_class,
      { ...OF_PLACE, place_class },
    ]),
  ),
  ...OWN_KINDS,
};

/** Connectors as options have them: without blanks, as `Type2`. */
export const WISH_CONNECTORS: ReadonlyMap<string, (typeof CONNECTOR_TYPES)[number]> = new Map(
  CONNECTOR_TYPES.filter((type) => type !== "Other").map((type) => [
    type.replaceAll(/[ /]/g, "").toLowerCase(),
    type,
  ]),
);

/** How many wishes one question has, and how long one may be. */
export const WISHES = { most: 6, chars_max: 80 } as const;

/** What the person of a question has or needs. */
export const WISH_NEEDS = {
  wheelchair: "only what is known to be accessible, on ways without steps",
  luggage: "ways without steps",
  children: "ways without steps",
  budget: "budget:N: a ride of ten minutes for at most N, in the money of the place",
} as const;
