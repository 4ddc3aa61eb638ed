/**
 * The tools over a base that has streets (docs/agents.md, On foot), by the protocol's own client: a grid
 * with a river through it, and one bridge to the south. What is across the river is near in a
 * straight line alone.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { SHOWN } from "#api/agent-results.ts";
import { sizeOf } from "#mcp/brief.ts";
import { openAdminStorage } from "#storage/open-storage.ts";
import type { PbfNode, PbfWay } from "../../../sandbox/pbf/encode.ts";
import { distance } from "../../../sandbox/geo.ts";
import { aBasePack } from "../../support/bases.ts";
import { connect, errorOf, resultOf } from "../../support/mcp.ts";
import {
  alignToMinute,
  closeAll,
  createClient,
  createFolder,
  eventually,
  start,
  type Started,
} from "./support.ts";

const PARIS = { lat: 48.8566, lon: 2.3522 };
/** No base is there. */
const NOWHERE = { lat: 48.2, lon: 2.35 };
/** Metres between streets, and how far they go. */
const [STEP, EDGE] = [100, 1_200];
/** The river, between two streets; its bridge. */
const [WEST_BANK, EAST_BANK, BRIDGE] = [100, 200, -500];

type Point = { lat: number; lon: number };

/** A point by metres to the east and to the north of the centre. */
function at(x: number, y: number): Point {
  const metre = 1 / 111_195;
  const scale = Math.cos((PARIS.lat * Math.PI) / 180);
  return { lat: PARIS.lat + y * metre, lon: PARIS.lon + (x * metre) / scale };
}

/** Metres to the east. */
function eastOf({ lon }: Point): number {
  return (lon - PARIS.lon) * 111_195 * Math.cos((PARIS.lat * Math.PI) / 180);
}

/** Metres that no way from the west to the east can be shorter than. */
function overBridge(west: Point, east: Point): number {
  const [from, to] = [at(WEST_BANK, BRIDGE), at(EAST_BANK, BRIDGE)];
  return distance(west, from) + distance(from, to) + distance(to, east) - 2;
}

