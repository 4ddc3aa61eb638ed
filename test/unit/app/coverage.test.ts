/** success, empty or partial: R14 on a real world (§3, §4.9; decisions, Global nearby). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, deploy, HEALTHY, type Setup, type Wish } from "../../support/answers.ts";
import { aShard, aStation, aStatus, HERE, moved } from "../../support/domain.ts";

const STALE = { fetched_age_s: 121, doc_age_s: 121 };
const near = (id: string, sketch = {}) =>
  aShard({ id, stations: [aStation(id, moved(HERE, 50))], ...sketch });
/** Its box touches the circle, none of its stations is in it. */
const around = (id: string, sketch = {}) =>
  aShard({
    id,
    stations: [aStation("n", moved(HERE, 900)), aStation("s", moved(HERE, -900))],
    ...sketch,
  });
const far = aShard({ id: "far", stations: [aStation("f", { lat: -33.9, lon: 151.2 })] });
const refuses: Setup["refresh"] = () => async () => ({ status: "error", reason: "http_500" });
const never: Setup["refresh"] = () => () => new Promise(() => {});

type CoverageCase = {
  setup: Setup;
  wish?: Wish;
  status: string;
  total: number;
  /** source_id → status and reason, as the debug block reports them. */
  sources?: Record<string, string>;
};

const CASES: Record<string, CoverageCase> = {
  "no system anywhere": { setup: {}, status: "empty", total: 0, sources: {} },
  "no system near: the far one is not consulted": {
    setup: { shards: [far] },
    status: "empty",
    total: 0,
    sources: {},
  },
  "all ok, found": {
    setup: { shards: [near("a"), near("b"), far] },
    status: "success",
    total: 2,
    sources: { a: "ok null", b: "ok null" },
  },
  "all ok, nothing in the circle": {
    setup: { shards: [around("a")] },
    status: "empty",
    total: 0,
    sources: { a: "ok null" },
  },
  "all ok, nothing of the mode asked for": {
    setup: { shards: [near("a")] },
    wish: { modes: ["car"] },
    status: "empty",
    total: 0,
  },
  "one failed, nothing of it is held": {
    setup: { shards: [near("a")], unloaded: ["b"], refresh: refuses },
    status: "partial",
    total: 1,
    sources: { a: "ok null", b: "error http_500" },
  },
  "all failed, nothing is held: never an empty list": {
    setup: { unloaded: ["b"], refresh: refuses },
    status: "partial",
    total: 0,
    sources: { b: "error http_500" },
  },
  "failed, an old snapshot is held": {
    setup: { shards: [near("a", STALE)], refresh: refuses },
    status: "partial",
    total: 1,
    sources: { a: "error http_500" },
  },
  "failed, an old snapshot is held and has nothing here": {
    setup: { shards: [around("a", STALE)], refresh: refuses },
    status: "partial",
    total: 0,
    sources: { a: "error http_500" },
  },
  "refused our credential": {
    setup: {
      unloaded: ["b"],
      refresh: () => async () => ({ status: "unauthorized", reason: "http_401" }),
    },
    status: "partial",
    total: 0,
    sources: { b: "unauthorized http_401" },
  },
  "too slow, an old snapshot is held": {
    setup: { shards: [near("a", STALE)], refresh: never },
    status: "partial",
    total: 1,
    sources: { a: "timeout deadline" },
  },
  "too slow, nothing is held": {
    setup: { unloaded: ["b"], refresh: never },
    status: "partial",
    total: 0,
    sources: { b: "timeout deadline" },
  },
  "came in time": {
    setup: {
      shards: [near("a", STALE)],
      refresh:
        ({ world }) =>
        async () => {
          world.put(near("a"));
          return { status: "ok", cache: "miss" };
        },
    },
    status: "success",
    total: 1,
    sources: { a: "ok null" },
  },
  "a system of the country is not surveyed": {
    setup: { shards: [near("a")], unsurveyed: [{ source_id: "u", country: "FR" }] },
    status: "partial",
    total: 1,
    sources: { a: "ok null", u: "unavailable not_surveyed" },
  },
  "nothing else, and a system of no stated country is not surveyed": {
    setup: { unsurveyed: [{ source_id: "u", country: null }] },
    status: "partial",
    total: 0,
    sources: { u: "unavailable not_surveyed" },
  },
  "a system of another country is not surveyed": {
    setup: { shards: [near("a")], unsurveyed: [{ source_id: "u", country: "JP" }] },
    status: "success",
    total: 1,
    sources: { a: "ok null" },
  },
  "places, which no source serves yet, and nothing found": {
    setup: { shards: [around("a")] },
    wish: { include: ["places"] },
    status: "partial",
    total: 0,
  },
  "places and stations, found": {
    setup: { shards: [near("a")] },
    wish: { include: ["places", "stations"] },
    status: "partial",
    total: 1,
  },
};

