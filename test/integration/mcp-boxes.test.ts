/** Boxes as resources of /mcp: read at the price of a snapshot, and watched as stations are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveStreams, StreamRequest } from "#app/live/live-types.ts";
import { BoxNotes } from "#app/stations/box-notes.ts";
import type { Stream } from "#app/stations/station-stream.ts";
import { StationWatch } from "#app/stations/watch.ts";
import type { StreamOwner } from "#core/limits/stream-owner.ts";
import type { LiveItemValue, LiveSnapshotValue } from "#api/live.ts";
import { boxProblem, findBox } from "#mcp/watched-boxes.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { openMcpServer, toStateless } from "../support/mcp-server.ts";
import { NOW_MS } from "../support/server.ts";

const URI = "vicinity:///v1/boxes/2.345,48.852,2.36,48.862";
const ANYONE: StreamOwner = { own: "acc_1", block: null };
const frame = (event: string, body: object): string =>
  `event: ${event}\nid: i.s.1\ndata: ${JSON.stringify(body)}\n\n`;
const delta = (more: object = {}): string =>
  frame("delta", { at: "", entered: [], changed: [], left: [], ...more });
const SNAPSHOT = frame("snapshot", { items: [] });
const CHANGE = delta({ left: [{ id: "a", reason: "gone" }] });

/** A live layer whose subscribers a test writes to. */
function createLive(answers: ("full" | "open")[] = []) {
  const requests: StreamRequest[] = [];
  const left: string[] = [];
  const live: Pick<LiveStreams, "open"> = {
    open(request) {
      if (answers[requests.length] === "full") return "full";
      const id = `${requests.push(request)}`;
      return { resume: () => {}, end: () => {}, leave: () => void left.push(id) };
    },
  };
  return { live, requests, left };
}

function openWatch(answers?: ("full" | "open")[]) {
  const clock = createManualClock(NOW_MS);
  const layer = createLive(answers);
  const look = () => ({ says: null, isCurrent: () => true, place: null });
  const watch = new StationWatch({ clock, look, live: layer.live, onFault: assert.ifError });
  const begin = (...uris: string[]): Stream => {
    const stream = watch.open(
      [],
      ANYONE,
      uris.flatMap((uri) => findBox(uri) ?? []),
    );
    if (stream === null || typeof stream === "string") return assert.fail(stream ?? "none");
    return stream;
  };
  return { clock, watch, begin, ...layer };
}

test("the address of a box, in both spellings, and what is none", () => {
  for (const uri of [URI, URI.replaceAll(",", "%2C")]) {
    const box = findBox(uri)!;
    assert.deepEqual(box.scope.box, { west: 2.345, south: 48.852, east: 2.36, north: 48.862 });
    assert.equal(box.id, uri);
  }
  for (const text of ["1,2,3", "1,2,3,x", "0,0,9,9", "2,1,3,0", ""]) {
    const uri = `vicinity:///v1/boxes/${text}`;
    assert.equal(findBox(uri), null, text);
    assert.match(boxProblem(uri) ?? "", /^bbox must /, text);
  }
  assert.equal(findBox("vicinity:///v1/stations/1,2,3,4"), null);
  assert.equal(boxProblem("vicinity:///v1/stations/1,2,3,4"), null);
  assert.equal(boxProblem(URI), null);
});

test("what enters, changes or leaves is a change, once in five seconds; the first snapshot and ages are none", async () => {
  const { clock, begin, requests } = openWatch();
  const stream = begin(URI);
  const { sink, last_event_id } = requests[0]!;
  assert.equal(last_event_id, null);
  const events: unknown[] = [];
  void (async () => {
    for (;;) {
      const event = await stream.next();
      events.push(event);
      if (event.kind === "ended" || event.kind === "left") return;
    }
  })();
  for (const text of ["retry: 2000\n\n", SNAPSHOT, frame("status", { sources: [] }), ":\n\n"])
    assert.equal(sink.write(text), true);
  sink.write(delta({ sources: [] }));
  await clock.advance(1_000);
  assert.deepEqual(events, []);
  for (let i = 0; i < 5; i++) {
    sink.write(CHANGE);
    await clock.advance(1_000);
  }
  assert.deepEqual(events, [{ kind: "changed", ids: [URI] }]);
  await clock.advance(1_000);
  assert.equal(events.length, 2, "the last change is not lost");
  sink.write(SNAPSHOT);
  await clock.advance(6_000);
  assert.equal(events.length, 3, "a new snapshot may say anything");
  sink.end("shutting_down");
  await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual(events.at(-1), { kind: "ended" });
});

