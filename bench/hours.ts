/**
 * `node bench/hours.ts [--rounds 9]`: microseconds that one evaluation of hours takes which were
 * parsed before, over values of usual shapes and moments of two years.
 */
import { parseArgs } from "node:util";
import { createHoursMemory, evaluateHours, parseHours } from "#core/hours/hours.ts";

const VALUES = ["24/7", "Mo-Fr 08:00-18:00", "Mo-Fr 08:00-18:00; Sa 10:00-14:00"];
const PLACE = { lat: 52.52, lon: 13.4, time_zone: "Europe/Berlin", country: "DE" };
const BEGIN_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 7_919_000;
const TIMES = 8_000;

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const memory = createHoursMemory();
for (const value of VALUES) {
  const hours = parseHours(value)!;
  let least_us = Infinity;
  let open = 0;
  for (let round = 0; round < Number(options.rounds); round++) {
    const begun_ms = performance.now();
    for (let i = 0; i < TIMES; i++)
      if (evaluateHours(hours, BEGIN_MS + i * STEP_MS, PLACE, memory).state === "open") open += 1;
    least_us = Math.min(least_us, ((performance.now() - begun_ms) * 1_000) / TIMES);
  }
  console.log(`${least_us.toFixed(2)} us  ${value}  (${open} times open)`);
}
