// The urban services of the simulated world, as they are. What a source says of them is elsewhere.
import type { Point } from "../geo.ts";
import type { City } from "./model.ts";

export const SERVICE_TYPES = [
  "aed",
  "toilets",
  "drinking_water",
  "fountain",
  "wifi",
  "parking",
  "charging",
  "locker",
] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];

export type Connector = {
  /** In the words of OCPI 2.2.1: IEC_62196_T2, IEC_62196_T2_COMBO, CHADEMO … */
  readonly standard: string;
  readonly power_kw: number;
  readonly count: number;
};

/** One place to plug in, in this minute. */
export type Plug = {
  readonly standard: string;
  readonly power_kw: number;
  readonly status: "AVAILABLE" | "CHARGING" | "OUTOFORDER";
  /** Since when, in seconds. */
  readonly since_s: number;
};

/** The spaces of a car park, in this minute. */
export type Spaces = {
  readonly capacity: number;
  readonly free: number;
  readonly trend: "filling" | "steady" | "emptying";
  /** Among them. */
  readonly disabled: { readonly capacity: number; readonly free: number };
  /**
   * What is wrong with the number of free spaces as it is published: -1, words around it, a state that
   * is not known, one of two days ago, or 20 more than there are spaces. Null: it is right.
   */
  readonly slip: "minus_one" | "words" | "unknown" | "stale" | "beyond" | null;
  /** Since when, in seconds. */
  readonly since_s: number;
};

/** Whatever is here may be used by the public; what may not is no service (openmap/decoys.ts). */
export type ServiceThing = Point & {
  readonly kind: "service";
  readonly service_type: ServiceType;
  readonly city: City;
  /** Fixed by the seed: counts up within city and type, nearest to the centre first. */
  readonly index: number;
  /** The number that represents (seed, city, type, index) in every hash. */
  readonly key: number;
  /** In the city's first language; "" for the many that have no name. */
  readonly name: string;
  readonly operator: string;
  readonly street: string;
  readonly street_number: string;
  readonly post_code: string;
  /** OSM-like opening hours; null: unknown. */
  readonly opening_hours: string | null;
  readonly access: "public" | "customers";
  /** Drinking points and fountains; null: not stated. */
  readonly potable?: boolean | null;
  /** Parking. */
  readonly parking?: {
    readonly kind: "garage" | "lot" | "street";
    readonly fee: boolean | null;
    readonly capacity: number | null;
  };
  /** Charging; `live`: each plug's state is reported (listPlugs). */
  readonly charging?: { readonly connectors: readonly Connector[]; readonly live: boolean };
};
