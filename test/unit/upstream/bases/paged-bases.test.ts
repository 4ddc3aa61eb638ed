/** Pages of bases in use: services over several of them, faults of one, replacement, and reading ahead. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { pino } from "pino";
import { distance_m } from "#kit/geo.ts";
import { problem } from "#kit/problem.ts";
import type { PlaceKind } from "#core/places/place.ts";
import { quartersOf, WHOLE } from "#osm/pages/page-cell.ts";
import type { BaseStore } from "#ports/bases.ts";
import { PinnedBases } from "#app/places/pinned-bases.ts";
import { BaseShelf } from "#upstream/bases/shelf.ts";
import { createBasePlaces, inFrontOf } from "#world/places/base-places.ts";
import { createTiles } from "#world/places/place-tiles.ts";
import type { PbfNode } from "../../../../sandbox/pbf/encode.ts";
import { aBasePack } from "../../../support/bases.ts";
import { createManualClock } from "../../../support/manual-clock.ts";
import { type FakeRanges, fakeRanges, nodeAt, pageNodes } from "../../../support/paged-bases.ts";
import { options } from "../../../support/places.ts";

const KINDS: readonly PlaceKind[] = ["toilets", "water"];
const NOTICE_MS = 4_000;
const RETRY_MS = 10_000;
const GRACE_MS = 60_000;
/** Cells that meet at 0, 0: they are quarters of the world. */
const QUARTERS = quartersOf(WHOLE);
const SIXTEENTHS = QUARTERS.flatMap((cell) => quartersOf(cell));

/** Things around places, and a node that makes the coverage go on between them. */
function around(places: readonly (readonly [lat: number, lon: number])[], each = 40): PbfNode[] {
  let id = 0;
  return places.flatMap(([lat, lon]) =>
    Array.from({ length: each }, (_, i) => {
      const angle = i * 2.4;
      const far = 0.0004 * i;
      const east = lon + (far * Math.sin(angle)) / Math.max(0.05, Math.cos((lat * Math.PI) / 180));
      const where = [lat + far * Math.cos(angle), ((east + 540) % 360) - 180] as const;
      const tags = { amenity: i % 2 === 0 ? "toilets" : "drinking_water" };
      return nodeAt(++id, Math.max(-90, Math.min(90, where[0])), where[1], tags);
    }),
  );
}

/** A shelf over files that a test lays. */
function openShelf(t: TestContext, memory_bytes = 1e9) {
  const clock = createManualClock(0);
  const files = new Map<string, { bytes: Uint8Array; version: string }>();
  const opened: FakeRanges[] = [];
  let next: FakeRanges["before"] = () => undefined;
  const store = {
    list: () =>
      Promise.resolve(
        [...files].map(([id, { bytes, version }]) => ({ id, version, bytes: bytes.length })),
      ),
    open(id: string) {
      const file = files.get(id);
      if (!file) return Promise.resolve(null);
      const ranges = fakeRanges(file.bytes, file.version);
      ranges.before = (at) => next(at);
      opened.push(ranges);
      return Promise.resolve(ranges);
    },
  } as unknown as BaseStore;
  const lines: { level: number; msg: string; base?: string; page?: string; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const gone: unknown[] = [];
  const onGone = (page: unknown): unknown => gone.push(page);
  const bases = new BaseShelf({ store, clock, log, memory_bytes, onGone });
  t.after(() => bases.close());
  let versions = 0;
  return {
    ...{ bases, clock, opened, lines, files, gone },
    lay: (id: string, bytes: Uint8Array) => files.set(id, { bytes, version: `${++versions}` }),
    /** Called before each read of the files. */
    onRead: (before: FakeRanges["before"]) => (next = before),
    warnings: () => lines.filter(({ level }) => level >= 40),
  };
}

type Shelf = ReturnType<typeof openShelf>;

function placesOf({ bases }: Pick<Shelf, "bases">) {
  return inFrontOf(
    createTiles(),
    createBasePlaces(() => bases.list()),
    () => 7,
  );
}

/** Ids and distances of what a search finds, or the base that lacks something. */
async function find(
  shelf: Pick<Shelf, "bases">,
  [lat, lon]: readonly [number, number],
  radius_m: number,
) {
  const circle = { lat, lon, radius_m };
  using pinned = await placesOf(shelf).pin(circle);
  const hits = [...pinned.search(KINDS, circle, options())];
  const found = hits.map(({ place, distance_m: far }) => `${place.external_id} ${far}`).sort();
  return { found, base: pinned.base?.statement.id ?? null, lost: pinned.lost };
}

const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => void setImmediate(resolve));
};

