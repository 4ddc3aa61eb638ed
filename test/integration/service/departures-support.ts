/** Departures as answered and as they truly are (GET /__sandbox/truth/departures), in the same words. */
import assert from "node:assert/strict";
import type { DeparturesBodyValue } from "#api/departures.ts";
import { advance, type Client } from "./support.ts";

/** A service, and the simulator that it reads. */
export type Pair = {
  service: { url: string };
  sandbox: { url: string; now(): number };
};
export type At = { lat: number; lon: number };
export type Departure = DeparturesBodyValue["results"]["departures"][number];

export type Seen = { feed_id: string; trip_id: string; service_date: string };
export type True = {
  headsign: string;
  planned_at: string | null;
  expected_at: string | null;
  realtime: string;
  status: string;
  platform: { planned: string | null; live: string | null } | null;
  headway_seconds: number | null;
  approximate: boolean;
  wheelchair: string;
  continues_as: { line: string; headsign: string } | null;
  alerts: string[];
  station: { name: string; location: At; distance_m: number; ids: Record<string, string> };
  line: { short_name: string; long_name: string; mode: string };
  sources: Seen[];
};

const LIMIT = 100;
/** Pins of a second publisher are at most so far off. */
const PIN_M = 15;

export type Ask = At & { radius?: number; within?: number };
export type Compared = {
  body: DeparturesBodyValue;
  truth: True[];
};

/** Asks for all departures there, in a circle with no station on its edge. */
export async function askBoth(
  client: Client,
  pair: Pair,
  { lat, lon, radius = 400, within = 30 }: Ask,
  silent: readonly string[] = [],
): Promise<Compared> {
  const clear_m = await clearRadius(client, pair, { lat, lon }, radius);
  const at = { lat: String(lat), lon: String(lon), radius: String(clear_m) };
  const request = { ...at, within: String(within), limit: String(LIMIT) };
  const body = await client.json<DeparturesBodyValue>(
    `${pair.service.url}/v1/departures/nearby?${new URLSearchParams(request).toString()}`,
  );
  if (body.total > LIMIT && within > 1)
    return askBoth(client, pair, { lat, lon, radius, within: Math.ceil(within / 2) }, silent);
  const truth = await askTruth(client, pair, {
    ...at,
    ...body.window,
    silent: silent.join(),
  });
  return { body, truth };
}

export async function askTruth(
  client: Client,
  { sandbox }: Pair,
  query: Record<string, string>,
): Promise<True[]> {
  const search = new URLSearchParams(query).toString();
  const { departures } = await client.json<{ departures: True[] }>(
    `${sandbox.url}/__sandbox/truth/departures?${search}`,
  );
  return departures;
}

async function clearRadius(
  client: Client,
  { sandbox }: Pair,
  { lat, lon }: At,
  radius: number,
): Promise<number> {
  const { things } = await client.json<{ things: { kind: string; distance_m: number }[] }>(
    `${sandbox.url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${radius + PIN_M}`,
  );
  const far = things
    .filter(({ kind }) => kind === "transit_station")
    .map(({ distance_m }) => distance_m);
  let clear_m = radius;
  while (far.some((each) => Math.abs(each - clear_m) <= PIN_M)) clear_m -= 5;
  return clear_m;
}

/** The same moment as the simulator writes it: answers have the offset of the station. */
export function toUtc(time: string | null): string | null {
  return time === null ? null : `${new Date(time).toISOString().slice(0, -5)}Z`;
}

/** A departure with everything that is not made up by the service. */
function fromAnswer(departure: Departure): object {
  const { continues_as } = departure;
  const { station, line, platform, headway_seconds, approximate, alerts, sources } = departure;
  const { planned_at, expected_at, headsign, realtime, status, wheelchair } = departure;
  return {
    sources: sources.map(({ feed_id, trip_id, service_date }) => [feed_id, trip_id, service_date]),
    station: [station.name, station.location],
    line: [line.short_name, line.long_name, line.mode],
    times: [toUtc(planned_at), toUtc(expected_at), departure.delay_seconds],
    platform,
    headsign,
    realtime,
    status,
    headway: headway_seconds ?? null,
    approximate: approximate ?? false,
    wheelchair,
    continues: continues_as && [
      continues_as.line.short_name ?? continues_as.line.long_name,
      continues_as.headsign,
    ],
    alerts: alerts.toSorted(),
    observed_at: toUtc(departure.observed_at),
  };
}

/** `minute`: when the messages in use were made. */
function fromTruth(departure: True, minute: string): object {
  const { station, line, platform, headsign, realtime, status, wheelchair } = departure;
  const { planned_at, expected_at, continues_as, alerts, sources } = departure;
  const isBoth = planned_at !== null && expected_at !== null;
  return {
    sources: sources.map(({ feed_id, trip_id, service_date }) => [feed_id, trip_id, service_date]),
    station: [station.name, station.location],
    line: [line.short_name || null, line.long_name || null, line.mode],
    times: [
      planned_at,
      expected_at,
      isBoth ? (Date.parse(expected_at) - Date.parse(planned_at)) / 1000 : null,
    ],
    platform,
    headsign,
    realtime,
    status,
    headway: departure.headway_seconds,
    approximate: departure.approximate,
    wheelchair,
    continues: continues_as && [continues_as.line, continues_as.headsign],
    alerts: alerts.toSorted(),
    observed_at: realtime === "live" ? minute : null,
  };
}

/** Of the rows that differ. */
const SHOWN = 3;

const sorted = (rows: readonly object[]): string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

/** Just after the beginning of a minute at least so far ahead; what live data are held is too old then. */
export async function alignTo(client: Client, { sandbox }: Pair, ahead_s = 0): Promise<string> {
  const least_s = 240 + ahead_s;
  const left_s = 60 - ((sandbox.now() / 1000 + least_s) % 60);
  const now_ms = await advance(client, sandbox.url, least_s + left_s + 0.25);
  return new Date(Math.floor(now_ms / 60_000) * 60_000).toISOString().replace(".000Z", "Z");
}

const [DAWN_H, NOON_H, EVENING_H] = [6, 9, 15];

/** Moves on to a morning, by UTC, where little is running: nothing can be seen of what does not run. */
export async function untilDay(client: Client, { sandbox }: Pair): Promise<void> {
  const hour = new Date(sandbox.now()).getUTCHours();
  if (hour >= DAWN_H && hour < EVENING_H) return;
  await advance(client, sandbox.url, ((NOON_H - hour + 24) % 24) * 3600);
}

/** Every departure is one of the truth, and every one of the truth is answered. */
export function assertSame(
  { body, truth }: Compared,
  minute: string,
  what: string,
): readonly Departure[] {
  const { departures } = body.results;
  const match = sorted(departures.map(fromAnswer));
  const wanted = sorted(truth.map((each) => fromTruth(each, minute)));
  const entries = new Set(wanted);
  const seen = new Set(match);
  assert.deepEqual(
    {
      wrong: match.filter((row) => !entries.has(row)).slice(0, SHOWN),
      missing: wanted.filter((row) => !seen.has(row)).slice(0, SHOWN),
    },
    { wrong: [], missing: [] },
    what,
  );
  assert.equal(body.total, truth.length, what);
  return departures;
}

export function assertOrder(departures: readonly Departure[]): void {
  const times = departures.map(({ expected_at, planned_at }) =>
    Date.parse(expected_at ?? planned_at!),
  );
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
}
