// Public transport of the simulated world: what exists and runs there, however a source publishes it.
import type { Point } from "../geo.ts";
import type { City } from "./model.ts";

/** Modes in the contract's order (contract 2.8), as far as anything runs here. */
export const TRANSIT_MODES = [
  ...(["bus", "tram", "metro", "rail", "rapid_transit"] as const),
  ...(["ferry", "coach", "cable_transport"] as const),
];
export type TransitMode = (typeof TRANSIT_MODES)[number];

export type Wheelchair = "yes" | "no" | "unknown";
/** GTFS: 1 yes, 2 no, 0 unknown, "" nothing is said; of a child the last two are its parent's. */
export type Boarding = "" | "0" | "1" | "2";

export type TransitOperator = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
};

/** Feed of the city that publishes it: the first, or that of the railways. */
export type Part = 0 | 1;

export type Line = {
  readonly index: number;
  readonly key: number;
  readonly mode: TransitMode;
  readonly route_type: number;
  readonly operator: TransitOperator;
  /** The feed that leads. */
  readonly part: Part;
  /** All feeds that publish it. */
  readonly parts: readonly Part[];
  /** One of the two may be "". */
  readonly short_name: string;
  readonly long_name: string;
  /** Six hexadecimal digits, or "". */
  readonly color: string;
  readonly text_color: string;
  readonly outbound: readonly Call[];
  readonly back: readonly Call[];
};

export type Call = { readonly station: number; readonly platform: number };

/** A pole on the street is its own only platform. */
export type Platform = Point & {
  readonly index: number;
  readonly mode: TransitMode;
  readonly parts: readonly Part[];
  readonly code: string;
  readonly boarding: Boarding;
  /** Marked places on a long platform (GTFS boarding areas). */
  readonly areas: number;
};

export type TransitStation = Point & {
  readonly kind: "transit_station";
  readonly city: City;
  readonly index: number;
  readonly key: number;
  readonly name: string;
  /** `pole`: without anything above or below it. */
  readonly form: "station" | "pole";
  /** The pole on the other side of the street; null: it is alone. */
  readonly across: { readonly station: number; readonly distance_m: number } | null;
  readonly platforms: readonly Platform[];
  readonly entrances: readonly Point[];
  readonly has_node: boolean;
  readonly boarding: Boarding;
  readonly wheelchair: Wheelchair;
  /** Of all operators, in their order; none: no trip serves it. */
  readonly lines: readonly Line[];
};

export type Network = {
  readonly city: City;
  readonly operators: readonly TransitOperator[];
  readonly lines: readonly Line[];
  readonly stations: readonly TransitStation[];
  readonly parts: readonly Part[];
};

export const modesOf = ({ lines }: Pick<TransitStation, "lines">): TransitMode[] =>
  TRANSIT_MODES.filter((mode) => lines.some((line) => line.mode === mode));
