/**
 * Every fault of the simulator on the sources of the legacy routes, queried by every one of them. It
 * judges nothing: it asks, and notes what was answered, during the fault and after it.
 *
 * One simulator and one service per lane and fault; the subjects of a lane fail one by one.
 */
import assert from "node:assert/strict";
import { openAdminStorage } from "#storage/open-storage.ts";
import { makeKey } from "../access/support.ts";
import {
  type Control,
  countStruck,
  endFaults,
  type Look as AnyLook,
  lookAt,
  move,
  onStage,
  putFault,
  secretsOf,
  type Stage as AnyStage,
} from "./fault-stage.ts";
import {
  QUERIES,
  type AskingName,
  ASKINGS,
  faultOf,
  type Retained,
  type Lane,
  type LaneName,
  LANES,
  type Limits,
  pathOf,
  QUICK,
  settingsOf,
  type Subject,
  SUBJECTS,
  WARM_UP,
} from "./legacy-fault-lanes.ts";
import type { FaultName } from "./place-fault-lanes.ts";
import { eventually } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";

/** The members read from an answer of any of the routes, and from an error. */
export type Body = {
  error?: { code: string; message: string };
  nhits?: number;
  records?: { recordid: string }[];
} & readonly Item[];
type Item = { id: string | number; provider?: { name: string } };
export type Look = AnyLook<Body>;

export type Cell = {
  lane: LaneName;
  fault: FaultName;
  subject: Subject;
  asking: AskingName;
  /** null: the query does not use the failing source. */
  stored: Retained | null;
  /** The answer when all was well; null: not asked before. */
  before: Look | null;
  during: Look;
  after: Look;
  /** The number of times that the fault has struck by the end of the cell. */
  struck: number;
  secrets: readonly string[];
  /** Of an answer; null: it is not judged. */
  deadline_ms: number | null;
};

type Stage = AnyStage & {
  lane: Lane;
  name: LaneName;
  fault: FaultName;
  limits: Limits;
  token: string;
};

/** Runs one service through one kind of fault; the cells of all subjects of its lane. */
export function runLane(name: LaneName, fault: FaultName, limits: Limits = QUICK): Promise<Cell[]> {
  const lane: Lane = LANES[name];
  const plan = {
    routes: Object.values(QUERIES),
    settings: (sandbox: Control["sandbox"]) => settingsOf(lane, limits, sandbox),
    judged: limits.judged,
    prepare: (control: Control) => fail({ ...control, fault, limits }, lane.polled),
  };
  return onStage(plan, async (stage) => {
    const store = openAdminStorage({ data_dir: stage.data_dir, mode: "live" });
    if ("problem" in store) throw new Error(store.problem);
    const token = makeKey(store.accounts, { live: true }).key;
    store.close();
    return runAll({ ...stage, lane, name, fault, limits, token });
  });
}

async function runAll(stage: Stage): Promise<Cell[]> {
  const places = countUp();
  const { polled, lookups } = stage.lane;
  await untilTried(stage);
  const cells = await askAll(stage, polled, { stored: "nothing", place: places() });
  await recover(stage, cells);
  for (const subject of lookups) {
    await untilWhole(stage);
    cells.push(...(await runLookup(stage, subject, places)));
  }
  await untilWhole(stage);
  cells.push(...(await runPolled(stage, polled, places)));
  return cells;
}

