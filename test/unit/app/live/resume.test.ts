/**
 * Callers that come again, and callers that take events slowly: both get what they missed as one event,
 * from the journal of the last minute.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JOURNAL_MS } from "#app/live/live-journal.ts";
import { NOW_MS } from "../../../support/domain.ts";
import {
  aRow,
  aSource,
  BOX,
  createHub,
  type LiveCaller,
  scopeOf,
  SmallWorld,
} from "../../../support/live-hub.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

const OUT = { lat: BOX.north + 0.001 };

function start(rest: Parameters<typeof createHub>[1] = {}) {
  const world = new SmallWorld();
  const clock = createManualClock(NOW_MS);
  const made = createHub(world, { clock, ...rest });
  const publish = async (rows: Parameters<SmallWorld["show"]>[1]): Promise<void> => {
    world.show("a", rows);
    made.hub.noteShown("a");
    await made.settle();
  };
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) await clock.advance(1_000);
    await made.settle();
  };
  return { ...made, world, clock, publish, pass };
}

/** A caller that has everything and goes away. */
async function leftBehind(
  { open, settle }: ReturnType<typeof start>,
  options: Parameters<ReturnType<typeof start>["open"]>[0] = {},
): Promise<LiveCaller> {
  const caller = open(options);
  await settle();
  caller.stream.leave();
  return caller;
}

test("a caller that comes again gets what it missed, and no snapshot", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  world.show("a", [aRow("changed"), aRow("left"), aRow("same"), aRow("turned")]);
  const { last_event_id } = await leftBehind(made);
  await publish([aRow("changed", 2), aRow("same", 2), aRow("turned"), aRow("brief")]);
  await publish([aRow("changed", 3), aRow("same"), aRow("brief", 2), aRow("entered")]);
  await publish([aRow("changed", 4), aRow("same"), aRow("turned"), aRow("entered", 2)]);
  const again = open({ last_event_id });
  for (const id of ["changed", "left", "same", "turned"]) again.items.set(id, {} as never);
  await settle();
  assert.deepEqual(again.events, ["delta"]);
  const [first] = again.frames;
  assert.match(first!, /^retry: 2000\n\nevent: delta\nid: \w+\.\w+\.4\n/);
  const { entered, changed, left } = JSON.parse(/data: (.*)/.exec(first!)![1]!) as {
    entered: { id: string; vehicles: number }[];
    changed: { id: string; vehicles: number }[];
    left: unknown;
  };
  const says = (list: typeof entered) => list.map(({ id, vehicles }) => `${id} ${vehicles}`);
  assert.deepEqual(says(entered), ["entered 2"]);
  assert.deepEqual(says(changed), ["changed 4"]);
  assert.deepEqual(left, [{ id: "left", reason: "gone" }]);
});

test("a caller that missed nothing is sent nothing but the first line", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  world.show("a", [aRow("x")]);
  const { last_event_id } = await leftBehind(made);
  await publish([aRow("x"), aRow("far", 1, OUT)]);
  const again = open({ last_event_id });
  await settle();
  assert.deepEqual(again.frames, ["retry: 2000\n\n"]);
  again.items.set("x", {} as never);
  await publish([aRow("x", 2)]);
  assert.deepEqual(again.events, ["delta"]);
});

test("the reason is that of the last leave", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  world.show("a", [aRow("x")]);
  const { last_event_id } = await leftBehind(made);
  await publish([]);
  await publish([aRow("x")]);
  await publish([aRow("x", 1, OUT)]);
  await publish([]);
  const again = open({ last_event_id });
  again.items.set("x", {} as never);
  await settle();
  assert.deepEqual(again.lefts, [{ id: "x", reason: "moved" }]);
});

test("what happened across two tiles of the grid is put together", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  const box = { south: 48.8, north: 48.9, west: 2.3, east: 2.4 };
  const scope = scopeOf({ box });
  const at = (lon: number, says: number) => [aRow("x", says, { lat: 48.85, lon })];
  world.show("a", at(2.31, 1), { box });
  const { last_event_id } = await leftBehind(made, { scope });
  for (const [says, lon] of [2.39, 2.35, 2.31, 2.39, 2.31].entries())
    await publish(at(lon, says + 2));
  const again = open({ scope, last_event_id });
  again.items.set("x", {} as never);
  await settle();
  assert.deepEqual(again.events, ["delta"]);
  assert.match(again.frames[0]!, /"lon":2.31\},"vehicles":6/);
});