/** Where four cells meet, at an edge of two, across the antimeridian, and in the north and south. */
const PLACES = [
  [0, 0],
  [0, 45],
  [66.5, 0],
  [10, 180],
  [-16.5, -179.999],
  [78, 15],
  [84.9, 90],
  [88, -90],
  [-89.99, 12],
  [90, 0],
] as const;

for (const [name, cells] of [
  ["quarters", QUARTERS],
  ["sixteenths", SIXTEENTHS],
] as const)
  test(`services over pages of ${name} of the world are those of one page, in any circle`, async (t) => {
    const nodes = around(PLACES);
    const [one, paged] = [openShelf(t), openShelf(t)];
    one.lay("world", await aBasePack("world", nodes));
    paged.lay("world", await pageNodes("world", nodes, cells));
    await Promise.all([one.bases.start(), paged.bases.start()]);
    const { pages } = paged.bases.list()[0]!;
    assert.ok(pages.rows.length >= cells.length / 2, `${pages.rows.length} pages`);
    let [several, some] = [0, 0];
    for (const [lat, lon] of PLACES)
      for (const radius_m of [10, 300, 1_500, 5_000, 50_000])
        for (const [north, east] of [
          [0, 0],
          [0.002, 0.002],
          [-0.003, 0.001],
          [0, -0.004],
        ] as const) {
          const at = [
            Math.max(-90, Math.min(90, lat + north)),
            ((lon + east + 540) % 360) - 180,
          ] as const;
          // What the circle touches holds all that is in it.
          const numbers = pages.around({ lat: at[0], lon: at[1], radius_m });
          for (const { lat7, lon7 } of nodes) {
            const place = { lat: lat7 / 1e7, lon: lon7 / 1e7 };
            if (distance_m(...at, place.lat, place.lon) <= radius_m)
              assert.ok(
                numbers.includes(pages.at(place)!),
                `${place.lat} ${place.lon} of ${at.join()}`,
              );
          }
          const [own, other] = [await find(one, at, radius_m), await find(paged, at, radius_m)];
          assert.deepEqual(other, own, `${at.join()} ${radius_m}`);
          if (numbers.length > 1) several++;
          some += own.found.length;
        }
    assert.ok(several > 50 && some > 1_000, `${several} ${some}`);
  });

test("a circle pins the pages that it touches, and no other", async (t) => {
  const shelf = openShelf(t);
  shelf.lay(
    "world",
    await pageNodes(
      "world",
      around([
        [1, 1],
        [1, -1],
        [-1, 1],
        [-1, -1],
      ]),
      QUARTERS,
    ),
  );
  await shelf.bases.start();
  const { pages } = shelf.bases.list()[0]!;
  const countAt = (lat: number, lon: number, radius_m: number): number =>
    pages.around({ lat, lon, radius_m }).length;
  assert.equal(countAt(1, 1, 1_000), 1);
  assert.equal(countAt(0.001, 1, 1_000), 2);
  // In the corner of its box, and not in the circle.
  assert.equal(countAt(0.0085, 0.0085, 1_000), 3);
  assert.equal(countAt(0.001, 0.001, 1_000), 4);
  assert.equal(countAt(1, 180, 1_000), 2);
  assert.equal(countAt(89, 0.5, 200_000), 2);
});

test("a base of pages answers as soon as its head is read, and pages that fit are read ahead", async (t) => {
  const shelf = openShelf(t);
  const bytes = await pageNodes("world", around(PLACES), QUARTERS);
  shelf.lay("world", bytes);
  await shelf.bases.start();
  await settle();
  const { pages, bytes: held } = shelf.bases.pageFacts();
  const rows = shelf.bases.list()[0]!.pages.rows as readonly { bytes?: number }[];
  assert.equal(pages, rows.length);
  assert.ok(held < bytes.length && held > bytes.length / 2);
  // The head is in memory, too.
  const tight = openShelf(t, held);
  tight.lay("world", bytes);
  await tight.bases.start();
  await settle();
  assert.deepEqual([tight.bases.pageFacts().reads, tight.bases.list().length], [0, 1]);
});

