/**
 * `npm run faults [-- feeds|places|legacy|hostile] [NAME…]`: every fault of the simulator on every
 * GBFS file, on every provider of places, and on every source of the routes of old, and every hostile
 * feed of the trial, against the running service, as the tables of docs/faults.md. Exits with 1 when a cell is not as decided.
 */
import { FAULTS } from "../test/integration/service/place-fault-lanes.ts";
import { runFeeds } from "./faults/feeds.ts";
import { runHostile } from "./faults/hostile.ts";
import { runLegacy } from "./faults/legacy.ts";
import { runPlaces } from "./faults/places.ts";

const MATRICES = {
  feeds: runFeeds,
  places: runPlaces,
  legacy: runLegacy,
  hostile: runHostile,
} as const;
type Matrix = keyof typeof MATRICES;
/** All matrices have the same. */
const FAULT_NAMES = Object.keys(FAULTS);

const wanted = process.argv.slice(2);
const known: readonly string[] = [...Object.keys(MATRICES), ...FAULT_NAMES];
const strange = wanted.find((name) => !known.includes(name));
if (strange !== undefined) {
  console.error(`no such fault or matrix ${strange}; known are ${known.join(", ")}`);
  process.exit(2);
}

const matrices = choose(Object.keys(MATRICES) as Matrix[]);
const faults = choose(FAULT_NAMES);
process.exitCode = 0;
for (const matrix of matrices) {
  console.log(`## ${matrix}\n`);
  const { cells, problems, slowest_ms } = await MATRICES[matrix](faults);
  console.log(`\n${cells} cells, ${problems.length} not as decided.`);
  console.log(`The slowest answer took ${Math.round(slowest_ms)} ms.\n`);
  for (const problem of problems) console.log(`✖ ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Those that were named; all where none was. */
function choose<N extends string>(all: readonly N[]): readonly N[] {
  const named = all.filter((name) => wanted.includes(name));
  return named.length === 0 ? all : named;
}
