/**
 * A system and its own copy under other ids, the coordinates rounded as sources round them: every
 * dock is found again, and every pair of candidates is found that comparing all with all finds.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createRng } from "../../../../bench/world.ts";
import { readText } from "../../../../trials/scorecard/captures.ts";
import { contextOf, findCandidates } from "../../identity/pair-candidates.ts";
import { resolveObservations } from "../../identity/match-stations.ts";
import type { Feed, Observation } from "../../identity/observed-station.ts";
import { prepare, separation_m } from "../../identity/prepare.ts";
import { scorePair } from "../../identity/score.ts";
import { TUNING } from "../../identity/weights.ts";
import { feedOf, observe } from "./world.ts";

const FEEDS: readonly Feed[] = [
  feedOf("gbfs:hub", "gbfs", ["Hubway"]),
  feedOf("citybikes:hub", "citybikes", ["Hubway"]),
];
const DIGITS = [4, 5, 6, 7, 8];
const NO_RULES = { always: [], never: [] };
const REAL = process.env["VICINITY_PAIRS"] ?? "../shared/data/pairs";

type Dock = Pick<Observation, "name" | "lat" | "lon">;

/** No keys in common: place and name alone must do. */
function withCopy(docks: readonly Dock[], digits: number): Observation[] {
  const round = (degrees: number): number => Number(degrees.toFixed(digits));
  return [
    ...docks.map((dock, i) => observe(0, `own-${i}`, {}, dock)),
    ...docks.map(({ name, lat, lon }, i) =>
      observe(1, `copy-${i}`, {}, { name, lat: round(lat), lon: round(lon) }),
    ),
  ];
}

function countFoundAgain(docks: readonly Dock[], digits: number): number {
  const { clusters } = resolveObservations(FEEDS, withCopy(docks, digits));
  return clusters.filter(({ members: [a, b] }) => b === a! + docks.length).length;
}

/** 1,507 docks of a city with crossings, at coordinates of full precision. */
function makeSystem(): Dock[] {
  const random = createRng(18);
  return Array.from({ length: 1_507 }, (_, i) => {
    const [row, column] = [Math.floor(i / 39), i % 39];
    return {
      name: `Street ${row} at Avenue ${column}`,
      lat: 48.8 + (row * 180 + random() * 90) / 111_195,
      lon: 2.2 + (column * 180 + random() * 90) / (111_195 * Math.cos(0.8517)),
    };
  });
}

for (const digits of DIGITS)
  test(`1,507 of 1,507 docks are found again at ${digits} digits`, () => {
    assert.equal(countFoundAgain(makeSystem(), digits), 1_507);
  });

/** Pairs with the sum of their weights, by comparing all with all. */
function allCandidates(observations: readonly Observation[]): string[] {
  const prepared = prepare(FEEDS, observations, TUNING);
  const { keys } = findCandidates(prepared, NO_RULES);
  const matches: string[] = [];
  for (const a of prepared.rows[0]!)
    for (const b of prepared.rows[1]!) {
      const distance_m = separation_m(prepared, a, b);
      if (distance_m > TUNING.diameter_m) continue;
      const pair = contextOf(prepared, { keys }, a, b, distance_m);
      if (scorePair(prepared, a, b, pair) >= TUNING.candidate) matches.push(`${a}~${b}`);
    }
  return matches.sort();
}

function foundCandidates(observations: readonly Observation[]): string[] {
  const { a, b, crowded } = findCandidates(prepare(FEEDS, observations, TUNING), NO_RULES);
  assert.equal(crowded.size, 0);
  return a.map((row, i) => [row, b[i]!].sort((x, y) => x - y).join("~")).sort();
}

test("the candidates of a generated system are all there are", () => {
  const docks = makeSystem().slice(0, 400);
  for (const digits of DIGITS) {
    const observations = withCopy(docks, digits);
    const match = foundCandidates(observations);
    assert.ok(match.length >= docks.length);
    assert.deepEqual(match, allCandidates(observations));
  }
});

/** Captured systems; `twice`: docks that share name and place with another one. */
const CAPTURED = [
  { file: "renumbered-chicago-2019-2025/b.station_information-2025.json.gz", twice: 2 },
  { file: "renumbered-san-francisco-2018-2023/b.station_information-2023.json.gz", twice: 0 },
  { file: "citybikes-boston-2017/c.station_information-2019-11.json.gz", twice: 0 },
];

for (const { file, twice } of CAPTURED) {
  const path = join(REAL, file);
  const skip = existsSync(path) ? false : `!!! SKIPPED: no ${path}`;
  test(`${file}: every dock is found again, and every candidate`, { skip }, () => {
    const { data } = JSON.parse(readText(path)) as { data: { stations: Dock[] } };
    for (const digits of DIGITS) {
      assert.equal(countFoundAgain(data.stations, digits), data.stations.length - twice);
      const observations = withCopy(data.stations, digits);
      assert.deepEqual(foundCandidates(observations), allCandidates(observations));
    }
  });
}
