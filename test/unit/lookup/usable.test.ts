/** Hours and filters of services, parking and charging, over scripted sources (docs/design/places.md, "Usable now"). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import type { Finder } from "#app/places/place-finder.ts";
import { createOpenStates } from "#app/places/open-states.ts";
import { createPlaceSearches } from "#app/places/place-search.ts";
import { loadCountries } from "#app/country.ts";
import { loadTimezones } from "#app/timezone.ts";
import { MAPS_PROVIDER_ID, MAPS_PROVIDER_NAME } from "#api/deployment.ts";
import { ParkingBody, type ParkingBodyValue, ServicesBody } from "#api/services.ts";
import type { ServicesBodyValue } from "#api/services.ts";
import { distance_m } from "#kit/geo.ts";
import { hitsOf } from "#core/places/place-hits.ts";
import type { Place } from "#core/places/place.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import { HERE, moved } from "../../support/domain.ts";
import { createWatchedClock } from "../../support/lookup.ts";
import { aPlace, NO_FILTERS } from "../../support/places.ts";

const servicesBody = Compile(ServicesBody);
const parkingBody = Compile(ParkingBody);
const MAPS = { id: MAPS_PROVIDER_ID, name: MAPS_PROVIDER_NAME };

function finderOf(key: string, places: readonly Place[], good_for_ms: number): Finder {
  return {
    key,
    kindsFor: ({ kinds }) => kinds,
    find: (question) => {
      const { lat, lon } = question.circle;
      const matches = places
        .filter(({ kind }) => question.kinds.includes(kind))
        .map((place) => ({ place, distance_m: distance_m(lat, lon, place.lat, place.lon) }));
      const good_until_ms = question.now_ms + good_for_ms;
      const counts = { raw: matches.length, calls: 1, cache: "miss", good_until_ms } as const;
      return Promise.resolve({
        key,
        status: "ok",
        reason: null,
        places: hitsOf(matches),
        ...counts,
      });
    },
  };
}

/** Values may be odd on purpose. */
type Request = Partial<Record<keyof typeof NO_FILTERS, unknown>> & {
  limit?: number;
  lat?: number;
  lon?: number;
};

/** Sources in their precedence, and the time that the clock shows. */
function town(sources: readonly (readonly Place[])[], now: string, country = "FR") {
  const clock = createWatchedClock();
  const shown_ms = Date.parse(now);
  const countries = () => Promise.resolve(() => [country]);
  const { services, parking } = createPlaceSearches({
    finders: sources.map((places, at) => finderOf(`source_${at}`, places, 20_000)),
    clock: { ...clock, now: () => shown_ms },
    countries,
    openStates: createOpenStates({ countries, timezones: loadTimezones }),
    maps: MAPS,
  });
  const toInput = (request: Request) => ({
    question: {
      ...{ ...HERE, types: ["toilets" as const], country: undefined, language: undefined },
      ...{ radius: 5_000, limit: 20, debug: false, ...NO_FILTERS },
      ...(request as typeof NO_FILTERS),
    },
    deadline_ms: shown_ms + 3_000,
    signal: new AbortController().signal,
    now_ms: shown_ms,
  });
  return {
    async ask(request: Request = {}) {
      const reply = await services(toInput(request));
      if ("kind" in reply) return { refused: reply.message };
      const body = JSON.parse(JSON.stringify(reply.body)) as ServicesBodyValue;
      assert.ok(servicesBody.Check(body), JSON.stringify([...servicesBody.Errors(body)]));
      const ids = body.results.map(({ external_id }) => external_id);
      const usable = body.results.map(
        ({ attributes }) => (attributes as { usable: Record<string, unknown> }).usable,
      );
      return { body, ids, usable, max_age_s: reply.max_age_s };
    },
    async parking(request: Request = {}) {
      const reply = await parking(toInput(request));
      assert.ok(!("kind" in reply));
      const body = JSON.parse(JSON.stringify(reply.body)) as ParkingBodyValue;
      assert.ok(parkingBody.Check(body), JSON.stringify([...parkingBody.Errors(body)]));
      return body;
    },
  };
}

const at = (id: string, metres: number, change: Partial<Place> = {}) =>
  aPlace(id, { ...moved(HERE, metres), ...change });