/** Streets both ways, and toilets: on either bank, and on a terrace up a stair. */
function listObjects(): (PbfNode | PbfWay)[] {
  const nodes: PbfNode[] = [];
  const ways: PbfWay[] = [];
  const ids = new Map<string, number>();
  const node = (x: number, y: number, tags: Record<string, string> = {}): number => {
    const key = `${x} ${y}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const { lat, lon } = at(x, y);
    const id = nodes.length + 1;
    nodes.push({
      type: "node",
      id,
      lat7: Math.round(lat * 1e7),
      lon7: Math.round(lon * 1e7),
      tags,
    });
    ids.set(key, id);
    return id;
  };
  const way = (refs: number[], highway: string): void => {
    ways.push({ type: "way", id: ways.length + 1, refs, tags: { highway } });
  };
  const steps = Array.from({ length: (2 * EDGE) / STEP }, (_, i) => i * STEP - EDGE);
  for (const a of steps)
    for (const b of steps) {
      way([node(b, a), node(b, a + STEP)], "residential");
      const isRiver = a !== BRIDGE && b === WEST_BANK;
      if (!isRiver) way([node(b, a), node(b + STEP, a)], "residential");
    }
  way([node(0, 0), node(-40, 30), node(-50, 50)], "steps");
  node(60, 10, { amenity: "toilets", name: "Here" });
  node(EAST_BANK + 5, 10, { amenity: "toilets", name: "Across" });
  node(-52, 52, { amenity: "toilets", name: "Terrace" });
  return [...nodes, ...ways];
}

type Way = {
  id: string;
  name: string;
  location: Point;
  distance_meters: number;
  walk_minutes?: number | null;
  walk_meters?: number;
  step_free?: boolean | null;
  leave?: string | null;
  station_id?: string;
  line?: string;
  headsign?: string | null;
  planned_at?: string | null;
};
type Found = {
  walking: string;
  nearest_straight?: { id: string; distance_meters: number; walk_minutes: number | null };
  results: Way[];
  total: number;
  shown: number;
  notices?: string[];
  next_offset?: number | null;
  dataset?: { id: string; version: string; href: string; next_offset: number | null };
};
/** Of when to leave; null: not known. */
function minutesOf(leave: string | null | undefined): number | null {
  if (leave == null) return null;
  const minutes = Number(/\d+/.exec(leave)?.[0] ?? 0);
  return leave.startsWith("missed") ? -minutes : minutes;
}

type Leg = {
  kind: string;
  by?: string;
  from: Point;
  to: Point;
  minutes: number | null;
  walk_meters?: number;
  seconds?: number;
  distance_meters: number;
  step_free?: boolean | null;
  reason?: string;
};
type Plan = {
  walking: string;
  walk: Leg;
  options: {
    minutes: number | null;
    known_minutes?: number;
    minutes_unknown?: string;
    legs: Leg[];
  }[];
};

describe("tools where the streets are known", () => {
  const http = createClient();
  let started: Started;
  let client: Client;
  before(async () => {
    const data_dir = await createFolder();
    const store = openAdminStorage({ data_dir, mode: "sandbox" });
    if ("problem" in store) return assert.fail(store.problem);
    // Newer than the simulated map, so that it goes first.
    const data_at_s = Date.UTC(2030, 0, 1) / 1_000;
    await store.bases.put("grid", await aBasePack("grid", listObjects(), data_at_s));
    store.close();
    const sources = {
      maps: { adapter: "openstreetmap" },
      openstreetmap: { places: "embedded" },
      openbase: { gazetteer: false },
    };
    const settings = { sources };
    started = await start({ data_dir, settings });
    client = await connect(started.service.url);
    await client.listTools();
    await eventually(
      async () => (await find({ types: ["toilets"] })).walking.startsWith("Minutes") || null,
      {
        within_ms: 60_000,
        what: "the reading of the base",
      },
    );
    return alignToMinute(http, started.service.sandbox!.url);
  });
  after(async () => {
    await client.close();
    await closeAll(http, started);
  });

  const call = async <T>(name: string, args: object): Promise<T> => {
    const called = await client.callTool({ name, arguments: args as Record<string, unknown> });
    const result = resultOf(called);
    assert.ok(sizeOf(result) <= SHOWN.bytes_max, name);
    return result as unknown as T;
  };
  const HERE = at(90, 0);
  const find = (args: object, from: Point = HERE) =>
    call<Found>("find_urban_services", { ...from, radius: 600, ...args });
  const named = ({ results }: Found, name: string): Way =>
    results.find((each) => each.name === name) ?? assert.fail(`no ${name}`);

  test("the nearest toilet is the one on this bank, and the one across is said to be nearer by line alone", async () => {
    const found = await find({ types: ["toilets"] });
    const [here, across] = [named(found, "Here"), named(found, "Across")];
    // To the street and along it: 10 m, 30 m and 10 m.
    assert.ok(Math.abs(here.walk_meters! - 40) <= 2, JSON.stringify(here));
    assert.equal(here.walk_minutes, 0.6);
    // To the bridge and back, and over it.
    assert.ok(Math.abs(across.walk_meters! - (10 + 500 + 100 + 500 + 15)) <= 10);
    const order = found.results.map(({ walk_minutes }) => walk_minutes ?? Infinity);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.ok(found.results.indexOf(here) < found.results.indexOf(across));
    // Next to the river the one across is nearer by line.
    const beyond = await find({ types: ["toilets"] }, at(140, 10));
    assert.equal(beyond.nearest_straight?.id, across.id);
    assert.equal(beyond.nearest_straight.walk_minutes, named(beyond, "Across").walk_minutes);
    assert.ok(
      beyond.results.indexOf(named(beyond, "Here")) <
        beyond.results.indexOf(named(beyond, "Across")),
    );
  });

  test("without steps the terrace is reached by no way, and nothing is called free of steps that is not", async () => {
    const foot = named(await find({ types: ["toilets"] }), "Terrace");
    assert.ok(foot.walk_meters! < 200 && !("step_free" in foot));
    const found = await find({ types: ["toilets"], profile: "step_free" });
    const terrace = named(found, "Terrace");
    assert.ok(terrace.walk_minutes === null || terrace.walk_meters! > foot.walk_meters!);
    assert.notEqual(terrace.step_free === true && terrace.walk_meters! < 200, true);
    assert.equal(named(found, "Here").step_free, true);
    assert.match(found.walking, /without a known step/);
  });

  test("within minutes leaves out what is farther on foot, whatever its line", async () => {
    const found = await find({ types: ["toilets"], within_minutes: 5 });
    assert.ok(named(found, "Here").walk_minutes! <= 5);
    assert.ok(!found.results.some(({ name }) => name === "Across"));
    assert.match(found.walking, /Left out: what is farther than 5 minutes\./);
    for (const { walk_minutes } of found.results)
      assert.ok(walk_minutes === null || walk_minutes! <= 5);
  });

  test("a stored search is in the order on foot on every page, and its dataset has no ways", async () => {
    const first = await call<Found>("search_mobility_nearby", { ...HERE, limit: 20 });
    assert.match(
      first.walking,
      /^Minutes on foot along streets at 1\.33 m\/s; the nearest on foot/,
    );
    const { id, version, href } = first.dataset!;
    const ways = [...first.results];
    for (let offset = first.dataset!.next_offset; offset !== null;) {
      const page: Found = await call("read_dataset", { id, version, offset });
      assert.equal(page.nearest_straight, undefined);
      ways.push(...page.results);
      offset = page.dataset!.next_offset;
    }
    assert.equal(new Set(ways.map((each) => each.id)).size, ways.length);
    const minutes = ways.map(({ walk_minutes }) => walk_minutes ?? Infinity);
    assert.deepEqual(
      minutes,
      minutes.toSorted((a, b) => a - b),
    );
    const across = ways.filter(({ location }) => eastOf(location) > EAST_BANK);
    assert.ok(across.length > 3 && ways.length - across.length > 3, `${across.length}`);
    for (const { walk_meters, location } of across)
      if (walk_meters !== undefined) assert.ok(walk_meters >= overBridge(HERE, location));
    for (const { walk_meters, location } of ways)
      if (walk_meters !== undefined) assert.ok(walk_meters >= distance(HERE, location) - 1);
    const nearest = ways.reduce((a, b) => (b.distance_meters < a.distance_meters ? b : a));
    if (nearest.walk_minutes === ways[0]!.walk_minutes)
      assert.equal(first.nearest_straight, undefined);
    else assert.equal(first.nearest_straight!.id, nearest.id);
    const stored = await http.call(started.service.url + href);
    assert.equal(stored.status, 200);
    assert.ok(!/"walk/.test(stored.text));
  });

  test("a plan takes and leaves on foot along streets, and walks all the way over the bridge", async () => {
    const text = ({ lat, lon }: Point): string => `${lat.toFixed(6)},${lon.toFixed(6)}`;
    let legs = 0;
    for (const [from, to] of [
      [at(90, 0), at(-800, 300)],
      [at(210, -100), at(-500, -600)],
    ] as const) {
      const plan = await call<Plan>("plan_nearby", { from: text(from), to: text(to) });
      assert.equal(plan.walking, "Minutes on foot along streets at 1.33 m/s.");
      assert.equal(plan.walk.by, "streets");
      const straight_m = distance(from, to);
      assert.ok(plan.walk.walk_meters! >= straight_m);
      if (eastOf(from) > EAST_BANK) assert.ok(plan.walk.walk_meters! >= overBridge(to, from));
      for (const { minutes, legs: own } of plan.options) {
        const walks = own.filter(({ kind }) => kind === "walk");
        for (const { by, walk_meters, seconds, from: a, to: b, minutes: own_minutes } of walks) {
          assert.equal(by, "streets");
          assert.ok(walk_meters! >= distance(a, b) - 1);
          assert.equal(own_minutes, Math.ceil(seconds! / 6) / 10);
          if (eastOf(a) < WEST_BANK !== eastOf(b) < WEST_BANK)
            assert.ok(walk_meters! >= overBridge(a, b));
          legs++;
        }
        const sum = own.reduce((total, leg) => total + leg.minutes!, 0);
        assert.ok(Math.abs(sum - minutes!) < 0.05);
      }
    }
    assert.ok(legs > 4, String(legs));
  });

  test("a plan into the unknown has no whole, says why, and adds up what it knows", async () => {
    const edge = at(-EDGE - 600, 0);
    const args = {
      from: `${PARIS.lat},${PARIS.lon}`,
      to: `${edge.lat.toFixed(6)},${edge.lon.toFixed(6)}`,
    };
    const plan = await call<Plan>("plan_nearby", args);
    assert.equal(plan.walk.minutes, null);
    assert.ok(plan.walk.reason !== undefined && !("by" in plan.walk));
    assert.match(plan.walking, /Around `to` .*null\.$/);
    const docked = plan.options.filter(({ legs }) => legs.at(-1)!.kind === "walk");
    for (const { minutes, known_minutes, minutes_unknown, legs } of docked) {
      assert.deepEqual([minutes, legs.at(-1)!.minutes], [null, null]);
      const known = legs.reduce((sum, leg) => sum + (leg.minutes ?? 0), 0);
      assert.ok(Math.abs(known - known_minutes!) < 0.05);
      assert.match(minutes_unknown!, /the walk to the destination: /);
    }
  });

  test("departures say when to leave, and one station says the same by its own tool", async () => {
    const args = { ...HERE, radius: 600, within: 60 };
    const found = await call<Found>("find_departures", args);
    assert.equal(found.walking, "Minutes on foot along streets at 1.33 m/s.");
    for (const each of found.results) {
      assert.ok(each.leave !== undefined && each.walk_minutes !== undefined);
      if (each.leave !== null) assert.match(each.leave, /^(now|in \d+ min|missed by \d+ min)$/);
      if (each.walk_minutes === null) assert.equal(each.leave, null);
    }
    const [near] = found.results.filter(({ walk_meters }) => walk_meters !== undefined);
    const from = `${HERE.lat},${HERE.lon}`;
    type Placed = { walk: { meters: number }; place: { departures: Way[] } };
    const { walk, place } = await call<Placed>("get_place", { id: near!.station_id, from });
    assert.equal(walk.meters, near!.walk_meters);
    const keyOf = ({ line, headsign, planned_at }: Way): string =>
      `${line} ${headsign} ${planned_at}`;
    const same = place.departures.flatMap((each) =>
      found.results
        .filter(({ station_id }) => station_id === near!.station_id)
        .filter((other) => keyOf(other) === keyOf(each))
        .map((other) => [minutesOf(each.leave), minutesOf(other.leave)]),
    );
    assert.ok(same.length > 0);
    // A minute may pass between the two.
    for (const [a, b] of same) assert.ok(a === b || Math.abs(a! - b!) <= 1, `${a} ${b}`);
  });

  test("where no base is, the reason is said once, and nothing has minutes", async () => {
    const found = await find({ types: ["toilets"] }, NOWHERE);
    assert.match(found.walking, /^No imported base covers this point/);
    assert.ok(!(found.notices ?? []).some((notice) => /imported base covers/.test(notice)));
    for (const each of found.results) assert.ok(!("walk_minutes" in each));
  });

  test("what is no time, profile or start is refused by name, and asks nothing", async () => {
    const cases: [string, object, RegExp][] = [
      [
        "find_urban_services",
        { types: ["toilets"], within_minutes: 31 },
        /within_minutes.*1 to 30/,
      ],
      ["search_mobility_nearby", { within_minutes: 0 }, /within_minutes.*1 to 30/],
      [
        "find_transit_stations",
        { profile: "wheelchair" },
        /profile must be one of foot, step_free/,
      ],
      ["find_departures", { within_minutes: 5 }, /within_minutes: unexpected member/],
      ["find_departures", { walk: false }, /walk: unexpected member/],
    ];
    for (const [name, args, message] of cases) {
      const called = await client.callTool({ name, arguments: { ...HERE, ...args } });
      const error = errorOf(called);
      assert.match(error.code, /^(invalid_request|unexpected_member)$/, name);
      assert.match(error.message, message);
    }
    const id = "svc_place_aaaaaaaaaaaaaaaaaaaa";
    const far = { id, ...HERE, from: "95,2" };
    const error = errorOf(await client.callTool({ name: "get_place", arguments: far }));
    assert.match(error.message, /^arguments\.from must be lat,lon from -90 to 90/);
  });
});
