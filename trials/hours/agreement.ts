/** Holds our states against the judge's, and sorts the differences. */
import {
  createHoursMemory,
  evaluateHours,
  type Hours,
  type HoursPlace,
  parseHours,
} from "#hours/index.ts";
import { createZones } from "#kit/time-zones.ts";
import { createJudge, type Judge, type Verdict } from "./judge.ts";
import { isEdgeOfSeason, listRewrites } from "./rewrites.ts";
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
/** Beyond the polar circle, where the sun hardly crosses the horizon. */
const POLAR = { lat: 66, near_ms: 45 * 60_000 };
const zones = createZones();

/** Why the judge is wrong; each was worked out by hand (docs/lab/hours.md). */
const REASONS: readonly { reason: string; holds: (differs: Differs) => boolean }[] = [
  {
    reason: "takes the day before for 24 hours, on a day of 23 or 25",
    holds: ({ place, at_ms }) => dayOf(place, at_ms) - dayOf(place, at_ms - DAY_MS) !== 1,
  },
  {
    reason: "counts weeks wrongly after clocks have changed in the south",
    holds: ({ value, place }) => /week \d+-\d+/.test(value) && place.lat < 0,
  },
  {
    reason: "takes a beginning by the sun after midnight for one of the day before",
    holds: ({ value, place, at_ms }) =>
      /\((?:dusk|sunset)\+\d\d:\d\d\)[-+]/.test(value) && minuteOf(place, at_ms) < 180,
  },
  {
    reason: "ends a range the day before the Easter that it ends with",
    holds: ({ value, place, at_ms }) =>
      /-easter/.test(value) && EASTERS.has(localDate(place, at_ms)),
  },
  {
    reason: "keeps the date of a year's Easter in the year after",
    holds: ({ value, place, at_ms }) =>
      value.startsWith("2026 easter") && localDate(place, at_ms) === "2027-04-05",
  },
  {
    reason: "does not look for the eve or the morrow of a holiday beyond the year",
    holds: ({ value, place, at_ms }) =>
      /PH [+-]\d day/.test(value) && NEW_YEAR.test(localDate(place, at_ms)),
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
    reason: "takes the end of what begins by the sun from the day on which it is asked",
    holds: ({ value, theirs }) =>
      /(?:dawn|sunrise|sunset|dusk|\))\+/.test(value) && theirs === "unknown",
  },
];

function minuteOf({ time_zone }: HoursPlace, at_ms: number): number {
  const local_ms = at_ms + zones.find(time_zone, at_ms)!.offset_ms;
  return Math.floor((local_ms % DAY_MS) / 60_000);
}

const EASTERS: ReadonlySet<string> = new Set(["2026-04-05", "2027-03-28"]);
const NEW_YEAR = /-(?:12-31|01-0[12])$/;

function localDate(place: HoursPlace, at_ms: number): string {
  return new Date(dayOf(place, at_ms) * DAY_MS).toISOString().slice(0, 10);
}

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
  agreement: Agreement,
  { values, place, momentsOf }: Questions,
): Promise<void> {
  const judge = createJudge(place.time_zone, JUDGE_MS);
  for (const [index, value] of values.entries()) {
    const times_ms = momentsOf(index);
    const hours = parseHours(value);
    const reply = await judge.ask({ value, place, times_ms });
    const name = `${JSON.stringify(value)} ${place.country}`;
    if (!reply) agreement.slow.push(name);
    else if ("error" in reply) {
      if (hours) agreement.only_ours.push(value);
    } else if (hours) {
      agreement.compared += 1;
      const wrong = sortOne(agreement, { value, hours, place, times_ms, states: reply.states });
      await askAgain(agreement, judge, { value, place, wrong });
    } else agreement.only_judge.push(value);
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

type Wrong = { at_ms: number; ours: Verdict; theirs: Verdict };

/** What the judge says of the value in other words that mean the same; the rest is a disagreement. */
async function askAgain(
  agreement: Agreement,
  judge: Judge,
  { value, place, wrong }: { value: string; place: TrialPlace; wrong: readonly Wrong[] },
): Promise<void> {
  const left: string[] = [];
  for (const { at_ms, ours, theirs } of wrong) {
    const text = `${new Date(at_ms).toISOString().slice(0, 16)}Z ours ${ours}, the judge's ${theirs}`;
    let reason: string | null = null;
    for (const rewrite of listRewrites(value, { place, at_ms, ours })) {
      const reply = await judge.ask({ value: rewrite.value, place, times_ms: [at_ms] });
      if (!reply || "error" in reply || reply.states[0] !== ours) continue;
      reason = rewrite.reason;
      break;
    }
    if (reason === null) left.push(text);
    else note(agreement, reason, `${JSON.stringify(value)} ${place.country}: ${text}`);
  }
  if (left.length > 0)
    agreement.disagreements.push(
      `${JSON.stringify(value)} ${place.country}, ${left.length} times: ${left[0]}`,
    );
}

function note(agreement: Agreement, reason: string, text: string): void {
  const list = agreement.judge_wrong.get(reason) ?? [];
  list.push(text);
  agreement.judge_wrong.set(reason, list);
}

function sortOne(agreement: Agreement, { value, hours, place, times_ms, states }: One): Wrong[] {
  const memory = createHoursMemory();
  const stateOf = (at_ms: number): Verdict => evaluateHours(hours, at_ms, place, memory).state;
  const wrong: Wrong[] = [];
  const near_ms = place.lat > POLAR.lat ? POLAR.near_ms : NEAR_SUN_MS;
  for (const [i, at_ms] of times_ms.entries()) {
    const [ours, theirs] = [stateOf(at_ms), states[i]];
    agreement.moments += 1;
    if (ours === "unknown") agreement.unknown += 1;
    const isNearSun = (): boolean =>
      isEdgeOfSeason(value, place, at_ms) ||
      (/sun|dawn|dusk/.test(value) &&
        [-near_ms, near_ms].some((by_ms) => stateOf(at_ms + by_ms) === theirs));
    if (theirs == null) agreement.not_judged += 1;
    else if (ours === theirs) agreement.agreed += 1;
    else if (ours === "unknown") agreement.cautious += 1;
    else if (isNearSun()) agreement.near_sun += 1;
    else {
      const text = `${new Date(at_ms).toISOString().slice(0, 16)}Z ours ${ours}, the judge's ${theirs}`;
      const differs = { value, place, at_ms, theirs };
      const entry = REASONS.find(({ holds }) => holds(differs));
      if (entry)
        note(agreement, entry.reason, `${JSON.stringify(value)} ${place.country}: ${text}`);
      else wrong.push({ at_ms, ours, theirs });
    }
  }
  return wrong;
}
