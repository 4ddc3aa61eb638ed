/** Tools of several places: how each is resolved, what is charged, and what a failure of one means. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage, Refusal } from "#app/access/request-caller.ts";
import type { GeocodeReply } from "#app/places/geocoding.ts";
import type { Age, LookAround } from "#app/surroundings.ts";
import { SHOWN } from "#api/agent-results.ts";
import { AGENT_TOOLS } from "#api/agent-tools.ts";
import type { GeocodeBodyValue } from "#api/geocoding.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { createCallTool } from "#mcp/call.ts";
import { createLookUp } from "#mcp/near-argument.ts";
import type { ToolDeps } from "#mcp/tool.ts";
import { createComparePlaces } from "#mcp/tools/compare-tool.ts";
import { createPlanNearby } from "#mcp/tools/plan-tool.ts";
import { DEFAULT_DEADLINES_MS } from "../../support/deadlines.ts";
import { NOW_MS } from "../../support/server.ts";
import { UNMAPPED } from "../../support/walks.ts";

type Candidate = GeocodeBodyValue["results"][number];
type Around = Awaited<ReturnType<LookAround>>;
type Point = { lat: number; lon: number };

const NICE = { lat: 43.7, lon: 7.27 };
const METZ = { lat: 49.12, lon: 6.18 };

function aCandidate(name: string, location: Point): Candidate {
  return { name, label: `${name}, France`, type: "city", location, address: {} } as Candidate;
}

const GAZETTEER: Record<string, Candidate[]> = {
  nice: [aCandidate("Nice", NICE)],
  metz: [aCandidate("Metz", METZ)],
  springfield: [aCandidate("Springfield", NICE), aCandidate("Springfield", METZ)],
};

/** A station of one network, and a scooter, at the point that was searched around. */
function around({ lat, lon }: Point, sources: readonly string[] = ["velo"]): Around {
  const station = {
    ...{ id: `svc_station_${lat}`, name: "Dock", network: { id: "velo", name: "Vélo" } },
    ...{ mode: "bicycle", location: { lat, lon }, distance_meters: 10 },
    action_state: { pickup: "available_now", return: "available_now" },
    availability: { vehicles: 3, docks: Math.round(lat), by_mode: null, observed_at: null },
  };
  const results = { stations: [station], vehicles: [] };
  const ages = new Map<string, Age>([[station.id, { freshness: "fresh", sources }]]);
  return {
    kind: "found",
    objects: 1,
    surroundings: {
      body: { status: "success", total: 1, results } as unknown as NearbyBodyValue,
      freshness: { fresh: 1, stale: 0, unknown: 0, realtime_reliable: true },
      ...{
        ages,
        observed_at: new Map(),
        valid_until: new Map(),
        networks: new Map(),
        returns: new Map(),
      },
    },
  };
}

const DOWN: Around = {
  kind: "failed",
  objects: 0,
  failures: [
    {
      ...{ code: "all_sources_failed", message: "Vélo did not answer", source_id: "velo" },
      ...{ retryable: true, retry_after_s: null },
    },
  ],
};

type Script = {
  look?: (point: Point) => Around;
  refuse?: (id: string) => Refusal | null;
  geocode?: (q: string) => GeocodeReply;
};

function open({ look = around, refuse = () => null, geocode }: Script = {}) {
  const [searched, charged, permitted]: [Point[], string[], string[]] = [[], [], []];
  const times = { clock: { now: () => NOW_MS }, deadlines_ms: DEFAULT_DEADLINES_MS };
  type Used = "clock" | "lookAround" | "termsOf" | "timezones" | "statedZone" | "walks";
  const used: Pick<ToolDeps, Used> = {
    walks: UNMAPPED,
    timezones: () => Promise.resolve(() => "Europe/Paris"),
    statedZone: () => null,
    ...times,
    lookAround: async ({ lat, lon }) => {
      searched.push({ lat, lon });
      return look({ lat, lon });
    },
    termsOf: (provider) => ({
      ...{ provider, attribution: "x".repeat(150), licence: null, store: "all" },
    }),
  };
  const deps = used as ToolDeps;
  const lookUp = createLookUp({
    ...times,
    geocode: async ({ question: { q } }) => {
      const results = GAZETTEER[q.toLowerCase()] ?? [];
      const meta = { source: "maps", cache: "miss" as const, total: results.length };
      return geocode?.(q) ?? { kind: "ok", body: { results, meta }, max_age_s: 1 };
    },
  });
  const passage = {
    caller: { kind: "anonymous", plan: {} },
    permit(operation, free) {
      permitted.push(`${operation.id}${free ? " free" : ""}`);
      return refuse(operation.id);
    },
    remainingUnits: () => null,
    charge: async ({ id }, { objects }) => (charged.push(`${id} ${objects}`), null),
    signal: new AbortController().signal,
  } as Passage;
  const tools = { plan_nearby: createPlanNearby(deps), compare_places: createComparePlaces(deps) };
  const call = createCallTool({ ...times, tools: tools as never, lookUp });
  const ask = async (name: keyof typeof tools, args: object): Promise<Answer> => {
    const [content] = (await call(name, args, passage))!.result.content;
    return JSON.parse((content as { text: string }).text) as Answer;
  };
  return { ask, searched, charged, permitted };
}

