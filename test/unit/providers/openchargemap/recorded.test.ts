/** Recorded answers and the export of 2020 of Open Charge Map, looked for next to the repository. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { Place } from "#core/places/place.ts";
import { createTrail, droppedCount } from "#kit/trail.ts";
import { checkRead, toWire } from "../../../support/place-fixtures.ts";
import { read } from "./readers.ts";

const DATA = new URL("../../../../../shared/data/", import.meta.url);
const ANSWERS = new URL("responses/open-charge-map-api/", DATA);
const EXPORT = new URL("charging/open-charge-map-2020-11/poi.ndjson.gz", DATA);

test("recorded answers, long and short form alike", (t) => {
  if (!existsSync(ANSWERS)) return t.skip("no open-charge-map-api in ../shared/data");
  const files = readdirSync(ANSWERS).filter((file) => file.endsWith(".json"));
  assert.equal(files.length, 4);
  let places = 0;
  for (const file of files) {
    const body = readFileSync(new URL(file, ANSWERS), "utf8");
    const trail = createTrail();
    const match = read(toWire(body.startsWith("[") ? body : `[${body}]`), trail);
    assert.ok(match.ok, file);
    assert.equal(checkRead(match) + droppedCount(trail.toTrail()), match.raw, file);
    assert.ok(match.value.length > 0, file);
    places += match.value.length;
  }
  t.diagnostic(`${files.length} bodies, ${places} stations`);
});

test("the export of 2020: every point a station or a reason", (t) => {
  if (!existsSync(EXPORT)) return t.skip("no open-charge-map-2020-11 in ../shared/data");
  // Of the database, which wraps its dates.
  const lines = gunzipSync(readFileSync(EXPORT)).toString("utf8").trim().split("\n");
  const trail = createTrail();
  const match = { ok: true as const, value: [] as Place[], raw: 0 };
  // In answers of the size that one question gets.
  for (let at = 0; at < lines.length; at += 500) {
    const rows = lines.slice(at, at + 500).join(",");
    const answer = read(toWire(`[${rows.replace(/\{"\$date":("[^"]*")\}/g, "$1")}]`), trail);
    assert.ok(answer.ok);
    match.value.push(...answer.value);
    match.raw += answer.raw;
  }
  assert.equal(match.raw, 5_685);
  const { dropped } = trail.toTrail();
  assert.equal(checkRead(match) + droppedCount(trail.toTrail()), match.raw);
  t.diagnostic(`${match.raw} points, ${match.value.length} stations, ${JSON.stringify(dropped)}`);
  const count = (reason: string): number =>
    dropped.find((entry) => entry.reason === reason)?.count ?? 0;
  assert.ok(count("private") > 0 && count("planned") > 0 && count("not_published") > 0);
  assert.ok(match.value.length > 4_000, "most of them are public");
  // Operational, or not known, is all that is said of nearly all of them.
  const live = match.value.filter(({ attributes }) =>
    JSON.stringify(attributes["charging"]).includes("available_count"),
  );
  assert.ok(live.length < 100, `${live.length} with availability`);
});
