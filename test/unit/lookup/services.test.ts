/** Urban services, parking and charging over scripted sources (§4.6, §4.7; decisions, Urban services). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import type { FindCountries } from "#app/country.ts";
import type { Finder, Finding, PlaceQuestion } from "#app/places/place-finder.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import type { ServicesQuestion } from "#app/places/place-answer.ts";
import { createPlaceSearches, type FacilityQuestion } from "#app/places/place-search.ts";
import type { SearchRefusal, SearchReply } from "#app/search-reply.ts";
import { MAPS_PROVIDER_ID, MAPS_PROVIDER_NAME } from "#api/deployment.ts";
import { ServicesBody, type ServicesBodyValue } from "#api/services.ts";
import { distance_m } from "#kit/geo.ts";
import { hitsOf, noHits } from "#core/places/place-hits.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { ServiceToken } from "#core/places/place-tokens.ts";
import { HERE, moved } from "../../support/domain.ts";
import { createWatchedClock, leftBy, turn, type WatchedClock } from "../../support/lookup.ts";
import { aPlace, NO_FILTERS } from "../../support/places.ts";

const servicesBody = Compile(ServicesBody);
const MAPS = { id: MAPS_PROVIDER_ID, name: MAPS_PROVIDER_NAME };

type Source = {
  key: string;
  kinds: readonly PlaceKind[];
  places?: readonly Place[];
  /** Kinds that it leaves to another source, while that one has some. */
  steps_back?: readonly PlaceKind[];
  /** It knows its kinds in other countries only. */
  is_elsewhere?: boolean;
  finding?: Partial<Finding>;
  /** What it waits for before it answers. */
  waits?: (question: PlaceQuestion) => Promise<unknown>;
};
type Request = { key: string; question: PlaceQuestion };

function finderOf(source: Source, requests: Request[]): Finder {
  const { key, kinds, places = [] } = source;
  const { steps_back = [] } = source;
  const kindsFor: Finder["kindsFor"] = ({ kinds: wanted, unfound }) =>
    (source.is_elsewhere ? [] : kinds).filter(
      (kind) => wanted.includes(kind) && (!steps_back.includes(kind) || unfound.includes(kind)),
    );
  return {
    key,
    kindsFor,
    ...(source.is_elsewhere && {
      elsewhere: {
        name: `Source ${key}`,
        kindsFor: ({ kinds: wanted }) => kinds.filter((kind) => wanted.includes(kind)),
      },
    }),
    async find(question) {
      requests.push({ key, question });
      await source.waits?.(question);
      const { lat, lon } = question.circle;
      const wanted = kindsFor(question);
      const matches = places
        .filter(({ kind }) => wanted.includes(kind))
        .map((place) => ({ place, distance_m: distance_m(lat, lon, place.lat, place.lon) }));
      return {
        key,
        status: "ok",
        reason: null,
        places: hitsOf(matches),
        raw: matches.length,
        calls: 1,
        cache: "miss",
        good_until_ms: question.now_ms + 20_000,
        ...source.finding,
      };
    },
  };
}

type Change = Partial<ServicesQuestion & FacilityQuestion>;

type Town = {
  clock: WatchedClock;
  requested: Request[];
  ask(change?: Change): Promise<SearchReply & { body: ServicesBodyValue }>;
  asking(change?: Change, signal?: AbortSignal): Promise<SearchReply>;
  parking(change?: Change): Promise<Record<string, unknown>>;
};

/** The answer of a search that is not refused. */
function answered(reply: SearchReply | SearchRefusal): SearchReply {
  assert.ok(!("kind" in reply), JSON.stringify(reply));
  return reply;
}