const hours = (text: string) => ({ opening: { text }, attributes: { opening_hours: text } });

/** A Monday, ten in the morning in Paris. */
const MONDAY = "2026-11-23T09:00:00Z";

test("every result says whether it is open, until when, and by which rule", async () => {
  const { ask } = town(
    [
      [
        at("always", 10, hours("24/7")),
        at("day", 100, hours("Mo-Fr 08:00-18:00")),
        at("evening", 200, hours("Mo-Su 18:00-23:00")),
        at("silent", 300),
        at("odd", 400, hours("when the owner is in")),
      ],
    ],
    MONDAY,
  );
  const { body, usable } = await ask();
  const entry = { holidays_known: true };
  assert.deepEqual(usable, [
    { state: "open", until: null, rule: "24/7", ...entry },
    { state: "open", until: "2026-11-23T18:00:00+01:00", rule: "Mo-Fr 08:00-18:00", ...entry },
    { state: "closed", until: "2026-11-23T18:00:00+01:00", rule: null, ...entry },
    { state: "unknown", until: null, rule: null, ...entry },
    { state: "unknown", until: null, rule: null, ...entry },
  ]);
  assert.deepEqual(
    [body.local_time, body.time_zone],
    ["2026-11-23T10:00:00+01:00", "Europe/Paris"],
  );
  assert.deepEqual(body.summary, { toilets: 5 }, "nothing is added where no filter is set");
  assert.ok(!JSON.stringify(body).includes('opening":'), "the form that sources use stays inside");
});

test("usable leaves out what is closed, and counts what is not known", async () => {
  const places = [
    at("day", 10, hours("Mo-Fr 08:00-18:00")),
    at("night", 100, hours("Mo-Su 20:00-06:00")),
    at("silent", 200),
  ];
  const { ask } = town([places], MONDAY);
  const now = await ask({ usable: "now" });
  assert.deepEqual(now.ids, ["day", "silent"]);
  assert.deepEqual([now.body.total, now.body.summary], [2, { toilets: 2 }]);
  assert.deepEqual(now.body.unknown, { hours: 1 });
  const later = await ask({ usable: "2026-11-23T22:00:00+01:00" });
  assert.deepEqual(later.ids, ["night", "silent"]);
  assert.equal(later.body.local_time, "2026-11-23T22:00:00+01:00");
  assert.equal(later.usable[0]!["state"], "open");
  const first = await ask({ usable: "now", limit: 1 });
  assert.deepEqual([first.ids, first.body!.total], [["day"], 2], "the total is what is left");
  const none = await town([[places[1]!]], MONDAY).ask({ usable: "now" });
  assert.deepEqual([none.body!.status, none.body!.total], ["empty", 0]);
  assert.deepEqual([none.body!.summary, none.body!.unknown], [{ toilets: 0 }, { hours: 0 }]);
});

test("wheelchair, fee and access leave out what is known not to fit", async () => {
  const places = [
    at("good", 10, { attributes: { wheelchair: "yes", fee: false, access: "yes" } }),
    at("bad", 100, { attributes: { wheelchair: "limited", fee: true, access: "customers" } }),
    at("silent", 200),
  ];
  const { ask } = town([places], MONDAY);
  for (const [name, value] of [
    ["wheelchair", "yes"],
    ["fee", "no"],
    ["access", "public"],
  ] as const) {
    const { ids, body } = await ask({ [name]: value });
    assert.deepEqual(ids, ["good", "silent"], name);
    assert.deepEqual([body.summary, body.unknown], [{ toilets: 2 }, { [name]: 1 }]);
  }
  const { body } = await ask({ usable: "now", wheelchair: "yes", fee: "no", access: "public" });
  assert.deepEqual(body!.summary, { toilets: 2 });
  assert.deepEqual(body!.unknown, { hours: 2, wheelchair: 1, fee: 1, access: 1 });
});

test("a time is refused that is none, on no calendar or more than a year away", async () => {
  const { ask } = town([[]], MONDAY);
  for (const usable of [
    ...["2026-02-30T10:00:00Z", "2026-11-23T24:00:00Z", "2026-11-23T10:60:00Z"],
    ...["2026-13-01T10:00:00Z", "2028-01-01T00:00:00Z", "2024-01-01T00:00:00Z"],
    ...["2026-11-23T10:00:00+24:00", "0000-00-00T00:00:00Z"],
  ])
    assert.match((await ask({ usable })).refused ?? "", /^usable must be any, now or an RFC 3339/);
  for (const usable of ["2027-11-23T00:00:00Z", "2025-11-24T00:00:00.5+13:45"])
    assert.equal((await ask({ usable })).refused, undefined, usable);
});

