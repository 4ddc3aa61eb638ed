/**
 * How well car parks and charging stations of several sources are recognised, and what it costs:
 * made towns with a known truth, then captured files where they are present
 * (`npm run bench -- places-identity [--sites 4000] [--seeds 8] [--rounds 200] [--show 12]`).
 */
import { toEnd } from "#kit/steps.ts";
import { type MergedPlace, mergePlaces } from "#core/places/merge-places.ts";
import { observerOf } from "#core/places/merged-facts.ts";
import type { Place } from "#core/places/place.ts";
import { distance_m } from "#kit/geo.ts";
import { createChargingWorld, type TrueWorld } from "../test/support/charging-world.ts";
import { HERE, moved } from "../test/support/domain.ts";
import { compareWithTruth, precisionOf, recallOf } from "../test/support/facility-truth.ts";
import { createParkingWorld } from "../test/support/parking-world.ts";
import { readArguments } from "../trials/arguments.ts";
import { readCapturedChargers } from "./captured-chargers.ts";

const { sites, seeds, rounds, show } = readArguments(process.argv.slice(2), {
  sites: 4_000,
  seeds: 8,
  rounds: 200,
  show: 12,
});

const WARM_UP = 30;

reportTruth("charging stations: map x register x OCPI", createChargingWorld);
reportTruth("car parks: map x city x maps provider", createParkingWorld);
reportCost("60 x 60 x 60 charging stations", createChargingWorld);
reportCost("60 x 60 x 60 car parks", createParkingWorld);
reportCaptured();

function reportTruth(name: string, make: (seed: number, sites: number) => TrueWorld): void {
  const all = { made: 0, right: 0, wanted: 0, kept: 0 };
  let [places, worst_precision, worst_recall] = [0, 1, 1];
  for (let seed = 1; seed <= seeds; seed++) {
    const world = make(seed, sites);
    const agreement = compareWithTruth(world, toEnd(mergePlaces(world.sources, Infinity))!);
    for (const count of ["made", "right", "wanted", "kept"] as const)
      all[count] += agreement[count];
    places += world.sources.flat().length;
    worst_precision = Math.min(worst_precision, precisionOf(agreement));
    worst_recall = Math.min(worst_recall, recallOf(agreement));
  }
  const [precision, recall] = [all.right / all.made, all.kept / all.wanted];
  console.log(
    `${name}, ${seeds} towns, ${places} places: precision ${precision.toFixed(4)} (worst ${worst_precision.toFixed(4)}, ` +
      `${all.made} pairs made), recall ${recall.toFixed(4)} (worst ${worst_recall.toFixed(4)}, ${all.wanted} true pairs)`,
  );
}

/** Processor time of one merge, as a question does it; the places lie evenly over squares. */
function reportCost(name: string, make: (seed: number, sites: number) => TrueWorld): void {
  for (const side_m of [1_500, 500]) {
    const sources = make(1, 400).sources.map((places) =>
      places.slice(0, 60).map((place, i) => ({
        ...place,
        ...moved(HERE, ((i * 7) % 8) * (side_m / 8), ((i * 3) % 9) * (side_m / 9)),
      })),
    );
    for (let round = 0; round < WARM_UP; round++) toEnd(mergePlaces(sources, 30_000));
    const begun = process.cpuUsage();
    for (let round = 0; round < rounds; round++) toEnd(mergePlaces(sources, 30_000));
    const { user, system } = process.cpuUsage(begun);
    const cpu_ms = (user + system) / 1_000 / rounds;
    console.log(`${name} on ${side_m} m: ${cpu_ms.toFixed(2)} ms of processor time`);
  }
}

function reportCaptured(): void {
  const sources = readCapturedChargers();
  if (sources.size < 2)
    return console.log("captured files: SKIPPED, ../shared/data/charging is not there");
  const merged = toEnd(mergePlaces([...sources.values()], Infinity))!;
  const several = merged.filter(({ others }) => others.length > 0);
  const pairs = new Map<string, number>();
  for (const { lead, others } of several)
    for (const name of new Set(others.map((other) => `${observerOf(lead)} x ${observerOf(other)}`)))
      pairs.set(name, (pairs.get(name) ?? 0) + 1);
  const sizes = [...sources].map(([name, places]) => `${name} ${places.length}`);
  console.log(`captured: ${sizes.join(", ")}; ${several.length} stations are seen by several`);
  for (const [name, count] of pairs) console.log(`  ${name}: ${count}`);
  console.log(`  ${countNear([...sources.values()], 30)} pairs of two sources lie within 30 m`);
  const step = Math.max(1, Math.floor(several.length / show));
  for (let i = 0; i < several.length; i += step) describe(several[i]!);
}

function countNear(sources: readonly (readonly Place[])[], metres: number): number {
  let near = 0;
  sources.forEach((places, i) => {
    for (const others of sources.slice(i + 1))
      for (const a of places)
        for (const b of others)
          if (Math.abs(a.lat - b.lat) < 0.001 && distance_m(a.lat, a.lon, b.lat, b.lon) <= metres)
            near++;
  });
  return near;
}

function describe({ lead, others }: MergedPlace): void {
  for (const place of [lead, ...others]) {
    const { name, attributes, address, external_id } = place;
    const metres = Math.round(distance_m(lead.lat, lead.lon, place.lat, place.lon));
    const facts = [attributes["operator"] ?? null, name, address?.street ?? null, `${metres} m`];
    console.log(`  ${observerOf(place)} ${external_id}: ${JSON.stringify(facts)}`);
  }
  console.log("");
}
