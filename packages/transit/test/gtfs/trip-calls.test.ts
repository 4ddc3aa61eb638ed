/** Calls of trips whose rows are scattered, beyond what is kept of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PLACE } from "../../timetable/timetable-draft.ts";
import { UNTIMED } from "../../timetable/timetable-layout.ts";
import { createByteTable, addText } from "../../gtfs/byte-table.ts";
import { TripCalls, type TripTimes } from "../../gtfs/trip-calls.ts";
import type { Trips } from "../../gtfs/trip-table.ts";

function tripsOf(count: number): Trips {
  const ids = createByteTable(1);
  for (let trip = 0; trip < count; trip++) {
    const bytes = new TextEncoder().encode(`T${trip}`);
    const [starts, ends] = [Int32Array.of(0), Int32Array.of(bytes.length)];
    addText(ids, { bytes, line: 1, starts, ends, escaped: Uint8Array.of(0) }, 0);
  }
  const column = (): Int32Array => new Int32Array(count);
  const texts = { headsignOf: column(), shortNameOf: column() };
  const flags = { wheelchair: new Uint8Array(count), frequent: new Uint8Array(count) };
  return { ids, routeOf: column(), serviceOf: column(), ...texts, ...flags };
}

/** Rows as TRIP:SEQUENCE@SECONDS; the places of trips that are kept, and the remarks. */
function read(rows: readonly string[], most_loose: number) {
  const calls = new TripCalls(tripsOf(3), 1, most_loose);
  for (const row of rows) {
    const [trip = 0, sequence = 0, departure = 0] = row.split(/[:@]/).map(Number);
    const times = { arrival: UNTIMED, departure };
    const rest = { pickup: 0, drop_off: 0, isApproximate: false, headsign: NO_PLACE };
    calls.add(trip, 0, sequence, { ...times, ...rest });
  }
  const { profiles, profileOf, startOf } = drain(calls.finish());
  const kept = [...profileOf].flatMap((profile, trip) =>
    profile === NO_PLACE ? [] : [[trip, startOf[trip], (profiles.at(profile).length - 2) / 2]],
  );
  return { kept, dropped: calls.trail().dropped };
}

function drain(steps: Generator<void, TripTimes>): TripTimes {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const MIXED = ["0:1@10", "1:1@20", "0:2@30", "1:2@40", "2:1@50", "2:2@60"];

test("scattered trips are kept as far as there is room, the others are left out whole", () => {
  const all = [
    [0, 10, 2],
    [1, 20, 2],
    [2, 50, 2],
  ];
  assert.deepEqual(read(MIXED, 4), { kept: all, dropped: [] });
  const reason = "trip_out_of_order";
  assert.deepEqual(read(MIXED, 3), {
    kept: [all[0], all[2]],
    dropped: [{ reason, count: 1, examples: ["T1"] }],
  });
  assert.deepEqual(read(MIXED, 1), {
    kept: [all[2]],
    dropped: [{ reason, count: 2, examples: ["T0", "T1"] }],
  });
  // More rows of what was left out change nothing.
  assert.deepEqual(read([...MIXED, "1:3@70", "2:3@80"], 3), {
    kept: [all[0]],
    dropped: [{ reason, count: 2, examples: ["T1", "T2"] }],
  });
});
