/** Golden pairs and checks for the adapters of places: what every place must be, whatever its source. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { present } from "#kit/present.ts";
import type { Place } from "#core/places/place.ts";
import { createTrail, type TrailRecorder } from "#kit/trail.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import { checkHidden } from "./hidden-text.ts";
import { vocabularyProblem } from "./vocabulary.ts";

export type Fixture = { status?: number; body?: unknown; text?: string; [member: string]: unknown };

export function toWire(body: string | Uint8Array, status = 200): WireAnswer {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { status, content_type: null, body: bytes };
}

/** One test for each pair: `run` gives what was found; the trail is compared with it. */
export function testGoldenPairs(
  provider: string,
  names: readonly string[],
  run: (wire: WireAnswer, trail: TrailRecorder, fixture: Fixture, name: string) => unknown,
): void {
  const folder = new URL(`../fixtures/providers/${provider}/`, import.meta.url);
  const load = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  test(`${provider}: the pairs are those that the table names`, () => {
    const files = names.flatMap((name) => [`${name}.expected.json`, `${name}.wire.json`]);
    assert.deepEqual(readdirSync(folder).sort(), files.sort());
  });
  for (const name of names) {
    test(`golden ${provider}: ${name}`, () => {
      const fixture = load(`${name}.wire.json`) as Fixture;
      const trail = createTrail();
      const wire = toWire(fixture.text ?? JSON.stringify(fixture.body), fixture.status);
      const match = { read: run(wire, trail, fixture, name), trail: trail.toTrail() };
      // As it would be sent: a member that is undefined does not exist.
      assert.deepEqual(JSON.parse(JSON.stringify(match)), load(`${name}.expected.json`));
    });
    test(`${provider}: hidden characters in any member of ${name} are in none of the answer`, () => {
      const fixture = load(`${name}.wire.json`) as Fixture;
      checkHidden(fixture.body, (body) =>
        run(toWire(body, fixture.status), createTrail(), fixture, name),
      );
    });
  }
}

const STATUSES = ["timeout", "error", "unauthorized", "unavailable"];

/** A typed failure, or places that keep to §2.3; returns how many. */
export function checkRead(read: ReadAnswer<Place[]>): number {
  if (!read.ok) {
    assert.ok(STATUSES.includes(read.status));
    assert.match(read.reason, /^[a-z0-9_]+$/);
    return 0;
  }
  assert.ok(read.value.length <= read.raw);
  assert.equal(new Set(read.value.map((place) => place.external_id)).size, read.value.length);
  for (const place of read.value) checkPlace(place);
  return read.value.length;
}

/** Nothing in it is empty, unknown or out of range. */
export function checkPlace(place: Place): void {
  const { lat, lon, name, external_id, attributes, kind } = place;
  const what = `${external_id}: ${JSON.stringify(attributes)}`;
  assert.ok(Math.abs(lat) <= 90 && Math.abs(lon) <= 180, what);
  assert.ok(lat !== 0 || lon !== 0, what);
  assert.ok(name?.trim() !== "" && external_id.trim() !== "", what);
  const { prices = [], ...rest } = attributes as { prices?: object[] };
  // A price says null of what is unknown (packages/api/prices.ts).
  checkKnown(prices.map(present), what);
  checkKnown(rest, what);
  assert.equal(vocabularyProblem(kind, attributes), null);
}

function checkKnown(value: unknown, what: string): void {
  if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) checkKnown(each, what);
  else if (typeof value === "number") assert.ok(Number.isFinite(value), what);
  else assert.ok(typeof value === "boolean" || (typeof value === "string" && value !== ""), what);
}
