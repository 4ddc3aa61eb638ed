/** GET /v1/transport/nearby over scripted finders (§4.7a, §2.8). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Value } from "typebox/value";
import { createManualClock } from "../../support/manual-clock.ts";
import type {
  TransitFinder,
  TransitFinding,
  TransitQuestion,
} from "#app/transit/transit-finder.ts";
import { feedFinder } from "#app/transit/transit-finders.ts";
import { createTransport, type TransportQuestion } from "#app/transit/transit-search.ts";
import { TransportBody, type TransportBodyValue } from "#api/transit.ts";
import { toTransitItems, transitId } from "#transit/schedule/schedule-results.ts";
import type { TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import { NOW_MS } from "../../support/domain.ts";
import { CENTRE, heldOf, packOf, routeOf, stationOf } from "../../support/transit.ts";
import { toEnd } from "#kit/steps.ts";
import { NO_WALKS } from "../../support/walks.ts";

const OK: TransitFinding = {
  key: "",
  status: "ok",
  reason: null,
  groups: [],
  raw: 0,
  calls: 1,
  cache: "miss",
  good_until_ms: NOW_MS + 60_000,
};

function finderOf(
  provider: TransitProvider,
  stations: readonly TransitStation[],
  { key = provider, ...finding }: Partial<TransitFinding> = {},
): TransitFinder & { requested: TransitQuestion[] } {
  const requested: TransitQuestion[] = [];
  return {
    provider,
    key,
    requested,
    covers: () => true,
    find(question) {
      requested.push(question);
      return Promise.resolve({ ...OK, key, groups: [stations], raw: stations.length, ...finding });
    },
  };
}

const at = (provider: TransitProvider, id: string, metres = 0): TransitStation =>
  stationOf({ name: id, metres, source: { provider, source_id: id } });
const FAILED = { status: "timeout", reason: "deadline", good_until_ms: null } as const;

type Got = { body: TransportBodyValue; max_age_s: number | null };

async function ask(
  finders: readonly TransitFinder[],
  wish: Partial<TransportQuestion> = {},
): Promise<Got> {
  const transport = createTransport({ finders, clock: createManualClock(NOW_MS) });
  const { body, max_age_s } = await transport({
    question: {
      ...CENTRE,
      radius: 1000,
      limit: 50,
      modes: ["bus"],
      providers: undefined,
      language: undefined,
      debug: false,
      strict: false,
      ...NO_WALKS,
      ...wish,
    },
    deadline_ms: NOW_MS + 3000,
    now_ms: NOW_MS,
    signal: new AbortController().signal,
  });
  const answer = body as TransportBodyValue;
  assert.ok(Value.Check(TransportBody, answer), JSON.stringify(answer));
  return { body: answer, max_age_s };
}
const namesOf = ({ body }: Got): string[] => body.results.stations.map(({ name }) => name);

describe("who is asked", () => {
  const navitia = () => finderOf("navitia", [at("navitia", "N")]);
  const gtfs = () => finderOf("gtfs", [at("gtfs", "G", 500)]);

  // Proves §4.7a default provider
  test("no provider named: Navitia", async () => {
    const [one, two] = [navitia(), gtfs()];
    assert.deepEqual(namesOf(await ask([two, one])), ["N"]);
    assert.equal(two.requested.length, 0);
    assert.equal(one.requested[0]!.circle.radius_m, 1120, "the pin of another may lie outside");
  });

  // Proves §4.7a default provider
  test("no provider named, no Navitia: the feeds, with success", async () => {
    const got = await ask([gtfs(), finderOf("gbfs", [])]);
    assert.deepEqual([namesOf(got), got.body.status], [["G"], "success"]);
  });

  const none = { groups: [[]] };
  test("no provider named, nothing found by the first: the others in turn, until one finds some", async () => {
    const [one, two] = [finderOf("navitia", []), gtfs()];
    const three = finderOf("transitland", [at("transitland", "T")]);
    const got = await ask([three, two, one], { debug: true });
    assert.deepEqual([namesOf(got), got.body.status], [["G"], "success"]);
    assert.deepEqual(got.body.results.stations[0]!.sources[0]!.provider, "gtfs");
    assert.deepEqual(Object.keys(got.body.debug!.providers), ["navitia", "gtfs"]);
    assert.equal(three.requested.length, 0);
    const last = await ask([three, finderOf("gtfs", []), one]);
    assert.deepEqual([namesOf(last), last.body.status], [["T"], "success"]);
  });

  test("no provider named, the first does not know the point: no gap where another answers", async () => {
    const away = finderOf("navitia", [], { ...none, name: "Navitia", uncovered: true });
    const got = await ask([away, gtfs()], { debug: true });
    assert.deepEqual([got.body.status, namesOf(got)], ["success", ["G"]]);
    assert.deepEqual(got.body.debug!.providers["navitia"]!.reason, "no_coverage");
    const alone = await ask([away], { providers: ["navitia"] });
    assert.deepEqual(
      [alone.body.status, alone.body.message],
      ["empty", "Navitia does not cover this point."],
    );
  });

  test("where none knows the point, that is said in one sentence, with a notice of each", async () => {
    const away = finderOf("navitia", [], { ...none, name: "Navitia", uncovered: true });
    const list = () => [heldOf("f", packOf("f", [{ id: "1", metres: 50_000 }]))];
    const got = await ask([away, feedFinder(list, 30_000)], { modes: undefined });
    assert.deepEqual(
      [got.body.status, got.body.message],
      ["empty", "No source covers this point."],
    );
    const sources = got.body.notices?.map(({ source, cause }) => [source, cause]);
    assert.deepEqual(sources, [
      ["Navitia", "does not cover this point"],
      ["the timetable data", "does not cover this point"],
    ]);
    // At home, where nothing stops, that is an answer.
    const near = () => [heldOf("f", packOf("f", [{ id: "1", metres: 5_000 }]))];
    const { body } = await ask([away, feedFinder(near, 30_000)], { modes: undefined });
    assert.match(body.message!, /^Nothing was found within 1000 metres; Navitia does not cover/);
  });

  test("no provider named, the first without its key: no gap where another answers", async () => {
    const absent = { ...none, status: "unavailable", reason: "not_configured" } as const;
    const keyless = finderOf("navitia", [], { ...absent, name: "Navitia", good_until_ms: null });
    const got = await ask([keyless, gtfs()]);
    assert.deepEqual([got.body.status, namesOf(got)], ["success", ["G"]]);
    const alone = await ask([keyless]);
    assert.equal(alone.body.status, "partial");
    assert.match(alone.body.message!, /Navitia is not configured; asking again changes nothing/);
  });

  test("no provider named, the first fails: the others' stations, and the gap is named", async () => {
    const broken = finderOf("navitia", [], { ...none, ...FAILED, name: "Navitia" });
    const got = await ask([broken, gtfs()]);
    assert.deepEqual([got.body.status, namesOf(got)], ["partial", ["G"]]);
    assert.match(got.body.message!, /: Navitia is too slow;/);
    assert.deepEqual(got.body.notices![0]!.cause, "too slow");
  });

  test("gbfs alone and no modes: the modes that GBFS has", async () => {
    const rental = stationOf({ name: "R", modes: ["bicycle"], source: { provider: "gbfs" } });
    const gbfs = { ...finderOf("gbfs", [rental]), modes: ["bicycle", "car_share"] as const };
    const match = await ask([gbfs], { providers: ["gbfs"], modes: undefined });
    assert.deepEqual(namesOf(match), ["R"]);
    assert.equal((await ask([gbfs, gtfs()], { modes: undefined })).body.total, 1);
    const both = await ask([gbfs, gtfs()], { providers: ["gbfs", "gtfs"], modes: undefined });
    assert.deepEqual(namesOf(both), ["G"]);
  });

  test("a limit that cuts the list is said, with where and how to go on", async () => {
    const many = [at("navitia", "A", 10), at("navitia", "B", 20), at("navitia", "C", 30)];
    const { body } = await ask([finderOf("navitia", many)], { limit: 2 });
    assert.equal(body.status, "success");
    assert.equal(body.message, undefined);
    assert.deepEqual(
      body.notices!.map(({ message, cut }) => [message, cut]),
      [
        [
          "Shown are the nearest 2 of 3, up to 20 metres away; the limit may be up to 200.",
          { shown: 2, total: 3, within_m: 20 },
        ],
      ],
    );
  });

  test("a provider that this deployment lacks is a gap, and is named", async () => {
    const got = await ask([gtfs()], { providers: ["navitia", "transitland", "gtfs"] });
    assert.deepEqual([got.body.status, namesOf(got)], ["partial", ["G"]]);
    assert.match(got.body.message!, /navitia is not configured; transitland is not configured;/);
    assert.match(got.body.message!, /without `providers`/);
    assert.equal(got.max_age_s, null);
  });

  test("feeds that are not there are no feeds", async () => {
    const gone = { ...gtfs(), isThere: () => false };
    for (const providers of [undefined, ["gtfs"]] as const) {
      const { body } = await ask([gone], { providers });
      assert.deepEqual([body.status, body.total], ["partial", 0]);
      assert.match(body.message!, providers ? /gtfs is not/ : /no source of public transport is/);
    }
  });

  test("a provider that does not cover the point is not asked, and is no gap", async () => {
    const away = { ...gtfs(), covers: () => false };
    const { body } = await ask([away], { providers: ["gtfs"], debug: true });
    assert.deepEqual([body.status, body.message], ["empty", "No source covers this point."]);
    assert.deepEqual(body.debug!.providers, {});
  });

  test("two of one provider are asked together", async () => {
    const motis = finderOf("gtfs", [at("gtfs", "M", 100)], { key: "motis" });
    const got = await ask([motis, gtfs()], { providers: ["gtfs"], debug: true });
    assert.deepEqual(namesOf(got), ["M", "G"]);
    assert.deepEqual(Object.keys(got.body.debug!.providers), ["motis", "gtfs"]);
  });
});

describe("the answer", () => {
  // Proves §4.7a modes
  test("nearest first, modes filtered, one result with all its sources, Navitia leading", async () => {
    const both = (provider: TransitProvider): TransitStation =>
      stationOf({ name: "Both", metres: 100, source: { provider, source_id: provider } });
    const tram = stationOf({ modes: ["tram"], metres: 5, source: { source_id: "t" } });
    const got = await ask(
      [
        finderOf("gtfs", [at("gtfs", "G", 50), tram, both("gtfs")]),
        finderOf("navitia", [both("navitia")]),
      ],
      { providers: ["gtfs", "navitia"] },
    );
    assert.deepEqual(namesOf(got), ["G", "Both"]);
    assert.deepEqual(
      got.body.results.stations[1]!.sources.map(({ provider }) => provider),
      ["navitia", "gtfs"],
    );
    assert.deepEqual([got.body.status, got.body.total, got.body.radius], ["success", 2, 1000]);
    assert.deepEqual(got.body.query_origin, CENTRE);
    assert.equal("debug" in got.body || "message" in got.body, false);
  });

  // Proves §1 provider failures; §7 rule 4
  test("a failure is partial, with the others' stations", async () => {
    const got = await ask([finderOf("navitia", [], FAILED), finderOf("gtfs", [at("gtfs", "G")])], {
      providers: ["navitia", "gtfs"],
    });
    assert.deepEqual([got.body.status, namesOf(got)], ["partial", ["G"]]);
    assert.match(got.body.message!, /: navitia is too slow; ask again/);
  });

  test("all fail: partial and nothing, never empty", async () => {
    const { body } = await ask([finderOf("navitia", [], FAILED)]);
    assert.deepEqual([body.status, body.total], ["partial", 0]);
  });

  // Proves §1 message
  test("nothing there: empty, with a sentence", async () => {
    const { body } = await ask([finderOf("navitia", [])], { radius: 300 });
    assert.deepEqual(
      [body.status, body.message],
      ["empty", "Nothing was found within 300 metres; the radius may be up to 5000."],
    );
  });

  // Proves §4.7a clamped; §8 transport; §7 rule 3
  test("radius and limit are reduced to 5000 and 200; total counts before the cut", async () => {
    const many = Array.from({ length: 260 }, (_, i) => at("navitia", `${i}`, i * 19));
    const finder = finderOf("navitia", many);
    const wish = { radius: 90_000, limit: 1000, debug: true };
    const { body } = await ask([finder], wish);
    assert.equal(finder.requested[0]!.circle.radius_m, 5120);
    assert.deepEqual([body.radius, body.total, body.results.stations.length], [5000, 260, 200]);
    const { requested_radius, applied_radius, requested_limit, applied_limit } = body.debug!;
    assert.deepEqual(
      [requested_radius, applied_radius, requested_limit, applied_limit],
      [90_000, 5000, 1000, 200],
    );
    assert.equal(body.debug!.providers["navitia"]!.returned_count, 200);
  });
});

describe("debug, and how long it is good", () => {
  test("how each did, what it sent and what of it is shown", async () => {
    const { body } = await ask(
      [
        finderOf("navitia", [at("navitia", "N", 10), at("navitia", "M", 20)], { raw: 9, calls: 3 }),
        finderOf("gtfs", [at("gtfs", "G", 30)], { cache: "hit", calls: 0 }),
        finderOf("transitland", [], FAILED),
      ],
      { providers: ["navitia", "gtfs", "transitland"], limit: 2, debug: true },
    );
    assert.deepEqual(body.debug, {
      providers: {
        navitia: { status: "ok", raw_count: 9, returned_count: 2 },
        gtfs: { status: "ok", raw_count: 1, returned_count: 0 },
        transitland: { status: "timeout", raw_count: 0, returned_count: 0, reason: "deadline" },
      },
      provider_calls: 4,
      cache: "partial",
      requested_radius: 1000,
      applied_radius: 1000,
      requested_limit: 2,
      applied_limit: 2,
    });
  });

  for (const [what, finders, wish, expected] of [
    ["as long as the shortest", [{}, { good_until_ms: NOW_MS + 7_999 }], {}, 7],
    ["not with debug", [{}], { debug: true }, null],
    ["not when partial", [{}, FAILED], {}, null],
    ["not for ever", [{ good_until_ms: NOW_MS + 1e9 }], {}, "most"],
    ["never before now", [{ good_until_ms: NOW_MS - 1 }], {}, 0],
  ] as const)
    test(what, async () => {
      const names = ["navitia", "gtfs"] as const;
      const { max_age_s } = await ask(
        finders.map((finding, i) => finderOf(names[i]!, [], finding)),
        { providers: names.slice(0, finders.length), ...wish },
      );
      if (expected === "most") assert.ok(max_age_s !== null && max_age_s < 86_400);
      else assert.equal(max_age_s, expected);
    });
});

describe("results", () => {
  const circle = { ...CENTRE, radius_m: 1000, modes: ["bus"] } as const;
  const itemsOf = (...args: Parameters<typeof toTransitItems>) => toEnd(toTransitItems(...args));

  test("an id is of the lead: its provider, scope and key, and nothing else", () => {
    const source = stationOf().source;
    const id = transitId(source);
    assert.match(id, /^svc_transport_station_[a-z2-7]+$/);
    assert.equal(transitId({ ...source, operator_id: "x", region: "y" }), id);
    const others = [
      { ...source, source_id: "T" },
      { ...source, feed_id: "f" },
      { ...source, provider: "gbfs" as const },
      { ...source, provider: "navitia" as const, region: "fr" },
    ].map(transitId);
    assert.equal(new Set([id, ...others]).size, 5);
  });

  test("a follower that comes or goes does not rename a station", () => {
    const lead = at("navitia", "S", 10);
    const follower = { ...at("gtfs", "S", 0), source: stationOf().source };
    const [alone] = itemsOf([[lead]], circle);
    const [merged] = itemsOf([[lead], [follower]], circle);
    assert.equal(merged!.id, alone!.id);
    assert.deepEqual(merged!.location, alone!.location);
    assert.equal(merged!.sources.length, 2);
  });

  test("a station of thousands of routes lists the first, and how many there are", async () => {
    for (const [count, stated] of [
      [1, undefined],
      [200, undefined],
      [201, 201],
      [5_000, 5_000],
    ] as const) {
      const routes = Array.from({ length: count }, (_, i) => routeOf(`${i}`));
      const operators = Array.from({ length: count }, (_, i) => ({ id: `${i}`, name: `o${i}` }));
      const { body } = await ask([finderOf("navitia", [stationOf({ routes, operators })])]);
      const [match] = body.results.stations;
      assert.deepEqual(
        [match!.routes.length, match!.route_count, match!.operators.length, match!.operator_count],
        [Math.min(200, count), stated, Math.min(200, count), stated],
      );
      assert.equal(match!.routes[0]!.id, "0");
    }
  });

  test("by the distance that is stated, then by id", () => {
    const stations = Array.from({ length: 40 }, (_, i) => at("gtfs", `${i}`, 100 + (i % 4) / 5));
    const items = itemsOf([stations], circle);
    assert.equal(items.length, 40);
    const keys = items.map(({ distance_meters, id }) => `${distance_meters} ${id}`);
    assert.deepEqual(keys, keys.toSorted());
    assert.deepEqual(
      itemsOf([stations.toReversed()], circle).map(({ id }) => id),
      items.map(({ id }) => id),
    );
  });

  test("the lead says whether it is inside", () => {
    const source = stationOf().source;
    const pair = (lead_m: number, follower_m: number): number =>
      itemsOf([[at("navitia", "S", lead_m)], [{ ...at("gtfs", "S", follower_m), source }]], circle)
        .length;
    assert.deepEqual([pair(999, 1050), pair(1001, 950)], [1, 0]);
  });
});
