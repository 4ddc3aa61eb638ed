/** What every station of public transport must be, whatever its source (§2.8). */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import assert from "node:assert/strict";
import type { TransitStation } from "#transit/index.ts";
import type { FoundDeparture } from "#transit/timetables.ts";
import type { ReadAnswer } from "#providers/lookup.ts";
import { type BoardPage, type BoardQuery, timeOfCall } from "#providers/transit-departures.ts";
import type { TransitPage } from "#providers/transit-lookup.ts";

const STATUSES = ["timeout", "error", "unauthorized", "unavailable"];

/** A failure by one of our own words. */
export function checkFailure(read: ReadAnswer<unknown>): void {
  if (read.ok) return;
  assert.ok(STATUSES.includes(read.status));
  assert.match(read.reason, /^[a-z0-9_]+$/);
}

/** A typed failure, or stations that keep to §2.8; returns how many. */
export function checkPage(read: ReadAnswer<TransitPage>): number {
  checkFailure(read);
  if (!read.ok) return 0;
  const { stations, next } = read.value;
  assert.ok(stations.length <= read.raw);
  assert.ok(next === null || next !== "");
  for (const station of stations) checkStation(station);
  return stations.length;
}

/** A typed failure, or boards of the time that was asked for; returns how many departures. */
export function checkBoards(
  read: ReadAnswer<BoardPage>,
  { from_ms, to_ms }: Pick<BoardQuery, "from_ms" | "to_ms">,
): number {
  checkFailure(read);
  if (!read.ok) return 0;
  const { boards, alerts } = read.value;
  const result = boards.flatMap(({ departures }) => departures);
  assert.ok(result.length <= read.raw);
  assert.equal(new Set(result.map(({ key }) => key)).size, result.length);
  const keys = boards.map(({ station: { source } }) =>
    [source.feed_id, source.source_id].join(" "),
  );
  assert.equal(new Set(keys).size, keys.length);
  for (const { station, departures } of boards) {
    checkStation(station);
    for (const { route } of departures) assert.ok(station.modes.includes(route.mode));
  }
  for (const departure of result) checkDeparture(departure, { from_ms, to_ms });
  checkKnown(alerts, "alerts");
  assert.equal(new Set(alerts.map(({ id }) => id)).size, alerts.length);
  return result.length;
}

function checkDeparture(
  departure: FoundDeparture,
  { from_ms, to_ms }: Pick<BoardQuery, "from_ms" | "to_ms">,
): void {
  const what = JSON.stringify(departure);
  const { expected_ms, realtime, status, observed_ms, platform } = departure;
  const at_ms = timeOfCall(departure);
  assert.ok(at_ms >= from_ms && at_ms < to_ms, what);
  assert.ok(expected_ms === null || realtime === "live", what);
  assert.ok(expected_ms === null || (status !== "cancelled" && status !== "skipped"), what);
  assert.ok(observed_ms === null || realtime === "live", what);
  assert.ok(platform === null || platform.planned !== null || platform.live !== null, what);
  assert.ok(TRANSPORT_MODES.includes(departure.route.mode), what);
  checkKnown(departure, what);
}

function checkStation(station: TransitStation): void {
  const what = JSON.stringify(station);
  const { lat, lon, name, modes, operators, routes, fetched_at_ms, source } = station;
  assert.ok(Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0), what);
  assert.ok(name.trim() !== "" && source.source_id.trim() !== "", what);
  assert.deepEqual(
    modes,
    TRANSPORT_MODES.filter((mode) => modes.includes(mode)),
    what,
  );
  assert.ok(modes.length > 0, what);
  for (const list of [operators, routes])
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length, what);
  for (const route of routes) assert.ok(TRANSPORT_MODES.includes(route.mode), what);
  assert.ok(Number.isSafeInteger(fetched_at_ms) && fetched_at_ms >= 0, what);
  checkKnown(station, what);
}

/** Unknown is null or absent, never empty, broken or undefined. */
function checkKnown(value: unknown, what: string): void {
  if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) checkKnown(each, what);
  else assert.ok(value !== "" && value !== undefined && !Number.isNaN(value), what);
}
