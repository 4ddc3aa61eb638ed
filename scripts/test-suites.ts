/** The suites of tests (scripts/test.ts): which files each has, and how their processes are divided. */
import { globSync } from "node:fs";

export type Suite = {
  name: string;
  files: readonly string[];
  without?: readonly string[];
  isolation: "none" | "process";
  /** Tests that it has at least, those of skipped groups included: fewer have been lost. */
  floor: number;
};

/** About half of the unit tests, so that neither half is left alone at the end. */
const CORE = "{test/unit/{contract,core,providers,sandbox,world},packages/*/test}/**/*.test.ts";

/** These get a process each. */
const APART = [
  // Pure, but with so much garbage that collecting it in the large heap of all others is most of the work.
  "packages/osm-base/test/tiles/tile.test.ts",
  "test/unit/feeds/fleet*.test.ts",
  "packages/osm-base/test/reader/hostile.test.ts",
  "test/unit/world/render.test.ts",
  // They count what is open in their process, or its memory.
  "test/integration/service/fault-lanes.test.ts",
  "test/unit/upstream/bases/page-memory.test.ts",
  "test/integration/run.test.ts",
  // They wait for other programs, or for connections to time out.
  "test/integration/{client-package,commands,http-socket}.test.ts",
  "trials/throws/*.test.ts",
  "test/integration/service/terminal.test.ts",
];

/**
 * What takes long and rarely finds what the other suites miss: the trial `long`, which CI runs after
 * `npm test`. A test of a rule belongs into the other suites; those here repeat it at scale, over
 * recorded data, with databases and several processes, or by kills and restarts.
 */
const LONG = [
  // What is judged by programs that npm ci does not install (trials/judges).
  "test/judged/*.test.ts",
  // Recorded data and other programs, compared whole.
  "test/integration/{*-real,*-captured,captured-*}.test.ts",
  "test/integration/service/{gbfs-import,gbfs-oracle}.test.ts",
  "test/integration/{gazetteer,open-base-judge}.test.ts",
  "trials/{crash-states,scorecard}/*.test.ts",
  "test/unit/lookup/foreign-towns.test.ts",
  "packages/{osm-base/test/{paged/import-real,reader/split/hostile,tiles/extract},transit/test/gtfs-rt/recorded}.test.ts",
  // Imports whole, damaged at every place, and cut into pages: others have each fault and page once.
  "packages/osm-base/test/{reader/hostile,paged/import,tiles/pages}.test.ts",
  "test/unit/feeds/fleet-chaos.test.ts",
  "test/integration/service/mcp-{place,plan,walk,world}.test.ts",
  // Every page and fault of the browser; pages.test.ts has each page once.
  "test/browser/{ages,agent-map,board,controls,detail,docs,element,element-uses,embed,explorer,foot,hostile,live,map,offline,own,page,search,snippets,states,status,stopwatch}.test.ts",
  // Fault matrices; fault-lanes.test.ts has each lane once.
  "test/integration/service/{faults,departures-faults}.test.ts",
  "test/integration/service/{capability-failures,messages,transport-feeds}.test.ts",
  // The simulator's truth at many places and times, generated requests, and planted mistakes.
  "test/integration/service/{base,departures,places,platforms,transport,walk}-truth.test.ts",
  "test/integration/service/{departures-day,departures-remote,photon,water}.test.ts",
  "trials/{backup,hostile,isolation,requests,walking-truth}/*.test.ts",
  "test/integration/contributing/*.test.ts",
  "test/unit/{new-provider,upstream/large-bombs}.test.ts",
  // Every regular expression against attacks made from it, and the package as npm installs it.
  "test/regexes.test.ts",
  "test/integration/package.test.ts",
  // The simulator itself in full: other suites compare what the service says with it.
  "test/unit/sandbox/{transit-*,truth,registries,geocoders,openbase,lockers-chargers}.test.ts",
  "test/unit/sandbox/{credible,feeds,google,overpass,services,sources,transit}.test.ts",
  // Several processes, kills, restarts and full disks.
  "test/integration/access/{canary,limits,replicas,rotation,workers}.test.ts",
  "test/integration/{base-import,unopened-bases}.test.ts",
  "test/integration/service/{balancer*,foreign-readers,hangup,process,replicas-differ,retries,renumbering,stores-away,succession}.test.ts",
  "test/incidents/a-{block-had,full-disk,restart-forgot,start-that}*.test.ts",
  "test/incidents/{anonymous-calls,long-queries,shed-series,shutdown-waited}*.test.ts",
  "test/incidents/{two-connections,units-counted}*.test.ts",
  // Stores of a fleet: PostgreSQL, Valkey or Redis.
  "test/conformance/{engines,postgres*,shared*}.test.ts",
];

/**
 * The files of a suite share one process (`none`), which saves two seconds of processor time for
 * each that starts a service, or they get one each (`process`). The order is that of running: the
 * longest first.
 */
export const SUITES: readonly Suite[] = [
  {
    name: "integration",
    files: ["test/integration/**/*.test.ts", "trials/*/*.test.ts"],
    without: [...APART, ...LONG],
    isolation: "none",
    floor: 430,
  },
  {
    name: "unit",
    files: ["test/unit/**/*.test.ts", "{trials,bench}/*/test/*.test.ts", "test/*.test.ts"],
    without: [...APART, ...LONG, CORE],
    isolation: "none",
    floor: 1_900,
  },
  { name: "core", files: [CORE], without: [...APART, ...LONG], isolation: "none", floor: 2_200 },
  { name: "apart", files: APART, without: LONG, isolation: "process", floor: 138 },
  {
    name: "browser",
    files: ["test/browser/**/*.test.ts"],
    without: LONG,
    isolation: "process",
    floor: 3,
  },
  {
    name: "conformance",
    files: ["test/conformance/**/*.test.ts"],
    without: LONG,
    isolation: "none",
    floor: 185,
  },
  {
    name: "incidents",
    files: ["test/incidents/**/*.test.ts"],
    without: LONG,
    isolation: "none",
    floor: 40,
  },
  { name: "long", files: LONG, isolation: "process", floor: 300 },
];

/** Paths from the root of the repository, which is the working folder. */
export function listFiles({ files, without = [] }: Suite): string[] {
  const left_out = new Set(without.flatMap((pattern) => globSync(pattern)));
  return files
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !left_out.has(file))
    .sort();
}
