/**
 * The ways within every station of recorded timetables, as planned and with each lift out of order in
 * turn, against a search in Python that shares no code (test/oracle/stations.py).
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { importGtfs, type OpenFeed, openFeed } from "../../index.ts";
import { WAY } from "../../access/access-draft.ts";
import { toStationState } from "../../access/lift-states.ts";
import { searchPlaces } from "../../access/access-search.ts";
import {
  findPlatformAccess,
  listSteps,
  type Network,
  PLANNED,
  type PlatformAccess,
  type StationState,
} from "../../access/station-network.ts";
import { findPython } from "../../../../test/support/python.ts";

const DATA = fileURLToPath(new URL("../../../../../shared/data/gtfs/", import.meta.url));
const ORACLE = fileURLToPath(new URL("../../../../test/oracle/stations.py", import.meta.url));
const FEEDS = {
  "wmata-rail-2026": { platforms: 125, lifts: 212, stations: 98 },
  "detroit-people-mover-2023": { platforms: 13, lifts: 17, stations: 13 },
} as const;
/** Lengths are kept in decimetres. */
const SAME_M = 1;

type Row =
  | [kind: "pair", entrance: string, platform: string, metres: number | null]
  | [kind: "platform", lift: string, platform: string, answer: boolean | null];

const python = findPython();

function askOracle(path: string): Row[] {
  const text = execFileSync(python!, [ORACLE, path], { maxBuffer: 2 ** 26 }).toString();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

async function openRecorded(path: string): Promise<OpenFeed> {
  const result = await importGtfs({ path }, { feed_id: "recorded", region: null, now_ms: 0 });
  assert.ok(result.ok);
  return openFeed(result.pack)!;
}

function listNetworks(feed: OpenFeed): Network[] {
  return Array.from({ length: feed.count }, (_, row) => feed.access!.network(row)).filter(
    (network) => network !== null,
  );
}

function without(lift: string): StationState {
  return { ...PLANNED, liftOf: (id) => (id === lift ? "out_of_order" : "unstated") };
}

function toRows(lift: string, platforms: readonly PlatformAccess[]): string[] {
  return platforms.map(({ stop_id, to_street }) =>
    JSON.stringify(["platform", lift, stop_id, to_street]),
  );
}

/** Metres from each entrance to each platform, all lifts as planned. */
function listPairs(network: Network): Map<string, number> {
  const { places } = network;
  const steps = listSteps(network, PLANNED, "sure");
  const at = (kind: number): number[] => places.flatMap((one, i) => (one.kind === kind ? [i] : []));
  return new Map(
    at(2).flatMap((entrance) => {
      const costs = searchPlaces(places.length, [entrance], steps);
      return at(0).map((platform) => [
        JSON.stringify([places[entrance]!.id, places[platform]!.id]),
        costs[platform]! / 10,
      ]);
    }),
  );
}

for (const [name, counts] of Object.entries(FEEDS)) {
  const path = `${DATA}${name}/gtfs.zip`;
  const missing = existsSync(path) ? null : `NO RECORDED STATIONS: ../shared/data/gtfs/${name}`;
  const skip =
    missing ?? (python === null ? "NO PYTHON: the independent search cannot run" : false);

  describe(`stations of ${name}`, { skip }, () => {
    let recorded: { feed: OpenFeed; wanted: Row[] };
    before(async () => {
      recorded = { feed: await openRecorded(path), wanted: askOracle(path) };
    });

    test("each platform is reached as the independent search says, with each lift out in turn", () => {
      const { feed, wanted } = recorded;
      const networks = listNetworks(feed);
      const lifts = networks.flatMap(({ ways }) => ways.filter(({ mode }) => mode === WAY.lift));
      const found = networks.flatMap((network) => [
        ...toRows("", findPlatformAccess(network, PLANNED)),
        ...network.ways
          .filter(({ mode }) => mode === WAY.lift)
          .flatMap(({ id }) => toRows(id, findPlatformAccess(network, without(id)))),
      ]);
      const expected = wanted.filter(([kind]) => kind === "platform");
      assert.deepEqual(found.sort(), expected.map((row) => JSON.stringify(row)).sort());
      assert.equal(lifts.length, counts.lifts);
      assert.equal(networks.length, counts.stations);
      const planned = expected.filter(([, lift]) => lift === "");
      assert.equal(planned.length, counts.platforms);
      // Lifts decide: most platforms are lost with one.
      assert.ok(expected.some(([, , , answer]) => answer === false));
    });

    test("an alert about one end of a lift leaves no platform that is lost with it step-free", () => {
      const { feed, wanted } = recorded;
      const answers = new Map(
        wanted.flatMap(([kind, lift, platform, answer]) =>
          kind === "platform" ? [[JSON.stringify([lift, platform]), answer] as const] : [],
        ),
      );
      let [lifts, wrong] = [0, 0];
      for (const network of listNetworks(feed))
        for (const { mode, id, from, to } of network.ways)
          for (const end of mode === WAY.lift ? [from, to] : []) {
            lifts++;
            const issues = { places: [end], anywhere: false };
            const state = toStationState(network, {
              issues,
              statements: [],
              is_register_lost: false,
            });
            for (const { stop_id, to_street } of findPlatformAccess(network, state))
              if (to_street === true && answers.get(JSON.stringify([id, stop_id])) !== true)
                wrong++;
          }
      assert.deepEqual({ lifts, wrong }, { lifts: 2 * counts.lifts, wrong: 0 });
    });

    test("each entrance is as far from each platform as the independent search says", () => {
      const { feed, wanted } = recorded;
      const found = new Map(listNetworks(feed).flatMap((network) => [...listPairs(network)]));
      const pairs = wanted.filter((row) => row[0] === "pair");
      const wrong = pairs.filter(([, entrance, platform, metres]) => {
        const own_m = found.get(JSON.stringify([entrance, platform]))!;
        return metres === null ? own_m !== Infinity : !(Math.abs(own_m - metres) <= SAME_M);
      });
      assert.deepEqual(wrong, []);
      assert.ok(pairs.length >= counts.platforms);
    });
  });
}
