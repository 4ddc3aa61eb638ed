/** Plans and comparisons of a running service, held to the simulator's truth and to GET /v1/nearby. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { OPTIONS_MAX } from "#api/agent-plan.ts";
import { SHOWN } from "#api/agent-results.ts";
import { reaches, rideMinutes, walkMinutes } from "#core/plan/estimate.ts";
import { sizeOf } from "#mcp/brief.ts";
import { distance } from "../../../sandbox/geo.ts";
import { listPlans } from "../../../sandbox/gbfs/plans.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { fareOf } from "../../support/fares.ts";
import { connect, errorOf, resultOf } from "../../support/mcp.ts";
import { alignToMinute, serviceFor } from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
const BERLIN = { lat: 52.52, lon: 13.405 };
/** No system is anywhere near. */
const NOWHERE = { lat: 0, lon: 0 };
/** A source may draw a station so far from where it is. */
const PIN_M = 40;

type Point = { lat: number; lon: number };
type At = Point & { id?: string; name?: string };
type Leg = {
  kind: "walk" | "take" | "ride" | "leave";
  from: At;
  to: At;
  at: At;
  of?: "station" | "vehicle";
  vehicles?: number | null;
  docks?: number | null;
  leave?: string;
  battery?: number;
  range_m?: number;
  distance_meters: number;
  minutes: number;
  freshness: string;
  observed_at: string | null;
  sources?: string[];
};
type Plan = {
  status: string;
  reason?: string;
  notices?: string[];
  walk: { distance_meters: number; minutes: number };
  options: {
    network: { id: string };
    mode: string;
    minutes: number;
    counts_known: boolean;
    cost: { amount: number; currency: string } | null;
    legs: Leg[];
  }[];
  searched: { from: { status: string; usable?: number }; to: { status: string } };
  attribution: { source_id: string }[];
};
type Counts = { stations: number; vehicles: number | null; docks: number | null };
type Row = {
  place: string;
  rank?: number | null;
  found: number;
  counted: number;
  totals: Counts;
  by_mode: Record<string, Counts>;
  networks: (Counts & { id: string })[];
  sources: string[];
  error?: { code: string };
};
type Truth = {
  kind: string;
  mode: string;
  location: Point;
  available: number;
  docks: number | null;
  is_renting?: boolean;
  is_returning?: boolean;
  is_installed?: boolean;
  is_virtual?: boolean;
  sources: { source_id: string; network_id: string }[];
};

function textOf({ lat, lon }: Point): string {
  return `${lat},${lon}`;
}

function offset({ lat, lon }: Point, north_m: number, east_m: number): Point {
  const metre = 1 / 111_195;
  return {
    lat: Number((lat + north_m * metre).toFixed(6)),
    lon: Number((lon + (east_m * metre) / Math.cos((lat * Math.PI) / 180)).toFixed(6)),
  };
}

/** Those that publish prices. */
const OPERATORS = new Map(
  createWorld(1)
    .operators.filter(({ versions }) => !versions.includes("1.0"))
    .map((operator) => [operator.id, operator]),
);

/** Short and longer rides in both cities. */
const JOURNEYS = [PARIS, BERLIN].flatMap((city) =>
  [
    [900, 700],
    [-600, 500],
    [300, -1500],
    [-1500, -200],
  ].map(([north = 0, east = 0]) => ({ from: city, to: offset(city, north, east) })),
);

