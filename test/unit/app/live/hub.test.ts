/** The live hub: what a subscriber is sent, event by event, over a world of rows written by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCOPE_ITEMS_MAX } from "#app/live/live-types.ts";
import { collectFaults } from "../../../support/faults.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { NOW_MS } from "../../../support/domain.ts";
import {
  aRow,
  aSource,
  BOX,
  createHub,
  type LiveCaller,
  scopeOf,
  SmallWorld,
  poll,
} from "../../../support/live-hub.ts";

const ELSEWHERE = { lat: 10, lon: 10 };
const EAST = { ...BOX, west: BOX.east - 0.005, east: BOX.east };

function start(rest: Parameters<typeof createHub>[1] = {}) {
  const world = new SmallWorld();
  const clock = createManualClock(NOW_MS);
  const made = createHub(world, { clock, ...rest });
  const publish = (source_id: string, rows: Parameters<SmallWorld["show"]>[1]): void => {
    world.show(source_id, rows);
    made.hub.noteShown(source_id);
  };
  /** A whole minute of ticks, a second each. */
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) await clock.advance(1_000);
    await made.settle();
  };
  return { ...made, world, clock, publish, pass };
}

async function isAsPolled(
  { hub }: Pick<ReturnType<typeof start>, "hub">,
  caller: LiveCaller,
  scope = scopeOf(),
): Promise<void> {
  const polled = await poll(hub, scope, NOW_MS + 2_000);
  assert.ok(polled !== "large");
  const { items, sources } = polled;
  assert.equal(JSON.stringify(caller.shown), JSON.stringify({ items, sources }));
}

