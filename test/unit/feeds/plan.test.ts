/** What is done next for a system, as a table; and what holds of a state whatever is noted in it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Failure } from "#kit/outcome.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { gbfsProtocol } from "#stations/gbfs/gbfs-protocol.ts";
import { FEED_FILES, type FeedFile } from "#stations/feed.ts";
import {
  backingOff,
  findRetained,
  isDiscoveryDue,
  nextPollAt_ms,
  plan,
  type RefreshRequest,
} from "#upstream/feeds/feed-plan.ts";
import { FeedState } from "#upstream/feeds/feed-state.ts";
import {
  createRecord,
  type FeedRecord,
  offers,
  PART_FILES,
  PART_KEYS,
  partOf,
  TARGETS,
} from "#upstream/feeds/feed-view.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { aShard, aStation, aVehicle, forAll, NOW_MS } from "../../support/domain.ts";
import { systemOf } from "./support.ts";

const LATER_MS = NOW_MS + 60_000;
const FAILED: Failure = { status: "error", reason: "http_500" };
const SHARD = aShard({ stations: [aStation("a")], vehicles: [aVehicle("v")] });
const POLL: RefreshRequest = { full: false, since_ms: -Infinity };
const DEMAND: RefreshRequest = { full: true, since_ms: Infinity };

/** Everything is offered, loaded just now, and due in a minute. */
function loaded(change: (record: FeedRecord) => void = () => undefined): FeedRecord {
  const record = createRecord(systemOf("a", "https://a.example/gbfs.json"), gbfsProtocol);
  const feeds = new Map(FEED_FILES.map((file) => [file, `https://a.example/${file}.json`]));
  record.discovery = { feeds, due_at_ms: LATER_MS, guessed_for: null };
  record.shard = atTime(SHARD, NOW_MS);
  for (const target of TARGETS)
    Object.assign(record.files[target], { due_at_ms: LATER_MS, requested_at_ms: NOW_MS });
  change(record);
  return record;
}

function atTime(shard: Shard, validated_at_ms: number): Shard {
  const live = { validated_at_ms, doc_s: validated_at_ms / 1000, ttl_s: 60 };
  return {
    ...shard,
    status: { data: shard.status!.data, live },
    vehicles: { data: shard.vehicles!.data, live },
    alerts: { data: null, live },
  };
}

const due =
  (...files: readonly FeedFile[]) =>
  (record: FeedRecord): void => {
    for (const file of files) record.files[file].due_at_ms = NOW_MS;
  };

type Row = [
  what: string,
  change: (record: FeedRecord) => void,
  request: RefreshRequest,
  steps: string,
];

const ROWS: readonly Row[] = [
  ["nothing is due", () => undefined, POLL, "update"],
  ["one live file is due", due("station_status"), POLL, "update station_status"],
  [
    "live files and zones are due",
    due("vehicle_status", "geofencing_zones"),
    POLL,
    "update vehicle_status geofencing_zones",
  ],
  ["a static file is due", due("vehicle_types"), POLL, "update, renew_statics"],
  [
    "all is due",
    due(...FEED_FILES),
    POLL,
    "update station_status vehicle_status system_alerts geofencing_zones, renew_statics",
  ],
  [
    "a due file is not offered",
    (record) => {
      due("station_status")(record);
      record.files.station_status.absent = true;
    },
    POLL,
    "update",
  ],
  ["nothing is held", (record) => (record.shard = null), POLL, "load"],
  ["nothing is held, and a caller waits", (record) => (record.shard = null), DEMAND, "load"],
  [
    "a caller waits: live files, due or not, and nothing else",
    due("vehicle_types", "geofencing_zones"),
    DEMAND,
    "update station_status vehicle_status system_alerts",
  ],
  [
    "a caller waits, and one file wants no request yet",
    (record) => (record.files.vehicle_status.retry_at_ms = NOW_MS + 1),
    DEMAND,
    "update station_status system_alerts",
  ],
  [
    "a caller waits, and the fleet has requested all since, which is valid",
    () => undefined,
    { full: true, since_ms: NOW_MS },
    "update",
  ],
  [
    "a caller waits, and the fleet has requested all, but before",
    () => undefined,
    { full: true, since_ms: NOW_MS + 1 },
    "update station_status vehicle_status system_alerts",
  ],
  [
    "a caller waits, and what the fleet has requested is no longer valid",
    (record) => (record.shard = atTime(SHARD, NOW_MS - 60_001)),
    { full: true, since_ms: NOW_MS },
    "update station_status vehicle_status system_alerts",
  ],
  [
    "a caller waits, and what the fleet has requested failed",
    (record) => (record.files.station_status.failure = FAILED),
    { full: true, since_ms: NOW_MS },
    "update station_status",
  ],
];
for (const [what, change, request, expected] of ROWS)
  test(`plan: ${what}`, () => {
    const steps = plan(loaded(change), request, NOW_MS).map((step) =>
      step.do === "update" ? [step.do, ...step.files].join(" ") : step.do,
    );
    assert.equal(steps.join(", "), expected);
  });

