/** Hours as sources write them, in the form that is evaluated (docs/design/places.md, "Usable now"). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createHoursMemory, evaluateHours } from "#hours/hours.ts";
import { weeklyHours } from "#hours/weekly.ts";
import type { Opening } from "#core/places/opening.ts";
import { openingOf } from "#providers/geodae/geodae-attributes.ts";
import { googleOpening as ofGoogle } from "#providers/google_maps/google-hours.ts";
import { inpostOpening as ofInPost } from "#providers/inpost/inpost-hours.ts";
import { toOpening as ofOcpi } from "#providers/ocpi/ocpi-hours.ts";

const always = { text: "24/7" };
const point = (day: number, hour: number, minute = 0) => ({ day, hour, minute });

test("Google: periods begin on Sunday, may pass midnight, and last for days", () => {
  const weekly = (...periods: unknown[]) => ofGoogle({ regularOpeningHours: { periods } });
  assert.deepEqual(weekly({ open: point(1, 8), close: point(1, 20, 30) }), {
    weekly: [{ day: 0, from_min: 480, to_min: 1_230 }],
  });
  assert.deepEqual(weekly({ open: point(0, 22), close: point(1, 2) }), {
    weekly: [
      { day: 6, from_min: 1_320, to_min: 1_440 },
      { day: 0, from_min: 0, to_min: 120 },
    ],
  });
  const days = weekly({ open: point(1, 6), close: point(4, 0) })!.weekly!;
  assert.deepEqual(
    days.map(({ day, to_min }) => [day, to_min]),
    [0, 1, 2].map((day) => [day, 1_440]),
  );
  assert.deepEqual(weekly({ open: point(0, 0) }), { ...always, now: OPEN });
  for (const broken of [{ open: point(1, 8) }, { open: point(7, 8), close: point(1, 9) }, null])
    assert.deepEqual(weekly({ open: point(1, 8), close: point(1, 9) }, broken), {});
});

const OPEN = { state: "open", until_ms: null };

test("Google: what it says of now, until its next change; special days leave no week", () => {
  const periods = [{ open: point(1, 8), close: point(1, 20) }];
  const nextCloseTime = "2026-11-23T19:00:00Z";
  const until_ms = Date.parse(nextCloseTime);
  const regularOpeningHours = { openNow: false, periods };
  const currentOpeningHours = { openNow: true, nextCloseTime, periods };
  const both = ofGoogle({ regularOpeningHours, currentOpeningHours });
  assert.deepEqual(both?.now, { state: "open", until_ms });
  assert.equal(both?.weekly?.length, 1);
  const special = { ...currentOpeningHours, specialDays: [{ date: { year: 2026 } }] };
  assert.deepEqual(ofGoogle({ regularOpeningHours, currentOpeningHours: special }), {
    now: { state: "open", until_ms },
  });
  for (const businessStatus of ["CLOSED_TEMPORARILY", "FUTURE_OPENING"])
    assert.deepEqual(ofGoogle({ businessStatus, regularOpeningHours }), {
      now: { state: "closed", until_ms: null },
    });
  assert.equal(ofGoogle({ businessStatus: "OPERATIONAL" }), null);
});

test("Google: the dates of an answer, special days among them, go before the week", () => {
  const at = (day: number, hour: number, date: number, more: object = {}) => ({
    ...{ ...point(day, hour), date: { year: 2026, month: 12, day: date } },
    ...more,
  });
  // Christmas is a Friday.
  const periods = [
    { open: at(4, 8, 24), close: at(4, 14, 24) },
    { open: at(6, 20, 26), close: at(0, 2, 27) },
    { open: at(0, 10, 27), close: at(0, 23, 27, { truncated: true }) },
  ];
  const regular = { periods: [{ open: point(1, 8), close: point(1, 20) }] };
  const specialDays = [25, 28].map((day) => ({ date: { year: 2026, month: 12, day } }));
  const of = (current: object) =>
    ofGoogle({ regularOpeningHours: regular, currentOpeningHours: current });
  const day = (date: number, ...spans: [number, number][]) => ({
    ...{ year: 2026, month: 12, date },
    periods: spans.map(([from_min, to_min]) => ({ from_min, to_min })),
  });
  const weekly = [{ day: 0, from_min: 480, to_min: 1_200 }];
  const dated = [
    day(24, [480, 840]),
    day(25),
    day(26, [1_200, 1_440]),
    day(27, [0, 120], [600, 1_440]),
    day(28),
  ];
  assert.deepEqual(of({ periods, specialDays }), { weekly, dated });
  assert.deepEqual(of({ periods }), { weekly, dated: dated.slice(0, 4) });
  const open_always = { periods: [{ open: point(0, 0) }] };
  const special = ofGoogle({
    regularOpeningHours: open_always,
    currentOpeningHours: { openNow: true, periods, specialDays },
  });
  assert.equal(special?.weekly?.length, 7);
  assert.deepEqual(special?.dated, dated);
  for (const broken of [
    { open: at(4, 8, 25), close: at(4, 14, 25) },
    { open: at(4, 8, 24) },
    { open: { ...at(4, 8, 24), date: null }, close: at(4, 14, 24) },
    { open: at(4, 14, 24), close: at(4, 8, 24) },
    { open: at(5, 8, 4), close: at(5, 9, 4) },
  ]) {
    const current = { periods: [...periods, broken] };
    assert.deepEqual(of(current), { weekly }, JSON.stringify(broken));
    assert.deepEqual(of({ ...current, specialDays }), {});
  }
});

test("OCPI: a day without periods is closed, midnight ends a day, exceptions are spans", () => {
  const day = (weekday: number, period_begin: string, period_end: string) => ({
    ...{ weekday, period_begin, period_end },
  });
  assert.deepEqual(
    ofOcpi({ regular_hours: [day(1, "08:00", "20:00"), day(7, "22:00", "00:00")] }),
    {
      weekly: [
        { day: 0, from_min: 480, to_min: 1_200 },
        { day: 6, from_min: 1_320, to_min: 1_440 },
      ],
    },
  );
  assert.deepEqual(ofOcpi({ twentyfourseven: true, regular_hours: [] }), always);
  for (const broken of [day(8, "08:00", "20:00"), day(1, "8h", "20h"), {}, null])
    assert.deepEqual(ofOcpi({ regular_hours: [day(1, "08:00", "20:00"), broken] }), {});
  assert.equal(ofOcpi({ twentyfourseven: false }), null);
  assert.equal(ofOcpi(null), null);
  const [period_begin, period_end] = ["2026-12-25T00:00:00Z", "2026-12-26T00:00:00Z"];
  const span = { from_ms: Date.parse(period_begin), until_ms: Date.parse(period_end) };
  assert.deepEqual(
    ofOcpi({
      twentyfourseven: true,
      exceptional_openings: [{ period_begin, period_end }],
      exceptional_closings: [{ period_begin, period_end }],
    }),
    {
      ...always,
      exceptions: [
        { state: "closed", ...span },
        { state: "open", ...span },
      ],
    },
  );
  assert.deepEqual(ofOcpi({ twentyfourseven: true, exceptional_closings: [{ period_begin }] }), {});
});

/** The whole of Monday, as formats write it that cannot say 24:00, or that can and do not. */
const MONDAYS: readonly [what: string, opening: Opening | null][] = [
  ["OCPI 23:59", ofOcpi(monday("00:00", "23:59"))],
  ["OCPI 23:59:59", ofOcpi(monday("00:00:00", "23:59:59"))],
  ["OCPI 24:00", ofOcpi(monday("00:00", "24:00"))],
  ["OCPI 24:00:00", ofOcpi(monday("00:00:00", "24:00:00"))],
  ["OCPI 00:00", ofOcpi(monday("00:00", "00:00"))],
  ["InPost 23:59", ofInPost({ operating_hours_extended: extended({ start: 0, end: 1_439 }) })],
  ["InPost 24:00", ofInPost({ operating_hours_extended: extended({ start: 0, end: 1_440 }) })],
  [
    "Google 23:59",
    ofGoogle({
      regularOpeningHours: { periods: [{ open: point(1, 0), close: point(1, 23, 59) }] },
    }),
  ],
  [
    "Google 0:00 of the next day",
    ofGoogle({ regularOpeningHours: { periods: [{ open: point(1, 0), close: point(2, 0) }] } }),
  ],
];

