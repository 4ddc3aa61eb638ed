/** plan_nearby on foot: its walks go along streets, and a straight line is never taken for a way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Age, LookAround } from "#app/surroundings.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { Location } from "#kit/geo.ts";
import { walkMinutes } from "#core/plan/estimate.ts";
import type { ToolCall, ToolDeps } from "#mcp/tool.ts";
import { createPlanNearby } from "#mcp/tools/plan-tool.ts";
import { NOW_MS } from "../../support/server.ts";
import { walksOfBase } from "../../support/fake-walks.ts";
import { drawnWalks } from "../../support/walks.ts";

type Around = Awaited<ReturnType<LookAround>>;
type Walks = ToolDeps["walks"];

const FROM = { lat: 48.85, lon: 2.35 };
const TO = { lat: 48.86, lon: 2.36 };

/** Stations at each end: the one that is near in a straight line is across the river. */
const ENDS = [
  { id: "svc_station_across", distance_meters: 40, walk: 900 },
  { id: "svc_station_here", distance_meters: 120, walk: 133 },
];

const FRESH: Age = { freshness: "fresh", sources: [] };

function pointOf(end: Location, distance_meters: number): Location {
  return { lat: end.lat + distance_meters / 111_195, lon: end.lon };
}

function around(end: Location): Around {
  const stations = ENDS.map(({ id, distance_meters }) => ({
    ...{ id: `${id}_${end.lat}`, name: "Dock", network: { id: "velo", name: "Vélo" } },
    ...{ mode: "bicycle", location: pointOf(end, distance_meters), distance_meters },
    action_state: { pickup: "available_now", return: "available_now" },
    availability: { vehicles: 3, docks: 4, by_mode: null, observed_at: null },
  }));
  return {
    kind: "found",
    objects: 2,
    surroundings: {
      body: {
        ...{ status: "success", total: 2 },
        results: { stations, vehicles: [], zones: [] },
      } as unknown as NearbyBodyValue,
      freshness: { fresh: 2, stale: 0, unknown: 0, realtime_reliable: true },
      ages: new Map(stations.map(({ id }): [string, Age] => [id, FRESH])),
      ...{
        observed_at: new Map(),
        valid_until: new Map(),
        networks: new Map(),
        returns: new Map(),
      },
    },
  };
}

const isNear = (a: Location, b: Location): boolean => Math.abs(a.lat - b.lat) < 0.002;

/** The streets of both ends, with a bridge far from either. */
const TOWN = (start: Location, point: Location): [number, boolean | null] | "not_reached" => {
  const end = [FROM, TO].find((each) => isNear(each, start))!;
  if (!isNear(end, point)) return [1_900, false];
  const distance = Math.round((point.lat - end.lat) * 111_195);
  return [ENDS.find((each) => each.distance_meters === distance)!.walk, true];
};

