/** From a series to now and to every third hour. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { getCondition } from "#core/weather/conditions.ts";
import {
  type Moment,
  type Outlook,
  type Span,
  toCurrent,
  toForecast,
} from "#core/weather/outlook.ts";

const HOUR = 3_600;
/** 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 21, 12) / 1000;

const moment = (hour: number, change: Partial<Moment> = {}): Moment => ({
  at_s: NOON + hour * HOUR,
  temp_c: hour,
  feels_like_c: null,
  pressure_hpa: 1000 + hour,
  sea_level_hpa: null,
  ground_level_hpa: null,
  humidity_percent: 50,
  visibility_m: null,
  wind_ms: 5,
  gust_ms: null,
  wind_deg: 350,
  clouds_percent: 10,
  conditions: [getCondition(500, false)],
  ...change,
});
const span = (from: number, to: number, rain_mm: number, pop: number | null = null): Span => ({
  from_s: NOON + from * HOUR,
  to_s: NOON + to * HOUR,
  rain_mm,
  snow_mm: 0,
  pop,
});
const hourly = (from: number, to: number): Moment[] =>
  Array.from({ length: to - from + 1 }, (_, index) => moment(from + index));

test("now is the last moment not after it, with the hours around it and what falls then", () => {
  const spans = [span(-1, 0, 9), span(0, 1, 0.4), span(1, 2, 7)];
  const current = toCurrent({ moments: hourly(-3, 6), spans }, NOON + 1_200)!;
  const { at_s, temp_min_c, temp_max_c, rain, snow } = current.reading;
  assert.deepEqual([at_s, temp_min_c, temp_max_c], [NOON, -1, 1]);
  assert.deepEqual([rain, snow], [{ "1h": 0.4 }, { "1h": 0 }]);
  assert.equal(current.base, "model");
});

test("a series that begins a little later is now; one of other days is nothing", () => {
  assert.equal(toCurrent({ moments: hourly(1, 3), spans: [] }, NOON)?.reading.at_s, NOON + HOUR);
  assert.equal(toCurrent({ moments: hourly(2, 3), spans: [] }, NOON), null);
  assert.equal(toCurrent({ moments: hourly(-9, -2), spans: [] }, NOON), null);
  assert.equal(toCurrent({ moments: [], spans: [] }, NOON), null);
});

test("rain of six hours gives each hour its share; unknown is not dry", () => {
  const six = toCurrent({ moments: hourly(0, 1), spans: [span(0, 6, 6)] }, NOON)!;
  assert.deepEqual(six.reading.rain, { "1h": 1 });
  assert.equal(
    toCurrent({ moments: hourly(0, 1), spans: [span(1, 2, 6)] }, NOON)!.reading.rain,
    null,
  );
});

test("forty steps at three, six, nine…, the first after now", () => {
  const { steps } = toForecast({ moments: hourly(-3, 150), spans: [] }, NOON + 60);
  assert.deepEqual(
    steps.map(({ at_s }) => (at_s - NOON) / HOUR),
    Array.from({ length: 40 }, (_, index) => 3 + index * 3),
  );
  const exact = toForecast({ moments: hourly(-3, 150), spans: [] }, NOON).steps[0]!;
  assert.equal(exact.at_s, NOON + 3 * HOUR);
  assert.deepEqual([exact.temp_min_c, exact.temp_max_c], [0, 3]);
  // What the series does not reach is not there.
  const short = toForecast({ moments: hourly(0, 10), spans: [] }, NOON);
  assert.equal(short.steps.length, 3);
});

test("a step has the rain of the three hours before it, if all of it is known", () => {
  const spans = [
    span(0, 1, 1, 0.2),
    span(1, 2, 0.5, 0.7),
    span(2, 3, 0, null),
    span(3, 10, 3.5, 0.1),
  ];
  const { steps } = toForecast({ moments: hourly(0, 12), spans }, NOON);
  assert.deepEqual(
    steps.map(({ rain, pop }) => [rain, pop]),
    [
      [{ "3h": 1.5 }, 0.7],
      [{ "3h": 1.5 }, 0.1],
      [{ "3h": 1.5 }, 0.1],
      // Of the last three hours one is known.
      [null, 0.1],
    ],
  );
});

test("between six hours values are on a line, the wind turns the shorter way, the sun decides", () => {
  const moments = [
    moment(0),
    moment(6, { temp_c: 6, wind_deg: 30, gust_ms: 9, humidity_percent: null }),
  ];
  const [step] = toForecast({ moments, spans: [] }, NOON).steps;
  assert.deepEqual(
    [step!.temp_c, step!.pressure_hpa, step!.wind_deg, step!.gust_ms, step!.humidity_percent],
    [3, 1003, 10, null, null],
  );
  assert.deepEqual(step!.conditions, [getCondition(500, null)]);
  const [, exact] = toForecast({ moments, spans: [] }, NOON).steps;
  assert.equal(exact!.conditions[0]!.night, false);
  const apart: Outlook = { moments: [moment(0), moment(7)], spans: [] };
  assert.deepEqual(toForecast(apart, NOON).steps, []);
});

test("any series: in order, each third hour once, nothing beyond what was given", () => {
  const anyMoment = fc.record({
    hour: fc.integer({ min: -30, max: 140 }),
    temp_c: fc.double({ min: -60, max: 50, noNaN: true }),
    wind_deg: fc.option(fc.double({ min: 0, max: 360, noNaN: true })),
  });
  const anySeries = fc.uniqueArray(anyMoment, { selector: ({ hour }) => hour, maxLength: 60 });
  let steps = 0;
  fc.assert(
    fc.property(anySeries, fc.integer({ min: 0, max: 10_800 }), (rows, later_s) => {
      const moments = rows
        .toSorted((a, b) => a.hour - b.hour)
        .map(({ hour, ...rest }) => moment(hour, rest));
      const forecast = toForecast({ moments, spans: [] }, NOON + later_s);
      const temps = moments.map(({ temp_c }) => temp_c);
      let last_s = NOON + later_s;
      for (const step of forecast.steps) {
        assert.ok(step.at_s > last_s && step.at_s % (3 * HOUR) === 0);
        last_s = step.at_s;
        assert.ok(step.temp_c >= Math.min(...temps) - 1e-9);
        assert.ok(step.temp_c <= Math.max(...temps) + 1e-9);
        assert.ok(step.temp_min_c! <= step.temp_c && step.temp_c <= step.temp_max_c!);
        if (step.wind_deg !== null) assert.ok(step.wind_deg >= 0 && step.wind_deg <= 360);
        steps++;
      }
      const current = toCurrent({ moments, spans: [] }, NOON + later_s);
      if (current) assert.ok(Math.abs(current.reading.at_s - NOON - later_s) <= 1.5 * HOUR);
    }),
    { numRuns: 300 },
  );
  assert.ok(steps > 300, `${steps} steps`);
});