test("a subscriber gets a snapshot, then what enters, changes and leaves", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  world.show("a", [aRow("b"), aRow("a")]);
  const caller = open();
  assert.deepEqual(caller.frames, [], "before the stream was returned");
  await settle();
  assert.deepEqual(caller.events, ["snapshot"]);
  assert.match(caller.frames[0]!, /^retry: 2000\n\nevent: snapshot\nid: [0-9a-z]+\.[0-9a-z]+\.1\n/);
  assert.deepEqual([...caller.items.keys()], ["a", "b"]);
  publish("a", [aRow("a", 2), aRow("c")]);
  await settle();
  assert.deepEqual(caller.events, ["snapshot", "delta"]);
  assert.deepEqual(caller.lefts, [{ id: "b", reason: "gone" }]);
  assert.match(caller.frames[1]!, /"entered":\[\{"id":"c".*"changed":\[\{"id":"a"/);
  await isAsPolled(made, caller);
});

test("what says the same as before is no event", async () => {
  const { hub, world, open, settle, publish } = start();
  world.show("a", [aRow("a")]);
  const caller = open();
  await settle();
  publish("a", [aRow("a")]);
  await settle();
  assert.equal(hub.totals.generations, 1);
  // Its text has rounded coordinates.
  publish("a", [{ ...aRow("a"), lat: BOX.south + 1e-9 }]);
  await settle();
  assert.deepEqual([caller.events, hub.totals.generations], [["snapshot"], 2]);
});

test("a published file is reported within 25 ms, and files of that time together", async () => {
  const { world, clock, open, settle, publish } = start();
  world.show("a", []);
  world.show("b", []);
  const caller = open();
  await settle();
  publish("a", [aRow("a")]);
  await clock.advance(10);
  publish("b", [aRow("b")]);
  assert.deepEqual(caller.events, ["snapshot"]);
  await clock.advance(25);
  assert.deepEqual(caller.events, ["snapshot", "delta"]);
  assert.equal(caller.items.size, 2);
});

test("an id that leaves one system and enters another has changed", async () => {
  for (const [from, to] of [
    ["a", "b"],
    ["b", "a"],
  ] as const) {
    const { world, open, settle, publish } = start();
    world.show("a", []);
    world.show("b", []);
    world.show(from, [aRow("x")]);
    const caller = open();
    await settle();
    publish(from, []);
    publish(to, [aRow("x", 2)]);
    await settle();
    assert.deepEqual(caller.events, ["snapshot", "delta"]);
    assert.deepEqual(caller.lefts, []);
    publish(from, [aRow("y")]);
    await settle();
    assert.deepEqual(caller.lefts, [], "a leave of a system that does not have it any more");
    assert.deepEqual([...caller.items.keys()], ["x", "y"]);
  }
});

test("an id of two systems is one item, of the first of them", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  world.show("b", [aRow("x", 2)]);
  const caller = open();
  await settle();
  publish("b", [aRow("x", 3)]);
  world.show("a", [aRow("x", 9)]);
  made.hub.noteShown("a");
  await settle();
  assert.match(caller.frames.at(-1)!, /"vehicles":9/);
  publish("a", []);
  await settle();
  assert.match(caller.frames.at(-1)!, /"vehicles":3/);
  assert.deepEqual(caller.lefts, []);
  await isAsPolled(made, caller);
});

test("with a system those are read whose rows hang together with it, before and after", async () => {
  const { world, open, settle, publish } = start();
  world.show("a", [aRow("x")], { neighbours: new Set(["b"]) });
  world.show("b", []);
  world.show("c", []);
  const caller = open();
  await settle();
  world.read.length = 0;
  world.set("a", { neighbours: new Set(["c"]) });
  publish("a", []);
  await settle();
  assert.deepEqual(world.read, ["a", "b", "c"]);
  assert.deepEqual(caller.lefts, [{ id: "x", reason: "gone" }]);
});

test("a system that is replaced while it is read is read again, twice at most", async () => {
  const { world, open, settle } = start();
  world.show("a", [aRow("x")]);
  let replaced = 0;
  world.onStep = () => {
    if (replaced < 2) world.show("a", [aRow("x", ++replaced + 1)]);
  };
  const caller = open();
  await settle();
  assert.deepEqual(caller.events, ["snapshot"]);
  assert.match(caller.frames[0]!, /"vehicles":3/);
  // One that is replaced all the time delays no caller for ever.
  world.read.length = 0;
  world.onStep = () => world.show("a", [aRow("x", ++replaced + 1)]);
  world.show("a", [aRow("x", 0)]);
  await settle();
  assert.equal(world.read.length % 3, 0);
  assert.equal(caller.events.at(-1), "delta");
  world.onStep = null;
  await settle();
  assert.match(caller.frames.at(-1)!, new RegExp(`"vehicles":${replaced + 1}`));
});

test("a change of place is one change, in a box of many tiles", async () => {
  const { world, open, settle, publish } = start();
  const box = { south: 48.8, north: 48.9, west: 2.3, east: 2.4 };
  world.show("a", [aRow("x", 1, { lat: 48.81, lon: 2.31 })], { box });
  const caller = open({ scope: scopeOf({ box }) });
  await settle();
  publish("a", [aRow("x", 1, { lat: 48.89, lon: 2.39 })]);
  await settle();
  assert.equal(caller.frames.at(-1)!.split('"id":"x"').length, 2);
});

test("each scope sees its box, modes and families", async () => {
  const { world, open, settle, publish } = start();
  const inEast = { lon: BOX.east - 0.001 };
  world.show("a", [aRow("v"), aRow("s", 1, { vehicle: false }), aRow("m", 1, { modes: 6 })]);
  const stations = open({ scope: scopeOf({ vehicles: false }) });
  const east = open({ scope: scopeOf({ box: EAST }) });
  const mode = open({ scope: scopeOf({ modes: 4 }) });
  await settle();
  assert.deepEqual([...stations.items.keys()], ["s"]);
  assert.deepEqual([...east.items.keys()], []);
  assert.deepEqual([...mode.items.keys()], ["m"]);
  publish("a", [
    aRow("v", 1, inEast),
    aRow("s", 1, { vehicle: false }),
    aRow("m", 2, { modes: 2 }),
  ]);
  await settle();
  assert.deepEqual(stations.events, ["snapshot"]);
  assert.deepEqual([...east.items.keys()], ["v"]);
  assert.deepEqual(mode.lefts, [{ id: "m", reason: "gone" }]);
  publish("a", [aRow("v", 1, ELSEWHERE)]);
  await settle();
  assert.deepEqual(east.lefts, [{ id: "v", reason: "moved" }]);
});

test("the reason of the world is reported", async () => {
  for (const reason of ["merged", "source_lost"] as const) {
    const { world, open, settle, publish } = start();
    world.show("a", [aRow("x")]);
    world.reason = reason;
    const caller = open();
    await settle();
    publish("a", []);
    await settle();
    assert.deepEqual(caller.lefts, [{ id: "x", reason }]);
  }
});

test("a box across the antimeridian sees both sides, and the meridian by either name", async () => {
  const { world, open, settle } = start();
  const box = { south: -0.01, north: 0.01, west: 179.99, east: -179.99 };
  const at = (lon: number) => ({ lat: 0, lon });
  world.show("a", [aRow("e", 1, at(179.995)), aRow("w", 1, at(-179.995)), aRow("m", 1, at(-180))], {
    box,
  });
  const both = open({ scope: scopeOf({ box }) });
  const west = open({ scope: scopeOf({ box: { ...box, east: 180 } }) });
  const far = open({ scope: scopeOf({ box: { ...box, west: -179.999 } }) });
  await settle();
  assert.deepEqual([...both.items.keys()], ["e", "m", "w"]);
  assert.deepEqual([...west.items.keys()], ["e", "m"]);
  assert.deepEqual([...far.items.keys()], ["w"]);
});

test("a scope round the Earth or along a meridian sees what is in it", async () => {
  const { world, open, settle, publish } = start();
  const box = { south: -0.0001, north: 0.0001, west: -180, east: 180 };
  world.show("a", [aRow("x", 1, { lat: 0, lon: 77 })], { box });
  const caller = open({ scope: scopeOf({ box }) });
  const long = open({
    scope: scopeOf({ box: { south: -80, north: 89, west: 76.9999, east: 77.0001 } }),
  });
  await settle();
  publish("a", [aRow("x", 1, { lat: 0, lon: 77 }), aRow("y", 1, { lat: 0, lon: -3 })]);
  await settle();
  assert.deepEqual([...caller.items.keys()], ["x", "y"]);
  assert.deepEqual([...long.items.keys()], ["x"]);
});

test("equal scopes are reported by one text", async () => {
  const { hub, world, open, settle, publish } = start();
  world.show("a", [aRow("x")]);
  const callers = [1, 2, 3].map((i) => open({ own: `ip ${i}` }));
  await settle();
  publish("a", [aRow("x", 2)]);
  await settle();
  assert.equal(hub.count.scopes, 1);
  assert.equal(new Set(callers.map(({ frames }) => frames.join(""))).size, 1);
});

test("news of a source is reported at once, its time alone with the next event or within 15 s", async () => {
  const { world, open, settle, hub, pass, publish } = start();
  world.show("a", [aRow("x")]);
  const caller = open();
  await settle();
  world.set("a", { source: aSource("a", { state: "old" }) });
  hub.noteShown("a");
  await settle();
  assert.deepEqual(caller.events, ["snapshot", "status"]);
  assert.equal(caller.sources.get("a")?.state, "old");
  const later = aSource("a", { state: "old", as_of: "2026-09-21T13:47:00Z" });
  world.set("a", { source: later });
  hub.noteShown("a");
  await settle();
  assert.equal(caller.events.length, 2);
  publish("a", [aRow("x", 2)]);
  await settle();
  assert.deepEqual(caller.events, ["snapshot", "status", "delta"]);
  assert.deepEqual(caller.sources.get("a"), later);
  publish("a", [aRow("x", 3)]);
  await settle();
  assert.doesNotMatch(caller.frames.at(-1)!, /sources/);
  caller.events.pop();
  world.set("a", { source: { ...later, as_of: "2026-09-21T13:48:00Z" } });
  await pass(15);
  assert.deepEqual(caller.events.slice(3), ["status"]);
  await pass(15);
  assert.deepEqual(caller.events.slice(4), ["beat"]);
});

test("the state of a source that changes with time alone is reported", async () => {
  const { world, open, settle, pass } = start();
  world.show("a", [aRow("x")]);
  const caller = open();
  await settle();
  world.set("a", { source: aSource("a", { state: "lost" }) });
  await pass(2);
  assert.equal(caller.sources.get("a")?.state, "lost");
});

test("what changes with time alone is read again within 15 s", async () => {
  const { world, open, settle, pass } = start();
  world.show("a", [aRow("x")]);
  const caller = open();
  await settle();
  world.set("a", { rows: new Map() });
  await pass(16);
  assert.deepEqual(caller.lefts, [{ id: "x", reason: "gone" }]);
});

test("a system that comes into a box later is reported with its source", async () => {
  const made = start();
  const { world, open, settle, hub } = made;
  world.show("a", []);
  const caller = open();
  await settle();
  world.show("b", [aRow("x")], { box: { ...BOX, west: 20, east: 20.1 } });
  hub.noteShown("b");
  await settle();
  assert.deepEqual([...caller.sources.keys()], ["a"]);
  world.show("b", [aRow("x")], { box: BOX });
  hub.noteShown("b");
  await settle();
  assert.deepEqual([...caller.sources.keys()], ["a", "b"]);
  assert.deepEqual([...caller.items.keys()], ["x"]);
  await isAsPolled(made, caller);
});

test("a system of one box that grows into another is reported there", async () => {
  const made = start();
  const { world, open, settle, hub } = made;
  const north = { ...BOX, south: BOX.north + 0.1, north: BOX.north + 0.2 };
  world.show("a", [], { box: north });
  open({ own: "ip 2", scope: scopeOf({ box: north }) });
  const caller = open();
  await settle();
  assert.deepEqual([...caller.sources.keys()], []);
  world.show("a", [aRow("x")], { box: { ...BOX, north: north.north } });
  hub.noteShown("a");
  await settle();
  assert.deepEqual([...caller.sources.keys()], ["a"]);
  await isAsPolled(made, caller);
});

test("subscribers know of sources what a poll says", async () => {
  const made = start();
  const { world, open, settle, hub } = made;
  world.show("a", [aRow("x")]);
  const caller = open();
  await settle();
  world.set("a", { source: aSource("a", { as_of: "2026-09-21T13:47:00Z" }) });
  hub.noteShown("a");
  await settle();
  assert.deepEqual(caller.events, ["snapshot"]);
  await isAsPolled(made, caller);
});

test("a stream over what only polls have read begins with what is shown now", async () => {
  const { world, open, settle, hub } = start();
  world.show("a", [aRow("x")]);
  await poll(hub, scopeOf(), NOW_MS);
  world.show("a", [aRow("y")]);
  const caller = open();
  await settle();
  assert.deepEqual(caller.events, ["snapshot"]);
  assert.deepEqual([...caller.items.keys()], ["y"]);
});

test("a stream that begins while events are delivered waits until its systems are read", async () => {
  let onTurn: (() => void) | null = null;
  const { world, open, settle, publish } = start({
    turn: () => {
      onTurn?.();
      return Promise.resolve();
    },
  });
  const box = { ...BOX, south: BOX.north + 0.1, north: BOX.north + 0.2 };
  world.show("a", []);
  world.show("b", [aRow("y", 1, { lat: box.south })], { box });
  open();
  await settle();
  const late: LiveCaller[] = [];
  let hasRead = false;
  world.onStep = () => (hasRead = true);
  let turns = 0;
  onTurn = () => {
    // Two are of the reading.
    if (!hasRead || ++turns !== 3) return;
    late.push(open({ scope: scopeOf({ box }) }));
  };
  publish("a", [aRow("x")]);
  await settle();
  assert.deepEqual(late[0]?.events, ["snapshot"]);
  assert.deepEqual([...late[0].items.keys()], ["y"]);
});

test("systems are woken when a stream begins, and once a minute", async () => {
  const { world, open, settle, pass } = start();
  world.show("a", []);
  open();
  open({ own: "ip 2" });
  await settle();
  assert.deepEqual(world.woken, ["a"]);
  await pass(59);
  assert.equal(world.woken.length, 1);
  await pass(2);
  assert.equal(world.woken.length, 2);
});

test("a stream ends within 30 minutes, and its caller comes again at once", async () => {
  const { world, open, settle, pass } = start();
  world.show("a", []);
  const caller = open();
  await settle();
  await pass(26 * 60);
  assert.equal(caller.is_over, false);
  await pass(4 * 60 + 1);
  assert.equal(caller.is_over, true);
  assert.deepEqual(caller.bye?.reason, "time");
  assert.equal(caller.bye.retry_after_s, 0);
});

test("the end of the service ends every stream, and none begins", async () => {
  const { hub, world, open, settle } = start();
  world.show("a", []);
  const callers = [open(), open({ own: "ip 2", scope: scopeOf({ box: EAST }) })];
  await settle();
  callers.push(open({ own: "ip 3" }));
  hub.close();
  assert.deepEqual(
    callers.map(({ bye }) => bye?.reason),
    ["shutting_down", "shutting_down", "shutting_down"],
  );
  assert.equal(open().opened, "closed");
  await settle();
  assert.equal(hub.count.subscribers, 0);
});

test("an address, an account, a block and all callers have a bound", () => {
  const bounds = { address_max: 2, account_max: 4, block_max: 3, streams_max: 6 };
  const { world, open } = start({ bounds });
  world.show("a", []);
  const first = open({ own: "1", block: "x" });
  const others = [open({ own: "1", block: "x" }), open({ own: "2", block: "x" })];
  assert.equal(open({ own: "1", block: "x" }).opened, "full");
  assert.equal(open({ own: "3", block: "x" }).opened, "full");
  // Callers without a key never have all: one of another block takes the place of the oldest.
  assert.notEqual(typeof open({ own: "4", block: "y" }).opened, "string");
  assert.equal(first.bye?.reason, "replaced");
  others[0]!.stream.leave();
  assert.notEqual(typeof open({ own: "1", block: "x" }).opened, "string");
  // Readers of a page that has its key are one account, at whichever addresses.
  for (let i = 0; i < 4; i++)
    assert.notEqual(typeof open({ own: "account" }).opened, "string", String(i));
  assert.equal(open({ own: "account" }).opened, "full");
  for (let i = 0; i < 6; i++) open({ own: `key ${i}` });
  assert.equal(open({ own: "another key" }).opened, "busy");
  assert.equal(open({ own: "5", block: "z" }).opened, "busy");
});

test("a caller that has left is sent nothing", async () => {
  const { hub, world, open, settle, publish } = start();
  world.show("a", []);
  const caller = open();
  await settle();
  caller.stream.leave();
  publish("a", [aRow("x")]);
  await settle();
  caller.stream.end("units");
  assert.deepEqual(caller.events, ["snapshot"]);
  assert.equal(caller.is_over, false);
  assert.equal(hub.count.subscribers, 0);
});

test("the face ends a stream with its reason", async () => {
  const { world, open, settle } = start();
  world.show("a", []);
  const caller = open();
  await settle();
  caller.stream.end("units", 1_234);
  assert.deepEqual(caller.events, ["snapshot", "bye"]);
  assert.deepEqual([caller.bye?.reason, caller.bye?.retry_after_s], ["units", 1_234]);
  assert.equal(caller.ended_by, "units");
});

test("what one subscriber's sink throws costs that one", async () => {
  const { faults, onFault } = collectFaults();
  const { hub, world, open, settle, publish } = start({ onFault: (e) => onFault("hub", e) });
  world.show("a", []);
  const [before, after] = [open({ own: "1" }), open({ own: "2" })];
  let writes = 0;
  let ended = 0;
  const sink = {
    write(frame: string): boolean {
      if (++writes === 2) throw new Error("planted");
      if (writes > 2) assert.match(frame, /"reason":"failed"/);
      return true;
    },
    end: () => void ended++,
  };
  hub.open({ scope: scopeOf(), owner: { own: "3", block: null }, last_event_id: null, sink });
  const last = open({ own: "4" });
  await settle();
  publish("a", [aRow("x")]);
  await settle();
  for (const caller of [before, after, last]) assert.deepEqual([...caller.items.keys()], ["x"]);
  assert.deepEqual([writes, ended, faults.map(({ message }) => message)], [3, 1, ["planted"]]);
  assert.equal(hub.count.subscribers, 3);
});

test("what the reading of one system throws costs that one, which is not shown as empty", async () => {
  const { faults, onFault } = collectFaults();
  const { world, open, settle, publish } = start({ onFault: (e) => onFault("hub", e) });
  world.show("a", [aRow("x")]);
  world.show("b", [aRow("y")], { error: new Error("planted") });
  const caller = open();
  await settle();
  assert.deepEqual([...caller.items.keys()], ["x"]);
  assert.equal(caller.sources.get("b")?.state, "lost");
  world.set("b", { error: null });
  publish("b", [aRow("y")]);
  await settle();
  assert.deepEqual([...caller.items.keys()], ["x", "y"]);
  assert.equal(caller.sources.get("b")?.state, "fresh");
  world.set("b", { error: new Error("planted") });
  publish("b", []);
  publish("a", [aRow("x", 2)]);
  await settle();
  assert.deepEqual([...caller.items.keys()], ["x", "y"]);
  assert.equal(caller.sources.get("b")?.state, "old");
  assert.equal(faults.length, 2);
});

test("a box that holds too much is refused, or its stream ends with that reason", async () => {
  const { hub, world, open, settle, publish } = start();
  const rows = Array.from({ length: SCOPE_ITEMS_MAX + 1 }, (_, i) => aRow(`v${i}`));
  world.show("a", rows);
  const caller = open();
  await settle();
  assert.deepEqual(caller.events, ["bye"]);
  assert.equal(caller.bye?.reason, "large");
  assert.equal(open().opened, "large");
  assert.equal(await poll(hub, scopeOf(), NOW_MS), "large");
  publish("a", rows.slice(1));
  await settle();
  const fits = open();
  await settle();
  assert.deepEqual(fits.events, ["snapshot"]);
  publish("a", rows);
  await settle();
  assert.equal(fits.bye?.reason, "large");
});

test("what no caller watches is forgotten after a minute, and not read", async () => {
  const { hub, world, open, settle, pass, publish } = start();
  world.show("a", [aRow("x")]);
  const caller = open();
  await settle();
  caller.stream.leave();
  await pass(59);
  assert.equal(hub.count.rows, 1);
  await pass(3);
  assert.deepEqual(hub.count, {
    ...{ subscribers: 0, scopes: 0, systems: 0, rows: 0, journal_bytes: 0 },
  });
  world.read.length = 0;
  publish("a", []);
  await settle();
  assert.deepEqual(world.read, []);
});

test("a poll waits for what was never read, and reads what no caller watches", async () => {
  const { hub, world } = start();
  world.show("a", []);
  world.onBring = (ids) => {
    assert.deepEqual(ids, ["a"]);
    world.show("a", [aRow("x")]);
  };
  const polled = await poll(hub, scopeOf(), NOW_MS + 2_000);
  assert.ok(polled !== "large");
  assert.deepEqual(
    polled.items.map(({ id }) => id),
    ["x"],
  );
  assert.deepEqual(polled.bbox, [BOX.west, BOX.south, BOX.east, BOX.north]);
  assert.deepEqual(world.woken, ["a"]);
  world.onBring = () => undefined;
  world.show("a", [aRow("y")]);
  const again = await poll(hub, scopeOf(), NOW_MS + 2_000);
  assert.deepEqual(again !== "large" && again.items.map(({ id }) => id), ["y"]);
  assert.equal(hub.count.scopes, 0);
});
