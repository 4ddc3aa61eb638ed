/**
 * Platforms as they really are: what stations say of ways without steps, with lifts out of order by
 * alerts and by the register, held against GET /__sandbox/truth/platforms over half a day.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TransportBodyValue } from "#api/transit.ts";
import { equipmentOf } from "../../../sandbox/fasta/host.ts";
import { pathwayIdOf } from "../../../sandbox/gtfs/inside.ts";
import { listStationWays } from "../../../sandbox/world/station-ways.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { serviceFor } from "./support.ts";

const CITIES = "berlin,paris";
const SEED = 1;
const RADIUS_M = 2_000;
/** Lifts are out of order by day: hours from one look to the next. */
const STEPS_H = [0, 6, 6, 12, 6, 6];
const ASIDE = 0.027;

type True = {
  stations: {
    feed_id: string;
    name: string;
    lifts: { id: number; out_of_order: boolean; announced: boolean }[];
    platforms: { stop_id: string; step_free: "yes" | "no" | "doubt" }[];
  }[];
};

/** Which lift of the register is which way of the timetable of Berlin. */
function listLifts() {
  const world = createWorld(SEED, ["berlin"]);
  return world.getNetwork(world.cities[0]!).stations.flatMap((station) => {
    const ways = listStationWays(station, 0).flatMap(({ lift }, n) =>
      lift === null ? [] : [{ lift, pathway: pathwayIdOf(station, 0, n) }],
    );
    return [...Map.groupBy(ways, ({ lift }) => lift)].map(([number, own]) => ({
      lift: String(equipmentOf(station, number)),
      feed: "berlin",
      pathways: own.map(({ pathway }) => pathway),
    }));
  });
}

type City = { lat: number; lon: number; name: string };

const listAround = ({ lat, lon, name }: City): City[] => [
  { lat, lon, name },
  ...[-ASIDE, ASIDE].flatMap((aside) => [
    { lat: lat + aside, lon, name },
    { lat, lon: lon + 1.5 * aside, name },
  ]),
];

describe("platforms of the simulated stations", () => {
  const settings = { sources: { fasta: { lifts: listLifts() } } };
  const variables = { SANDBOX_SEED: String(SEED) };
  const served = serviceFor({ cities: CITIES, variables, settings, timetables: true });

  test("none is step-free that is not, none has steps that has none, at any time", async (t) => {
    const { client, started } = served;
    const { sandbox, url } = started.service;
    const seen = { true: 0, false: 0, null: 0 };
    const lifts = { out_of_order: 0, in_service: 0, unknown: 0 };
    for (const hours of STEPS_H) {
      await client.call(`${sandbox!.url}/__sandbox/clock`, {
        method: "POST",
        body: { advance_s: hours * 3_600 },
      });
      for (const { lat, lon, name } of sandbox!.cities().flatMap(listAround)) {
        const where = `lat=${lat}&lon=${lon}&radius=${RADIUS_M}`;
        const truth = await client.json<True>(`${sandbox!.url}/__sandbox/truth/platforms?${where}`);
        const known = new Map(
          truth.stations.flatMap(({ platforms, lifts: own }) => {
            // What no source reports is not known.
            const is_reported = own.every((lift) => !lift.out_of_order || lift.announced);
            return platforms.map((each) => [each.stop_id, { ...each, is_reported }] as const);
          }),
        );
        const body = await client.json<TransportBodyValue>(
          `${url}/v1/transport/nearby?${where}&limit=200&walk=true&providers=gtfs`,
        );
        for (const station of body.results.stations) {
          const { step_free } = station;
          for (const key of ["out_of_order", "in_service", "unknown"] as const)
            lifts[key] += step_free?.lifts?.[key] ?? 0;
          for (const { stop_id, to_street } of step_free?.platforms ?? []) {
            const what = `${name}, ${station.name}, ${stop_id}`;
            const actual = known.get(stop_id);
            assert.ok(actual !== undefined, `${what}: no such platform`);
            seen[`${to_street}`] += 1;
            if (to_street === true && actual.is_reported)
              assert.equal(actual.step_free, "yes", what);
            if (to_street === false) assert.equal(actual.step_free, "no", what);
          }
        }
      }
    }
    const text = JSON.stringify({ seen, lifts });
    assert.ok(seen.true > 5 && seen.false > 20, text);
    assert.ok(lifts.out_of_order > 2 && lifts.in_service > 5, text);
    t.diagnostic(text);
  });
});
