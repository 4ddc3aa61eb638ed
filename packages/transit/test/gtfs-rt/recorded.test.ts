/** Recorded polls are read as another decoder reads them: the publisher's JSON, and one in Python. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { LiveMessage } from "../../live/live-model.ts";
import { readLiveMessage } from "../../gtfs-rt/message.ts";
import { encodeMessage, type Json } from "../../../../sandbox/gtfs-rt/encode.ts";
import { findPython } from "../../../../test/support/python.ts";

const POLLS = fileURLToPath(new URL("../../../../../shared/data/gtfs-rt/", import.meta.url));
const ORACLE = fileURLToPath(new URL("../../../../test/oracle/live.py", import.meta.url));
const skip = existsSync(POLLS) ? false : `no recorded polls in ${POLLS}`;
const python = findPython();

function messageOf(bytes: Uint8Array): LiveMessage {
  const read = readLiveMessage(bytes);
  assert.ok(read.ok, read.ok ? "" : read.problem);
  return read.message;
}

function listPolls(folder: string): string[] {
  const names = readdirSync(`${POLLS}${folder}`);
  return names.filter((name) => /\.(pb|protobuf)$/.test(name)).map((name) => `${folder}/${name}`);
}

test("the polls of 2019 say what their JSON says", { skip }, () => {
  for (const path of listPolls("bart-2019")) {
    const json = JSON.parse(readFileSync(`${POLLS}${path}.json`, "utf8")) as Json;
    const message = messageOf(readFileSync(`${POLLS}${path}`));
    assert.deepEqual(messageOf(encodeMessage(json)), message, path);
    assert.ok(message.trips.length + message.alerts.length > 0);
    assert.deepEqual(message.trail.dropped, []);
    checkUpdates(message, json);
  }
});

/** Field by field, without the encoder: an error of both would not be seen otherwise. */
function checkUpdates({ trips }: LiveMessage, json: Json): void {
  const entities = (json as { entity: Update[] }).entity.filter(({ tripUpdate }) => tripUpdate);
  assert.equal(trips.length, entities.length);
  for (const [i, { id, tripUpdate }] of entities.entries()) {
    assert.equal(trips[i]!.entity_id, id);
    assert.equal(trips[i]!.trip.trip_id, tripUpdate!.trip["tripId"]);
    assert.equal(trips[i]!.trip.relation, tripUpdate!.trip["scheduleRelationship"]?.toLowerCase());
    assert.deepEqual(
      trips[i]!.stops.map(({ sequence, stop_id, arrival, departure }) => [
        sequence,
        stop_id,
        arrival!.delay_s,
        String(arrival!.time_s),
        departure!.delay_s,
        String(departure!.time_s),
      ]),
      tripUpdate!.stopTimeUpdate.map((stop) => [
        stop.stopSequence,
        stop.stopId,
        stop.arrival.delay,
        stop.arrival.time,
        stop.departure.delay,
        stop.departure.time,
      ]),
    );
  }
}

type Update = {
  id: string;
  tripUpdate?: {
    trip: Record<string, string>;
    stopTimeUpdate: {
      stopSequence: number;
      stopId: string;
      arrival: { delay: number; time: string };
      departure: { delay: number; time: string };
    }[];
  };
};

test(
  "polls with extensions are read as a reader in Python reads them",
  { skip: skip || (python ? false : "no Python") },
  () => {
    for (const path of [...listPolls("nyc-subway-2019"), ...listPolls("bart-2019")]) {
      if (path.includes("buses")) continue; // two megabytes of the same
      const file = `${POLLS}${path}`;
      const options = { maxBuffer: 2 ** 28, encoding: "utf8" } as const;
      const theirs: unknown = JSON.parse(execFileSync(python!, [ORACLE, "decode", file], options));
      const { trail, ...ours } = messageOf(readFileSync(file));
      assert.deepEqual(ours, theirs, path);
      assert.ok(trail.dropped.every(({ reason }) => reason === "alert_about_nothing"));
    }
  },
);
