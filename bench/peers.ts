/**
 * npm run bench -- peers: operations of the service next to what people would use instead, in
 * alternating rounds of one run: /v1/nearby (peers/nearby.ts), addresses (peers/geocoding.ts),
 * departures (peers/departures.ts) and ways on foot (peers/walking.ts). What is not installed here is
 * left out, and named.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../trials/arguments.ts";
import { extractPath } from "../test/support/base.ts";
import { print } from "./children.ts";
import { compareDepartures } from "./peers/departures.ts";
import { compareGeocoding } from "./peers/geocoding.ts";
import { compareWalking } from "./peers/walking.ts";

const options = readArguments(process.argv.slice(2), {
  only: "nearby,geocoding,departures,walking",
  entities: 600_000,
  rounds: 5,
  seconds: 2,
  rate: 300,
  feeds: 100,
  calls: 200_000,
  questions: 600,
});

/** The extracts with the most addresses, and with the densest streets, of those next to the repository. */
const ADDRESSES = extractPath("queens-village-2016");
const STREETS = fileURLToPath(
  new URL("../../shared/data/walking/oslo-east-2019/oslo-east-2019.osm.pbf", import.meta.url),
);

const folder = mkdtempSync(join(tmpdir(), "peers-"));
const { rounds, questions } = options;
const SUBJECTS: Record<string, () => Promise<void>> = {
  nearby: runNearby,
  geocoding: () =>
    over(ADDRESSES, (extract) => compareGeocoding({ folder, extract, questions, rounds })),
  departures: () => compareDepartures({ folder, calls: options.calls, questions, rounds }),
  walking: () =>
    over(STREETS, (extract) =>
      compareWalking({ folder, extract, questions: Math.ceil(questions / 10), rounds }),
    ),
};

print(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
try {
  for (const name of options.only.split(",")) {
    const subject = SUBJECTS[name];
    if (subject === undefined)
      throw new Error(`--only: ${name} is none of ${Object.keys(SUBJECTS).join(", ")}`);
    await subject();
  }
} finally {
  rmSync(folder, { recursive: true });
}

function runNearby(): Promise<void> {
  const { entities, seconds, rate, feeds } = options;
  const args = Object.entries({ entities, rounds, seconds, rate, feeds }).flatMap(
    ([name, value]) => [`--${name}`, String(value)],
  );
  const script = join(import.meta.dirname, "peers/nearby.ts");
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
  if (status !== 0) throw new Error(`peers/nearby.ts ended with ${status}`);
  return Promise.resolve();
}

async function over(extract: string, compare: (extract: string) => Promise<void>): Promise<void> {
  if (existsSync(extract)) await compare(extract);
  else print("LEFT OUT: its extract is not next to the repository");
}