for (const [name, { setup, wish, status, total, sources }] of Object.entries(CASES)) {
  test(`R14: ${name}: ${status}`, async () => {
    const deployment = deploy(setup);
    const answer = ask(deployment, { ...wish, debug: true });
    await deployment.clock.advance(1950);
    const body = await answer;
    assert.deepEqual([body.status, body.total], [status, total]);
    assert.equal(body.message === undefined, status === "success");
    if (body.message !== undefined) assert.match(body.message, /^[A-Z][^.]*\.$/);
    assert.equal(body.debug!.coverage, status);
    const reported = body.debug!.sources.map((each) => [
      each.source_id,
      `${each.status} ${String(each.reason)}`,
    ]);
    if (sources) assert.deepEqual(Object.fromEntries(reported), sources);
  });
}

test("R14: the last failure of a system at rest is reported when it answers without news", async () => {
  const deployment = deploy({
    shards: [near("a", STALE)],
    refresh: () => async () => ({ status: "ok", cache: "miss" }),
    health: () => ({ ...HEALTHY, status: "error", reason: "body_too_large" }),
  });
  const { status, debug } = await ask(deployment, { debug: true });
  assert.equal(status, "partial");
  assert.equal(debug!.sources[0]?.reason, "body_too_large");
});

test("R14: a system that was young when asked is not blamed for growing old while others are awaited", async () => {
  const deployment = deploy({
    shards: [near("young", { fetched_age_s: 119 })],
    unloaded: ["slow"],
    refresh: never,
  });
  const answer = ask(deployment, { debug: true });
  await deployment.clock.advance(1950);
  const { debug } = await answer;
  assert.deepEqual(
    debug!.sources.map(({ source_id, status }) => [source_id, status]),
    [
      ["young", "ok"],
      ["slow", "timeout"],
    ],
  );
});

test("R5, R1: stations left out are counted in debug: not installed, other modes", async () => {
  const stations = [aStation("open"), aStation("dismantled"), aStation("sleds")];
  const types = [
    { ...TYPE, id: "bike", mode: "bicycle" as const },
    { ...TYPE, id: "sled", mode: "other" as const },
  ];
  const statuses = [
    aStatus("open"),
    aStatus("dismantled", { is_installed: false }),
    aStatus("sleds", { by_type: [{ type_id: "sled", count: 3 }] }),
  ];
  const deployment = deploy({ shards: [aShard({ stations, statuses, types })] });
  const { results, total, debug } = await ask(deployment, { debug: true });
  assert.deepEqual(
    results.stations.map(({ name }) => name),
    ["Station open"],
  );
  const { raw_count, matched_count } = debug!.sources[0]!;
  assert.deepEqual([total, raw_count, matched_count], [1, 3, 1]);
});

const TYPE = {
  form_factor: null,
  propulsion: null,
  electric: null,
  name: null,
  make: null,
  model: null,
  max_range_m: null,
  reservable: null,
  accessories: [],
  return_constraint: null,
};
