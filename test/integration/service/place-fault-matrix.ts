/**
 * Every fault of the simulator on every provider of places, asked by every operation. It judges
 * nothing: it asks, and notes what was answered, during the fault and after it.
 *
 * One simulator and one service per lane and fault; the providers of a lane fail one by one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Control,
  countStruck,
  endFaults,
  type Look as AnyLook,
  lookAt,
  move,
  onStage,
  putFault as putAny,
  secretsOf,
  type Stage as AnyStage,
} from "./fault-stage.ts";
import {
  AS_SHIPPED,
  type FaultQuestion,
  asks,
  FAULTS,
  GEOCODING,
  type FaultName,
  isKept,
  type Lane,
  type LaneName,
  LANES,
  type Limits,
  LOOKUPS,
  type Novelty,
  type OperationName,
  OPERATIONS,
  type Provider,
  questionOf,
  REGISTRY_SLOW,
  settingsOf,
} from "./place-fault-lanes.ts";
import { eventually } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";

export type Look = AnyLook<Body>;

/** The members read from an answer of any operation, and from an error. */
export type Body = {
  status?: "success" | "empty" | "partial";
  message?: string;
  total?: number;
  meta?: { total: number; cache: string };
  results?: unknown;
  debug?: { providers: Record<string, ProviderDebug> };
  error?: { code: string; message: string };
};
type ProviderDebug = { status: string; raw_count: number; reason?: string };

export type Cell = FaultQuestion & {
  /** When a register failed: before it was read for the first time, later, or for too long. */
  stored: "nothing" | "whole" | "old" | null;
  /** Before the fault; where the answer is to be the same, or is to be what was known. */
  before: Look | null;
  during: Look;
  after: Look;
  /** Requests that lookups received on behalf of it; null: it was not alone. */
  calls: number | null;
  /** The number of times that the fault has struck by the end of the cell. */
  struck: number;
  secrets: readonly string[];
  /** Whether the answers had to come within the deadline. */
  judged: boolean;
};

/** The fault of all providers of a lane, or those that they have in turn. */
export type Faults = FaultName | readonly FaultName[];
type Stage = AnyStage & { lane: Lane; name: LaneName; faults: Faults; limits: Limits };

/** Runs one service through its faults; the cells of all providers of its lane. */
export function runLane(
  name: LaneName,
  faults: Faults,
  limits: Limits = AS_SHIPPED,
): Promise<Cell[]> {
  const lane: Lane = LANES[name];
  const plan = {
    routes: Object.values(OPERATIONS),
    settings: (sandbox: Control["sandbox"]) => settingsOf(lane, limits, sandbox),
    judged: limits.judged,
    prepare: (control: Control) => putFault({ ...control, lane, faults, limits }, lane.registries),
  };
  return onStage(plan, (stage) => runAll({ ...stage, lane, name, faults, limits }));
}

async function runAll(stage: Stage): Promise<Cell[]> {
  const cells: Cell[] = [];
  if (stage.lane.registries.length > 0) cells.push(...(await runStart(stage)));
  for (const provider of stage.lane.lookups) cells.push(...(await runLookup(stage, provider)));
  if (stage.lane.registries.length > 0) cells.push(...(await runRegistries(stage)));
  return cells;
}

const DAY_S = 86_400;
const HEAD_START_MS = 20;

/** One provider fails, and is well again two minutes later. */
async function runLookup(stage: Stage, provider: Provider): Promise<Cell[]> {
  const request = asks(stage.lane, provider);
  const cache = new Map<OperationName, Look>();
  if (isKept(provider))
    for (const operation of request)
      cache.set(operation, await ask(stage, provider, { operation, novelty: "seen" }));
  // Longer than any answer is fresh, shorter than it may be used as a substitute.
  await move(stage, 3 * DAY_S);
  const cells = [await askNearby(stage, provider)];
  // First what has to wait: what the others cost must not count against its deadline.
  const [first = [], ...batches] = batchesOf(stage.lane, provider);
  const waiting = askAtOnce(stage, provider, first);
  await sleep(HEAD_START_MS);
  const others = QUERY.filter((operation) => !request.includes(operation));
  cells.push(...(await askInTurn(stage, provider, others)), ...(await waiting));
  for (const batch of batches) cells.push(...(await askAtOnce(stage, provider, batch)));
  for (const cell of cells) if (cell.novelty === "seen") cell.before = cache.get(cell.operation)!;
  await recover(stage, cells);
  return cells;
}

/** /v1/nearby is queried separately: it calls no provider. */
const QUERY = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => name !== "nearby");
type Wanted = { operation: OperationName; novelty: Novelty };

/**
 * All queries of the provider, waiting at once; in batches for the open map, whose server serves two
 * at a time: queueing there is not tested here.
 */
function batchesOf(lane: Lane, provider: Provider): Wanted[][] {
  const novelties: Novelty[] = isKept(provider) ? ["unseen", "seen"] : ["unseen"];
  const all = novelties.flatMap((novelty) =>
    asks(lane, provider).map((operation): Wanted => ({ operation, novelty })),
  );
  const geocoding = all.filter(({ operation }) => GEOCODING.has(operation));
  const finding = all.filter(({ operation }) => !GEOCODING.has(operation));
  // Google's parking and charging do not ask the open map.
  if (lane.maps === "google_maps") return [all];
  const pairs: Wanted[][] = [];
  for (let i = 0; i < finding.length; i += 2) pairs.push(finding.slice(i, i + 2));
  return geocoding.length > 0 ? [geocoding, ...pairs] : pairs;
}

