/**
 * Every fault of the simulator on every GBFS file, for a service that holds a snapshot (warm), for
 * one that was started again and knows where the systems are but nothing else (cold), and for one
 * that starts for the first time (new). It judges nothing: it asks, and notes what was answered.
 *
 * One simulator and one service per kind of fault and state. Each file fails at a system of its own
 * in a city of its own, so that the cells of a service do not touch each other.
 */
import { startSandbox, type Sandbox } from "../../../sandbox/main.ts";
import type { Service } from "../../../src/main/service.ts";
import { type FaultName, FAULTS as PLACE_FAULTS } from "./place-fault-lanes.ts";
import {
  advance,
  type Body,
  type Client,
  createClient,
  createFolder,
  LONG_MS,
  removeFolder,
  start,
  timeOfTests,
} from "./support.ts";

/** As with places, but that what is slow comes in time for a file. */
export const FAULTS = { ...PLACE_FAULTS, slow: { fault: "slow", delay_ms: 40 } } as const;
/** The fault of all files, or those that they have in turn. */
export type Faults = FaultName | readonly FaultName[];

/** The file that fails and the system it belongs to. */
const FILES = {
  gbfs: "london-thames-cycles",
  gbfs_versions: "madrid-pedalea",
  system_information: "berlin-spreerad",
  vehicle_types: "mexico-city-patinalia",
  station_information: "warsaw-wislane-rowery",
  station_status: "sao-paulo-bici-jacaranda",
  free_bike_status: "taveuni-bula-scoot",
  vehicle_status: "cape-town-glyer",
  system_alerts: "new-york-hudson-wheels",
  geofencing_zones: "paris-zigzag",
} as const;
/** What is asked: a city without a fault too, and alerts only by a question that wants them. */
export const SUBJECTS = {
  ...FILES,
  "system_alerts, asked for": FILES.system_alerts,
  control: "tokyo-sakura-cycle",
} as const;
export type Subject = keyof typeof SUBJECTS;

/** Another operator in the city of `station_status`: healthy all the time. */
export const NEIGHBOUR = "sao-paulo-patinho";

export type Moment = "before" | "at once" | "gate open" | "10 min" | "20 min" | "70 min" | "after";
export const STATES = ["warm", "cold", "new"] as const;
export type State = (typeof STATES)[number];
export type Look = { moment: Moment; elapsed_ms: number; body: Body };
export type Cell = {
  fault: FaultName;
  subject: Subject;
  state: State;
  /** Of an answer; null: it is not judged. */
  deadline_ms: number | null;
  looks: Look[];
};

export type Limits = {
  /** Of a request. */
  deadline_ms: number;
  /** Of a file. */
  timeout_ms: number;
  /** Of the fault `late`: more than a file may take. */
  late_ms: number;
  /** Whether answers must come within the deadline, which needs a machine that does nothing else. */
  judged: boolean;
};
/** A parsing thread may have to be started within the deadline. */
const QUICK: Limits = { deadline_ms: 1_000, timeout_ms: 300, late_ms: 1_000, judged: true };

/** Such that only the fault itself runs into a timeout, however busy the machine is. */
export function slowLimits(faults: Faults): Limits {
  const waits = [faults].flat().some((fault) => fault === "timeout" || fault === "late");
  const timeout_ms = waits ? 5_000 : LONG_MS;
  return { deadline_ms: LONG_MS, timeout_ms, late_ms: 10_000, judged: false };
}

const RADIUS_M = 400;

/** Runs one service through one kind of fault, or through several at once; the cells of all files. */
export async function runFault(
  fault: Faults,
  state: State,
  limits: Limits = QUICK,
): Promise<Cell[]> {
  const data_dir = await createFolder();
  const client = createClient();
  const followers: Service[] = [];
  const sandbox = await startSandbox({
    now: timeOfTests,
    seed: 1,
    port: 0,
    onAdvance: async (s) => {
      await Promise.all(followers.map((service) => service.clock.advance(s * 1000)));
    },
  });
  const stage: Stage = { client, sandbox, data_dir, followers, limits };
  try {
    return await RUNS[state](stage, fault);
  } finally {
    client.close();
    for (const service of followers) await service.close({ delay_ms: 0 });
    await sandbox.close();
    await removeFolder(data_dir);
  }
}

const RUNS: Record<State, (stage: Stage, fault: Faults) => Promise<Cell[]>> = {
  warm: runWarm,
  cold: runCold,
  new: runNew,
};

type Stage = {
  client: Client;
  sandbox: Sandbox;
  data_dir: string;
  followers: Service[];
  limits: Limits;
};

/** A snapshot of everything is held; then files fail, and time goes by. */
async function runWarm(stage: Stage, fault: Faults): Promise<Cell[]> {
  const service = await startOn(stage);
  await service.feeds.surveyed();
  const cells = createCells(stage, fault, "warm");
  await warmUp(stage, service, cells);
  await askAll(stage, service, cells, "before");
  await putFaults(stage, fault);
  // Past max(2 × ttl, 120 s): what is polled in the background has met the fault by then.
  await move(stage, 131);
  await askAll(stage, service, cells, "at once");
  // The background has failed again and waits for longer; a question may try before it.
  await move(stage, 7);
  await move(stage, 7);
  await askAll(stage, service, cells, "gate open");
  await move(stage, 460);
  await askAll(stage, service, cells, "10 min");
  await move(stage, 600);
  await askAll(stage, service, cells, "20 min");
  await move(stage, 3000);
  await askAll(stage, service, cells, "70 min");
  await recover(stage, service, cells);
  return cells;
}

