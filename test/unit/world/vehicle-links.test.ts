/**
 * Vehicles of two systems are compared a step at a time, before they are shown: how much one change
 * compares, what is answered meanwhile, and that no result is read by the rows of other packs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pairSteps } from "#stations/identity/vehicle-pairs.ts";
import { RESOLVED, getField } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { runSteps } from "#kit/run/turn.ts";
import { createIdentity, type Identity } from "#world/identity/world-identity.ts";
import type { FoundItem } from "#world/found.ts";
import { readId } from "#world/head-id.ts";
import { type LinkedSystem, type RunSteps, VehicleLinks } from "#world/vehicles/vehicle-links.ts";
import { createWorld, type World } from "#world/world.ts";
import { createMemoryBridges, resolveHere } from "../../support/memory.ts";
import {
  aShard,
  aStation,
  aType,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  NOW_MS,
} from "../../support/domain.ts";

const IDS = ["r1", "r2", "r3"];

/** Vehicles 30 m apart in the order of their ids, so that another order is another row. */
function feed(id: string, ids: readonly string[] = IDS): Shard {
  const vehicles = ids.map((vehicle, i) =>
    aVehicle(vehicle, { location: moved(HERE, 0, i * 30), type_id: "s" }),
  );
  return aShard({ id, name: "Roll Field", types: [aType("s", { mode: "scooter" })], vehicles });
}

function linksWith(most_rows: number | undefined, feeds: number): number[] {
  const entries = Array.from({ length: feeds }, (_, n): LinkedSystem => {
    const source_id = `feed${n}`;
    return { source_id, shard: n === 0 ? null : feed(source_id), vehicle_links: null };
  });
  const links = new VehicleLinks({ entries, most_rows });
  const [first] = entries as [LinkedSystem, ...LinkedSystem[]];
  const shard = feed("feed0");
  links.showCompared(first, shard, () => {
    first.shard = shard;
    links.place(first);
  });
  return entries.map(({ vehicle_links }) => vehicle_links?.length ?? 0);
}

test("every feed of the brand is compared within the bound", () => {
  assert.deepEqual(linksWith(undefined, 5), [4, 1, 1, 1, 1]);
});

test("feeds beyond the bound are not compared, and nothing is said of their vehicles", () => {
  // Three vehicles on either side of each pair.
  assert.deepEqual(linksWith(12, 5), [2, 1, 1, 0, 0]);
  assert.deepEqual(linksWith(5, 5), [0, 0, 0, 0, 0]);
});

test("between two steps are at most some hundred vehicles, however many there are", () => {
  const count = (ids: number): number => {
    const many = feed(
      "a",
      Array.from({ length: ids }, (_, i) => `v${i}`),
    ).vehicles!.data!;
    return [...pairSteps(many, many)].length;
  };
  assert.ok(count(8_000) >= (4 * 8_000) / 1_000);
  assert.equal(count(100), 1);
});