test("many circles at once read each page once, and no more stays in memory than is allowed", async (t) => {
  const nodes = around(PLACES);
  const bytes = await pageNodes("world", nodes, SIXTEENTHS);
  const one = openShelf(t);
  one.lay("world", await aBasePack("world", nodes));
  await one.bases.start();
  const expected = await Promise.all(PLACES.map((at) => find(one, at, 3_000)));
  const all = openShelf(t, 1);
  all.lay("world", bytes);
  await all.bases.start();
  const rows = all.bases.list()[0]!.pages.rows as unknown as readonly { bytes: number }[];
  const largest = Math.max(...rows.map((row) => row.bytes));
  const shelf = openShelf(t, 4 * largest);
  shelf.lay("world", bytes);
  await shelf.bases.start();
  let most = 0;
  shelf.onRead(async () => {
    await settle();
    most = Math.max(most, shelf.bases.pageFacts().bytes);
  });
  for (let round = 0; round < 3; round++) {
    const requests = Array.from({ length: 10 }, () => PLACES).flat();
    const found = await Promise.all(requests.map((at) => find(shelf, at, 3_000)));
    for (const [i, each] of found.entries()) assert.deepEqual(each, expected[i % PLACES.length]);
  }
  const { pinned_bytes, bytes_max, bytes: held, reads } = shelf.bases.pageFacts();
  assert.equal(pinned_bytes, 0);
  assert.ok(held <= bytes_max && most <= bytes_max, `${held} ${most} ${bytes_max}`);
  // Ten callers of one place share its reads.
  assert.ok(reads <= 3 * 3 * rows.length, `${reads} reads of ${rows.length} pages`);
  // What the search thread must not keep, either.
  assert.ok(shelf.gone.length > 0);
  assert.equal(shelf.gone.length, shelf.bases.pageFacts().evictions);
});

test("a damaged page is missing at its places alone, named once, and the others serve on", async (t) => {
  const nodes = around([
    [1, 1],
    [1, -1],
    [-1, 1],
    [0, 0],
  ]);
  const bytes = await pageNodes("world", nodes, QUARTERS);
  const shelf = openShelf(t, 1);
  shelf.lay("world", bytes);
  await shelf.bases.start();
  const { pages } = shelf.bases.list()[0]!;
  const number = pages.at({ lat: 1, lon: 1 })!;
  const row = pages.rows[number] as { at: number; bytes: number } & (typeof pages.rows)[number];
  bytes[row.at + row.bytes - 100]! ^= 1;
  const whole = await find(shelf, [1, -1], 2_000);
  assert.ok(whole.found.length > 10 && whole.lost === null);
  const lost = { id: "world", reason: "damaged" };
  // Its own places, and what is around them in other pages.
  assert.deepEqual(await find(shelf, [1, 1], 2_000), { found: [], base: null, lost });
  const corner = await find(shelf, [-0.001, -0.001], 2_000);
  assert.deepEqual([corner.base, corner.lost], ["world", lost]);
  assert.ok(corner.found.length > 10);
  for (let i = 0; i < 5; i++) await find(shelf, [1, 1], 2_000);
  const [warning, ...others] = shelf.warnings();
  assert.deepEqual([warning!.base, warning!.reason, others], ["world", "damaged", []]);
  assert.match(warning!.msg, /^base world, page ground 1\/1\/0 at byte \d+: damaged/);
  assert.deepEqual(
    shelf.bases
      .list()[0]!
      .listFailed()
      .map(({ cell, reason }) => [cell, reason]),
    [[row.cell, "damaged"]],
  );
  // It is mended in its place, and read again after some seconds.
  bytes[row.at + row.bytes - 100]! ^= 1;
  assert.equal((await find(shelf, [1, 1], 2_000)).base, null);
  await shelf.clock.advance(RETRY_MS);
  assert.ok((await find(shelf, [1, 1], 2_000)).found.length > 10);
  assert.deepEqual(shelf.bases.list()[0]!.listFailed(), []);
});

test("a read that fails at any step leaves nothing pinned, and the next one is tried some seconds later", async (t) => {
  const nodes = around([
    [1, 1],
    [1, -1],
    [0, 0],
  ]);
  const bytes = await pageNodes("world", nodes, QUARTERS);
  const expected = openShelf(t);
  expected.lay("world", bytes);
  await expected.bases.start();
  const right = await find(expected, [0, 0], 2_000);
  for (let step = 0; step < 4; step++) {
    const shelf = openShelf(t, 1);
    shelf.lay("world", bytes);
    await shelf.bases.start();
    let reads = 0;
    shelf.onRead(() => {
      if (reads++ === step) throw problem("the disk has gone");
    });
    const all = await Promise.all(Array.from({ length: 8 }, () => find(shelf, [0, 0], 2_000)));
    for (const each of all) {
      assert.equal(each.lost?.reason, "unreadable");
      assert.ok(each.found.every((text) => right.found.includes(text)));
    }
    assert.equal(shelf.bases.pageFacts().pinned_bytes, 0);
    assert.match(shelf.warnings()[0]!.msg, /the disk has gone/);
    await shelf.clock.advance(RETRY_MS);
    assert.deepEqual(await find(shelf, [0, 0], 2_000), right);
    assert.equal(shelf.bases.pageFacts().pinned_bytes, 0);
  }
});

