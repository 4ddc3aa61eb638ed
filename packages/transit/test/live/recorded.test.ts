/** A recorded poll joined with its timetable, as an independent join in Python has it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openFeed } from "../../schedule/feed-pack.ts";
import { buildLive } from "../../live/build-live.ts";
import { indexFeed } from "../../live/feed-index.ts";
import { NO_VALUE, NO_TIME } from "../../live/live-layout.ts";
import { openLive, type LiveTable } from "../../live/live-table.ts";
import type { Timetable } from "../../timetable/timetable.ts";
import { readLiveMessage } from "../../gtfs-rt/message.ts";
import { importGtfs } from "../../archive/import-archive.ts";
import { findPython } from "../../../../test/support/python.ts";
import { listDepartures } from "../../../../test/support/live.ts";

const POLL = fileURLToPath(
  new URL("../../../../../shared/data/gtfs-rt/bart-2019/", import.meta.url),
);
const ORACLE = fileURLToPath(new URL("../../../../test/oracle/live.py", import.meta.url));
const python = findPython();
const skip = existsSync(POLL) ? (python ? false : "no Python") : `no recorded poll in ${POLL}`;

type Call = [
  stop_id: string,
  arrival: number | null,
  departure: number | null,
  expected_arrival: number | null,
  expected_departure: number | null,
];
type Joined = { runs: Record<string, Call[]>; unmatched: string[]; added: Record<string, Call[]> };

/** Every event of the table, by run and then in the order of its calls. */
function eventsOf(timetable: Timetable, live: LiveTable): Omit<Joined, "unmatched"> {
  const { columns } = live;
  const joined: Omit<Joined, "unmatched"> = { runs: {}, added: {} };
  const time = (value: number): number | null => (value === NO_TIME ? null : value);
  for (let stop = 0; stop + 1 < columns.event_starts.length; stop++)
    for (
      let event = columns.event_starts[stop]!;
      event < columns.event_starts[stop + 1]!;
      event++
    ) {
      const run = columns.event_runs[event]!;
      const trip = columns.run_trips[run]!;
      const calls =
        trip === NO_VALUE
          ? (joined.added[live.text(columns.run_ids[run]!)!] ??= [])
          : (joined.runs[`${timetable.trip(trip).id}/${columns.run_days[run]}`] ??= []);
      calls[columns.event_positions[event]!] = [
        timetable.stopId(stop),
        time(columns.event_planned_arrivals[event]!),
        time(columns.event_planned_departures[event]!),
        time(columns.event_arrivals[event]!),
        time(columns.event_departures[event]!),
      ];
    }
  return joined;
}

test("every call of every run is expected when the oracle expects it", { skip }, async (t) => {
  const imported = await importGtfs(
    { path: `${POLL}bart-rt.zip` },
    { feed_id: "bart", region: null, now_ms: 1_565_199_945_000 },
  );
  assert.ok(imported.ok);
  const feed = openFeed(imported.pack)!;
  const read = readLiveMessage(readFileSync(`${POLL}bart-trip-updates.pb`));
  assert.ok(read.ok);
  const now_ms = 1_565_199_945_000;
  const inputs = [{ message: read.message, fetched_ms: now_ms }];
  const live = openLive(buildLive(indexFeed(feed)!, inputs))!;
  const args = [ORACLE, "join", `${POLL}bart-rt.zip`, `${POLL}bart-trip-updates.pb.json`];
  const { unmatched, ...theirs } = JSON.parse(
    execFileSync(python!, args, { encoding: "utf8", maxBuffer: 2 ** 26 }),
  ) as Joined;
  const ours = eventsOf(feed.timetable!, live);
  assert.deepEqual(ours, theirs);
  const { counts } = live.meta;
  assert.deepEqual([counts.matched, counts.added], [65, 8]);
  assert.equal(counts.unmatched, unmatched.length);
  const calls = Object.values(ours.runs).flat();
  t.diagnostic(
    `${calls.length} calls, ${calls.filter((call) => call[4] !== null).length} expected`,
  );
  const boards = Array.from({ length: feed.count }, (_, station) =>
    listDepartures(feed, live, {
      station,
      kind: "departures",
      from_ms: now_ms,
      to_ms: now_ms + 3_600_000,
      now_ms,
      max_age_s: 120,
    }),
  );
  const departures = boards.flatMap((board) => board!.departures);
  // What is listed as live has the time that the oracle has.
  const entries = new Set(
    [...Object.values(theirs.runs), ...Object.values(theirs.added)]
      .flat()
      .map(([stop_id, , , , departure]) => `${stop_id}/${departure}`),
  );
  const expected = departures.filter(({ expected_ms }) => expected_ms !== null);
  assert.ok(expected.length > 300);
  for (const { stop_id, expected_ms } of expected)
    assert.ok(entries.has(`${stop_id}/${expected_ms! / 1000}`));
});
