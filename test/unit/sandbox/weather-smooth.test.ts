// The weather of the simulated world through a year: nothing jumps, and what is said together fits together.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { fallIn, HOUR_MS, type Weather, weatherAt } from "../../../sandbox/world/weather.ts";

const FROM_MS = Date.UTC(2026, 0, 1);
const HOURS = 366 * 24;

/** The most that a value may change within an hour. */
const MOST = {
  temp_c: 2,
  feels_c: 2.5,
  pressure_hpa: 2,
  humidity: 4,
  clouds: 7,
  wind_ms: 0.7,
  gust_ms: 1.1,
} as const satisfies Partial<Record<keyof Weather, number>>;
const MOST_WIND_DEG = 16;
const MOST_MM = 3.5;

for (const seed of [1, 7])
  for (const city of CITIES)
    test(`seed ${seed}, ${city.id}: nothing jumps, and what falls fits the clouds and the temperature`, () => {
      let [before, mm_before] = [weatherAt(seed, city, FROM_MS), 0];
      let wet = 0;
      for (let hour = 1; hour < HOURS; hour += 1) {
        const at_ms = FROM_MS + hour * HOUR_MS;
        const now = weatherAt(seed, city, at_ms);
        const fall = fallIn(seed, city, at_ms);
        const when = `${new Date(at_ms).toISOString()} ${JSON.stringify([before, now, fall])}`;
        for (const [member, most] of Object.entries(MOST) as [keyof typeof MOST, number][])
          assert.ok(Math.abs(now[member] - before[member]) <= most, `${member} ${when}`);
        const turned = Math.abs(now.wind_deg - before.wind_deg);
        assert.ok(Math.min(turned, 360 - turned) <= MOST_WIND_DEG, `wind_deg ${when}`);
        if (hour > 1) assert.ok(Math.abs(fall.mm - mm_before) <= MOST_MM, `mm ${when}`);
        check(now, fall, when);
        [before, mm_before] = [now, fall.mm];
        if (fall.mm > 0) wet += 1;
      }
      assert.ok(wet > 0.03 * HOURS && wet < 0.2 * HOURS, `${wet} hours with precipitation`);
    });

function check(
  { sky, temp_c, clouds, visibility_m }: Weather,
  fall: ReturnType<typeof fallIn>,
  when: string,
): void {
  assert.equal(fall.mm > 0, !["clouds", "fog"].includes(sky.kind), when);
  assert.equal(sky.kind === "fog", visibility_m < 1000 && fall.mm === 0, when);
  if (fall.mm === 0) return;
  assert.ok(clouds >= 70 && fall.percent >= 70, when);
  assert.equal(sky.kind === "snow", fall.snow && sky.kind !== "thunder", when);
  assert.ok(fall.snow ? temp_c < 2 : temp_c > -1, when);
}