/** A world whose comparisons go on by one step whenever the test says so. */
function createSlowWorld(ids: readonly string[], identity: Identity | null = null) {
  let waiting: (() => void)[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
  const run: RunSteps = (steps) => runSteps(steps, pause);
  const world = createWorld(identity, { run });
  for (const source_id of ids) world.register({ source_id, country: "FR" });
  /** Goes on by one step; false: nothing waits. */
  const step = async (): Promise<boolean> => {
    const due = waiting;
    waiting = [];
    for (const go of due) go();
    await turns();
    return due.length > 0 || waiting.length > 0;
  };
  const finish = async (): Promise<void> => {
    while (await step());
  };
  return { world, step, finish };
}

async function turns(): Promise<void> {
  for (let i = 0; i < 40; i++) await Promise.resolve();
}

type Seen = { id: string; status: number; others: string[] };

function see(world: World): Seen[] {
  const circle = { ...HERE, radius_m: 400 };
  const { items } = world.search(world.list(), {
    ...{ circle, modes: 0b1111, stations: false, vehicles: true, now_ms: NOW_MS },
  });
  return items.map((item) => ({
    id: idOf(item),
    status: getField(item.state, "resolved"),
    others: item.sightings.map(idOf),
  }));
}

function idOf({ shard, row }: Pick<FoundItem, "shard" | "row">): string {
  return readId(shard.vehicles!.data!.head, row).toString();
}

const bare = (id: string): string => id.replace(/^.*:/u, "");

test("until new vehicles are compared the old ones are shown, and then all changes at once", async () => {
  const { world, finish } = createSlowWorld(["a", "b"]);
  void world.put(feed("a"));
  void world.put(feed("b"));
  await finish();
  const first = see(world).map(({ id, others }) => [id, others]);
  assert.deepEqual(
    first,
    IDS.map((id) => [`a:${id}`, [`b:${id}`]]),
  );
  const put = world.put(feed("b", ["r3", "r2", "r9"]));
  assert.ok(put instanceof Promise && world.shown("b") instanceof Promise);
  assert.deepEqual(
    see(world).map(({ id, others }) => [id, others]),
    first,
  );
  await finish();
  assert.equal(await put, null);
  assert.equal(world.shown("b"), null);
  assert.deepEqual(
    see(world)
      .map(({ id, others }) => [id, ...others].join(" "))
      .toSorted(),
    ["a:r1", "a:r2 b:r2", "a:r3 b:r3", "b:r9"],
  );
});

test("who waits until it is shown sees what came last", async () => {
  const { world, finish } = createSlowWorld(["a", "b"]);
  void world.put(feed("a"));
  void world.put(feed("b"));
  void world.put(feed("b", ["r8"]));
  void world.put(feed("b", ["r7"]));
  let ids: string[] = [];
  const seen = world.shown("b")!.then(() => void (ids = see(world).map(({ id }) => id)));
  await finish();
  await seen;
  assert.ok(ids.includes("b:r7") && !ids.includes("b:r8"), ids.join());
});

test("a comparison that fails shows the vehicles all the same, and the next one is made", async () => {
  let isBroken = true;
  const run: RunSteps = (steps) =>
    isBroken ? Promise.reject(new Error("planted")) : runSteps(steps, () => Promise.resolve());
  const world = createWorld(null, { run });
  for (const source_id of ["a", "b"]) world.register({ source_id, country: "FR" });
  void world.put(feed("a"));
  await assert.rejects(async () => world.put(feed("b")), /planted/);
  assert.equal(see(world).length, 6);
  isBroken = false;
  assert.equal(await world.put(feed("b")), null);
  assert.equal(see(world).length, 3);
});

test("what changes while stations are resolved is compared once more, and no row is read meanwhile", async () => {
  let answer = (): void => {};
  let isHeld = false;
  const identity = createIdentity({
    bridges: createMemoryBridges(),
    overrides: { always: [], never: [] },
    now: () => NOW_MS,
    resolve: (job) =>
      isHeld
        ? new Promise((resolve) => void (answer = () => resolve(resolveHere(job))))
        : resolveHere(job),
  });
  const { world, finish } = createSlowWorld(["a", "b"], identity);
  const [a, b] = [feed("a"), feed("b", ["r2", "r1", "r3"])];
  void world.put(a);
  void world.put(b);
  await finish();
  isHeld = true;
  // Another static part: compared with what b shows now, and shown when its stations are resolved.
  const put = world.put(feed("a", ["r3", "r1"]));
  await finish();
  void world.put({ ...b, vehicles: feed("b", ["r1", "r3", "r2"]).vehicles });
  await finish();
  const check = (): void => {
    for (const { id, others } of see(world))
      assert.equal(new Set([id, ...others].map(bare)).size, 1, [id, ...others].join());
  };
  check();
  answer();
  await turns();
  check();
  await finish();
  assert.equal(await put, null);
  check();
  const others = see(world).map((each) => each.others.length);
  assert.deepEqual(
    others.toSorted((x, y) => x - y),
    [0, 1, 1],
  );
});

test("a station without counts has no vehicles next to it, though the vehicle of its row has", () => {
  const world = createWorld();
  for (const [id, ids] of [
    ["a", IDS],
    ["b", ["x1", "x2", "x3"]],
  ] as const) {
    world.register({ source_id: id, country: "FR" });
    const stations = [aStation(`dock ${id}`)];
    const { statics, box } = aShard({ id, name: "Roll Field", stations });
    void world.put({ ...feed(id, ids), statics, box, status: null });
  }
  const { items } = world.search(world.list(), {
    ...{ circle: { ...HERE, radius_m: 10 }, modes: 0b1111, now_ms: NOW_MS },
    ...{ stations: true, vehicles: true },
  });
  const count = (isOf: (item: FoundItem) => boolean): number[] =>
    items.filter(isOf).map(({ neighbours }) => neighbours.length);
  assert.deepEqual(
    count(({ state }) => getField(state, "vehicle") === 1),
    [1, 1],
  );
  assert.deepEqual(
    count(({ state }) => getField(state, "vehicle") === 0),
    [0, 0],
  );
});

const aChange = fc.record({
  system: fc.nat({ max: 2 }),
  ids: fc.uniqueArray(fc.constantFrom("r1", "r2", "r3", "r4", "r5"), { maxLength: 5 }),
  steps: fc.nat({ max: 3 }),
});

test("whatever changes while vehicles are compared, no row of another pack is read, and in the end all are compared", async () => {
  const systems = ["a", "b", "c"];
  await forAllAsync(
    fc.asyncProperty(fc.array(aChange, { minLength: 2, maxLength: 12 }), async (changes) => {
      const { world, step, finish } = createSlowWorld(systems);
      const last = new Map<string, readonly string[]>();
      for (const { system, ids, steps } of changes) {
        const id = systems[system]!;
        last.set(id, ids);
        void world.put(feed(id, ids));
        for (let i = 0; i < steps; i++) {
          for (const { id: listed_id, others } of see(world))
            assert.deepEqual(
              new Set([listed_id, ...others].map(bare)).size,
              1,
              [listed_id, ...others].join(),
            );
          await step();
        }
      }
      await finish();
      const all = new Set([...last.values()].flat());
      const seen = see(world);
      assert.deepEqual(seen.map(({ id }) => bare(id)).toSorted(), [...all].toSorted());
      for (const { id, status, others } of seen) {
        const feeds = [...last.values()].filter((ids) => ids.includes(bare(id))).length;
        assert.equal(others.length, feeds - 1, id);
        if (feeds > 1) assert.equal(status, RESOLVED.merged);
      }
    }),
  );
});