type Leg = {
  kind: string;
  at?: { id: string };
  by?: string;
  minutes: number | null;
  walk_meters?: number;
  seconds?: number;
  step_free?: boolean | null;
  reason?: string;
  distance_meters: number;
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

async function plan(walks: Walks, profile = "foot"): Promise<Plan> {
  const deps = {
    clock: { now: () => NOW_MS },
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    statedZone: () => null,
    lookAround: ({ lat, lon }: Location) => Promise.resolve(around({ lat, lon })),
    termsOf: (provider: string) => ({ provider, licence: null, attribution: null, store: "all" }),
    walks,
  } as unknown as ToolDeps;
  const place = (at: Location) => ({ ok: true, text: "", ...at });
  const args = { from: place(FROM), to: place(TO), modes: ["bicycle"], profile };
  const query = { caller: { kind: "anonymous" }, now_ms: NOW_MS } as unknown as ToolCall;
  const outcome = await createPlanNearby(deps)(args as never, query);
  assert.ok(outcome.kind === "answered");
  return outcome.answer as unknown as Plan;
}

const walksOf = ({ options: [option] }: Plan): Leg[] =>
  option!.legs.filter(({ kind }) => kind === "walk");

test("a plan takes and leaves what is near on foot, and says each walk along streets", async () => {
  const answer = await plan(drawnWalks(TOWN));
  const [option] = answer.options;
  assert.deepEqual(
    option!.legs.flatMap(({ at }) => at?.id ?? []),
    [`svc_station_here_${FROM.lat}`, `svc_station_here_${TO.lat}`],
  );
  const walks = walksOf(answer);
  assert.equal(walks.length, 2);
  for (const { by, walk_meters, seconds, step_free, minutes, distance_meters } of walks)
    assert.deepEqual(
      [by, walk_meters, seconds, step_free, minutes, distance_meters],
      ["streets", 133, 100, true, 1.7, 120],
    );
  const { by, walk_meters, seconds, step_free, minutes } = answer.walk;
  assert.deepEqual([by, walk_meters, seconds, step_free], ["streets", 1_900, 1_429, false]);
  assert.equal(minutes, 23.9);
  const sum = option!.legs.reduce((all, leg) => all + leg.minutes!, 0);
  assert.ok(Math.abs(sum - option!.minutes!) < 0.05);
  assert.equal(answer.walking, "Minutes on foot along streets at 1.33 m/s.");
  assert.equal(option!.minutes_unknown, undefined);
});

test("without streets at either end walks are estimates, and called so", async () => {
  const answer = await plan(drawnWalks(TOWN, () => "base_without_walking"));
  for (const leg of [...walksOf(answer), answer.walk]) {
    assert.deepEqual([leg.by, leg.minutes], ["straight_line", walkMinutes(leg.distance_meters)]);
    for (const member of ["walk_meters", "seconds", "step_free", "reason"])
      assert.ok(!(member in leg), member);
  }
  assert.match(answer.walking, /without ways on foot.*; walks are estimated from straight lines/);
  assert.ok(answer.options[0]!.minutes! > 0);
});

test("a base that cannot be read is named, with what to do", async () => {
  const lost = { ...walksOfBase("base_unreadable"), lost: { id: "city", reason: "damaged" } };
  const answer = await plan({ ...lost, pin: () => Promise.resolve(lost) });
  assert.match(
    answer.walking,
    /^The base city is unreadable, .* importing it again; walks are estimated from straight lines/,
  );
});

test("an estimate says nothing of steps, so that nothing is estimated for who cannot take them", async () => {
  const answer = await plan(
    drawnWalks(TOWN, () => "outside_bases"),
    "step_free",
  );
  for (const leg of [...walksOf(answer), answer.walk])
    assert.deepEqual([leg.by, leg.minutes, leg.reason], [undefined, null, "outside_bases"]);
  assert.equal(answer.options[0]!.minutes, null);
  assert.ok(!answer.walking.includes("estimated"));
});

test("a leg without a way is said, the whole is unknown, and the rest is added up apart", async () => {
  const covers = (point: Location) => (isNear(point, FROM) ? true : ("outside_bases" as const));
  const cases: [Walks, unknown[], RegExp, RegExp][] = [
    [
      drawnWalks(TOWN, covers),
      [1.7, null, undefined, "outside_bases"],
      /^the walk to the destination: no imported base covers this point/,
      /^Minutes on foot along streets at 1\.33 m\/s\. Around `to` no imported base covers this point.* Minutes with such a walk are null\.$/,
    ],
    [
      drawnWalks((start, point) => (isNear(start, TO) ? "target_off_network" : TOWN(start, point))),
      [1.7, null, undefined, "target_off_network"],
      /^the walk to the destination: no street is within 100 metres of it$/,
      /^Minutes on foot along streets at 1\.33 m\/s\.$/,
    ],
    [
      drawnWalks((start, point) => (isNear(start, FROM) ? "not_reached" : TOWN(start, point))),
      [null, 1.7, "not_reached", undefined],
      /^the walk to the station: no way on foot without a long detour is known$/,
      /^Minutes on foot along streets at 1\.33 m\/s\.$/,
    ],
    [
      drawnWalks(() => "start_off_network"),
      [null, null, "start_off_network", "start_off_network"],
      /^the walk to the station: no street is within .*; the walk to the destination: no street/,
      /^Around `from` no street .*\. Around `to` no street .* null\.$/,
    ],
  ];
  for (const [walks, [to, from, to_reason, from_reason], why, walking] of cases) {
    const answer = await plan(walks);
    const [option] = answer.options;
    const [first, last] = walksOf(answer) as [Leg, Leg];
    assert.deepEqual([first.minutes, last.minutes], [to, from]);
    assert.deepEqual([first.reason, last.reason], [to_reason, from_reason]);
    assert.equal(option!.minutes, null);
    assert.match(option!.minutes_unknown!, why);
    const known = option!.legs.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0);
    assert.ok(Math.abs(known - option!.known_minutes!) < 0.05);
    assert.match(answer.walking, walking);
  }
});

test("a plan walks three times, whatever is around", async () => {
  const walks = drawnWalks(TOWN);
  await plan(walks);
  assert.equal(walks.searches, 3);
});
