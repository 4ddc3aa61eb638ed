/** Boundaries of countries and regions that are known exactly: one of the replaceable things (ports.ts). */

/** What boundaries say of a point. Codes are those of ISO 3166. */
export type BorderFacts = {
  /** The territory and its country, as far as they are drawn; empty: none that is drawn holds the point. */
  countries: readonly string[];
  /** Of ISO 3166-2; null: none that is drawn holds the point. */
  region: string | null;
};

/** South, west, north, east in degrees. */
type BorderBox = readonly [south: number, west: number, north: number, east: number];

export type Borders = {
  /** Another number whenever other boundaries are known: what was remembered may be wrong then. */
  version(): number;
  at(lat: number, lon: number): BorderFacts;
  /** Whether all of a country's boundary is known, and the point lies outside it. */
  excludes(country: string, lat: number, lon: number): boolean;
  /** Whether a country's boundary may run through a box; never false where one does. */
  crosses(box: BorderBox): boolean;
};