type Failure = { code: string; message: string; argument?: string; candidates?: unknown[] };
type Row = {
  place: string;
  rank?: number | null;
  totals?: { docks: number | null };
  error?: Failure;
};
type Answer = {
  status: string;
  reason?: string;
  notices?: string[];
  options: { legs: { kind: string }[] }[];
  walk: { minutes: number };
  searched: Record<string, { status: string; error?: string }>;
  results: Row[];
  attribution: unknown[];
  error?: Failure & { others?: Failure[] };
};

test("every tool of several places says which arguments these are, and asks for them", () => {
  for (const name of ["plan_nearby", "compare_places"] as const) {
    const { each, parameters, operation } = AGENT_TOOLS[name];
    for (const argument of each) assert.ok(argument in parameters);
    assert.equal(operation, "getNearby");
  }
});

test("each name costs a geocoding, each search what the operation costs, and the quota is judged once", async () => {
  const town = open();
  await town.ask("plan_nearby", { from: "Nice", to: "49.12, 6.18" });
  assert.deepEqual(town.permitted, ["geocode free", "getNearby"]);
  assert.deepEqual(town.charged, ["geocode 1", "getNearby 1", "getNearby 1"].map(zeroGeocode));
  assert.deepEqual(town.searched, [NICE, METZ]);
  const other = open();
  await other.ask("compare_places", { places: ["43.7,7.27", "49.12,6.18", "1,2"] });
  assert.deepEqual(other.permitted, ["getNearby"]);
  assert.deepEqual(other.charged, Array(3).fill("getNearby 1"));
});

/** A geocoding has no objects. */
function zeroGeocode(line: string): string {
  return line.replace("geocode 1", "geocode 0");
}

test("a caller without quota or scope looks nothing up and searches nothing", async () => {
  for (const denied of ["geocode", "getNearby"]) {
    const refuse = (id: string): Refusal | null =>
      id === denied ? { code: "quota_exhausted", message: denied } : null;
    const town = open({ refuse });
    const { error } = await town.ask("compare_places", { places: ["Nice", "Metz"] });
    assert.equal(error?.message, denied);
    assert.deepEqual([town.searched, town.charged], [[], []]);
  }
});

test("a plan says which of its places is not certain, and searches nothing", async () => {
  const town = open();
  const { error } = await town.ask("plan_nearby", { from: "Nice", to: "Springfield" });
  assert.deepEqual([error?.argument, error?.code], ["to", "ambiguous_place"]);
  assert.match(error!.message, /^to: "Springfield" is not certain.*again with its "lat,lon" as to/);
  assert.equal(error?.candidates?.length, 2);
  assert.deepEqual([town.searched, town.charged], [[], ["geocode 0", "geocode 0"]]);
  const both = await open().ask("plan_nearby", { from: "nowhere", to: "Springfield" });
  assert.deepEqual([both.error?.argument, both.error?.code], ["from", "place_not_found"]);
  assert.deepEqual(
    both.error?.others?.map(({ argument, code }) => [argument, code]),
    [["to", "ambiguous_place"]],
  );
});

test("places are texts, and points on Earth", async () => {
  const cases: ["plan_nearby" | "compare_places", object, RegExp][] = [
    ["plan_nearby", { from: "Nice" }, /^arguments\.to is required/],
    ["plan_nearby", { from: "91,2", to: "Nice" }, /^arguments\.from must be lat,lon from -90/],
    ["compare_places", { places: ["Nice"] }, /^arguments\.places must be 2 to 5 texts/],
    ["compare_places", { places: Array(6).fill("Nice") }, /^arguments\.places must be 2 to 5/],
    ["compare_places", { places: ["Nice", 5] }, /^arguments\.places must be 2 to 5/],
    ["compare_places", { places: ["Nice", ""] }, /^arguments\.places must be 2 to 5/],
    ["compare_places", { places: ["Nice", "1,181"] }, /^arguments\.places\[1\] must be lat,lon/],
  ];
  for (const [name, args, message] of cases) {
    const town = open();
    const { error } = await town.ask(name, args);
    assert.equal(error?.code, "invalid_request");
    assert.match(error.message, message);
    assert.deepEqual([town.permitted, town.charged], [[], []]);
  }
});

