/** Messages that each break one rule of the specification: none crashes, and none makes a time up. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildLive } from "../../live/build-live.ts";
import { indexFeed } from "../../live/feed-index.ts";
import { NO_TIME } from "../../live/live-layout.ts";
import { openLive, type LiveTable } from "../../live/live-table.ts";
import { readLiveMessage } from "../../gtfs-rt/message.ts";
import { encodeMessage, type Json } from "../../../../sandbox/gtfs-rt/encode.ts";
import { timetableOf } from "../../../../test/support/live.ts";

const MESSAGES = fileURLToPath(
  new URL("../../../../../shared/data/gtfs-rt/invalid-messages/", import.meta.url),
);
const skip = existsSync(MESSAGES) ? false : `no messages in ${MESSAGES}`;

const STOPS = ["70232", "70242", "70262", "70272"];
/** The trip that they are about, from 15:37 on, with the four calls that they name as the last ones. */
const FEED = timetableOf(
  [
    {
      id: "124",
      route: "L1",
      service: "W",
      calls: [
        "1 first 15:37:00 15:37:00",
        ...STOPS.map((id, i) => {
          const time = ["17:05:00", "17:10:00", "17:16:00", "17:22:00"][i]!;
          return `${20 + i} ${id} ${time} ${time}`;
        }),
      ],
    },
  ],
  {
    "agency.txt":
      "agency_id,agency_name,agency_url,agency_timezone\nM,M,https://m.example/,America/Los_Angeles\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_type\nL1,M,L1,2\n",
    "stops.txt": [
      "stop_id,stop_name,stop_lat,stop_lon",
      ...["first", ...STOPS].map((id, i) => `${id},${id},37.${i + 1},-122`),
    ].join("\n"),
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,0,0,20231101,20231130\n",
  },
);

const INDEX = indexFeed(FEED)!;

function build(json: Json): LiveTable {
  const read = readLiveMessage(encodeMessage(json));
  assert.ok(read.ok, read.ok ? "" : read.problem);
  const inputs = [{ message: read.message, fetched_ms: 1_699_405_600_000 }];
  return openLive(buildLive(INDEX, inputs))!;
}

/** Every number of the message that may be a time, in seconds. */
function timesIn(text: string): Set<number> {
  const times = [...text.matchAll(/"time":\s*"?(\d+)/g)].map(([, digits]) => Number(digits));
  return new Set(times.map((time) => (time > 1e11 ? time / 1000 : time)));
}

test("each of them is read, and expects nothing but what it states", { skip }, (t) => {
  const names = readdirSync(MESSAGES).filter((name) => name.endsWith(".json"));
  assert.equal(names.length, 32);
  const reasons: Record<string, string[]> = {};
  let expected = 0;
  for (const name of names) {
    const text = readFileSync(`${MESSAGES}${name}`, "utf8");
    const { columns, meta } = build(JSON.parse(text) as Json);
    const stated = timesIn(text);
    const delays = new Set<number>();
    const check = (time: number, planned: number): void => {
      if (time === NO_TIME) return;
      expected++;
      if (stated.has(time)) delays.add(time - planned);
      else assert.ok(delays.has(time - planned), `${name}: ${time}`);
    };
    // Calls in their order: each stop is called at once.
    for (const id of ["first", ...STOPS]) {
      const stop = INDEX.stopOf(id)!;
      for (let at = columns.event_starts[stop]!; at < columns.event_starts[stop + 1]!; at++) {
        check(columns.event_arrivals[at]!, columns.event_planned_arrivals[at]!);
        check(columns.event_departures[at]!, columns.event_planned_departures[at]!);
      }
    }
    reasons[name.slice(0, -5)] = meta.trail.dropped.map(({ reason }) => reason);
  }
  t.diagnostic(`${expected} expected times; ${JSON.stringify(reasons)}`);
  assert.ok(expected > 50);
  for (const name of Object.keys(reasons)) {
    if (name.startsWith("E021")) assert.deepEqual(reasons[name], ["unreadable_start"], name);
    if (name.startsWith("E003.trip")) assert.deepEqual(reasons[name], ["unknown_trip"], name);
    if (name.startsWith("E040")) assert.deepEqual(reasons[name], ["call_without_name"], name);
  }
});