function town(sources: readonly Source[], countries: FindCountries = () => ["FR"]): Town {
  const clock = createWatchedClock();
  const requested: Request[] = [];
  const finders = sources.map((source) => finderOf(source, requested));
  const { services, parking } = createPlaceSearches({
    finders,
    clock,
    countries: () => Promise.resolve(countries),
    openStates: createOpenStates({
      countries: () => Promise.resolve(countries),
      timezones: () => Promise.resolve(() => "Europe/Paris"),
    }),
    maps: MAPS,
  });
  const toInput = (change: Change, signal = new AbortController().signal) => ({
    question: {
      ...HERE,
      types: ["toilets" as const],
      country: undefined,
      language: undefined,
      radius: 1500,
      limit: 50,
      debug: false,
      ...NO_FILTERS,
      ...change,
    },
    deadline_ms: clock.now() + 3_000,
    signal,
    now_ms: clock.now(),
  });
  return {
    clock,
    requested,
    asking: async (change = {}, signal) => answered(await services(toInput(change, signal))),
    async ask(change = {}) {
      const reply = answered(await services(toInput(change)));
      const body: unknown = JSON.parse(JSON.stringify(reply.body));
      assert.ok(servicesBody.Check(body), JSON.stringify([...servicesBody.Errors(body)]));
      assert.equal(clock.pending(), 0, "nothing of a question is left behind");
      return { ...reply, body };
    },
    parking: async (change = {}) =>
      answered(await parking(toInput(change))).body as Record<string, unknown>,
  };
}

const FAILED: Partial<Finding> = {
  status: "timeout",
  reason: "deadline",
  places: noHits(),
  raw: 0,
  good_until_ms: null,
};
const two = [aPlace("1", moved(HERE, 10)), aPlace("2", moved(HERE, 90))];

// Proves §3 status
test("all that were asked answered: success, counted, nearest first", async () => {
  const { ask } = town([{ key: "openstreetmap", kinds: ["toilets"], places: two.toReversed() }]);
  const { body, max_age_s } = await ask();
  assert.deepEqual([body.status, body.total, body.summary], ["success", 2, { toilets: 2 }]);
  assert.equal(body.message, undefined);
  assert.deepEqual(
    body.results.map(({ external_id }) => external_id),
    ["1", "2"],
  );
  assert.deepEqual([body.query_origin, body.radius], [HERE, 1500]);
  assert.equal(body.attributions, undefined);
  assert.equal(max_age_s, 20);
});

// Proves §1 message; §3 status
test("nothing there according to every source: empty, with a sentence", async () => {
  const { body, max_age_s } = await town([{ key: "osm", kinds: ["toilets"] }]).ask();
  assert.deepEqual([body.status, body.total, max_age_s], ["empty", 0, 20]);
  assert.match(
    body.message!,
    /^Nothing was found within 1500 metres; the radius may be up to 10000\.$/,
  );
});

// Proves §1 provider failures; §4.6 partial; §7 rule 4; §1 message
test("one of two failed: partial, with the other's results, and nothing to be cached", async () => {
  const { body, max_age_s } = await town([
    { key: "refuge", kinds: ["toilets"], finding: FAILED },
    { key: "osm", kinds: ["toilets"], places: two },
  ]).ask();
  assert.deepEqual([body.status, body.total, max_age_s], ["partial", 2, null]);
  assert.match(body.message!, /: refuge is too slow; ask again/);
});

test("all failed: a partial of nothing, never an empty", async () => {
  const { body, max_age_s } = await town([
    { key: "refuge", kinds: ["toilets"], finding: FAILED },
    { key: "osm", kinds: ["toilets"], finding: { ...FAILED, status: "unauthorized" } },
  ]).ask();
  assert.deepEqual([body.status, body.total, body.results], ["partial", 0, []]);
  assert.deepEqual([body.summary, max_age_s], [{ toilets: 0 }, null]);
  assert.match(body.message!, /: refuge is too slow; osm is too slow; ask again/);
});

test("a failure that comes with places from before is partial and shows them", async () => {
  const places = two.map((place) => ({ place, distance_m: 50 }));
  const { body } = await town([
    { key: "osm", kinds: ["toilets"], finding: { ...FAILED, places: hitsOf(places) } },
  ]).ask();
  assert.deepEqual([body.status, body.total], ["partial", 2]);
});

// Proves §4.6 summary
test("a type that no source serves: partial, and named; others are answered", async () => {
  const { ask, requested } = town([{ key: "osm", kinds: ["toilets"], places: two }]);
  const { body } = await ask({ types: ["toilets", "locker", "wifi"] });
  assert.deepEqual([body.status, body.total], ["partial", 2]);
  assert.match(body.message!, /no source of locker or wifi is configured/);
  assert.deepEqual(body.summary, { toilets: 2, locker: 0, wifi: 0 });
  const unserved = await ask({ types: ["locker"] });
  assert.deepEqual([unserved.body.status, unserved.body.total], ["partial", 0]);
  assert.equal(requested.length, 1, "a source that knows none of the types is not asked");
});

