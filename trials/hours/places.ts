/** Places of the trial, and the moments at which they are asked about. */
import type { HoursPlace } from "#hours/index.ts";
import type { Dice } from "../dice.ts";

/** `state` as the judge names regions. */
export type TrialPlace = HoursPlace & { state?: string };

/** Clocks that change at other times, the far north, and the south. */
export const PLACES: readonly TrialPlace[] = [
  { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE", state: "Berlin" },
  { lat: 40.71, lon: -73.74, time_zone: "America/New_York", country: "US", state: "New York" },
  { lat: 69.65, lon: 18.96, time_zone: "Europe/Oslo", country: "NO" },
  {
    ...{ lat: -33.87, lon: 151.2, time_zone: "Australia/Sydney" },
    ...{ country: "AU", state: "New South Wales" },
  },
  { lat: 48.85, lon: 2.35, time_zone: "Europe/Paris", country: "FR" },
];

/** The judge knows no holidays of some countries without a region. */
const STATES_OF: Readonly<Record<string, string>> = {
  AU: "New South Wales",
  CA: "Ontario",
  CH: "Zürich",
  DE: "Berlin",
  GB: "England",
  US: "New York",
};
const WHERE = { lat: 50, lon: 8, time_zone: "UTC" };

/** One place in each country for which both may know holidays. */
export const COUNTRIES: readonly TrialPlace[] = [
  ...[
    "AT",
    "BE",
    "BR",
    "CA",
    "CH",
    "CZ",
    "DK",
    "ES",
    "FI",
    "FR",
    "GB",
    "IE",
    "IT",
    "JP",
    "LU",
    "MC",
  ],
  ...["MX", "NL", "NO", "NZ", "PL", "PT", "SE", "US", "ZA", "AU", "DE", "LI", "AD", "FJ"],
].map((country) => ({ ...WHERE, country, state: STATES_OF[country] ?? "" }));

const BEGIN_MS = Date.UTC(2026, 0, 1);
const END_MS = Date.UTC(2028, 0, 3);
const DAY_MS = 86_400_000;
const NEAR_MS = 5 * 3_600_000;
const EDGES = 20;
/** Changes of clocks in those zones, and New Year. */
const EDGES_MS = [
  ...[Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 3, 4, 16)],
  ...[Date.UTC(2026, 9, 3, 16), Date.UTC(2026, 9, 25, 1), Date.UTC(2026, 10, 1, 6)],
  ...[Date.UTC(2027, 0, 1), Date.UTC(2027, 2, 28, 1)],
];

/** Random moments of two years, some of them near to changes of clocks and years. */
export function momentsOf(dice: Dice, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    i < EDGES
      ? dice.pick(EDGES_MS) + dice.integer(-NEAR_MS, NEAR_MS)
      : dice.integer(BEGIN_MS, END_MS - 1),
  );
}

/** Every noon of two years. */
export function noons(): number[] {
  const count = Math.floor((END_MS - BEGIN_MS) / DAY_MS);
  return Array.from({ length: count }, (_, i) => BEGIN_MS + i * DAY_MS + DAY_MS / 2);
}
