/**
 * `npm run bench -- hours [--rounds 7]`: microseconds that one evaluation of hours takes which were parsed
 * before, its next change included: over the values of the unit test, at a place whose holidays are
 * known. Moments are a second apart, as answers are, and eight hours apart, so that every one is in
 * another part of a day. Also the time of reading a value, and of compiling structured periods.
 */
import { readArguments } from "../trials/arguments.ts";
import {
  createHoursMemory,
  evaluateHours,
  type Hours,
  parseHours,
  weeklyHours,
} from "#hours/index.ts";
import { CASES } from "#hours/test/cases.ts";

const PLACE = { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE" };
const BEGIN_MS = Date.UTC(2026, 0, 1);
const STEPS_MS = { "a second": 1_000, "eight hours": 28_919_000 };
const TIMES = 2_000;

const { rounds } = readArguments(process.argv.slice(2), { rounds: 7 });
const memory = createHoursMemory();
const WEEK = ([0, 1, 2, 3, 4, 5, 6] as const).map((day) => ({ day, from_min: 480, to_min: 1_200 }));
const texts = [...new Set(CASES.map(([text]) => text))];
/** Counted, so that no evaluation is left out. */
let open = 0;

function leastOf_us(work: () => void, times: number): number {
  let least_us = Infinity;
  for (let round = 0; round < rounds; round++) {
    const begun_ms = performance.now();
    work();
    least_us = Math.min(least_us, ((performance.now() - begun_ms) * 1_000) / times);
  }
  return least_us;
}

function evaluate(hours: Hours, step_ms: number): void {
  for (let i = 0; i < TIMES; i++)
    if (evaluateHours(hours, BEGIN_MS + i * step_ms, PLACE, memory).state === "open") open += 1;
}

for (const [name, step_ms] of Object.entries(STEPS_MS)) {
  const costs = texts
    .map((text) => {
      const hours = parseHours(text)!;
      return { text, us: leastOf_us(() => evaluate(hours, step_ms), TIMES) };
    })
    .sort((a, b) => a.us - b.us);
  const at = (share: number): string =>
    costs[Math.floor(share * (costs.length - 1))]!.us.toFixed(2);
  const worst = costs.at(-1)!.text;
  console.log(
    `moments ${name} apart: median ${at(0.5)} us, 90 % ${at(0.9)} us, most ${at(1)} us (${worst})`,
  );
}
const reading_us = leastOf_us(() => texts.forEach((text) => parseHours(text)), texts.length);
console.log(`reading a value: ${reading_us.toFixed(2)} us`);
const compiling_us = leastOf_us(() => texts.forEach(() => weeklyHours(WEEK)), texts.length);
console.log(`compiling seven periods: ${compiling_us.toFixed(2)} us`);
console.log(`${texts.length} values, ${TIMES} moments each, ${open} times open`);