test("the first source that publishes hours decides, and unreadable hours are unknown", async () => {
  const lead = (change: Partial<Place>) =>
    at("lead", 10, { source_id: "refuge_restrooms", ...change });
  const other = at("other", 12, { ...hours("24/7") });
  const merged = async (change: Partial<Place>) =>
    (await town([[lead(change)], [other]], MONDAY).ask()).usable!;
  assert.deepEqual(
    (await merged(hours("Mo-Fr 12:00-14:00"))).map(({ state }) => state),
    ["closed"],
  );
  assert.deepEqual(
    (await merged({ opening: {} })).map(({ state }) => state),
    ["unknown"],
  );
  assert.deepEqual(
    (await merged({})).map(({ state }) => state),
    ["open"],
  );
});

test("a place is judged in its own time zone, and its country's holidays", async () => {
  // Ten in the morning of a holiday in France; in Tokyo it is seven in the evening.
  const holiday = "2026-07-14T10:00:00+02:00";
  const off = hours("Mo-Su 08:00-18:00; PH off");
  const paris = await town([[at("a", 10, off)]], holiday).ask();
  assert.equal(paris.usable![0]!["state"], "closed");
  const tokyo = { lat: 35.6812, lon: 139.7671 };
  const other = town([[aPlace("b", { ...tokyo, ...hours("Mo-Su 08:00-18:00") })]], holiday, "JP");
  const { body, usable } = await other.ask(tokyo);
  assert.deepEqual(
    [body!.local_time, body!.time_zone],
    ["2026-07-14T17:00:00+09:00", "Asia/Tokyo"],
  );
  assert.deepEqual(
    [usable![0]!["state"], usable![0]!["until"]],
    ["open", "2026-07-14T18:00:00+09:00"],
  );
});

test("a zone that the source states goes before that of the map, for state and end", async () => {
  const weekly = Array.from({ length: 5 }, (_, day) => ({
    day: day as 0,
    from_min: 8 * 60,
    to_min: 18 * 60,
  }));
  const opening = (time_zone?: string) => ({
    opening: { weekly, ...(time_zone && { time_zone }) },
  });
  const cases = [
    ["of the map", undefined, "open", "2026-11-23T18:00:00+01:00"],
    ["the next one", "Europe/Helsinki", "open", "2026-11-23T18:00:00+02:00"],
    ["behind", "Atlantic/Azores", "open", "2026-11-23T18:00:00-01:00"],
    ["far away", "America/New_York", "closed", "2026-11-23T08:00:00-05:00"],
    ["a half hour", "Asia/Kolkata", "open", "2026-11-23T18:00:00+05:30"],
    ["across the date line", "Pacific/Auckland", "closed", "2026-11-24T08:00:00+13:00"],
  ] as const;
  const places = cases.map(([id, zone], i) => at(id, 10 * (i + 1), opening(zone)));
  const { usable } = await town([places], MONDAY).ask();
  assert.deepEqual(
    usable!.map(({ state, until }) => [state, until]),
    cases.map(([, , state, until]) => [state, until]),
  );
});

test("an answer is reused at most until the first of its states ends", async () => {
  const places = [at("day", 10, hours("Mo-Fr 08:00-18:00"))];
  const long = await town([places], MONDAY).ask();
  assert.equal(long.max_age_s, 20);
  const short = await town([places], "2026-11-23T16:59:55Z").ask();
  assert.equal(short.max_age_s, 5);
  const fixed = await town([places], "2026-11-23T16:59:55Z").ask({ usable: MONDAY });
  assert.equal(fixed.max_age_s, 20, "of a time that is asked for nothing changes");
});

