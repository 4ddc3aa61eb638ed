/** Holds our states against the judge's, at random moments and at those where clocks and years change. */
import {
  createHoursMemory,
  evaluateHours,
  type HoursMemory,
  type HoursPlace,
  parseHours,
} from "#core/hours/hours.ts";
import { createDice, type Dice } from "../dice.ts";
import { createJudge, type Verdict } from "./judge.ts";

export type Agreement = {
  values: number;
  /** Both read and evaluated. */
  compared: number;
  moments: number;
  agreed: number;
  /** We say unknown, the judge does not. */
  cautious: number;
  /** Within minutes of sunrise or sunset, where formulas differ. */
  near_sun: number;
  disagreements: string[];
  only_judge: string[];
  only_ours: string[];
  neither: string[];
  slow: string[];
};

type Place = HoursPlace & { state?: string };

export const PLACES: readonly Place[] = [
  { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE", state: "Berlin" },
  { lat: 40.71, lon: -73.74, time_zone: "America/New_York", country: "US", state: "New York" },
  { lat: 69.65, lon: 18.96, time_zone: "Europe/Oslo", country: "NO" },
  { lat: -33.87, lon: 151.2, time_zone: "Australia/Sydney", country: "AU", state: "New South Wales" },
  { lat: 48.85, lon: 2.35, time_zone: "Europe/Paris", country: "FR" },
];

const BEGIN_MS = Date.UTC(2026, 0, 1);
const END_MS = Date.UTC(2028, 0, 3);
const JUDGE_MS = 10_000;
const NEAR_SUN_MS = 12 * 60_000;
/** Around changes of clocks in each zone, and around New Year. */
const EDGES_MS = [
  [2026, 2, 8, 7],
  [2026, 2, 29, 1],
  [2026, 3, 4, 16],
  [2026, 9, 3, 16],
  [2026, 9, 25, 1],
  [2026, 10, 1, 6],
  [2027, 0, 1, 0],
].map(([year, month, date, hour]) => Date.UTC(year!, month, date, hour));

function momentsOf(dice: Dice, count: number): number[] {
  const random = Array.from({ length: count - 20 }, () => dice.integer(BEGIN_MS, END_MS - 1));
  const edges = Array.from({ length: 20 }, () => dice.pick(EDGES_MS) + dice.integer(-18e6, 18e6));
  return [...random, ...edges];
}

export type Options = { seed: number; moments: number; places: readonly Place[] };

/** Resolves to what was found over all values at each place. */
export async function compare(
  values: readonly string[],
  { seed, moments, places }: Options,
): Promise<Agreement> {
  const found: Agreement = {
    values: values.length,
    compared: 0,
    moments: 0,
    agreed: 0,
    cautious: 0,
    near_sun: 0,
    disagreements: [],
    only_judge: [],
    only_ours: [],
    neither: [],
    slow: [],
  };
  const memory = createHoursMemory();
  for (const [index, place] of places.entries()) {
    const judge = createJudge(place.time_zone, JUDGE_MS);
    for (const [number, value] of values.entries()) {
      const times_ms = momentsOf(createDice(seed, index * 100_000 + number), moments);
      const hours = parseHours(value);
      const reply = await judge.ask({ value, place, times_ms });
      const name = `${JSON.stringify(value)} ${place.country}`;
      if (!reply) found.slow.push(name);
      else if ("error" in reply) (hours ? found.only_ours : found.neither).push(`${name}: ${reply.error}`);
      else if (!hours) found.only_judge.push(name);
      else {
        found.compared += 1;
        judgeOne(found, { value, place, times_ms, states: reply.states, memory });
      }
    }
    await judge.close();
  }
  return found;
}

type One = {
  value: string;
  place: Place;
  times_ms: readonly number[];
  states: readonly Verdict[];
  memory: HoursMemory;
};

function judgeOne(found: Agreement, { value, place, times_ms, states, memory }: One): void {
  const hours = parseHours(value)!;
  const stateOf = (at_ms: number): Verdict => evaluateHours(hours, at_ms, place, memory).state;
  const wrong: string[] = [];
  for (const [i, at_ms] of times_ms.entries()) {
    const [ours, theirs] = [stateOf(at_ms), states[i]!];
    found.moments += 1;
    if (ours === theirs) found.agreed += 1;
    else if (ours === "unknown") found.cautious += 1;
    else if (
      /sun|dawn|dusk/.test(value) &&
      [-NEAR_SUN_MS, NEAR_SUN_MS].some((by_ms) => stateOf(at_ms + by_ms) === theirs)
    )
      found.near_sun += 1;
    else wrong.push(`${new Date(at_ms).toISOString().slice(0, 16)} ours ${ours}, theirs ${theirs}`);
  }
  if (wrong.length > 0)
    found.disagreements.push(
      `${JSON.stringify(value)} ${place.country}, ${wrong.length} times: ${wrong[0]}`,
    );
}