test("a type whose sources know other places only: they do not cover the point, and are not asked", async () => {
  const sources = [
    { key: "osm", kinds: ["toilets", "wifi"], places: two } as const,
    { key: "a", kinds: ["locker"], is_elsewhere: true } as const,
    { key: "b", kinds: ["locker", "toilets"], is_elsewhere: true } as const,
  ];
  const { ask, requested } = town(sources);
  const { body } = await ask({ types: ["toilets", "locker", "aed"] });
  assert.deepEqual([body.status, body.total], ["partial", 2]);
  const uncovered = "Source a does not cover this point; Source b does not cover this point";
  const configured = "no source of aed is configured";
  assert.ok(body.message!.includes(`: ${uncovered}; ${configured}; asking`), body.message!);
  const here = await ask({ types: ["toilets", "wifi"] });
  assert.deepEqual([here.body.status, here.body.message], ["success", undefined]);
  const alone = await ask({ types: ["locker"] });
  assert.equal(alone.body.message, `The answer may be incomplete: ${uncovered}.`);
  assert.deepEqual(
    alone.body.notices?.map(({ cause }) => cause),
    ["does not cover this point", "does not cover this point"],
  );
  assert.deepEqual(new Set(requested.map(({ key }) => key)), new Set(["osm"]));
});

// Proves §4.6 alias
test("either token of water is served by a source of water", async () => {
  const { ask } = town([
    {
      key: "osm",
      kinds: ["water"],
      places: [aPlace("1", { kind: "water", attributes: { drinking_water: "yes" } })],
    },
  ]);
  for (const types of [["drinking_water"], ["fountain"], ["fountain", "drinking_water"]] as const) {
    const { body } = await ask({ types });
    assert.deepEqual([body.status, body.total], ["success", 1]);
    assert.equal(
      Object.values(body.summary).reduce((sum, each) => sum + each, 0),
      1,
    );
  }
});

// Proves §4.6 clamped; §4.7 clamped; §4.6 aggregate; §7 rule 3
test("clamped, not refused: radius 10 km, limit 200; parking and charging 20", async () => {
  const crowd = (kind: PlaceKind): Place[] =>
    Array.from({ length: 250 }, (_, i) => aPlace(`${i}`, { kind, ...moved(HERE, i), ...PARTNER }));
  const { ask, parking, requested } = town([
    { key: "osm", kinds: ["toilets"], places: crowd("toilets") },
    { key: MAPS.id, kinds: ["parking"], places: crowd("parking") },
  ]);
  const { body } = await ask({ radius: 99_999, limit: 999 });
  assert.deepEqual([body.radius, body.total, body.results.length], [10_000, 250, 200]);
  assert.deepEqual(body.summary, { toilets: 250 }, "counted before the cut");
  assert.equal(requested[0]!.question.circle.radius_m, 10_000);
  const small = await ask({ radius: 0.5, limit: 1 });
  assert.deepEqual([small.body.radius, small.body.results.length], [0.5, 1]);
  const facilities = await parking({ radius: 99_999, limit: 999 });
  assert.equal(facilities["radius"], 10_000);
  assert.equal((facilities["results"] as unknown[]).length, 20);
});

const PARTNER = { source_id: MAPS.id, source_type: "partner_api" as const };

// Proves §4.6 attributions; §4.7 attribution
test("attributions with parking or charging, whatever was found; one of its own at parking", async () => {
  const maps = { provider: MAPS.name, display_name: MAPS.name, required: true };
  const { ask, parking } = town([
    { key: MAPS.id, kinds: ["parking", "charging"], finding: FAILED },
    { key: "osm", kinds: ["toilets"] },
  ]);
  for (const types of [["parking"], ["charging", "toilets"], ["parking", "charging"]] as const)
    assert.deepEqual((await ask({ types })).body.attributions, [maps]);
  assert.equal((await ask({ types: ["toilets"] })).body.attributions, undefined);
  const body = await parking();
  assert.deepEqual([body["attribution"], body["status"]], [maps, "partial"]);
  assert.ok(!("summary" in body) && !("attributions" in body));
});

