/** The trials by name: what each shows, how long it takes and what it needs. */

/** What a machine or a checkout may lack. */
export type Need =
  | ("haproxy" | "PostgreSQL" | "Valkey or Redis" | "strace" | "Prometheus")
  | ("captured GBFS sets" | "extracts of OpenStreetMap" | "labelled pairs")
  | "captured registers"
  | ("captured GTFS feeds" | "Python with time zones" | "osmium")
  // Installed when they are needed (judges/install.ts).
  | "programs that judge";

/** A module `trials/NAME.ts`. */
export type Trial = {
  /** Takes the remaining arguments; resolves to the number of findings. */
  run: (args: readonly string[]) => Promise<number>;
};

export type TrialEntry = {
  shows: string;
  /** Options, as in a usage line. */
  options: string;
  /** Roughly, on two idle cores, with the usual options and in the short form. */
  takes: string;
  short_takes: string;
  /** Options of the short form, which `npm run trials -- all` runs. */
  short: readonly string[];
  needs: readonly Need[];
  /** Its verdict depends on how busy the machine is. */
  quiet: boolean;
  load: () => Promise<Trial>;
};

const FLEET: readonly Need[] = ["PostgreSQL", "Valkey or Redis", "haproxy"];

export const TRIALS: Readonly<Record<string, TrialEntry>> = {
  "agent-tasks": {
    shows: "everyday tasks are solved with the tools of /mcp (docs/agents.md)",
    options: "[--only N,…] [--show]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: ["programs that judge"],
    quiet: false,
    load: () => import("./agent-tasks.ts"),
  },
  answers: {
    shows: "what answers about places say in every simulated city (docs/lab/answers.md)",
    options: "[--radius 1500]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: [],
    quiet: false,
    load: () => import("./answers.ts"),
  },
  backup: {
    shows:
      "a backup of a loaded service, restored elsewhere, has all that was acknowledged before, and a killed one leaves nothing that looks whole (docs/lab/accounts.md)",
    options: "[--rounds 4] [--kills 20] [--rate 150] [--embedded]",
    takes: "5 min",
    short_takes: "1 min",
    short: ["--rounds", "1", "--kills", "3"],
    needs: ["PostgreSQL"],
    quiet: false,
    load: () => import("./backup.ts"),
  },
  busy: {
    shows: "npm test passes while three processes spin, every time (docs/testing.md)",
    options: "[--runs 10] [SUITE…]",
    takes: "10 runs of npm test on a busy machine",
    short_takes: "2 min",
    short: ["--runs", "1", "incidents"],
    needs: [],
    quiet: false,
    load: () => import("./busy.ts"),
  },
  chaos: {
    shows: "a fleet that is killed, frozen and cut off keeps its promises (docs/lab/chaos.md)",
    options: "[--seconds 300] [--replicas 4] [--seed N] [--alone]",
    takes: "6 min",
    short_takes: "1 min",
    short: ["--seconds", "30", "--seed", "12"],
    needs: FLEET,
    quiet: true,
    load: () => import("./chaos.ts"),
  },
  connections: {
    shows: "clients that hold the service by its connections do not keep others from their answers",
    options: "[--seconds 15] [--rate 300] [--only NAME,…] [--program DIR]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--seconds", "3"],
    needs: [],
    quiet: true,
    load: () => import("./connections.ts"),
  },
  "crash-states": {
    shows:
      "no moment of a crash loses an acknowledged write or corrupts a store (docs/lab/accounts.md)",
    options: "[--work 800] [--share 1] [--seed N]",
    takes: "10 min",
    short_takes: "1 min",
    short: ["--work", "60", "--share", "0.3"],
    needs: ["strace"],
    quiet: false,
    load: () => import("./crash-states.ts"),
  },
  crowds: {
    shows: "the serving thread stays free while hostile and huge feeds are resolved",
    options: "[--most_ms 50]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: [],
    quiet: true,
    load: () => import("./crowds.ts"),
  },
  density: {
    shows:
      "what one question costs where things are as dense as files may be, for every operation and tool (docs/lab/density.md)",
    options:
      "[--things 100000] [--only OPERATION,…] [--stages dense,cities,fatal] [--program DIR] [--json FILE]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--things", "10000", "--share", "0.2"],
    needs: [],
    quiet: true,
    load: () => import("./density.ts"),
  },
  departures: {
    shows:
      "planned departures equal those of an independent program over the raw files (docs/lab/departures.md)",
    options: "[--instants 1000] [--feed NAME] [--seed N]",
    takes: "5 min",
    short_takes: "2 min",
    short: ["--instants", "100"],
    needs: ["captured GTFS feeds", "Python with time zones"],
    quiet: false,
    load: () => import("./departures.ts"),
  },
  faults: {
    shows: "every fault of the simulator on every source ends as decided (docs/lab/faults.md)",
    options: "[feeds] [places] [legacy] [hostile] [FAULT…]",
    takes: "20 min",
    short_takes: "1 min",
    short: ["legacy", "reset"],
    needs: [],
    quiet: true,
    load: () => import("./faults.ts"),
  },
  "fleet-cost": {
    shows: "processor time a request takes of one replica and of two (docs/lab/chaos.md)",
    options: "[--rounds 6] [--seconds 8] [--rate N] [--seed N]",
    takes: "8 min",
    short_takes: "1 min",
    short: ["--rounds", "1", "--seconds", "2"],
    needs: FLEET,
    quiet: true,
    load: () => import("./fleet-cost.ts"),
  },
  "foreign-readers": {
    shows: "programs of others read the databases of a loaded service, which loses nothing",
    options: "[--rounds 20] [--rate 150]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--rounds", "2"],
    needs: [],
    quiet: false,
    load: () => import("./foreign-readers.ts"),
  },
  freshness: {
    shows: "what each freshness policy fetches; `--write` puts it into docs/capabilities.md",
    options: "[--write]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: [],
    quiet: false,
    load: () => import("./freshness.ts"),
  },
  gate: {
    shows:
      "no answer is more than 5 % slower than with another checkout, that of the last release (without `--before`: the noise of a run), and none takes more than 1.3 (no results) or 2 (20, 100) times the processor time of a bare server",
    options:
      "--before DIR [--entities 100000] [--starts 5] [--rounds 31] [--seconds 0.1] [--most 5] [--feeds 0] [--bands NAME,…]",
    takes: "16 min",
    short_takes: "1 min",
    short: [
      "--entities",
      "20000",
      "--starts",
      "1",
      "--rounds",
      "25",
      "--most",
      "25",
      "--bands",
      "about_20",
    ],
    needs: [],
    quiet: true,
    load: () => import("./gate.ts"),
  },
  hostile: {
    shows: "hostile feeds and archives do not slow down answers about healthy systems",
    options: "[--generated N] [--seconds S] [--only NAME,…] [--archives STOPS,…] [--seed N]",
    takes: "15 min",
    short_takes: "1 min",
    short: ["--only", "stations at one point,deep nesting", "--seconds", "8", "--archives", "0"],
    needs: [],
    quiet: true,
    load: () => import("./hostile.ts"),
  },
  hours: {
    shows:
      "opening hours of real places are read, agree with another implementation and cost little (docs/lab/hours.md)",
    options:
      "[DIR] [--moments 200] [--places 5] [--strings 1000000] [--grammar 20000] [--only-grammar] [--seed N]",
    takes: "12 min",
    short_takes: "1 min",
    short: [
      ...["--moments", "50", "--places", "2", "--strings", "100000"],
      ...["--grammar", "500"],
    ],
    needs: ["extracts of OpenStreetMap", "programs that judge"],
    quiet: false,
    load: () => import("./hours.ts"),
  },
  isolation: {
    shows: "parallel requests of several accounts never see each other's bytes",
    options: "[--requests 1000000] [--seed N]",
    takes: "25 min",
    short_takes: "1 min",
    short: ["--requests", "20000"],
    needs: [],
    quiet: false,
    load: () => import("./isolation.ts"),
  },
  long: {
    shows: "the tests that npm test leaves out because they take minutes (docs/testing.md)",
    options: "[--files]",
    takes: "11 min",
    short_takes: "11 min",
    short: [],
    needs: ["programs that judge"],
    quiet: false,
    load: () => import("./long.ts"),
  },
  money: {
    shows:
      "requests at once use what their units pay for, over one replica and two (docs/lab/accounts.md)",
    options: "[--rounds 8]",
    takes: "3 min",
    short_takes: "1 min",
    short: ["--rounds", "1"],
    needs: ["PostgreSQL", "Valkey or Redis"],
    quiet: false,
    load: () => import("./money.ts"),
  },
  mutations: {
    shows: "mutated capability bodies and messages of /mcp: every outcome is a published one",
    options: "[--requests 10000] [--seed N]",
    takes: "2 min",
    short_takes: "1 min",
    short: ["--requests", "1000"],
    needs: [],
    quiet: false,
    load: () => import("./mutations.ts"),
  },
  planet: {
    shows:
      "bases of pages answer as one of one page does, damage and killed imports cost their place alone, and large extracts are imported and served in bounded memory (docs/lab/pages.md)",
    options:
      "[--equal [--files FILE,…] [--questions 12000] [--pages 10,100] [--only OPERATION] [--examples 2]] [--faults [--kills 20]] [--gb 0.1,1,6 [--memory_mb 512] [--folder DIR]] [--seed N]",
    takes: "40 min; with --gb 6 2 h",
    short_takes: "6 min",
    short: ["--faults", "--kills", "3"],
    needs: ["extracts of OpenStreetMap"],
    quiet: true,
    load: () => import("./planet.ts"),
  },
  replay: {
    shows: "answers over captured feeds equal a loop over everything (docs/lab/replay.md)",
    options: "[DIR] [--circles 10000] [--json FILE]; --serve DIR only serves the folder",
    takes: "2 min",
    short_takes: "1 min",
    short: ["--circles", "500"],
    needs: ["captured GBFS sets"],
    quiet: false,
    load: () => import("./replay.ts"),
  },
  registers: {
    shows:
      "captured registers of car parks and charging points are shown with their states (docs/registers.md)",
    options: "[--as_captured] [--serve] [--port 18690]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: ["captured registers"],
    quiet: false,
    load: () => import("./registers.ts"),
  },
  requests: {
    shows:
      "every generated request is answered as described, answers keep the laws of docs/lab/requests.md, and what a question costs is bounded by its limits in drawn worlds",
    options: "[--requests 100000] [--seed N] [--only OPERATION,…] [--worlds 2]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--requests", "15000", "--worlds", "0"],
    needs: [],
    quiet: false,
    load: () => import("./requests.ts"),
  },
  restarts: {
    shows: "rolling restarts lose no request of clients that keep connections alive",
    options:
      "[--restarts 20] [--clients 800] [--requests 100000] [--delay_ms 5000] [--stop_ms 200]",
    takes: "5 min",
    short_takes: "1 min",
    short: ["--restarts", "2", "--requests", "2000", "--clients", "200", "--delay_ms", "3000"],
    needs: [],
    quiet: false,
    load: () => import("./restarts.ts"),
  },
  rolling: {
    shows:
      "rolling restarts behind the shipped balancer, and an upgrade from another checkout, fail no request and lose no usage",
    options: "[--restarts 20] [--rate 500] [--before DIR] [--seed N] [--embedded]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--restarts", "2", "--rate", "100"],
    needs: FLEET,
    quiet: false,
    load: () => import("./rolling.ts"),
  },
  runbook: {
    shows:
      "each fault of the runbook is seen by metric, log and alert, ends by its documented cure, and no alert fires without one (docs/lab/runbook.md)",
    options: "[--only NAME,…] [--minutes 2] [--factor 60]",
    takes: "40 min",
    short_takes: "2 min",
    short: ["--only", "PostgreSQL killed,Valkey full"],
    needs: ["PostgreSQL", "Valkey or Redis", "Prometheus"],
    quiet: false,
    load: () => import("./runbook.ts"),
  },
  "same-answers": {
    shows:
      "another checkout, or what it has answered once, and this one give equal answers, headers and outputs; without `--before`: a run is repeatable (docs/lab/structure.md)",
    options:
      "--before DIR | --against FILE | --write FILE [--expected FILE] [--requests 2000] [--only STAGE,…] [--seed N]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--requests", "300", "--only", "limits,failing sources"],
    needs: [],
    quiet: false,
    load: () => import("./same-answers.ts"),
  },
  "sandbox-rates": {
    shows: "the simulator's sources disagree at least as much as real ones (docs/lab/identity.md)",
    options: "[DIR] [--seed N]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: ["labelled pairs"],
    quiet: false,
    load: () => import("./sandbox-rates.ts"),
  },
  scale: {
    shows: "what 10,000 systems and 100 million requests a day take (docs/lab/scale.md)",
    options: "[--set NAME=VALUE]… [--write]",
    takes: "1 s",
    short_takes: "1 s",
    short: [],
    needs: [],
    quiet: false,
    load: () => import("./scale.ts"),
  },
  scorecard: {
    shows: "precision and recall of identity resolution on labelled pairs (docs/lab/identity.md)",
    options: "[DIR] [--vehicles SEED] [--leave-one-out] [--examples 3] [--json FILE] [--write]",
    takes: "1 min",
    short_takes: "1 min",
    short: [],
    needs: ["labelled pairs"],
    quiet: false,
    load: () => import("./scorecard.ts"),
  },
  searches: {
    shows:
      "parallel searches by two accounts: each answer its own, each digest that of its dataset",
    options: "[--rounds 1000] [--seed N]",
    takes: "4 min",
    short_takes: "1 min",
    short: ["--rounds", "20"],
    needs: [],
    quiet: false,
    load: () => import("./searches.ts"),
  },
  sessions: {
    shows:
      "parallel sessions of /mcp: each answer, resource and notification is its own session's (docs/agents.md)",
    options: "[--rounds 1000] [--seed N]",
    takes: "5 min",
    short_takes: "1 min",
    short: ["--rounds", "20"],
    needs: [],
    quiet: false,
    load: () => import("./sessions.ts"),
  },
  shares: {
    shows:
      "one address gets at most 5 % of the serving thread, and one block 15 %, whatever it asks (docs/lab/robustness.md)",
    options: "[--seconds 20] [--only NAME,…] [--program DIR]",
    takes: "8 min",
    short_takes: "1 min",
    short: ["--seconds", "5", "--only", "services,tool,tiles"],
    needs: [],
    quiet: true,
    load: () => import("./shares.ts"),
  },
  sizing: {
    shows:
      "requests a second, processor time and memory of 1, 2 and 4 replicas (docs/operations.md)",
    options: "[--seconds 6] [--rounds 3] [--connections 64] [--seed N]",
    takes: "3 min",
    short_takes: "1 min",
    short: ["--seconds", "1", "--rounds", "1"],
    needs: FLEET,
    quiet: true,
    load: () => import("./sizing.ts"),
  },
  soak: {
    shows:
      "heap, descriptors, timers and series stay flat under hours of load, and log and data folder grow as documented (docs/lab/chaos.md)",
    options: "[--seconds 600] [--every 10] [--distinct 100000] [--seed N] [--embedded]",
    takes: "12 min",
    short_takes: "1 min",
    short: ["--seconds", "40", "--every", "4", "--distinct", "1000", "--embedded"],
    needs: [],
    quiet: true,
    load: () => import("./soak.ts"),
  },
  startup: {
    shows:
      "time from `npm start` to ready, and every line that it prints works (docs/lab/startup.md)",
    options: "[--runs 5] [--before DIR]",
    takes: "1 min",
    short_takes: "1 min",
    short: ["--runs", "1"],
    needs: [],
    quiet: true,
    load: () => import("./startup.ts"),
  },
  mutants: {
    shows:
      "faults planted evenly over layers and packages are seen by npm test, survivors are justified in trials/mutants/justified.json",
    options:
      "[--count 200] [--seed N] [--kind value,bound,guard,empty,throw] [--only PATH,…] [--depth near|whole|FILES] [--state FILE] [--again] [--program DIR] [--workers 2] [--least 0.9]",
    takes: "3 h",
    short_takes: "2 min",
    short: ["--count", "10", "--depth", "near", "--least", "0"],
    needs: [],
    quiet: false,
    load: () => import("./mutants.ts"),
  },
  streams: {
    shows:
      "hostile subscribers of the live map keep no others from their answers and events (docs/lab/live-map.md)",
    options: "[--seconds 15] [--rate 100] [--only NAME,…] [--program DIR]",
    takes: "6 min",
    short_takes: "2 min",
    short: ["--seconds", "3"],
    needs: [],
    quiet: true,
    load: () => import("./streams.ts"),
  },
  throws: {
    shows:
      "an exception in a reader, an operation, a thread or a step of the start costs one outcome",
    options: "[--times 6] [--further 1000] [--steps 1000]",
    takes: "10 min",
    short_takes: "1 min",
    short: ["--times", "2", "--further", "50", "--steps", "10"],
    needs: [],
    quiet: false,
    load: () => import("./throws.ts"),
  },
  walking: {
    shows:
      "ways on foot over captured extracts are as long as an independent program finds them (docs/lab/walking.md)",
    options:
      "[--pairs 10000] [--only EXTRACT,…] [--seed N] | --nearest [--addresses N] | --routino | --pages [--zoom 15]",
    takes: "4 min",
    short_takes: "20 s",
    short: ["--pairs", "500"],
    needs: ["extracts of OpenStreetMap", "Python with time zones", "osmium"],
    quiet: false,
    load: () => import("./walking.ts"),
  },
  "walking-truth": {
    shows:
      "ways on foot over the base of the simulated cities are those that the simulator's own search finds, and lead to the nearest service (docs/lab/walking.md)",
    options: "[--pairs 1000] [--seed N]",
    takes: "1 min",
    short_takes: "1 min",
    short: ["--pairs", "200"],
    needs: [],
    quiet: false,
    load: () => import("./walking-truth.ts"),
  },
  whole: {
    shows: "all suites, long included, in full size and by the clock (docs/testing.md)",
    options: "[SUITE…]",
    takes: "15 min",
    short_takes: "2 min",
    short: ["incidents"],
    needs: [],
    quiet: true,
    load: () => import("./whole.ts"),
  },
};