test("the discovery comes first when there is none, and when it is due", () => {
  assert.equal(isDiscoveryDue(loaded(), NOW_MS), false);
  assert.equal(isDiscoveryDue(loaded(), LATER_MS), true);
  assert.equal(
    isDiscoveryDue(
      loaded((record) => (record.discovery = null)),
      NOW_MS,
    ),
    true,
  );
});

test("the next poll is when the first offered file is due", () => {
  assert.equal(nextPollAt_ms(loaded()), LATER_MS);
  assert.equal(nextPollAt_ms(loaded(due("geofencing_zones"))), NOW_MS);
  const none = loaded((record) => (record.discovery = null));
  assert.equal(nextPollAt_ms(none), Infinity);
  const failed = loaded((record) => {
    record.shard = null;
    Object.assign(record.files.discovery, { failure: FAILED, due_at_ms: NOW_MS + 5 });
  });
  assert.equal(nextPollAt_ms(failed), NOW_MS + 5);
  assert.equal(nextPollAt_ms(loaded((record) => (record.shard = null))), 0, "never tried: at once");
});

test("a caller is refused while every live file backs off, and not before", () => {
  const closed = (...files: readonly FeedFile[]): FeedRecord =>
    loaded((record) => {
      for (const file of files)
        Object.assign(record.files[file], { failure: FAILED, failures: 1, retry_at_ms: LATER_MS });
    });
  assert.equal(backingOff(closed("station_status"), NOW_MS), null);
  const all = closed("station_status", "vehicle_status");
  assert.deepEqual(backingOff(all, NOW_MS), {
    status: "error",
    reason: "station_status:http_500",
  });
  assert.equal(backingOff(all, LATER_MS), null);
});

test("another replica's reading is a result; `miss` where its data are others", () => {
  const view = loaded();
  const request = { full: true, since_ms: NOW_MS, now_ms: NOW_MS };
  const ok = { status: "ok" } as const;
  assert.deepEqual(findRetained(view, view.shard, request), { ...ok, cache: "revalidated" });
  assert.deepEqual(findRetained(view, null, request), { ...ok, cache: "miss" });
  assert.equal(findRetained(view, null, { ...request, since_ms: NOW_MS + 1 }), null);
  const moved = loaded((record) => (record.discovery = null));
  assert.equal(findRetained(moved, null, request), null, "a system that has moved is asked where");
});

const aFile = fc.constantFrom(...FEED_FILES);
const aPart = fc.constantFrom(...PART_FILES);
type Note = (state: FeedState) => unknown;
const body = { bytes: new Uint8Array(), hash: "h", etag: "e", last_modified: "l", url: "u" };
const read = (at_ms: number) => ({
  body: { ...body, at_ms },
  report: {
    ok: true as const,
    last_updated_s: 1,
    ttl_s: 60,
    version: null,
    seen: 1,
    accepted: 1,
    trail: { dropped: [], repaired: [] },
  },
});
const aNote: fc.Arbitrary<Note> = fc.oneof(
  fc.constantFrom(...TARGETS).map(
    (target): Note =>
      (state) =>
        state.failed(target, FAILED),
  ),
  aFile.map(
    (file): Note =>
      (state) =>
        state.requested(file),
  ),
  aFile.map(
    (file): Note =>
      (state) =>
        state.confirmed(file, NOW_MS),
  ),
  aFile.map(
    (file): Note =>
      (state) =>
        state.absent(file),
  ),
  aPart.map(
    (file): Note =>
      (state) =>
        state.view.shard && state.confirmedPart(file, NOW_MS),
  ),
  aPart.map((file): Note => (state) => {
    state.absent(file);
    state.dropped(file);
  }),
  aPart.map((file): Note => (state) => {
    const part = { data: SHARD[PART_KEYS[file]]?.data ?? null, live: null };
    if (state.view.shard) state.readPart(file, read(NOW_MS), { [PART_KEYS[file]]: part });
  }),
  fc.subarray([...FEED_FILES]).map((files): Note => (state) => {
    const feeds = new Map(files.map((file) => [file, file]));
    state.discovered({ feeds, due_at_ms: LATER_MS, guessed_for: null });
  }),
  fc.constant<Note>((state) => state.foundNothing()),
  fc.constant<Note>((state) =>
    state.loaded({
      shard: { ...SHARD, status: null, vehicles: null },
      info: null,
      statics_key: "",
      files: { station_information: read(NOW_MS) },
    }),
  ),
  fc.constant<Note>((state) => state.postponedStatics()),
);

test("whatever is noted, the state stays what its first comment says", () =>
  forAll(
    fc.property(fc.array(aNote, { maxLength: 40 }), (notes) => {
      const record = createRecord(systemOf("a", "https://a.example/gbfs.json"), gbfsProtocol);
      const clock = createManualClock(NOW_MS);
      const state = new FeedState(record, { clock, random: () => 0.5 });
      const { view } = state;
      for (const note of notes) {
        const before = view.shard;
        note(state);
        for (const target of TARGETS) {
          const { failure, failures, hash, url } = view.files[target];
          assert.ok(!failure || failures > 0, `${target}: a failure that is not counted`);
          assert.equal(hash === null, url === null, `${target}: validators of no body`);
        }
        if (!before || view.shard === before) continue;
        for (const file of PART_FILES)
          assert.ok(!partOf(view.shard, file) || offers(view, file), `${file}: not offered`);
      }
    }),
  ));
