/** What every station of public transport must be, whatever its source (§2.8). */
import { TRANSPORT_MODES } from "#contract/tokens.ts";
import assert from "node:assert/strict";
import { type TransitStation } from "#core/transit/station.ts";
import type { ReadAnswer } from "#providers/lookup.ts";
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
