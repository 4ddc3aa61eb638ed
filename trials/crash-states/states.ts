/**
 * The states a store may be found in after a crash (reliability 3.5). A process that was killed leaves
 * all that it has written. A failure of power leaves what an fsync has covered; of what was written
 * since, anything may be missing, and the last of it may be torn.
 */
import type { Dice } from "../dice.ts";
import type { Ack, Op, Trace } from "./trace.ts";

/** File name → content; a file that is not there is not in it. */
type Files = Map<string, Buffer>;

/** `killed`: the process ended; the others: the power failed. */
export type CrashKind = "killed" | "durable" | "subset" | "torn";
export type CrashState = {
  kind: CrashKind;
  files: Files;
  /** Acknowledgements that must hold. */
  acked: readonly string[];
  /** Those that may: all before the crash, and the one that was being worked on. */
  attempted: readonly string[];
};

/** States of the whole trace, at every moment at which something changes; no two moments alike. */
export function* crashStates(
  trace: Trace,
  options: { dice: Dice; share: number; subsets: number },
): Generator<CrashState> {
  const { dice, share, subsets } = options;
  const durable_at = new Map(trace.ops.map((op) => [op, durableAt(op, trace)]));
  const base: Files = new Map();
  let pending: Op[] = [];
  let next = 0;
  let acked = 0;
  for (const [moment, chosen] of choose(momentsOf(trace), dice, share)) {
    for (; next < trace.ops.length && trace.ops[next]!.start < moment; next++)
      pending.push(trace.ops[next]!);
    while (acked < trace.acks.length && trace.acks[acked]!.start < moment) acked += 1;
    const settled = (op: Op): boolean => durable_at.get(op)! < moment;
    for (const op of pending.filter(settled)) apply(base, op);
    pending = pending.filter((op) => !settled(op));
    if (!chosen) continue;
    const before = trace.acks.slice(0, acked);
    const attempted = trace.acks.slice(0, acked + 1).map(({ text }) => text);
    const durable = before.filter(({ durable_at: settled_at }) => settled_at < moment);
    for (const [kind, ops] of variants(pending, dice, subsets)) {
      const must = kind === "killed" ? before : durable;
      yield { kind, files: build(base, ops), acked: must.map(({ text }) => text), attempted };
    }
  }
}

/** Just before each change and each end of an fsync: the most is acknowledged, the least is safe. */
function momentsOf({ ops, barriers, length }: Trace): number[] {
  const moments = new Set([...ops.map(({ start }) => start), ...barriers.map(({ end }) => end)]);
  return [...moments, length].sort((a, b) => a - b);
}

/** A share of them, one somewhere in each stretch, so that the number is no matter of chance. */
function* choose(
  moments: readonly number[],
  dice: Dice,
  share: number,
): Generator<[number, boolean]> {
  const stretch = 1 / share;
  let from = 0;
  let next = Math.floor(dice.between(0, stretch));
  for (const [index, moment] of moments.entries()) {
    yield [moment, index === next];
    if (index !== next) continue;
    from += stretch;
    next = Math.floor(dice.between(from, from + stretch));
    // Two stretches may meet within one moment.
    next = Math.max(next, index + 1);
  }
}

/** The end of the first fsync that begins after the write has ended. */
function durableAt(op: Op, trace: Trace): number {
  return findBarrier(op, trace)?.end ?? Infinity;
}

function findBarrier(op: Op, { barriers }: Trace): Trace["barriers"][number] | null {
  return barriers
    .filter(({ covers, start }) => covers === op.covered_by && start > op.end)
    .reduce<Trace["barriers"][number] | null>(
      (first, each) => (first && first.end <= each.end ? first : each),
      null,
    );
}

/**
 * Of a store that is synced behind its acknowledgements: each is durable when the write before it, to
 * one of these files, is. `begun_ms`, `exposed_ms`: the longest time from such a write to the begin and
 * to the end of its sync.
 */
export function settleBehind(
  trace: Trace,
  files: readonly string[],
): { trace: Trace; begun_ms: number; exposed_ms: number } {
  const writes = trace.ops.filter(({ kind, file }) => kind === "write" && files.includes(file));
  let begun_ms = 0;
  let exposed_ms = 0;
  let next = 0;
  const acks = trace.acks.map((ack): Ack => {
    while (next < writes.length && writes[next]!.end < ack.start) next += 1;
    const write = writes[next - 1]!;
    const barrier = findBarrier(write, trace);
    if (barrier) {
      begun_ms = Math.max(begun_ms, barrier.start_ms - write.end_ms);
      exposed_ms = Math.max(exposed_ms, barrier.end_ms - write.end_ms);
    }
    return { ...ack, durable_at: barrier?.end ?? Infinity };
  });
  return { trace: { ...trace, acks }, begun_ms, exposed_ms };
}

function* variants(
  pending: readonly Op[],
  dice: Dice,
  subsets: number,
): Generator<[CrashKind, readonly Op[]]> {
  yield ["durable", []];
  if (pending.length === 0) return;
  yield ["killed", pending];
  const tried = new Set<string>();
  for (let i = 0; i < subsets; i++) {
    const likely = dice.next();
    const remaining = pending.filter(() => dice.chance(likely));
    const torn = remaining.length > 0 && dice.chance(0.6);
    const ops = torn ? [...remaining.slice(0, -1), tear(remaining.at(-1)!, dice)] : remaining;
    const name = ops.map((op) => [op.start, op.kind === "write" && op.bytes.length]).join();
    if (!tried.has(name)) yield [torn ? "torn" : "subset", ops];
    tried.add(name);
  }
}

/** By whole sectors, or anywhere. */
function tear(op: Op, dice: Dice): Op {
  if (op.kind !== "write") return op;
  const at = dice.integer(0, op.bytes.length - 1);
  const length = dice.chance(0.5) ? at - (at % 512) : at;
  return { ...op, bytes: op.bytes.subarray(0, length) };
}

function build(base: Files, ops: readonly Op[]): Files {
  const files: Files = new Map(base);
  const own = new Set<string>();
  for (const op of ops) {
    const shared = files.get(op.file);
    if (shared && !own.has(op.file)) files.set(op.file, Buffer.from(shared));
    own.add(op.file);
    apply(files, op);
  }
  return files;
}

/** A file grows by what is written beyond its end; the gap is zeros. */
function apply(files: Files, op: Op): void {
  if (op.kind === "unlink") {
    files.delete(op.file);
    return;
  }
  const before = files.get(op.file) ?? Buffer.alloc(0);
  const needed = op.kind === "truncate" ? op.length : op.at + op.bytes.length;
  const shorter = op.kind === "truncate" && needed < before.length;
  const after = needed <= before.length ? before.subarray(0, shorter ? needed : undefined) : grow();
  if (op.kind === "write") op.bytes.copy(after, op.at);
  files.set(op.file, after);

  function grow(): Buffer {
    const grown = Buffer.alloc(needed);
    before.copy(grown);
    return grown;
  }
}
