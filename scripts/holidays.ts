/**
 * `npx node scripts/holidays.ts PYTHON`: writes packages/opening-hours/holidays-regional.json, what regions of
 * federal countries keep besides the holidays of all of their country, from the package `holidays` of
 * Python (MIT, docs/design/hours.md). PYTHON is an interpreter that has it.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HOLIDAYS, resolveHoliday } from "#hours/holidays.ts";
import { findRule, FIRST_YEAR, LAST_YEAR } from "./holidays/rules.ts";

const VERSION = "0.105";
/** The licence asks for this line in every copy. */
const SOURCE = `holidays ${VERSION} of Python, MIT licence, Copyright (c) Vacanza Team and individual contributors, dr-prodigy, ryanss`;
const COUNTRIES = ["AT", "AU", "BR", "CA", "CH", "DE", "ES", "GB", "NZ", "US"];
const TARGET = fileURLToPath(
  new URL("../packages/opening-hours/holidays-regional.json", import.meta.url),
);
const DATES = fileURLToPath(new URL("holidays/dates.py", import.meta.url));
/** Of the United States: they have codes of their own as countries. */
const TERRITORIES = new Set(["AS", "GU", "MP", "PR", "UM", "VI"]);
/** Towns and districts with days of their own, by the region that they are part of. */
const PARTS: Readonly<Record<string, string>> = {
  "BR São Paulo Capital": "SP",
  "CH Stadt Zurich": "ZH",
  "DE Augsburg": "BY",
  "NZ South Canterbury": "CAN",
};
/** A date with its year. */
const ONCE = /^\d{4}-/;
const DAY_MS = 86_400_000;
const MOST_MB = 64;

type Dated = [country: string, region: string, sure: boolean, name: string, date: string];
type Regions = { sure: Set<string>; perhaps: Set<string> };
/** Codes of regions without that of their country, apart by blanks. */
type Stored = {
  rules: { day: string; regions: string; perhaps: string }[];
  dated: Record<string, string>;
};

const [python] = process.argv.slice(2);
if (!python) throw new Error("npx node scripts/holidays.ts PYTHON");
const args = [DATES, VERSION, String(FIRST_YEAR), String(LAST_YEAR), COUNTRIES.join(",")];
const output = execFileSync(python, args, { encoding: "utf8", maxBuffer: MOST_MB * 2 ** 20 });
const rows = JSON.parse(output) as Dated[];
const countries = Object.fromEntries(
  COUNTRIES.map((country) => [
    country,
    toStored(
      country,
      rows.filter((row) => row[0] === country && !(country === "US" && TERRITORIES.has(row[1]))),
    ),
  ]),
);
writeFileSync(
  TARGET,
  // `npm run format` lays it out, a record a line.
  JSON.stringify({ source: SOURCE, last_year: LAST_YEAR, countries }),
);

function toStored(country: string, own: readonly Dated[]): Stored {
  const matches = new Map<string, Regions>();
  for (const [key, dates] of Map.groupBy(own, toKey)) {
    const { region, sure } = JSON.parse(key) as { region: string; sure: boolean };
    for (const one of split(dates.map((row) => row[4]))) {
      const rule = findRule(one.map((date) => Date.parse(date) / DAY_MS));
      for (const day of rule === null ? one : [rule]) {
        const regions: Regions = matches.get(day) ?? { sure: new Set(), perhaps: new Set() };
        // What no rule gives is estimated, or kept once.
        (sure && rule !== null ? regions.sure : regions.perhaps).add(region);
        matches.set(day, regions);
      }
    }
  }
  const stored: Stored = { rules: [], dated: {} };
  for (const day of [...matches.keys()].filter((each) => !isOfAll(country, each)).sort()) {
    const { sure, perhaps } = matches.get(day)!;
    const unsure = toCodes([...perhaps].filter((region) => !sure.has(region)));
    if (ONCE.test(day)) stored.dated[day] = unsure;
    else stored.rules.push({ day, regions: toCodes([...sure]), perhaps: unsure });
  }
  return stored;
}

function toCodes(regions: readonly string[]): string {
  return regions.toSorted().join(" ");
}

/** The dates of a name, one list for each of the days that it has in every year. */
function split(dates: readonly string[]): string[][] {
  const years = [...Map.groupBy(dates.toSorted(), (date) => date.slice(0, 4)).values()];
  const [count] = new Set(years.map((list) => list.length));
  const isEven = count !== undefined && years.every((list) => list.length === count);
  if (!isEven) return [[...dates]];
  return Array.from({ length: count }, (_, at) => years.map((list) => list[at]!));
}

function toKey([country, region, sure, name]: Dated): string {
  const part = PARTS[`${country} ${region}`];
  // A day of a town and one of its region may have one name.
  return JSON.stringify({
    region: part ?? region,
    sure: sure && part === undefined,
    name,
    part: part && region,
  });
}

/** Whether the whole country keeps it, in the table of countries. */
function isOfAll(country: string, day: string): boolean {
  const years = ONCE.test(day) ? [Number(day.slice(0, 4))] : [2026, 2027, 2030, 2033];
  const wanted = years.map((year) =>
    ONCE.test(day) ? Date.parse(day) / DAY_MS : resolveHoliday(day, year),
  );
  const { days } = HOLIDAYS[country]!;
  return days.some((rule) => years.every((year, i) => resolveHoliday(rule, year) === wanted[i]));
}