test("sources that changed meanwhile are reported", async () => {
  const made = start();
  const { world, hub, open, settle } = made;
  world.show("a", [aRow("x")]);
  world.show("b", []);
  const { last_event_id } = await leftBehind(made);
  world.set("a", { source: aSource("a", { as_of: "2026-09-21T13:47:00Z" }) });
  hub.noteShown("a");
  await settle();
  const again = open({ last_event_id });
  await settle();
  assert.deepEqual(again.events, ["status"]);
  assert.deepEqual([...again.sources.keys()], ["a"]);
});

test("an id of another scope, instance or time, or none at all, begins again", async () => {
  const made = start();
  const { world, open, settle, publish } = made;
  world.show("a", [aRow("x")]);
  const { last_event_id } = await leftBehind(made);
  const other = await leftBehind(made, { scope: scopeOf({ vehicles: false }) });
  await publish([aRow("x", 2)]);
  const [instance, digest, generation] = last_event_id!.split(".") as [string, string, string];
  for (const id of [
    other.last_event_id,
    `${instance}x.${digest}.${generation}`,
    `${instance}.${digest}x.${generation}`,
    `${instance}.${digest}.99`,
    `${instance}.${digest}.0`,
    `${instance}.${digest}.-1`,
    `${last_event_id}.1`,
    "",
    "\u0000",
    "9".repeat(10_000),
  ]) {
    const again = open({ last_event_id: id });
    await settle();
    assert.deepEqual(again.events, ["snapshot"], id ?? "");
    again.stream.leave();
  }
});

test("an id of before the last minute begins again, in a box where something happened", async () => {
  const made = start();
  const { world, open, settle, publish, pass } = made;
  world.show("a", [aRow("x")]);
  // A caller stays, so that the box is followed on.
  open({ own: "stays" });
  const { last_event_id } = await leftBehind(made);
  await publish([aRow("x", 2)]);
  await pass(JOURNAL_MS / 1000);
  const within = open({ last_event_id });
  within.items.set("x", {} as never);
  await settle();
  assert.deepEqual(within.events, ["delta"]);
  await pass(2);
  const late = open({ last_event_id });
  await settle();
  assert.deepEqual(late.events, ["snapshot"]);
});

test("in a box where nothing happened an older id goes on", async () => {
  const made = start();
  const { world, open, settle, publish, pass } = made;
  const north = { ...BOX, south: BOX.north, north: BOX.north + 0.01 };
  world.show("a", [aRow("x"), aRow("far", 1, OUT)]);
  const stays = open({ own: "stays" });
  open({ own: "busy", scope: scopeOf({ box: north }) });
  await settle();
  for (let i = 0; i < 12; i++) {
    await publish([aRow("x"), aRow("far", i + 2, OUT)]);
    await pass(10);
  }
  const again = open({ last_event_id: stays.last_event_id });
  await settle();
  assert.deepEqual(again.frames, ["retry: 2000\n\n"]);
});

test("a box that no caller has seen for a minute begins again, whatever the id says", async () => {
  const made = start();
  const { world, open, settle, pass } = made;
  world.show("a", [aRow("x")]);
  const { last_event_id } = await leftBehind(made);
  await pass(62);
  world.show("a", [aRow("y")]);
  const again = open({ last_event_id });
  await settle();
  assert.deepEqual(again.events, ["snapshot"]);
});

test("a journal without room forgets the oldest, says so, and who needs it gets a snapshot", async () => {
  const made = start({ journal_bytes: 2_000 });
  const { hub, world, open, settle, publish } = made;
  world.show("a", [aRow("x")]);
  const { last_event_id } = await leftBehind(made);
  for (let i = 0; i < 50; i++) await publish([aRow("x", i)]);
  assert.ok(hub.count.journal_bytes <= 2_000);
  assert.ok(hub.totals.journal_cuts > 40);
  const again = open({ last_event_id });
  await settle();
  assert.deepEqual(again.events, ["snapshot"]);
});