test("a search that fails at an end makes a plan partial, and never one of nothing", async () => {
  for (const [end, failing] of [
    ["from", NICE],
    ["to", METZ],
  ] as const) {
    const look = (point: Point): Around => (point.lat === failing.lat ? DOWN : around(point));
    const answer = await open({ look }).ask("plan_nearby", { from: "Nice", to: "Metz" });
    assert.deepEqual(
      [answer.status, answer.reason, answer.options, answer.notices],
      ["partial", "search_failed", [], [`${end}: Vélo did not answer`]],
    );
    assert.deepEqual(answer.searched[end], { status: "failed", error: "all_sources_failed" });
    assert.ok(answer.walk.minutes > 0);
  }
});

test("a plan has its legs in order", async () => {
  const { options, status } = await open().ask("plan_nearby", { from: "Nice", to: "Metz" });
  assert.equal(status, "success");
  assert.deepEqual(
    options.map(({ legs }) => legs.map(({ kind }) => kind)),
    [["walk", "take", "ride", "leave", "walk"]],
  );
});

test("a place that fails is an error of its row, not zeros, and the others are compared", async () => {
  const look = (point: Point) => (point.lat === NICE.lat ? DOWN : around(point));
  const town = open({ look });
  const places = ["Nice", "Springfield", "nowhere", "Metz", "10,20"];
  const { status, results } = await town.ask("compare_places", { places, intent: "return" });
  assert.equal(status, "partial");
  assert.deepEqual(
    results.map(({ place, rank, totals, error }) => [place, rank, totals?.docks, error?.code]),
    [
      ["Metz", 1, 49, undefined],
      ["10,20", 2, 10, undefined],
      ["Nice", null, undefined, "all_sources_failed"],
      ["Springfield", null, undefined, "ambiguous_place"],
      ["nowhere", null, undefined, "place_not_found"],
    ],
  );
  assert.deepEqual(
    town.charged.filter((line) => line.startsWith("getNearby")),
    [...["getNearby 0", "getNearby 1", "getNearby 1"]],
  );
});

test("without an intent the order is that of the call and nothing is ranked", async () => {
  const { results } = await open().ask("compare_places", { places: ["10,20", "Metz"] });
  assert.deepEqual(
    results.map(({ place, rank }) => [place, rank]),
    [
      ["10,20", undefined],
      ["Metz", undefined],
    ],
  );
});

test("where no place is known, nothing is compared", async () => {
  const town = open();
  const { error } = await town.ask("compare_places", { places: ["nowhere", "Springfield"] });
  assert.deepEqual([error?.code, error?.others?.length, town.searched], ["place_not_found", 1, []]);
  assert.match(error!.message, /^places\[0\]: /);
});

test("a geocoder that fails costs nothing, and is named", async () => {
  const geocode = (): GeocodeReply => ({
    ...{ kind: "failed", code: "provider_timeout", message: "late", retry_after_s: 3 },
  });
  const town = open({ geocode });
  const { error } = await town.ask("plan_nearby", { from: "Nice", to: "1,2" });
  assert.deepEqual([error?.code, error?.argument], ["provider_timeout", "from"]);
  assert.deepEqual(town.charged, []);
});

test("a table stays within its bytes, however many sources there are, and says whose credits are missing", async () => {
  const look = (point: Point) =>
    around(
      point,
      Array.from({ length: 40 }, (_, index) => `source-${point.lat}-${index}`),
    );
  const places = ["1,1", "2,2", "3,3", "4,4", "5,5"];
  const answer = await open({ look }).ask("compare_places", { places });
  assert.ok(Buffer.byteLength(JSON.stringify(answer)) <= SHOWN.bytes_max);
  assert.equal(answer.results.length, 5);
  assert.ok(answer.results.every(({ totals }) => totals?.docks !== undefined));
  const left = 200 - answer.attribution.length;
  assert.deepEqual(answer.notices, [`the credits of ${left} more sources are at /v1/sources`]);
});

test("a table that grows loses its networks first, then all details, and keeps its totals", async () => {
  const places = ["1,1", "2,2", "3,3", "4,4", "5,5"];
  const seen: (number | null)[] = [];
  for (let count = 1; count <= 60; count++) {
    const names = Array.from({ length: count }, (_, index) => `source-${index}`);
    const look = (point: Point) => around(point, point.lat === 1 ? names : []);
    const { results } = await open({ look }).ask("compare_places", { places });
    const { networks } = results[0] as { networks?: unknown[] };
    const listed = networks?.length ?? null;
    if (seen.at(-1) !== listed) seen.push(listed);
    assert.ok(results.every(({ totals }) => totals?.docks !== undefined));
  }
  assert.deepEqual(seen, [1, 0, null]);
});