test("questions that began with a base that is replaced end with it, and its file is closed later", async (t) => {
  const shelf = openShelf(t);
  shelf.lay(
    "world",
    await pageNodes(
      "world",
      around([
        [1, 1],
        [1, -1],
      ]),
      QUARTERS,
    ),
  );
  await shelf.bases.start();
  const [old] = shelf.bases.list();
  const number = old!.pages.at({ lat: 1, lon: 1 })!;
  using pinned = await old!.pages.pin([number]);
  const { page } = pinned.pages[0]!;
  shelf.lay(
    "world",
    await pageNodes(
      "world",
      around(
        [
          [1, 1],
          [1, -1],
        ],
        6,
      ),
      QUARTERS,
    ),
  );
  await shelf.clock.advance(NOTICE_MS);
  assert.equal((await find(shelf, [1, 1], 2_000)).found.length, 6);
  const circle = { lat: 1, lon: 1, radius_m: 2_000 };
  assert.ok([...page.search(KINDS, circle, options())].length > 6);
  // It may still want another page.
  using more = await old!.pages.pin([old!.pages.at({ lat: 1, lon: -1 })!]);
  assert.equal(more.missing.length, 0);
  const [first, second] = shelf.opened;
  assert.deepEqual([first!.isClosed, second!.isClosed], [false, false]);
  await shelf.clock.advance(GRACE_MS);
  assert.deepEqual([first!.isClosed, second!.isClosed], [true, false]);
  assert.ok([...page.search(KINDS, circle, options())].length > 6, "what is pinned stays");
  const late = await old!.pages.pin(
    [0, 1, number].filter((each, i, all) => all.indexOf(each) === i),
  );
  assert.ok(late.missing.every(({ reason }) => reason === "unreadable"));
  late[Symbol.dispose]();
  assert.deepEqual(shelf.warnings(), []);
  shelf.bases.close();
  assert.equal(second!.isClosed, true);
});

test("replaced repeatedly under load, each question has one version or the other, whole", async (t) => {
  const packs = await Promise.all(
    [12, 24].map((each) =>
      pageNodes(
        "world",
        around(
          [
            [0, 0],
            [1, 1],
          ],
          each,
        ),
        QUARTERS,
      ),
    ),
  );
  // Four of each are too near to 0, 0 to be believed.
  const counts = new Set([8, 20]);
  const shelf = openShelf(t, 200_000);
  shelf.lay("world", packs[0]!);
  await shelf.bases.start();
  shelf.onRead(() => settle());
  const ask = async (): Promise<void> => {
    for (let i = 0; i < 12; i++) {
      const { found, base, lost } = await find(shelf, [0, 0], 2_000);
      assert.ok(counts.has(found.length), `${found.length}`);
      assert.deepEqual([base, lost], ["world", null]);
    }
  };
  const replace = async (): Promise<void> => {
    for (let i = 1; i < 12; i++) {
      shelf.lay("world", packs[i % 2]!);
      await shelf.bases.notice();
    }
  };
  await Promise.all([replace(), ...Array.from({ length: 6 }, ask)]);
  // Pages are still being read ahead.
  for (let i = 0; i < 50 && shelf.bases.pageFacts().pinned_bytes > 0; i++) await settle();
  assert.equal(shelf.bases.pageFacts().pinned_bytes, 0);
  assert.deepEqual(shelf.warnings(), []);
  await shelf.clock.advance(GRACE_MS);
  assert.equal(shelf.opened.filter(({ isClosed }) => !isClosed).length, 1);
});

test("questions about two bases in little memory wait neither for themselves nor for each other", async (t) => {
  const nodes = around([
    [0, 45],
    [0, -45],
  ]);
  const shelf = openShelf(t, 1);
  for (const id of ["one", "two"]) shelf.lay(id, await pageNodes(id, nodes, QUARTERS));
  await shelf.bases.start();
  const pages = [0, 1];
  const wishes = shelf.bases.list().map((base) => ({ base, pages }));
  const ask = async (order: typeof wishes): Promise<number> => {
    using pinned = new PinnedBases();
    // One base first, and then the other besides.
    for (const wish of order) await pinned.add([wish], AbortSignal.timeout(2_000));
    assert.deepEqual(pinned.listLost(), []);
    return order.flatMap(({ base }) => pinned.pagesOf(base, pages)).length;
  };
  const all = await Promise.all([ask(wishes), ask(wishes.toReversed()), ask(wishes)]);
  assert.deepEqual(all, [4, 4, 4]);
  assert.equal(shelf.bases.pageFacts().pinned_bytes, 0);
});
