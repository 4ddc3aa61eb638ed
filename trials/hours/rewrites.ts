/**
 * Values written in another way that means the same at a moment, for what the judge is known to get
 * wrong. If it then says what we say, the difference is its own.
 */
import type { HoursPlace } from "#hours/index.ts";
import { createSun } from "#hours/sun-events.ts";
import { createZones } from "#kit/time-zones.ts";
import type { Verdict } from "./judge.ts";

export type Rewrite = { reason: string; value: string };

type At = { place: HoursPlace; at_ms: number; ours: Verdict };

const DAY_MS = 86_400_000;
const zones = createZones();

const EVENTS = ["dawn", "sunrise", "sunset", "dusk"] as const;
const SUN = /\((dawn|sunrise|sunset|dusk)([+-])(\d\d):(\d\d)\)|\b(dawn|sunrise|sunset|dusk)\b/g;
const POINT = String.raw`(?:\d\d:\d\d|\([a-z]+[+-]\d\d:\d\d\)|dawn|sunrise|sunset|dusk)`;
/** One of several spans of a list that has no stated end. */
const OPEN_IN_LIST = new RegExp(`, ?${POINT}\\+(?=[, ;]|$)|(?<![^ ])${POINT}\\+,(?=${POINT})`, "g");
const LATER = new RegExp(`(${POINT}-${POINT})\\+`, "g");

/** What may be said in another way, each alone and then together. */
export function listRewrites(value: string, at: At): Rewrite[] {
  const rewrites: Rewrite[] = [];
  const add = (reason: string, changed: string): void => {
    if (changed !== value) rewrites.push({ reason, value: changed });
  };
  // Both are open whatever the part says that is left out: it adds to them at most.
  const firm = at.ours === "open" ? withoutFallback(value) : value;
  const closing = at.ours === "open" ? withoutOpenEnds(value) : value;
  const both = at.ours === "open" ? withoutOpenEnds(firm) : value;
  add("lets a fallback replace what is open", firm);
  add("lets an open end replace a span that goes on", closing);
  add("lets a fallback or an open end replace what is open", both);
  add("reads a season that ends the day before it begins as none", withoutWholeYears(value));
  for (const days of [0, 1]) {
    const reason = "takes the sun at six for whether a span goes over midnight";
    for (const each of new Set([value, firm, closing, both]))
      add(reason, withSunOf(each, at, days));
  }
  return rewrites;
}

function withoutFallback(value: string): string {
  return value.replace(/ \|\| .*$/, "");
}

/** Rules that close are left as they are: without their open ends they would close less. */
function withoutOpenEnds(value: string): string {
  return value
    .split(RULES)
    .map((rule) =>
      / (?:off|closed)$/.test(rule)
        ? rule
        : rule.replaceAll(OPEN_IN_LIST, "").replaceAll(LATER, "$1"),
    )
    .join("");
}

/** Before each rule; a comma that times follow is one of their list. */
const RULES = /(?=; |, (?:[A-Z]|easter|week|\d{4}))/;

/** A season that ends the day before it begins is every day. */
function withoutWholeYears(value: string): string {
  return value.replaceAll(SEASON, (text, from_month, from_date, to_month, to_date) => {
    const begin_ms = Date.parse(`${from_month} ${from_date} 2026 UTC`);
    return Date.parse(`${to_month} ${to_date} 2026 UTC`) + DAY_MS === begin_ms ? "" : text;
  });
}

const SEASON = /\b([A-Z][a-z]{2}) (\d\d)-([A-Z][a-z]{2}) (\d\d) /g;

/** The events of a day as clock times: of the day of the moment, or of one before. */
function withSunOf(value: string, { place, at_ms }: At, days_before: number): string {
  const find = (when_ms: number) => zones.find(place.time_zone, when_ms);
  const findSun = createSun(place, find);
  const day = Math.floor((at_ms + find(at_ms)!.offset_ms) / DAY_MS) - days_before;
  return value.replaceAll(SUN, (text, event: string, sign, hours, minutes, bare: string) => {
    const by_min = event === undefined ? 0 : Number(`${sign}1`) * (hours * 60 + Number(minutes));
    const name = EVENTS.find((each) => each === (event ?? bare))!;
    const minute = findSun({ event: name, offset_min: by_min }, day);
    if (minute === null) return text;
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  });
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Days around the first and the last rising of a season, on which formulas differ. */
const EDGE_DAYS = 3;

/** Whether an event of the value is one that the sun does on some days around this one, and not on others. */
export function isEdgeOfSeason(value: string, place: HoursPlace, at_ms: number): boolean {
  const find = (when_ms: number) => zones.find(place.time_zone, when_ms);
  const findSun = createSun(place, find);
  const day = Math.floor((at_ms + find(at_ms)!.offset_ms) / DAY_MS);
  return EVENTS.filter((event) => value.includes(event)).some((event) => {
    const isThere = (by: number): boolean => findSun({ event, offset_min: 0 }, day + by) !== null;
    const days = Array.from({ length: 2 * EDGE_DAYS + 1 }, (_, i) => isThere(i - EDGE_DAYS));
    return days.includes(true) && days.includes(false);
  });
}