test("max_age: what is left of the youngest source, 30 s at most; none of a partial or a debug", async () => {
  const until = (seconds: number | null): Partial<Finding> => ({
    good_until_ms: seconds === null ? null : createWatchedClock().now() + seconds * 1000,
  });
  for (const [a, b, expected] of [
    [12.9, 86_400, 12],
    [3600, 3600, 30],
    [-5, 10, 0],
    [null, 10, 0],
  ] as const) {
    const { ask } = town([
      { key: "a", kinds: ["toilets"], finding: until(a) },
      { key: "b", kinds: ["toilets"], finding: until(b) },
    ]);
    assert.equal((await ask()).max_age_s, expected);
    assert.equal((await ask({ debug: true })).max_age_s, null);
  }
});

// Proves §4.6 country
test("country: as asked, in upper case; missing, that of the coordinate, and none at sea", async () => {
  const seen: [number, number][] = [];
  const find: FindCountries = (lat, lon) => {
    seen.push([lat, lon]);
    return lat > 0 ? ["EU", "FR"] : [];
  };
  const { ask, requested } = town([{ key: "a", kinds: ["toilets"] }], find);
  await ask({ country: "de" });
  assert.deepEqual([requested.at(-1)!.question.country, seen], ["DE", []]);
  await ask();
  assert.deepEqual([requested.at(-1)!.question.country, seen], ["FR", [[HERE.lat, HERE.lon]]]);
  await ask({ lat: -40 });
  assert.equal(requested.at(-1)!.question.country, null);
});

// Proves §4.6 maps category
test("what a source receives: circle, kinds, language, at most 20 of a maps category, no freshness", async () => {
  const { ask, requested, clock } = town([{ key: "a", kinds: ["toilets", "water"] }]);
  await ask({ types: ["toilets", "fountain", "drinking_water"], language: "fr", radius: 700 });
  const { signal: _, budget: __, ...question } = requested[0]!.question;
  assert.deepEqual(question, {
    circle: { ...HERE, radius_m: 700 },
    kinds: ["toilets", "water"],
    country: "FR",
    language: "fr",
    maps_limit: 20,
    filtered: false,
    unfound: [],
    now_ms: clock.now(),
    keyed: false,
    freshness: null,
  });
});

test("all are asked at once; a source that is too slow is aborted 50 ms before the deadline", async () => {
  const slow: Source = {
    key: "slow",
    kinds: ["toilets"],
    finding: FAILED,
    waits: ({ signal }) => leftBy(signal),
  };
  const quick: Source = { key: "quick", kinds: ["toilets"], places: two };
  const { asking, requested, clock } = town([slow, quick, { ...slow, key: "slower" }]);
  let reply: SearchReply | null = null;
  const replied = asking().then((result) => (reply = result));
  await turn();
  assert.deepEqual(
    requested.map(({ key }) => key),
    ["slow", "quick", "slower"],
  );
  await clock.advance(2_949);
  assert.equal(reply, null);
  await clock.advance(1);
  const { status, total } = (await replied)["body"] as ServicesBodyValue;
  assert.deepEqual([status, total, clock.pending()], ["partial", 2, 0]);
});

test("when the caller is gone, sources are notified at once", async () => {
  const person = new AbortController();
  const ends: unknown[] = [];
  const { asking } = town([
    { key: "a", kinds: ["toilets"], waits: async ({ signal }) => ends.push(await leftBy(signal)) },
  ]);
  const reply = asking({}, person.signal);
  await turn();
  person.abort();
  await reply;
  assert.deepEqual(ends, ["aborted"]);
});

test("debug: a source that is asked in several ways is one, its counts summed, its failure reported", async () => {
  const parking = [aPlace("p", { kind: "parking", ...PARTNER })];
  const { body } = await town([
    {
      key: MAPS.id,
      kinds: ["parking"],
      places: parking,
      finding: { raw: 7, cache: "hit", calls: 0 },
    },
    { key: MAPS.id, kinds: ["charging"], finding: { ...FAILED, raw: 2 } },
    { key: "osm", kinds: ["toilets"], places: two },
  ]).ask({ types: ["parking", "charging", "toilets"], debug: true, radius: 20_000, limit: 2 });
  assert.deepEqual(body.debug, {
    providers: {
      [MAPS.id]: { status: "timeout", raw_count: 9, returned_count: 1, reason: "deadline" },
      osm: { status: "ok", raw_count: 2, returned_count: 0 },
    },
    provider_calls: 2,
    cache: "partial",
    requested_radius: 20_000,
    applied_radius: 10_000,
    requested_limit: 2,
    applied_limit: 2,
  });
  assert.match(
    body.message!,
    /: <maps_provider_id> is too slow; ask/,
    "the maps provider is one source",
  );
});

