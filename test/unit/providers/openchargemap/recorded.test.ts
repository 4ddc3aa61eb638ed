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
    const found = read(toWire(body.startsWith("[") ? body : `[${body}]`), trail);
    assert.ok(found.ok, file);
    assert.equal(checkRead(found) + droppedCount(trail.toTrail()), found.raw, file);
    assert.ok(found.value.length > 0, file);
    places += found.value.length;
  }
  t.diagnostic(`${files.length} bodies, ${places} stations`);
});

test("the export of 2020: every point a station or a reason", (t) => {
  if (!existsSync(EXPORT)) return t.skip("no open-charge-map-2020-11 in ../shared/data");
  // Of the database, which wraps its dates.
  const lines = gunzipSync(readFileSync(EXPORT)).toString("utf8").trim().split("\n");
  const trail = createTrail();
  const found = { ok: true as const, value: [] as Place[], raw: 0 };
  // In answers of the size that one question gets.
  for (let at = 0; at < lines.length; at += 500) {
    const rows = lines.slice(at, at + 500).join(",");
    const answer = read(toWire(`[${rows.replace(/\{"\$date":("[^"]*")\}/g, "$1")}]`), trail);
    assert.ok(answer.ok);
    found.value.push(...answer.value);
    found.raw += answer.raw;
  }
  assert.equal(found.raw, 5_685);
  const { dropped } = trail.toTrail();
  assert.equal(checkRead(found) + droppedCount(trail.toTrail()), found.raw);
  t.diagnostic(`${found.raw} points, ${found.value.length} stations, ${JSON.stringify(dropped)}`);
  const count = (reason: string): number =>
    dropped.find((entry) => entry.reason === reason)?.count ?? 0;
  assert.ok(count("private") > 0 && count("planned") > 0 && count("not_published") > 0);
  assert.ok(found.value.length > 4_000, "most of them are public");
  // Operational, or not known, is all that is said of nearly all of them.
  const live = found.value.filter(({ attributes }) =>
    JSON.stringify(attributes["charging"]).includes("available_count"),
  );
  assert.ok(live.length < 100, `${live.length} with availability`);
});
