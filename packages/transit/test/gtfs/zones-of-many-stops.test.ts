/**
 * Columns of stops were copied by hand, a line each, when a feed had more stops than they had room
 * for, and the line of the zones was missing: the first thousand stops had the zone of their agency.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import { createByteTable, textOf } from "../../gtfs/byte-table.ts";
import { createCsvScanner } from "#kit/csv.ts";
import { readStops } from "../../gtfs/stop-table.ts";

const STOPS = 3_000;

test("every stop of a large feed keeps what its row states", () => {
  const stops = readStops(
    { texts: createByteTable(1), level_ids: createByteTable(1) },
    { seed: 1, trail: createTrail() },
  );
  const scanner = createCsvScanner(stops);
  const rows = Array.from({ length: STOPS }, (_, i) => `s${i},Stop ${i},48,2,Europe/Zone-${i % 7}`);
  scanner.push(Buffer.from("stop_id,stop_name,stop_lat,stop_lon,stop_timezone\n"));
  scanner.push(Buffer.from(rows.join("\n")));
  assert.equal(scanner.end(), null);
  assert.equal(stops.count, STOPS);
  for (let stop = 0; stop < STOPS; stop++) {
    assert.equal(textOf(stops.zone_names, stops.zones[stop]!), `Europe/Zone-${stop % 7}`);
    assert.equal(textOf(stops.names, stops.named[stop]!), `Stop ${stop}`);
  }
});
