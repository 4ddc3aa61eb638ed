// stop_times.txt, by far the largest file of a feed: written as text at once, not row by row.
import { hash } from "../rng.ts";
import type { Network } from "../world/transit-model.ts";
import type { Trip, Way } from "../world/transit-runs.ts";
import { calledAt } from "../world/transit-stops.ts";
import { callHeadsign } from "./headsigns.ts";
import { tripIdOf } from "./ids.ts";
import type { Feed, FeedStyle } from "./style.ts";

const COLUMNS = ["stop_id", "stop_sequence", "pickup_type", "drop_off_type"] as const;

/** The text of the file, with the habits of its publisher. */
export function writeTimes(feed: Feed, ways: readonly Way[]): string {
  const { style } = feed;
  const network = feed.network();
  const end = style.crlf ? "\r\n" : "\n";
  const more = [...(style.via ? ["stop_headsign"] : []), ...(style.rough ? ["timepoint"] : [])];
  const header = ["trip_id", "arrival_time", "departure_time", ...COLUMNS, ...more].join(",");
  const rows = ways.flatMap((way) => rowsOf(feed, network, way));
  // A publisher that sorts by place in the trip.
  const ordered = style.scattered ? rows.toSorted((a, b) => a.sequence - b.sequence) : rows;
  const text = ordered.map((row) => row.text).join(end);
  return `${style.bom ? "\uFEFF" : ""}${header}${end}${text}${end}`;
}

export const sequenceOf = (call: number): number => call * 10;

/** Of every line some calls are only about then, where the publisher says so. */
export const isRough = ({ rough }: FeedStyle, { line }: Way, call: number): boolean =>
  rough && call > 0 && hash(line.key, call, 57) % 3 === 0;

type Row = { readonly sequence: number; readonly text: string };

function rowsOf(feed: Feed, network: Network, way: Way): Row[] {
  const { style, part } = feed;
  const write = style.quoted ? quoted : (text: string): string => text;
  const fixed = way.calls.map((call, n) => {
    const cells = [
      calledAt(network, part, call),
      String(sequenceOf(n)),
      n === way.no_pickup || (style.ends && n === way.calls.length - 1) ? "1" : "",
      style.ends && n === 0 ? "1" : "",
      ...(style.via ? [quotedIfNeeded(callHeadsign(network, way, { part, style, call: n }))] : []),
      ...(style.rough ? [isRough(style, way, n) ? "0" : "1"] : []),
    ];
    return cells.map((cell) => write(cell)).join(",");
  });
  return way.trips.flatMap((trip) => {
    const trip_id = write(tripIdOf(way, trip, part));
    return fixed.map((text, n): Row => {
      const [arrives, departs] = timesAt(way, trip, n);
      const times = `${write(arrives)},${write(departs)}`;
      return { sequence: n, text: `${trip_id},${times},${text}` };
    });
  });
}

function timesAt({ departs_s, dwells_s }: Way, { start_s }: Trip, call: number): [string, string] {
  const departs = start_s + (departs_s[call] ?? 0);
  const dwell_s = dwells_s[call] ?? 0;
  const text = toClock(departs);
  return [dwell_s === 0 ? text : toClock(departs - dwell_s), text];
}

const quoted = (text: string): string => (text.startsWith('"') ? text : `"${text}"`);

const quotedIfNeeded = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Past midnight it goes on: 24:10:00. */
export function toClock(seconds: number): string {
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
  const minutes = Math.floor(seconds / 60);
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
