/** What is done to the fleet: drawn from a table by a seed, one after the other, and undone again. */
import { connect } from "node:net";
import { runSql } from "../../test/support/engines.ts";
import type { Dice } from "../dice.ts";
import { type Fault, FAULT_KINDS, type FaultKind, VICTIMS } from "./check/verdict.ts";
import { nowMs, sleep } from "./fleet/clock.ts";
import type { Stage } from "./fleet/stage.ts";

export type Blow = {
  kind: FaultKind;
  /** From the beginning. */
  at_ms: number;
  lasts_ms: number;
  /** Whom it meets, where it meets a replica. */
  replica: number;
};

/** How often relative to the others, and how long. */
const TABLE: Readonly<Record<FaultKind, { weight: number; lasts_ms: readonly [number, number] }>> =
  {
    kill_replica: { weight: 4, lasts_ms: [200, 1_500] },
    freeze_replica: { weight: 3, lasts_ms: [800, 4_000] },
    kill_store: { weight: 2, lasts_ms: [500, 4_000] },
    freeze_store: { weight: 2, lasts_ms: [800, 4_000] },
    restart_store: { weight: 1, lasts_ms: [0, 0] },
    kill_shared: { weight: 2, lasts_ms: [500, 4_000] },
    freeze_shared: { weight: 2, lasts_ms: [800, 4_000] },
    restart_shared: { weight: 1, lasts_ms: [0, 0] },
    cut_notices: { weight: 2, lasts_ms: [1_000, 3_000] },
  };
export type Tempo = {
  /** Between two blows. */
  rest_ms: readonly [number, number];
  /** Within the last of them nothing is done any more: all must be as it was. */
  quiet_ms: number;
  /** Of one blow. */
  longest_ms: number;
};
export const TEMPO: Tempo = { rest_ms: [1_000, 3_000], quiet_ms: 6_000, longest_ms: 4_000 };

const CUT_EVERY_MS = 50;

/** Every kind comes once, in a drawn order, before any comes twice. */
export function planBlows(
  dice: Dice,
  wish: { lasts_ms: number; replicas: number; engines: boolean; tempo: Tempo },
): Blow[] {
  const { lasts_ms, replicas, engines, tempo } = wish;
  const rest_ms = (): number => dice.between(...tempo.rest_ms);
  const kinds = FAULT_KINDS.filter((kind) => engines || VICTIMS[kind] === "replica");
  const weighted = kinds.flatMap((kind) => Array<FaultKind>(TABLE[kind].weight).fill(kind));
  const first = dice.shuffle(kinds);
  const blows: Blow[] = [];
  let at_ms = rest_ms();
  for (;;) {
    const kind = first[blows.length] ?? dice.pick(weighted);
    const lasts = Math.min(dice.between(...TABLE[kind].lasts_ms), tempo.longest_ms);
    if (at_ms + lasts > lasts_ms - tempo.quiet_ms) return blows;
    blows.push({ kind, at_ms, lasts_ms: lasts, replica: dice.integer(0, replicas - 1) });
    at_ms += lasts + rest_ms();
  }
}

/** Deals the blows at their times; resolves when the last of them is undone. */
export async function strike(
  stage: Stage,
  blows: readonly Blow[],
  onFault: (fault: Fault) => void,
): Promise<void> {
  const begun_ms = nowMs();
  for (const { kind, at_ms, lasts_ms, replica } of blows) {
    await sleep(Math.max(0, begun_ms + at_ms - nowMs()));
    const from_ms = nowMs();
    await DEEDS[kind](stage, { lasts_ms, replica });
    const met = VICTIMS[kind] === "replica" ? replica : null;
    onFault({ kind, replica: met, from_ms, to_ms: nowMs() });
  }
}

type Deed = (stage: Stage, how: { lasts_ms: number; replica: number }) => Promise<void>;
type Server = { kill(): Promise<void>; restart(): Promise<void>; freeze(): void; thaw(): void };

const DEEDS: Readonly<Record<FaultKind, Deed>> = {
  async kill_replica({ replicas }, { replica, lasts_ms }) {
    await replicas[replica]!.kill();
    await sleep(lasts_ms);
    await replicas[replica]!.start();
  },
  async freeze_replica({ replicas }, { replica, lasts_ms }) {
    replicas[replica]!.freeze();
    await sleep(lasts_ms);
    replicas[replica]!.thaw();
  },
  kill_store: ({ store }, { lasts_ms }) => killFor(store!, lasts_ms),
  freeze_store: ({ store }, { lasts_ms }) => freezeFor(store!, lasts_ms),
  restart_store: ({ store }) => store!.restart(),
  kill_shared: ({ shared }, { lasts_ms }) => killFor(shared!, lasts_ms),
  freeze_shared: ({ shared }, { lasts_ms }) => freezeFor(shared!, lasts_ms),
  restart_shared: ({ shared }) => shared!.restart(),
  async cut_notices({ store, shared }, { lasts_ms }) {
    for (const until_ms = nowMs() + lasts_ms; nowMs() < until_ms; await sleep(CUT_EVERY_MS))
      await Promise.all([runSql(store!.database_url, CUT), sendShared(shared!.port, CUT_SHARED)]);
  },
};

/** Every listener is disconnected; it reconnects, and is disconnected again. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND query ILIKE 'LISTEN %'`;
const CUT_SHARED = "CLIENT KILL TYPE pubsub";

async function killFor(server: Server, lasts_ms: number): Promise<void> {
  await server.kill();
  await sleep(lasts_ms);
  await server.restart();
}

async function freezeFor(server: Server, lasts_ms: number): Promise<void> {
  server.freeze();
  await sleep(lasts_ms);
  server.thaw();
}

/** One command by a connection of its own. */
function sendShared(port: number, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(`${command}\r\n`));
    socket.once("data", () => {
      socket.destroy();
      resolve();
    });
    socket.once("error", reject);
  });
}