test("debug: a returned result is counted for every source that observes it", async () => {
  const seen = (source_id: string): Place[] => [aPlace("1", { source_id })];
  const { body } = await town([
    ...["refuge_restrooms", "openstreetmap"].map((key) => ({
      key,
      kinds: ["toilets" as const],
      places: seen(key),
      finding: { cache: "hit" as const },
    })),
  ]).ask({ debug: true });
  const { providers, cache } = body.debug!;
  assert.deepEqual([body.total, cache], [1, "hit"]);
  assert.deepEqual(
    Object.values(providers).map(({ returned_count }) => returned_count),
    [1, 1],
  );
});

// Proves §2.7 only when asked
test("without debug there is no word of it", async () => {
  assert.ok(!("debug" in (await town([{ key: "a", kinds: ["toilets"] }]).ask()).body));
});

test("merging follows the order of sources, not of their answers", async () => {
  const late = Promise.withResolvers<null>();
  const { asking } = town([
    {
      key: "a",
      kinds: ["toilets"],
      places: [aPlace("1", { source_id: "a" })],
      waits: () => late.promise,
    },
    { key: "b", kinds: ["toilets"], places: [aPlace("1", { source_id: "b" })] },
  ]);
  const reply = asking();
  await turn();
  late.resolve(null);
  const { results } = (await reply).body as ServicesBodyValue;
  assert.deepEqual(
    results.map(({ source_id }) => source_id),
    ["a"],
  );
});

const LOCKER = { kind: "locker", source_id: "inpost", source_type: "partner_api" } as const;

test("the open map is asked for lockers wherever the locker network has none in the circle", async () => {
  const mapped = aPlace("node/1", { kind: "locker", attributes: { brand: "B", code: "12" } });
  const map: Source = {
    key: "osm",
    kinds: ["toilets", "locker"],
    steps_back: ["locker"],
    places: [...two, mapped],
  };
  const network = (places: Place[], finding: Partial<Finding> = {}): Source => ({
    key: "inpost",
    kinds: ["locker"],
    places,
    finding,
  });
  const beyond = aPlace("X1", { ...LOCKER, ...moved(HERE, 1_520) });
  const types = ["toilets", "locker"] as const;
  for (const source of [network([]), network([beyond]), network([], FAILED)]) {
    const { ask, requested } = town([source, map]);
    const { body } = await ask({ types });
    assert.deepEqual(body.summary, { toilets: 2, locker: 1 });
    assert.equal(body.results[0]!.name, "B 12");
    assert.deepEqual(
      requested.map(({ key, question }) => [key, question.kinds]),
      [
        ["inpost", ["toilets", "locker"]],
        ["osm", ["toilets", "locker"]],
        ["osm", ["locker"]],
      ],
    );
  }
  const own = aPlace("X2", { ...LOCKER, ...moved(HERE, 300) });
  const { ask, requested: request } = town([network([own]), map]);
  const { body } = await ask({ types });
  assert.deepEqual(body.summary, { toilets: 2, locker: 1 });
  assert.deepEqual(request.map(({ key }) => key).toSorted(), ["inpost", "osm"]);
});