test("a slow caller is sent nothing until it has drained, then one event", async () => {
  const { world, open, settle, publish } = start();
  world.show("a", [aRow("x"), aRow("y")]);
  const [slow, quick] = [open(), open({ own: "ip 2" })];
  await settle();
  slow.is_slow = true;
  await publish([aRow("x", 2), aRow("y")]);
  await publish([aRow("x", 3), aRow("brief")]);
  await publish([aRow("x", 4)]);
  assert.deepEqual(slow.events, ["snapshot", "delta"]);
  assert.equal(quick.events.length, 4);
  slow.drain();
  assert.deepEqual(slow.events, ["snapshot", "delta", "delta"]);
  assert.deepEqual(slow.shown, quick.shown);
  slow.stream.resume();
  assert.equal(slow.events.length, 3);
  await publish([aRow("x", 5)]);
  assert.deepEqual(slow.shown, quick.shown);
});

test("a caller that never drains ends after a minute, also where nothing happens", async () => {
  for (const isBusy of [true, false]) {
    const { world, open, settle, publish, pass } = start();
    world.show("a", [aRow("x")]);
    const slow = open();
    slow.is_slow = true;
    await settle();
    if (isBusy) await publish([aRow("x", 2)]);
    await pass(60);
    assert.equal(slow.is_over, false);
    await pass(2);
    assert.equal(slow.bye?.reason, "slow");
    assert.equal(slow.is_over, true);
  }
});

test("a slow caller ends when the journal does not reach back to it", async () => {
  const { world, open, settle, publish } = start({ journal_bytes: 2_000 });
  world.show("a", [aRow("x")]);
  const slow = open();
  slow.is_slow = true;
  await settle();
  for (let i = 0; i < 50; i++) await publish([aRow("x", i)]);
  slow.drain();
  assert.equal(slow.bye?.reason, "slow");
});

test("a caller that was quiet for long and slow for a moment goes on", async () => {
  const { world, open, settle, publish, pass } = start();
  world.show("a", [aRow("x"), aRow("far", 1, OUT)]);
  const caller = open();
  const busy = open({ own: "ip 2", scope: scopeOf({ box: { ...BOX, north: BOX.north + 0.01 } }) });
  await settle();
  for (let i = 0; i < 8; i++) {
    await publish([aRow("x"), aRow("far", i + 2, OUT)]);
    await pass(11);
  }
  caller.is_slow = true;
  await pass(16);
  assert.equal(caller.events.at(-1), "beat");
  await publish([aRow("x", 2), aRow("far", 20, OUT)]);
  caller.drain();
  assert.equal(caller.bye, null);
  assert.deepEqual(caller.items.get("x"), busy.items.get("x"));
});

test("a slow caller misses no news of a source", async () => {
  const { world, hub, open, settle } = start();
  world.show("a", []);
  const slow = open();
  slow.is_slow = true;
  await settle();
  world.set("a", { source: aSource("a", { state: "lost" }) });
  hub.noteShown("a");
  await settle();
  assert.equal(slow.sources.get("a")?.state, "fresh");
  slow.drain();
  assert.equal(slow.sources.get("a")?.state, "lost");
});

test("an event is delivered in slices; who begins or drains between two of them has it once", async () => {
  let onTurn: (() => void) | null = null;
  const made = start({
    turn: () => {
      onTurn?.();
      return Promise.resolve();
    },
  });
  const { world, open, settle, publish } = made;
  world.show("a", [aRow("x")]);
  const callers = Array.from({ length: 40 }, (_, i) => open({ own: `ip ${i}` }));
  await settle();
  const late = callers.at(-1)!;
  late.is_slow = true;
  await publish([aRow("x", 2)]);
  const late_events = late.events.length;
  let turns = 0;
  onTurn = () => {
    // A few writes of the next event are done by then.
    if (++turns !== 3) return;
    late.drain();
    callers[38]!.stream.leave();
    callers.push(open({ own: "in between" }));
  };
  await publish([aRow("x", 3)]);
  onTurn = null;
  await settle();
  assert.equal(late.events.length, late_events + 1);
  assert.deepEqual(callers.at(-1)!.events, ["snapshot"]);
  callers.splice(38, 1);
  for (const caller of callers) assert.match(JSON.stringify(caller.shown), /"vehicles":3/);
});