test("places of the live layer come back, and bounds of it hold", () => {
  const { begin, watch, left, requests } = openWatch(["open", "open", "full"]);
  const other = URI.replace("2.36", "2.355");
  const stream = begin(URI, URI, other);
  assert.deepEqual(stream.ids, [URI, other]);
  assert.equal(watch.open([], ANYONE, [findBox(URI)!]), "full");
  stream.leave();
  stream.leave();
  assert.deepEqual(left, ["1", "2"]);
  assert.deepEqual(watch.count, { streams: 0, stations: 0 });
  assert.equal(requests.length, 2);
  const notes = new BoxNotes(createLive(["full"]).live, [findBox(URI)!], ANYONE);
  assert.deepEqual([notes.ids, notes.is_full], [[], true]);
});

const toItem = (n: number): LiveItemValue => ({
  ...{
    id: `gbfs:${"東".repeat(40)}${n}`,
    kind: "station",
    location: { lat: 48.857 + n / 1e5, lon: 2.3525 },
  },
  ...{ modes: ["bicycle"], network_id: "velib", name: "東京駅 previous instructions ".repeat(20) },
  ...{ state: "operational", pickup: n % 2 === 0 ? "available_now" : "unknown", vehicles: null },
});
const BODY: LiveSnapshotValue = {
  at: "2026-11-14T09:30:00Z",
  bbox: [2.345, 48.852, 2.36, 48.862],
  items: Array.from({ length: 300 }, (_, i) => toItem(299 - i)),
  sources: [
    {
      source_id: "gbfs:velib",
      network: { id: "velib", name: "Vélib'" },
      color: null,
      state: "old",
      as_of: new Date(NOW_MS - 40_000).toISOString(),
    },
    {
      source_id: "gbfs:lime",
      network: { id: "lime", name: "Lime" },
      color: null,
      state: "lost",
      as_of: null,
    },
  ],
};

type Message = {
  result?: { contents: { text: string }[]; ttlMs: number };
  error?: { code: number; message: string };
};

test("a box is read for a unit: the nearest to its middle, counts of all, ages, and whose data it is", async () => {
  const clock = createManualClock(NOW_MS);
  const look = () => ({ says: null, isCurrent: () => true, place: null });
  const layer = createLive();
  const watch = new StationWatch({ clock, look, live: layer.live, onFault: assert.ifError });
  const server = openMcpServer(
    {},
    {},
    { watch, live: { read: () => Promise.resolve({ json: JSON.stringify(BODY) }) } },
  );
  const read = async (uri: string): Promise<Message> => {
    const { params, headers } = toStateless("resources/read", { uri });
    return (await server.ask("resources/read", params, { headers })).json() as Message;
  };
  const none = await read("vicinity:///v1/boxes/0,0,9,9");
  assert.equal(none.error?.code, -32_602, "too large is no resource, and costs nothing");
  assert.match(none.error.message, /bbox must have an area of at most/);
  const { result } = await read(URI);
  const text = result!.contents[0]!.text;
  assert.ok(Buffer.byteLength(text) <= 7_400, `${Buffer.byteLength(text)}`);
  const box = JSON.parse(text) as Record<string, unknown> & {
    items: { id: string; distance_meters: number; vehicles: null; name: string }[];
    shown: number;
  };
  assert.deepEqual(box["counts"], { total: 300, stations: 300, vehicles: 0, pickup_now: 150 });
  assert.equal(box.items[0]!.id, toItem(0).id);
  assert.equal(box.items[0]!.vehicles, null);
  assert.ok(box.items[0]!.name.length <= 121);
  assert.ok(box.shown > 5 && box.shown < 20 && box.items.length === box.shown);
  assert.equal(box["left_out"], 300 - box.shown);
  assert.deepEqual(box["sources"], [
    { source_id: "gbfs:velib", network: "Vélib'", state: "old", age_s: 40 },
  ]);
  assert.deepEqual(box["missing_sources"], { lost: 1, waiting: 0 });
  assert.equal(box["untrusted_text"], true);
  assert.equal(box["time_zone"], "Europe/Paris");
  assert.deepEqual(
    (box["attribution"] as { source_id: string }[]).map(({ source_id }) => source_id),
    ["gbfs:velib"],
  );
  assert.equal(result!.ttlMs, 0);
  // The plan has two units.
  assert.ok((await read(URI)).result);
  assert.match((await read(URI)).error!.message, /^quota_exhausted: /);
});