function countUp(): () => number {
  let next = 0;
  return () => next++;
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** Longer than any answer is fresh, shorter than it may be used as a substitute; then longer than that. */
const AGEING = {
  weather: { old_s: 2.5 * HOUR_S, gone_s: 4 * HOUR_S },
  /** A map's tiles may be used for a month while it fails. */
  map: { old_s: 3 * DAY_S, gone_s: null },
} as const;

async function runLookup(stage: Stage, subject: Subject, places: () => number): Promise<Cell[]> {
  const { requested } = SUBJECTS[subject];
  const { old_s, gone_s } = AGEING[subject === "openstreetmap" ? "map" : "weather"];
  const [unseen, seen] = [places(), places()];
  const cache = new Map<AskingName, Look>();
  for (const query of requested) cache.set(query, await ask(stage, query, seen));
  await move(stage, old_s);
  await untilWhole(stage);
  await fail(stage, subject);
  const cells = await Promise.all([
    askAll(stage, subject, { stored: "nothing", place: unseen }),
    ...requested.map((query) => askCells(stage, subject, [query], { stored: "old", place: seen })),
  ]);
  if (gone_s !== null) {
    await move(stage, gone_s);
    cells.push(await askCells(stage, subject, requested, { stored: "gone", place: seen }));
  }
  const all = cells.flat();
  for (const cell of all) if (cell.stored === "old") cell.before = cache.get(cell.asking)!;
  await recover(stage, all);
  return all;
}

/** The age that the last reading reaches, and its use at that age. */
const POLLED: Readonly<Record<"gbfs" | "sets", readonly { after_s: number; stored: Retained }[]>> =
  {
    gbfs: [
      { after_s: 131, stored: "old" },
      { after_s: 70 * 60, stored: "gone" },
    ],
    sets: [
      { after_s: 1.4 * DAY_S, stored: "whole" },
      { after_s: 1.1 * DAY_S, stored: "old" },
    ],
  };

async function runPolled(stage: Stage, subject: Subject, places: () => number): Promise<Cell[]> {
  const cache = new Map<AskingName, Look>();
  for (const query of SUBJECTS[subject].requested)
    if (query !== "water elsewhere") cache.set(query, await ask(stage, query, 0));
  await fail(stage, subject);
  const cells: Cell[] = [];
  for (const { after_s, stored } of POLLED[subject.startsWith("gbfs") ? "gbfs" : "sets"]) {
    await move(stage, after_s);
    cells.push(...(await askAll(stage, subject, { stored, place: places() })));
  }
  for (const cell of cells) cell.before = cache.get(cell.asking) ?? null;
  await recover(stage, cells);
  return cells;
}

type Wanted = { stored: Retained; place: number };

/** All queries at once: those that use the failing source, and those that must not notice. */
function askAll(stage: Stage, subject: Subject, wanted: Wanted): Promise<Cell[]> {
  return askCells(stage, subject, ASKINGS, wanted);
}

function askCells(
  stage: Stage,
  subject: Subject,
  askings: readonly AskingName[],
  { stored, place }: Wanted,
): Promise<Cell[]> {
  const { name: lane, fault, limits, sandbox } = stage;
  const deadline_ms = limits.judged ? limits.deadline_ms : null;
  const cells = askings.map(async (asking): Promise<Cell> => {
    const during = await ask(stage, asking, place);
    const entry = asking === "water elsewhere" && subject !== "openstreetmap" ? "nothing" : stored;
    return {
      lane,
      fault,
      subject,
      asking,
      during,
      after: during,
      before: null,
      struck: 0,
      stored: SUBJECTS[subject].requested.includes(asking) ? entry : null,
      secrets: secretsOf(sandbox),
      deadline_ms,
    };
  });
  return Promise.all(cells);
}

async function fail(
  stage: Control & { fault: FaultName; limits: Limits },
  subject: Subject,
): Promise<void> {
  for (const source of SUBJECTS[subject].sources)
    await putFault(stage, source, faultOf(stage.fault, stage.limits));
}

/** The fault ends; two minutes later, and an hour for a set, it is as if nothing had been. */
async function recover(stage: Stage, cells: readonly Cell[]): Promise<void> {
  const struck = await countStruck(stage);
  await endFaults(stage);
  for (const cell of cells)
    cell.struck = Math.max(...SUBJECTS[cell.subject].sources.map((name) => struck[name] ?? 0));
  await move(stage, cells.some(({ subject }) => subject.startsWith("paris")) ? HOUR_S : 120);
  await untilWhole(stage);
  await untilFree(stage);
  const looks = new Map<AskingName, Look>();
  for (const { asking } of cells)
    if (!looks.has(asking)) looks.set(asking, await ask(stage, asking, 0));
  for (const cell of cells) cell.after = looks.get(cell.asking)!;
}

/** These fail at once, and are reported like a set that has not been read yet. */
const UNREPORTED: ReadonlySet<FaultName> = new Set(["http_500", "http_429", "truncated", "reset"]);
const SETS = 2;

/** The first reading of everything that is read in the background has come, or failed. */
async function untilTried(stage: Stage): Promise<void> {
  const { client, service, fault } = stage;
  await service.feeds.surveyed();
  const isTried = async (): Promise<true | null> => {
    const { sources } = await client.json<{ sources: { id: string; state: string }[] }>(
      `${service.url}/v1/sources`,
    );
    if (sources.some(({ id, state }) => id === "paris_opendata" && state !== "unavailable"))
      return true;
    const { paris_opendata: struck = 0 } = await countStruck(stage);
    return (UNREPORTED.has(fault) && struck >= SETS) || null;
  };
  await eventually(isTried, { within_ms: HANG_MS, what: "sets were tried" });
  // What hangs would still take the places of those that are to be judged.
  const { requested } = SUBJECTS[stage.lane.polled];
  for (const query of ASKINGS) if (!requested.includes(query)) await ask(stage, query, WARM_UP);
  await service.feeds.settle();
}

/** Calls end by the wall clock: those that hang take up the map's two places until then. */
async function untilFree(stage: Stage): Promise<void> {
  const isFree = async (): Promise<true | null> => {
    const { status, headers } = await ask(stage, "water elsewhere", WARM_UP);
    return (status === 200 && !headers["x-coverage"]) || null;
  };
  await eventually(isFree, { within_ms: HANG_MS, what: "the map answers" });
}

const AGAIN_S = 30;
const MOST_TRIES = 20;

/** What is read in the background is read again; more often where the machine was too busy for it. */
async function untilWhole(stage: Stage): Promise<void> {
  let looks: Look[] = [];
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await stage.service.feeds.settle();
    looks = [await ask(stage, "scooters", 0), await ask(stage, "water", 0)];
    if (looks.every(({ status, headers }) => status === 200 && !headers["x-coverage"])) return;
    await move(stage, AGAIN_S);
  }
  const states = looks.map(({ status, headers }) => `${status} ${String(headers["x-coverage"])}`);
  assert.fail(`${stage.fault}, ${stage.name}: not whole again: ${states.join(", ")}`);
}

function ask(stage: Stage, name: AskingName, place: number): Promise<Look> {
  const path = pathOf(stage.sandbox, name, place);
  const headers = { authorization: `Bearer ${stage.token}` };
  return lookAt(stage, { route: QUERIES[name], path, headers });
}
