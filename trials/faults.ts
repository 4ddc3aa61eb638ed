/**
 * Every fault of the simulator on every GBFS file, on every provider of places and on every source of
 * the legacy routes, and every hostile feed, against the running service: the tables of docs/lab/faults.md.
 * `[feeds|places|legacy|hostile] [FAULT…]`.
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

export async function run(args: readonly string[]): Promise<number> {
  const entries: readonly string[] = [...Object.keys(MATRICES), ...FAULT_NAMES];
  const unknown = args.find((name) => !entries.includes(name));
  if (unknown !== undefined)
    throw new Error(`no such fault or matrix ${unknown}; known are ${entries.join(", ")}`);
  /** Those that were named; all where none was. */
  const choose = <N extends string>(all: readonly N[]): readonly N[] => {
    const names = all.filter((name) => args.includes(name));
    return names.length === 0 ? all : names;
  };
  let findings = 0;
  for (const matrix of choose(Object.keys(MATRICES) as Matrix[])) {
    console.log(`## ${matrix}\n`);
    const { cells, problems, slowest_ms } = await MATRICES[matrix](choose(FAULT_NAMES));
    console.log(`\n${cells} cells, ${problems.length} not as decided.`);
    console.log(`The slowest answer took ${Math.round(slowest_ms)} ms.\n`);
    for (const problem of problems) console.log(`✖ ${problem}`);
    findings += problems.length;
  }
  return findings;
}