test("water known not to be potable is never drinking water: not found by it, but counted", async () => {
  const waters = ["yes", "no", "unknown", "no"].map((drinking_water, i) =>
    aPlace(`node/${i}`, {
      kind: "water",
      ...moved(HERE, 10 * i),
      attributes: { drinking_water, water_kind: "fountain" },
    }),
  );
  const { ask } = town([{ key: "osm", kinds: ["water", "toilets"], places: waters }]);
  const names = (body: ServicesBodyValue) =>
    body.results.map(({ service_type, name }) => `${service_type}: ${name}`);
  const drinking = await ask({ types: ["drinking_water"] });
  assert.deepEqual(drinking.body.summary, { drinking_water: 1 });
  assert.equal(drinking.body.potable_unknown, 1);
  assert.deepEqual([drinking.body.total, drinking.body.not_potable], [2, 2]);
  assert.deepEqual(names(drinking.body), ["drinking_water: Drinking water", "fountain: Fountain"]);
  const fountains = await ask({ types: ["fountain"] });
  assert.deepEqual(fountains.body.summary, { fountain: 4 });
  assert.deepEqual([fountains.body.not_potable, fountains.body.potable_unknown], [2, undefined]);
  const both = await ask({ types: ["fountain", "drinking_water"] });
  assert.deepEqual(both.body.summary, { fountain: 3, drinking_water: 1 });
  const other = await ask({ types: ["toilets"] });
  assert.ok(!("not_potable" in other.body));
  const dry = town([{ key: "osm", kinds: ["water"], places: [waters[1]!] }]);
  const none = await dry.ask({ types: ["drinking_water"] });
  assert.deepEqual([none.body.status, none.body.total, none.body.not_potable], ["empty", 0, 1]);
});

test("with drinking water alone what is potable comes first, and what may be comes last, marked", async () => {
  const waters = (["unknown", "yes", undefined, "no", "yes"] as const).map((drinking_water, i) =>
    aPlace(`node/${i}`, {
      kind: "water",
      ...moved(HERE, 10 + 10 * i),
      attributes: { water_kind: "fountain", ...(drinking_water && { drinking_water }) },
    }),
  );
  const places = [...waters, aPlace("node/9", moved(HERE, 90))];
  const { ask } = town([{ key: "osm", kinds: ["water", "toilets"], places }]);
  const rows: readonly [types: ServiceToken[], limit: number, shown: string[], counts: number[]][] =
    [
      [["drinking_water"], 50, ["d20", "d50", "f10", "f30"], [4, 2]],
      [["drinking_water"], 3, ["d20", "d50", "f10"], [4, 2]],
      [["drinking_water"], 1, ["d20"], [4, 2]],
      [["toilets", "drinking_water"], 50, ["d20", "d50", "t90", "f10", "f30"], [5, 2]],
      [["fountain"], 50, ["f10", "f20", "f30", "f40", "f50"], [5]],
      [["fountain", "drinking_water"], 50, ["f10", "d20", "f30", "f40", "d50"], [5]],
    ];
  for (const [types, limit, listed, [total, uncertain]] of rows) {
    const { body } = await ask({ types, limit });
    assert.deepEqual(
      body.results.map(({ service_type, distance_meters }) => service_type[0]! + distance_meters),
      listed,
    );
    assert.deepEqual([body.total, body.potable_unknown], [total, uncertain]);
    const sum = Object.values(body.summary).reduce((one, other) => one + other, 0);
    assert.equal(sum, total! - (uncertain ?? 0));
  }
});

test("a source whose own list ends is named, with where: success all the same", async () => {
  const cut = { shown: 20, total: null, within_m: 812, of: "parking" };
  const places = [aPlace("p", { kind: "parking", ...PARTNER })];
  const finding = { name: "Sandbox Maps", cut };
  const { body } = await town([{ key: MAPS.id, kinds: ["parking"], places, finding }]).ask({
    types: ["parking"],
  });
  assert.deepEqual([body.status, body.message], ["success", undefined]);
  assert.deepEqual(body.notices, [
    {
      source: "Sandbox Maps",
      cause: null,
      age_s: null,
      cut: { shown: 20, total: null, within_m: 812 },
      message:
        "Sandbox Maps names at most 20 places of parking, so that some beyond 812 metres may be missing.",
    },
  ]);
});

test("a source that knows a part of the circle only makes the answer partial, found or not", async () => {
  const wc = aPlace("wc", { kind: "toilets", ...HERE });
  for (const places of [[wc], []]) {
    const finding = { name: "OpenStreetMap", partly: true };
    const { body, max_age_s } = await town([
      { key: "map", kinds: ["toilets"], places, finding },
    ]).ask();
    assert.equal(body.status, "partial");
    assert.equal(body.results.length, places.length);
    assert.equal(
      body.message,
      "The answer may be incomplete: OpenStreetMap covers a part of the circle only, so that places beyond may be missing.",
    );
    assert.equal(body.notices?.[0]?.source, "OpenStreetMap");
    assert.equal(max_age_s, null);
  }
});
