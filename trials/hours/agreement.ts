/** Holds our states against the judge's, and sorts the differences. */
import {
  createHoursMemory,
  evaluateHours,
  type Hours,
  type HoursPlace,
  parseHours,
} from "#core/hours/hours.ts";
import { createZones } from "#core/hours/zones.ts";
import { createJudge, type Verdict } from "./judge.ts";
import type { TrialPlace } from "./places.ts";

export type Agreement = {
  /** Values at places that both read. */
  compared: number;
  moments: number;
  agreed: number;
  /** Moments of which we know nothing, whatever the judge says. */
  unknown: number;
  /** We say unknown, the judge does not. */
  cautious: number;
  /** Within minutes of sunrise or sunset, where formulas differ. */
  near_sun: number;
  /** The judge cannot evaluate the moment. */
  not_judged: number;
  /** Differences in which the judge is wrong, by reason. */
  judge_wrong: Map<string, string[]>;
  disagreements: string[];
  only_judge: string[];
  only_ours: string[];
  slow: string[];
};

type Differs = { value: string; place: TrialPlace; at_ms: number; theirs: Verdict };

const JUDGE_MS = 10_000;
const DAY_MS = 86_400_000;
const NEAR_SUN_MS = 12 * 60_000;
const zones = createZones();

/** Why the judge is wrong; each was worked out by hand (docs/lab/hours.md). */
const REASONS: readonly { reason: string; holds: (differs: Differs) => boolean }[] = [
  {
    reason: "takes the day before for 24 hours, on a day of 23 or 25",
    holds: ({ place, at_ms }) => dayOf(place, at_ms) - dayOf(place, at_ms - DAY_MS) !== 1,
  },
  {
    reason: "steps of weeks go wrong after clocks have changed in the south",
    holds: ({ value, place }) => /week \d+-\d+\/\d+/.test(value) && place.lat < 0,
  },
  {
    reason: "lacks the holiday that Luxembourg has had on 9 May since 2019",
    holds: ({ place, at_ms }) =>
      place.country === "LU" && new Date(at_ms).toISOString().slice(5, 10) === "05-09",
  },
  {
    // In Tromsø around the first and the last night of midnight sun.
    reason: "takes the sunset after midnight, of the evening before, for that of the day",
    holds: ({ value, place, at_ms }) =>
      /sunset/.test(value) &&
      place.lat > 66 &&
      /-(05-1\d|07-(2[4-9]|3\d)|08-0\d)$/.test(new Date(at_ms).toISOString().slice(0, 10)),
  },
  {
    reason: "takes the end of what begins at sunset from the day on which it is asked",
    holds: ({ value, theirs }) => /sunset\+/.test(value) && theirs === "unknown",
  },
];

function dayOf({ time_zone }: HoursPlace, at_ms: number): number {
  return Math.floor((at_ms + zones.find(time_zone, at_ms)!.offset_ms) / DAY_MS);
}

export function createAgreement(): Agreement {
  return {
    compared: 0,
    moments: 0,
    agreed: 0,
    unknown: 0,
    cautious: 0,
    near_sun: 0,
    not_judged: 0,
    judge_wrong: new Map(),
    disagreements: [],
    only_judge: [],
    only_ours: [],
    slow: [],
  };
}

export type Questions = {
  values: readonly string[];
  place: TrialPlace;
  /** Moments for the n-th value. */
  momentsOf: (index: number) => number[];
};

/** Adds what is found over all values at a place. */
export async function compare(
  found: Agreement,
  { values, place, momentsOf }: Questions,
): Promise<void> {
  const judge = createJudge(place.time_zone, JUDGE_MS);
  for (const [index, value] of values.entries()) {
    const times_ms = momentsOf(index);
    const hours = parseHours(value);
    const reply = await judge.ask({ value, place, times_ms });
    const name = `${JSON.stringify(value)} ${place.country}`;
    if (!reply) found.slow.push(name);
    else if ("error" in reply) {
      if (hours) found.only_ours.push(value);
    } else if (hours) {
      found.compared += 1;
      sortOne(found, { value, hours, place, times_ms, states: reply.states });
    } else found.only_judge.push(value);
  }
  await judge.close();
}

type One = {
  value: string;
  hours: Hours;
  place: TrialPlace;
  times_ms: readonly number[];
  states: readonly (Verdict | null)[];
};

function sortOne(found: Agreement, { value, hours, place, times_ms, states }: One): void {
  const memory = createHoursMemory();
  const stateOf = (at_ms: number): Verdict => evaluateHours(hours, at_ms, place, memory).state;
  const wrong: string[] = [];
  for (const [i, at_ms] of times_ms.entries()) {
    const [ours, theirs] = [stateOf(at_ms), states[i]];
    found.moments += 1;
    if (ours === "unknown") found.unknown += 1;
    const isNearSun = (): boolean =>
      /sun|dawn|dusk/.test(value) &&
      [-NEAR_SUN_MS, NEAR_SUN_MS].some((by_ms) => stateOf(at_ms + by_ms) === theirs);
    if (theirs == null) found.not_judged += 1;
    else if (ours === theirs) found.agreed += 1;
    else if (ours === "unknown") found.cautious += 1;
    else if (isNearSun()) found.near_sun += 1;
    else {
      const text = `${new Date(at_ms).toISOString().slice(0, 16)}Z ours ${ours}, the judge's ${theirs}`;
      const differs = { value, place, at_ms, theirs };
      const known = REASONS.find(({ holds }) => holds(differs));
      if (!known) wrong.push(text);
      else {
        const list = found.judge_wrong.get(known.reason) ?? [];
        list.push(`${JSON.stringify(value)} ${place.country}: ${text}`);
        found.judge_wrong.set(known.reason, list);
      }
    }
  }
  if (wrong.length > 0)
    found.disagreements.push(
      `${JSON.stringify(value)} ${place.country}, ${wrong.length} times: ${wrong[0]}`,
    );
}