function askAtOnce(stage: Stage, provider: Provider, batch: readonly Wanted[]): Promise<Cell[]> {
  return Promise.all(batch.map((wanted) => askCell(stage, provider, wanted)));
}

async function askInTurn(
  stage: Stage,
  provider: Provider,
  operations: readonly OperationName[],
): Promise<Cell[]> {
  const cells: Cell[] = [];
  for (const operation of operations)
    cells.push(await askCell(stage, provider, { operation, novelty: "unseen" }));
  return cells;
}

/** Before the first reading: nothing is known of what only a register knows. */
async function runStart(stage: Stage): Promise<Cell[]> {
  await untilTried(stage);
  const cells: Cell[] = [];
  for (const provider of stage.lane.registries)
    cells.push(...(await askRegister(stage, provider, "nothing")));
  await recover(stage, cells);
  return cells;
}

/** A while in which a register is tried again and the last set is still good, by its pace. */
const WHOLE_S = { ocpi: 450, openaedmap: DAY_S * 1.4, geodae: DAY_S * 1.4 };
const OLD_S = DAY_S * 2.5;

/** What was read stays in use; after two days without news it is reported as old. */
async function runRegistries(stage: Stage): Promise<Cell[]> {
  const { registries } = stage.lane;
  const before = new Map<string, Look>();
  for (const provider of registries)
    for (const operation of asks(stage.lane, provider))
      before.set(
        `${provider} ${operation}`,
        await ask(stage, provider, { operation, novelty: "unseen" }),
      );
  await putFault(stage, registries);
  const cells: Cell[] = [];
  for (const provider of registries.toReversed()) {
    await move(stage, WHOLE_S[provider as "ocpi"]);
    cells.push(...(await askRegister(stage, provider, "whole")));
  }
  await move(stage, OLD_S);
  for (const provider of registries) cells.push(...(await askRegister(stage, provider, "old")));
  for (const cell of cells) cell.before = before.get(`${cell.provider} ${cell.operation}`) ?? null;
  // It is retried ever more rarely.
  await recover(stage, cells, 300);
  return cells;
}

async function askRegister(
  stage: Stage,
  provider: Provider,
  stored: Cell["stored"],
): Promise<Cell[]> {
  const cells = await askInTurn(stage, provider, QUERY);
  return cells.map((cell) => ({ ...cell, stored }));
}

/** A register is read in the background: until it has come or failed, it is neither. */
async function untilTried(stage: Stage): Promise<void> {
  const [provider] = stage.lane.registries;
  const isTried = async (): Promise<true | null> => {
    const { body } = await ask(stage, provider!, {
      operation: "services",
      novelty: "unseen",
    });
    const providers = Object.values(body.debug!.providers);
    return providers.every(({ reason }) => reason !== "not_loaded") || null;
  };
  await eventually(isTried, { within_ms: HANG_MS, what: "registers were tried" });
}

async function recover(stage: Stage, cells: readonly Cell[], after_s = 120): Promise<void> {
  const struck = await countStruck(stage);
  await endFaults(stage);
  for (const cell of cells) cell.struck = struck[cell.provider] ?? 0;
  await move(stage, after_s);
  // One after the other: a service that has just come back is not to be run over.
  for (const cell of cells) cell.after = await ask(stage, cell.provider, cell);
}

async function askCell(
  stage: Stage,
  provider: Provider,
  { operation, novelty }: Wanted,
): Promise<Cell> {
  const during = await ask(stage, provider, { operation, novelty });
  const { name: lane, limits } = stage;
  const fault = faultOf(stage, provider);
  return {
    lane,
    provider,
    fault,
    operation,
    novelty,
    stored: null,
    before: null,
    calls: null,
    struck: 0,
    during,
    after: during,
    secrets: secretsOf(stage.sandbox),
    judged: limits.judged,
  };
}

/** Alone, so that every request that a lookup receives meanwhile is its doing; then it fails. */
async function askNearby(stage: Stage, provider: Provider): Promise<Cell> {
  const wanted: Wanted = { operation: "nearby", novelty: "unseen" };
  const from = await countCalls(stage);
  const before = await ask(stage, provider, wanted);
  await putFault(stage, [provider]);
  const cell = await askCell(stage, provider, wanted);
  return { ...cell, before, calls: (await countCalls(stage)) - from };
}

async function countCalls({ client, sandbox }: Stage): Promise<number> {
  const { counts } = await client.json<{ counts: Record<string, number> }>(
    `${sandbox.url}/__sandbox/requests`,
  );
  return LOOKUPS.reduce((sum, name) => sum + counts[name]!, 0);
}

function ask(stage: Stage, provider: Provider, { operation, novelty }: Wanted): Promise<Look> {
  const path = questionOf(stage.sandbox, { provider, operation, novelty });
  return lookAt(stage, { route: OPERATIONS[operation], path });
}

function faultOf({ lane, faults }: Pick<Stage, "lane" | "faults">, provider: Provider): FaultName {
  const nth = [...lane.lookups, ...lane.registries].indexOf(provider);
  return typeof faults === "string" ? faults : faults[nth % faults.length]!;
}

async function putFault(
  { lane, faults, limits, ...control }: Control & Pick<Stage, "lane" | "faults" | "limits">,
  providers: readonly Provider[],
): Promise<void> {
  for (const provider of providers) {
    const fault = faultOf({ lane, faults }, provider);
    const slow = fault === "slow" && !LOOKUPS.includes(provider);
    const late = { ...FAULTS.late, delay_ms: limits.late_ms };
    const usual = fault === "late" ? late : FAULTS[fault];
    await putAny(control, provider, slow ? REGISTRY_SLOW : usual);
  }
}