test("open_status of parking is the word of usable, and a source's word of now goes first", async () => {
  const attributes = {
    ...{ maps_place_id: "x", types: ["parking"], open_status: "unknown" },
    parking: { kind: "lot", features: [] },
  };
  const parked = (id: string, metres: number, opening?: Place["opening"]) =>
    at(id, metres, {
      ...{ kind: "parking", source_id: MAPS_PROVIDER_ID, source_type: "partner_api" },
      ...{ attributes: { ...attributes, maps_place_id: id }, ...(opening && { opening }) },
    });
  const { parking } = town(
    [
      [
        parked("open", 10, { text: "Mo-Fr 08:00-18:00" }),
        parked("closed", 100, { text: "24/7", now: { state: "closed", until_ms: null } }),
        parked("silent", 200),
      ],
    ],
    MONDAY,
  );
  const statesOf = (body: ParkingBodyValue) =>
    body.results.map(({ attributes: { open_status, usable } }) => [open_status, usable!.state]);
  const all = await parking();
  assert.deepEqual(statesOf(all), [
    ["open", "open"],
    ["closed", "closed"],
    ["unknown", "unknown"],
  ]);
  assert.ok(!("summary" in all) && !("unknown" in all));
  const now = await parking({ usable: "now" });
  assert.deepEqual([now.total, now.unknown], [2, { hours: 1 }]);
  const then = await parking({ usable: "2026-11-23T23:00:00+01:00" });
  assert.deepEqual(statesOf(then), [
    ["open", "open"],
    ["unknown", "unknown"],
  ]);
});

test("a car park is closed now where its live source says so, whatever its hours, and not later", async () => {
  const parked = (id: string, metres: number, is_open: boolean, opening?: Place["opening"]) =>
    at(id, metres, {
      ...{ kind: "parking", source_id: MAPS_PROVIDER_ID, source_type: "partner_api" },
      ...(opening && { opening }),
      attributes: {
        ...{ open_status: "unknown", maps_place_id: id, types: ["parking"] },
        parking: { kind: "lot", features: [] },
        availability: { is_open, observed_at: MONDAY, source: "garages" },
      },
    });
  const { parking } = town(
    [[parked("a", 10, false, { text: "24/7" }), parked("b", 20, false), parked("c", 30, true)]],
    MONDAY,
  );
  const statesOf = ({ results }: ParkingBodyValue) =>
    results.map(({ attributes }) => attributes.usable!.state);
  assert.deepEqual(statesOf(await parking()), ["closed", "closed", "open"]);
  assert.deepEqual(statesOf(await parking({ usable: "now" })), ["open"]);
  const later = await parking({ usable: "2026-11-23T23:00:00+01:00" });
  assert.deepEqual(statesOf(later), ["open", "unknown", "unknown"]);
});

const BORDERS: readonly [
  iso: string,
  open: [lat: number, lon: number],
  closed: [number, number],
][] = [
  ["2026-07-01T14:00:00Z", [43.0862, -79.0645], [43.092, -79.072]],
  ["2026-08-01T10:00:00Z", [47.561, 7.792], [47.554, 7.792]],
  ["2026-10-03T10:00:00Z", [47.554, 7.792], [47.561, 7.792]],
  ["2026-07-14T10:00:00Z", [49.2354, 6.9969], [49.19, 6.9]],
  ["2026-11-11T10:00:00Z", [52.34, 14.53], [52.35, 14.6]],
];

for (const [iso, open, closed] of BORDERS)
  test(`on ${iso.slice(0, 10)} each side of a border keeps its own holidays, in either order`, async () => {
    const statesAt = createOpenStates({ countries: loadCountries, timezones: loadTimezones });
    const states = await statesAt({ at_ms: Date.parse(iso), is_now: false });
    const stateOf = ([lat, lon]: readonly [number, number]): string =>
      states.of({
        location: { lat, lon },
        attributes: {},
        opening: { text: "Mo-Su 09:00-17:00; PH off" },
      } as unknown as OpenItem).state;
    assert.deepEqual([stateOf(open), stateOf(closed)], ["open", "closed"]);
    const again = await statesAt({ at_ms: Date.parse(iso), is_now: false });
    const other = ([lat, lon]: readonly [number, number]): string =>
      again.of({
        location: { lat: lat + 1e-9, lon },
        attributes: {},
        opening: { text: "Mo-Su 09:00-17:00; PH off" },
      } as unknown as OpenItem).state;
    assert.deepEqual([other(closed), other(open)], ["closed", "open"]);
  });
