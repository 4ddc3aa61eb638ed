/** What every Bridges implementation holds (src/ports.ts). */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Before } from "#stations/identity/inherit.ts";
import type { Bridges } from "#ports.ts";
import { stationCodec } from "#storage/station-ids-store.ts";

export type OpenedBridges = { bridges: Bridges; reopen?: () => Bridges | Promise<Bridges> };

const STATION: Before = {
  id: "12",
  name: "Gare de l’Est (1) 🚲",
  lat: 48.8761,
  lon: 2.3583,
  modes: 1,
  capacity: null,
  virtual: null,
  keys: { legacy_id: "9" },
  gone_s: null,
};
const NO_IDS: ReadonlyMap<string, string | null> = new Map();

function recalled(bridges: Bridges): Before[] | null {
  const packed = bridges.recall("a");
  return packed && stationCodec.unpack(packed);
}

export function bridgesSuite(
  name: string,
  options: {
    open: (t: TestContext) => OpenedBridges | Promise<OpenedBridges>;
    durable: boolean;
    /** false, or why it cannot run here. */
    skip?: string | false;
  },
): void {
  const { open, durable, skip = false } = options;

  test(`${name}: a source is first seen once`, { skip }, async (t) => {
    const { bridges } = await open(t);
    await bridges.prepare(["a", "b"], 1000);
    assert.deepEqual(
      [...bridges.meet(["a", "b"], 1000)],
      [
        ["a", 1000],
        ["b", 1000],
      ],
    );
    await bridges.prepare(["b"], 2000);
    assert.deepEqual(
      [...bridges.meet(["b", "c"], 2000)],
      [
        ["b", 1000],
        ["c", 2000],
      ],
    );
  });

  test(`${name}: ids are kept by source and station, replaced and removed`, { skip }, async (t) => {
    const { bridges } = await open(t);
    await bridges.prepare(["a", "b"], 0);
    bridges.meet(["a", "b"], 0);
    bridges.save("a", {
      ids: new Map([
        ["1", "x"],
        ["2", "y"],
      ]),
      seen: null,
    });
    bridges.save("b", { ids: new Map([["1", "z"]]), seen: null });
    bridges.save("a", {
      ids: new Map([
        ["1", "w"],
        ["2", null],
      ]),
      seen: null,
    });
    assert.deepEqual([...bridges.listIds("a")], [["1", "w"]]);
    assert.deepEqual([...bridges.listIds("b")], [["1", "z"]]);
    assert.equal(bridges.listIds("unknown").size, 0);
  });

  test(
    `${name}: stations never read are null, stations read and empty are an empty list`,
    { skip },
    async (t) => {
      const { bridges } = await open(t);
      await bridges.prepare(["a"], 0);
      bridges.meet(["a"], 0);
      assert.equal(bridges.recall("a"), null);
      assert.equal(bridges.recall("unknown"), null);
      bridges.save("a", { ids: NO_IDS, seen: stationCodec.pack([]) });
      assert.deepEqual(recalled(bridges), []);
    },
  );

  test(
    `${name}: stations are returned as saved, and are kept when a save omits them`,
    { skip },
    async (t) => {
      const { bridges } = await open(t);
      await bridges.prepare(["a"], 0);
      bridges.meet(["a"], 0);
      const gone = { ...STATION, id: "13", virtual: true, capacity: 20, gone_s: 1_900_000_000 };
      bridges.save("a", { ids: NO_IDS, seen: stationCodec.pack([STATION, gone]) });
      bridges.save("a", { ids: new Map([["12", "x"]]), seen: null });
      assert.deepEqual(recalled(bridges), [STATION, gone]);
    },
  );

  if (!durable) return;

  test(`${name}: ids and stations outlive the process`, { skip }, async (t) => {
    const { bridges, reopen } = await open(t);
    await bridges.prepare(["a"], 1000);
    bridges.meet(["a"], 1000);
    bridges.save("a", { ids: new Map([["12", "x"]]), seen: stationCodec.pack([STATION]) });
    const again = await reopen!();
    await again.prepare(["a"], 5000);
    assert.equal(again.meet(["a"], 5000).get("a"), 1000);
    assert.deepEqual([...again.listIds("a")], [["12", "x"]]);
    assert.deepEqual(recalled(again), [STATION]);
  });
}
