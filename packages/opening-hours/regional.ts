/**
 * What regions of federal countries keep besides the holidays of all of their country
 * (docs/design/hours.md, "Holidays"). The table is written by scripts/holidays.ts.
 */
import table from "./holidays-regional.json" with { type: "json" };

/** A day, and the regions that keep it, or may keep it, as codes of ISO 3166-2 without the country. */
type RegionalDay = { day: string; regions: string; perhaps: string };
type RegionalTable = {
  last_year: number;
  countries: Readonly<
    Record<
      string,
      { rules: readonly RegionalDay[]; dated: Readonly<Record<string, string | undefined>> }
    >
  >;
};

const { last_year, countries } = table as RegionalTable;

/** Regions that the rules of their country name, by country; of others nothing is known. */
const REGIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(countries).map(([country, { rules }]) => [
    country,
    new Set(rules.flatMap(({ regions, perhaps }) => `${regions} ${perhaps}`.split(" "))),
  ]),
);

/**
 * Reports whether it is known what a region keeps: its country has no regional days here, or the rules
 * name it. What is not known of a region may be a day of any region.
 */
export function isKnownRegion(country: string, region: string): boolean {
  const regions = REGIONS.get(country);
  return regions === undefined || regions.has(region.slice(country.length + 1));
}

/** `sure`: the region keeps it; else it may. */
export type RegionalHoliday = { day: string; sure: boolean };

/**
 * Returns what a region keeps, or may keep, in a year; without a region what some region may keep.
 * Days are rules, or dates with their year. null: nothing is known of that year.
 */
export function listRegional(
  country: string,
  region: string | null,
  year: number,
): RegionalHoliday[] | null {
  if (!Object.hasOwn(countries, country)) return [];
  if (year > last_year) return null;
  const { rules, dated } = countries[country]!;
  const code = region === null ? null : region.slice(country.length + 1);
  const isIn = (codes: string): boolean => code === null || codes.split(" ").includes(code);
  return [
    ...rules.flatMap(({ day, regions, perhaps }) => {
      const sure = code !== null && isIn(regions);
      return sure || isIn(regions) || isIn(perhaps) ? [{ day, sure }] : [];
    }),
    ...Object.entries(dated).flatMap(([day, codes = ""]) =>
      day.startsWith(`${year}-`) && isIn(codes) ? [{ day: day.slice(5), sure: false }] : [],
    ),
  ];
}