function monday(period_begin: string, period_end: string) {
  return { regular_hours: [{ weekday: 1, period_begin, period_end }] };
}

function extended(period: object) {
  const days = ["tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  return { customer: { monday: [period], ...Object.fromEntries(days.map((day) => [day, []])) } };
}

for (const [what, opening] of MONDAYS)
  test(`a whole day is the whole day to its last second: ${what}`, () => {
    assert.deepEqual(opening, { weekly: [{ day: 0, from_min: 0, to_min: 1_440 }] });
  });

test("a whole week to the last minute has no gap, so that holidays do not matter", () => {
  const week = Array.from({ length: 7 }, (_, i) => ({
    ...{ weekday: i + 1, period_begin: "00:00", period_end: "23:59" },
  }));
  const { weekly } = ofOcpi({ regular_hours: week })!;
  const place = { lat: 52.5, lon: 13.4, time_zone: "Europe/Berlin", country: "DE" };
  for (const at of ["2026-11-23T22:59:30Z", "2026-12-25T22:59:59Z", "2026-12-25T12:00:00Z"]) {
    const { state } = evaluateHours(
      weeklyHours(weekly!),
      Date.parse(at),
      place,
      createHoursMemory(),
    );
    assert.equal(state, "open", at);
  }
});

test("OCPI: the last minute and second of an exception are in it; dates of Google likewise", () => {
  const ends = ["2026-12-25T22:59:00Z", "2026-12-25T22:59:59Z", "2026-12-25T23:00:00Z"];
  for (const period_end of ends) {
    const closing = { period_begin: "2026-12-24T23:00:00Z", period_end };
    const { exceptions } = ofOcpi({ twentyfourseven: true, exceptional_closings: [closing] })!;
    assert.equal(exceptions![0]!.until_ms, Date.parse("2026-12-25T23:00:00Z"), period_end);
  }
  // In India and in Nepal.
  for (const [period_end, until] of [
    ["2026-12-25T18:29:59Z", "2026-12-25T18:30:00Z"],
    ["2026-12-25T18:14:00Z", "2026-12-25T18:15:00Z"],
    ["2026-12-25T18:10:00Z", "2026-12-25T18:10:00Z"],
  ] as const) {
    const closing = { period_begin: "2026-12-24T18:30:00Z", period_end };
    const { exceptions } = ofOcpi({ twentyfourseven: true, exceptional_closings: [closing] })!;
    assert.equal(exceptions![0]!.until_ms, Date.parse(until), period_end);
  }
  const date = { year: 2026, month: 12, day: 24 };
  const periods = [{ open: { ...point(4, 0), date }, close: { ...point(4, 23, 59), date } }];
  const { dated } = ofGoogle({
    regularOpeningHours: { periods: [{ open: point(1, 8), close: point(1, 20) }] },
    currentOpeningHours: { periods },
  })!;
  assert.deepEqual(dated![0]!.periods, [{ from_min: 0, to_min: 1_440 }]);
});

test("InPost: a whole week as periods; a day of which nothing is said leaves it unread", () => {
  assert.deepEqual(ofInPost({ opening_hours: "24/7" }), always);
  const days = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
  const week = days.map((day) => `${day}|06:00-22:00|-`).join(";");
  const weekly = days.map((_, day) => ({ day, from_min: 360, to_min: 1_320 }));
  assert.deepEqual(ofInPost({ opening_hours: week }), { weekly });
  const nightly = days.map((day) => `${day}|22:00-02:00|-`).join(";");
  assert.equal(ofInPost({ opening_hours: nightly })?.weekly?.length, 14);
  assert.deepEqual(ofInPost({ opening_hours: "MON|06:00-22:00|-" }), {});
  assert.deepEqual(ofInPost({ opening_hours: "by the shop" }), { text: "by the shop" });
  assert.deepEqual(ofInPost({ location_247: true }), always);
  assert.equal(ofInPost({ location_247: false }), null);
  assert.equal(ofInPost({}), null);
});

test("GéoDAE: whole days are hours; its words for parts of a day, and a note, are not", () => {
  const row = (c_disp_j: unknown, c_disp_h: unknown, c_disp_complt: unknown = null) =>
    openingOf({ c_disp_j, c_disp_h, c_disp_complt });
  assert.deepEqual(row("{7j/7}", "{24h/24}"), always);
  assert.deepEqual(row("{lundi,dimanche}", "{24h/24}"), {
    weekly: [
      { day: 0, from_min: 0, to_min: 1_440 },
      { day: 6, from_min: 0, to_min: 1_440 },
    ],
  });
  for (const [days, hours, note] of [
    ["{7j/7}", "{heures ouvrables}", null],
    ["{7j/7}", "{24h/24}", "sauf en août"],
    ["{lundi,événements}", "{24h/24}", null],
    ["{lundi}", null, null],
    [null, "{24h/24}", null],
  ])
    assert.deepEqual(row(days, hours, note), {}, `${days} ${hours} ${note}`);
  assert.equal(row(null, "{non renseigné}"), null);
});

test("any JSON is an opening of whole periods, or none", () => {
  const names = ["periods", "open", "close", "day", "hour", "minute", "weekday", "regular_hours"];
  const more = ["period_begin", "opening_hours", "regularOpeningHours", "c_disp_j", "openNow"];
  const json = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(0, 1, 7, -1, 1e9, NaN, null, true, "08:00", "24:00", "MON|1:00-2:00", "{"),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, ...more), tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  const row = fc.dictionary(fc.constantFrom(...names, ...more), json, { maxKeys: 5 });
  fc.assert(
    fc.property(row, (input) => {
      for (const read of [ofGoogle, ofOcpi, ofInPost, openingOf])
        for (const { day, from_min, to_min } of read(input)?.weekly ?? []) {
          assert.ok(Number.isInteger(day) && day >= 0 && day <= 6);
          assert.ok(from_min >= 0 && from_min < to_min && to_min <= 1_440);
        }
    }),
  );
});