/** However busy the machine is: a file that took too long is read a few seconds later. */
async function warmUp(stage: Stage, service: Service, cells: readonly Cell[]): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const bodies = await Promise.all(cells.map((cell) => look(stage, service, cell)));
    await service.feeds.settle();
    if (bodies.every(({ status }) => status === "success")) return;
    await move(stage, 7);
  }
}

/** Started again on its own data folder: it knows where the systems are, and their files fail. */
async function runCold(stage: Stage, fault: Faults): Promise<Cell[]> {
  const first = await startOn(stage);
  await first.feeds.surveyed();
  await first.close({ delay_ms: 0 });
  stage.followers.length = 0;
  await putFaults(stage, fault);
  const service = await startOn(stage);
  const cells = createCells(stage, fault, "cold");
  await endure(stage, service, cells);
  await move(stage, 600);
  await askAll(stage, service, cells, "10 min");
  await recover(stage, service, cells);
  return cells;
}

/** The first start of all meets the fault. */
async function runNew(stage: Stage, fault: Faults): Promise<Cell[]> {
  await putFaults(stage, fault);
  const service = await startOn(stage);
  await service.feeds.surveyed();
  const cells = createCells(stage, fault, "new");
  await endure(stage, service, cells);
  await recover(stage, service, cells);
  return cells;
}

async function endure(stage: Stage, service: Service, cells: readonly Cell[]): Promise<void> {
  await askAll(stage, service, cells, "at once");
  await move(stage, 7);
  // A healthy file that took too long, since the machine is busy, is read again by then.
  await Promise.all(cells.map((cell) => look(stage, service, cell)));
  await service.feeds.settle();
  await move(stage, 7);
  await askAll(stage, service, cells, "gate open");
}

/** The fault ends; callers go on asking, and within a minute everything is as it was. */
async function recover(stage: Stage, service: Service, cells: readonly Cell[]): Promise<void> {
  // An attempt that is under way would still fail.
  await service.feeds.settle();
  await stage.client.json(`${stage.sandbox.url}/__sandbox/faults`, { method: "DELETE" });
  // A survey that failed several times is repeated early because of this question.
  await Promise.all(cells.map((cell) => look(stage, service, cell)));
  await service.feeds.settle();
  await move(stage, 60);
  // A first load that a question has to begin may outlast its short deadline: it goes on without.
  await Promise.all(cells.map((cell) => look(stage, service, cell)));
  await service.feeds.settle();
  await askAll(stage, service, cells, "after");
}

async function startOn(stage: Stage): Promise<Service> {
  const { sandbox, data_dir, limits } = stage;
  const ids: string[] = [...Object.values(SUBJECTS), NEIGHBOUR];
  const systems = sandbox
    .gbfsSystems()
    .filter(({ id }) => ids.includes(id))
    .map(({ id, url, country }) => ({ id, url, country }));
  const { service } = await start({
    mode: "live",
    data_dir,
    settings: {
      deadlines_ms: { nearby: limits.deadline_ms },
      egress: { allow_private: true },
      sources: { gbfs: { systems, timeout_ms: limits.timeout_ms, idle_s: 100_000 } },
    },
  });
  // The simulator's time may be ahead of ours already.
  await service.clock.advance(Math.max(0, sandbox.now() - service.clock.now()));
  stage.followers.push(service);
  return service;
}

function createCells({ limits }: Stage, faults: Faults, state: State): Cell[] {
  const subjects = Object.keys(SUBJECTS) as Subject[];
  const deadline_ms = limits.judged ? limits.deadline_ms : null;
  return subjects.map((subject) => {
    const fault = faultOf(SUBJECTS[subject], faults);
    return { fault, subject, state, deadline_ms, looks: [] };
  });
}

function faultOf(system: string, faults: Faults): FaultName {
  const nth = Object.values<string>(FILES).indexOf(system);
  return typeof faults === "string" ? faults : faults[Math.max(0, nth) % faults.length]!;
}

async function putFaults({ client, sandbox, limits }: Stage, faults: Faults): Promise<void> {
  for (const [file, system] of Object.entries(FILES)) {
    const name = faultOf(system, faults);
    const fault = name === "late" ? { ...FAULTS.late, delay_ms: limits.late_ms } : FAULTS[name];
    await client.json(`${sandbox.url}/__sandbox/faults/gbfs:${system}`, {
      method: "PUT",
      body: { ...fault, path: `/${file}.json` },
    });
  }
}

function move({ client, sandbox }: Stage, seconds: number): Promise<number> {
  return advance(client, sandbox.url, seconds);
}

async function askAll(
  stage: Stage,
  service: Service,
  cells: readonly Cell[],
  moment: Moment,
): Promise<void> {
  const askOne = async (cell: Cell): Promise<void> => {
    const begun = performance.now();
    const body = await look(stage, service, cell);
    cell.looks.push({ moment, elapsed_ms: performance.now() - begun, body });
  };
  if (!stage.limits.judged) return void (await Promise.all(cells.map(askOne)));
  // One after the other: what one costs must not count against another's deadline.
  for (const cell of cells) await askOne(cell);
}

function look({ client, sandbox }: Stage, service: Service, { subject }: Cell): Promise<Body> {
  const { lat, lon } = placeOf(sandbox, SUBJECTS[subject]);
  const include = `stations,vehicles${subject.endsWith("asked for") ? ",alerts" : ""}`;
  return client.nearby(service, { lat, lon, radius: RADIUS_M, include, debug: true });
}

/** The systems above are of one city per country, but for New York's. */
function placeOf(sandbox: Sandbox, system: string): { lat: number; lon: number } {
  const { country } = sandbox.gbfsSystems().find(({ id }) => id === system)!;
  return sandbox.cities().find((city) => city.country === country)!;
}