describe("plans and comparisons of a sandbox service", () => {
  const running = serviceFor({});
  let client: Client;
  before(async () => {
    client = await connect(running.started.service.url);
    // The client holds answers to the schemas that it was given.
    await client.listTools();
    await alignToMinute(running.client, running.started.service.sandbox!.url);
  });
  after(() => client.close());

  const call = (name: string, args: object) =>
    client.callTool({ name, arguments: args as Record<string, unknown> });
  const plan = async (from: Point, to: Point, more: object = {}): Promise<Plan> => {
    const called = await call("plan_nearby", { from: textOf(from), to: textOf(to), ...more });
    assert.ok(sizeOf(resultOf(called)) <= SHOWN.bytes_max);
    return resultOf(called) as unknown as Plan;
  };
  const truthAt = async ({ lat, lon }: Point): Promise<Truth[]> => {
    const url = `${running.started.service.sandbox!.url}/__sandbox/truth`;
    const query = `lat=${lat}&lon=${lon}&radius=500`;
    return (await running.client.json<{ things: Truth[] }>(`${url}?${query}`)).things;
  };

  test("every leg is of something that is there, and every ride can be taken and left", async () => {
    const met = { docked: 0, free: 0, none: 0 };
    let costed = 0;
    for (const { from, to } of JOURNEYS) {
      const { options, status, walk, reason, attribution } = await plan(from, to);
      const [start, end] = [await truthAt(from), await truthAt(to)];
      assert.equal(walk.minutes, walkMinutes(walk.distance_meters));
      assert.ok(options.length <= OPTIONS_MAX);
      if (options.length === 0) {
        assert.ok(reason !== undefined && status !== "success");
        met.none++;
      }
      for (const { legs, minutes, mode, network, counts_known, cost } of options) {
        const operator = OPERATORS.get(network.id);
        if (operator) {
          const fare = fareOf(listPlans(operator)[0]!, Math.ceil(legs[2]!.minutes));
          assert.equal(cost?.currency, operator.city.currency, network.id);
          assert.ok(Math.abs(cost.amount - fare) < 0.01, `${cost.amount} ${fare}`);
          costed++;
        }
        const [, take, ride, leave] = legs as [Leg, Leg, Leg, Leg];
        const sum = legs.reduce((total, leg) => total + leg.minutes, 0);
        assert.ok(Math.abs(sum - minutes) < 0.05, `${sum} ${minutes}`);
        assert.equal(ride.minutes, rideMinutes(ride.distance_meters, mode));
        assert.ok(reaches(take, ride.distance_meters, mode));
        const isOf = (thing: Truth): boolean =>
          thing.sources.some(({ network_id }) => network_id === network.id);
        const taken = start.filter(
          (thing) => isOf(thing) && distance(thing.location, take.at) <= PIN_M,
        );
        if (take.of === "vehicle")
          assert.ok(
            taken.some(
              ({ kind, available, sources }) =>
                kind === "vehicle" &&
                available === 1 &&
                sources.some(({ source_id }) => source_id === take.at.id),
            ),
            JSON.stringify(take),
          );
        else if (counts_known)
          assert.ok(
            taken.some(
              ({ kind, available, is_renting }) =>
                kind === "station" && available > 0 && is_renting,
            ),
            JSON.stringify(take),
          );
        if (leave.leave === "station") {
          const left = end.filter(
            (thing) => isOf(thing) && distance(thing.location, leave.at) <= PIN_M,
          );
          if (counts_known)
            assert.ok(
              left.some(
                ({ kind, docks, is_returning, is_virtual }) =>
                  kind === "station" && is_returning && (is_virtual || (docks ?? 0) > 0),
              ),
              JSON.stringify(leave),
            );
          met.docked++;
        } else met.free++;
        // The cars of the simulator go back to where they were taken.
        assert.notEqual(mode, "car");
      }
      const names = options.flatMap(({ legs }) => legs.flatMap(({ sources = [] }) => sources));
      assert.deepEqual(
        attribution.map(({ source_id }) => source_id),
        [...new Set(names)].sort(),
      );
    }
    assert.ok(met.docked > 5 && met.free > 5, JSON.stringify(met));
    assert.ok(costed > 5, `${costed} costs`);
  });

  test("where a network has a bicycle at one end and a dock at the other, it is an option", async () => {
    let expected = 0;
    for (const { from, to } of JOURNEYS) {
      const { options } = await plan(from, to, { modes: ["bicycle"] });
      const networksOf = (things: Truth[], fits: (thing: Truth) => boolean): Set<string> =>
        new Set(things.filter(fits).flatMap(({ sources }) => sources.map((s) => s.network_id)));
      const inside = (at: Point, things: Truth[]): Truth[] =>
        things.filter(
          ({ kind, mode, location, is_installed }) =>
            kind === "station" &&
            mode === "bicycle" &&
            is_installed !== false &&
            distance(location, at) <= 400 - PIN_M,
        );
      const starts = networksOf(
        inside(from, await truthAt(from)),
        ({ available, is_renting }) => available > 0 && is_renting === true,
      );
      const ends = networksOf(
        inside(to, await truthAt(to)),
        ({ docks, is_returning }) => (docks ?? 0) > 0 && is_returning === true,
      );
      const both = [...starts].filter((id) => ends.has(id));
      if (both.length === 0) continue;
      expected++;
      assert.ok(
        options.some(({ network, counts_known }) => counts_known && both.includes(network.id)),
        JSON.stringify({ both, options }),
      );
    }
    assert.ok(expected >= 3, String(expected));
  });

  test("a destination that no source covers makes the plan partial, and nothing at either end a walk", async () => {
    const one = await plan(PARIS, NOWHERE);
    assert.deepEqual([one.status, one.reason], ["partial", "no_sources_in_area"]);
    assert.match(one.notices?.[0] ?? "", /^to: no source covers this point/);
    assert.equal(one.searched.to.status, "failed");
    assert.ok(one.searched.from.usable! > 0);
    const none = await plan(NOWHERE, offset(NOWHERE, 500, 0));
    assert.deepEqual(
      [none.status, none.reason, none.options],
      ["partial", "no_sources_in_area", []],
    );
    assert.equal(none.walk.distance_meters, 500);
  });

  test("names are taken as near takes them, and an ambiguous one is named with its candidates", async () => {
    const called = await call("plan_nearby", { from: "Paris, France", to: textOf(PARIS) });
    const { from, to } = resultOf(called) as unknown as Record<string, At & { label?: string }>;
    assert.match(from!["label"]!, /^Paris/);
    assert.equal(to!["label"], undefined);
    const error = errorOf(await call("plan_nearby", { from: textOf(PARIS), to: "Airport" }));
    assert.equal(error.code, "ambiguous_place");
    assert.equal((error as { argument?: string }).argument, "to");
    assert.ok(error.candidates!.length > 1);
    const again = await call("plan_nearby", {
      from: textOf(PARIS),
      to: textOf(error.candidates![0]!),
    });
    assert.ok(!again.isError);
  });

  test("a comparison counts what GET /v1/nearby has, and ranks by the intent", async () => {
    const places = [PARIS, BERLIN, offset(PARIS, 900, 700), NOWHERE];
    for (const [intent, member] of [
      ["pickup", "vehicles"],
      ["return", "docks"],
    ] as const) {
      const args = { places: places.map(textOf), modes: ["bicycle"], intent };
      const called = await call("compare_places", args);
      const { results, attribution, status } = resultOf(called);
      const rows = results as unknown as Row[];
      assert.equal(status, "partial");
      assert.equal(rows.at(-1)?.error?.code, "no_sources_in_area");
      assert.ok(sizeOf(resultOf(called)) <= SHOWN.bytes_max);
      const counted = rows.slice(0, -1);
      const amounts = counted.map(({ totals }) => totals[member] ?? -1);
      assert.deepEqual(
        amounts,
        amounts.toSorted((a, b) => b - a),
      );
      for (const { place, found, totals, networks, sources } of counted) {
        const [lat = "", lon = ""] = place.split(",");
        const query = { lat, lon, modes: "bicycle", limit: 200 };
        const { results: near, total } = await running.client.nearby(
          running.started.service,
          query,
        );
        assert.equal(found, total);
        assert.equal(totals.stations, near.stations.length);
        const usable = near.stations.filter(
          ({ action_state: a }) => a?.["pickup"] === "available_now",
        );
        const docked = usable.reduce((sum, each) => sum + (each.availability.vehicles ?? 0), 0);
        const free = near.vehicles.filter(
          ({ source }) => source.action_state["pickup"] === "available_now",
        );
        assert.equal(totals.vehicles ?? 0, docked + free.length, place);
        assert.ok(networks.length > 0 && sources.length > 0);
        const source_ids = new Set(attribution.map(({ source_id }) => source_id));
        assert.ok(sources.every((id) => source_ids.has(id)));
      }
    }
  });

  test("each costs what its searches cost, and nothing is stored", async () => {
    const { keys, url } = running.started.service;
    const { key } = keys.find((each) => each.plan === "business")!;
    const headers = { authorization: `Bearer ${key}` };
    const used = async (): Promise<number> => {
      const me = await running.client.json<{ usage: { used: number } }>(`${url}/v1/me`, {
        headers,
      });
      return me.usage.used;
    };
    const keyed = await connect(url, { key });
    const cost = async (name: string, args: Record<string, unknown>): Promise<number> => {
      const earlier = await used();
      const called = await keyed.callTool({ name, arguments: args });
      assert.equal(
        called.content.some(({ type }) => type === "resource_link"),
        false,
      );
      return (await used()) - earlier;
    };
    const blocksOf = async (at: Point, query: object): Promise<number> => {
      const body = await running.client.nearby({ url }, { ...at, limit: 100, ...query });
      return Math.ceil(body.total / 100);
    };
    const to = offset(PARIS, 900, 700);
    const bikes = { modes: ["bicycle"] };
    const from_units = await blocksOf(PARIS, {});
    const to_units = await blocksOf(to, { include: "stations" });
    assert.ok(from_units > 1);
    const ends = { from: textOf(PARIS), to: textOf(to) };
    assert.equal(await cost("plan_nearby", ends), from_units + to_units);
    assert.equal(await cost("plan_nearby", { ...ends, from: "Paris, France", ...bikes }), 3);
    assert.equal(await cost("plan_nearby", { ...ends, to: "Airport" }), 1);
    assert.equal(await cost("plan_nearby", { ...ends, to: textOf(NOWHERE) }), from_units);
    const places = [textOf(PARIS), textOf(BERLIN), textOf(NOWHERE)];
    const both = from_units + (await blocksOf(BERLIN, {}));
    assert.equal(await cost("compare_places", { places }), both);
    assert.equal(
      await cost("compare_places", { places: ["Paris, France", "Airport"], ...bikes }),
      3,
    );
    assert.equal(await cost("compare_places", { places: [textOf(PARIS)] }), 0);
    await keyed.close();
  });
});
