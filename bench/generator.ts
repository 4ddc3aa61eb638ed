/**
 * The open-loop generator of the overload benchmark: requests at fixed times over many connections,
 * whatever the answers do, one in flight on each; what finds no free connection is counted and not
 * sent. Besides, GET /health on a connection of its own. A child process on a core of its own.
 */
import { connect, type Socket } from "node:net";
import { toRequest } from "./request.ts";

export type OverloadJob = {
  port: number;
  paths: string[];
  keys: string[];
  /** Of all requests, those that present a key. */
  keyed: number;
  rate: number;
  connections: number;
  seconds: number;
};

/** Milliseconds from when a request was written until its whole answer was read. */
export type Latency = { p50: number; p99: number; max: number };
export type Kind = "keyed" | "anonymous";
export type KindResult = {
  due: number;
  unsent: number;
  admitted: number;
  refused: Record<number, number>;
  /** Refused without a Retry-After of at least a second. */
  silent: number;
  latency: Latency;
  refusal: Latency;
};
export type OverloadResult = {
  seconds: number;
  kinds: Record<Kind, KindResult>;
  latency: Latency;
  health: Latency & { requested: number; failed: number };
};

type Line = {
  socket: Socket;
  kind: Kind;
  sent: number;
  left: number;
  head: Buffer | null;
  ok: boolean;
};
type Count = Omit<KindResult, "latency" | "refusal"> & { times: number[]; refusals: number[] };

const HEALTH_EVERY_MS = 50;
/** Consumed entries at the head of the queue that are dropped together. */
const TIDY = 1024;

process.on("message", (job: OverloadJob) => {
  void run(job).then((result) => process.send!(result));
});
process.once("disconnect", () => process.exit());

async function run(job: OverloadJob): Promise<OverloadResult> {
  const counts: Record<Kind, Count> = { keyed: newCount(), anonymous: newCount() };
  const requests: Record<Kind, Buffer[]> = {
    keyed: job.paths.map((path, i) => toRequest(path, job.keys[i % job.keys.length])),
    anonymous: job.paths.map((path) => toRequest(path)),
  };
  const idle: Line[] = [];
  let at = 0;
  const lines: Line[] = [];
  for (let i = 0; i < job.connections; i++) {
    const socket = await open(job.port);
    const line: Line = { socket, kind: "keyed", sent: 0, left: -1, head: null, ok: false };
    socket.on("data", (chunk: Buffer) => {
      if (take(line, chunk, counts)) idle.push(line);
    });
    lines.push(line);
    idle.push(line);
  }
  const health = await watchHealth(job.port);
  const began = performance.now();
  await fire(job, (n) => {
    // Evenly mixed, without a random draw for each.
    const kind = (n * 0.618034) % 1 < job.keyed ? "keyed" : "anonymous";
    counts[kind].due++;
    // Every connection takes its turn: one that never asks anything would be closed.
    const line = idle.length > at ? idle[at++] : undefined;
    if (!line) return void counts[kind].unsent++;
    if (at === TIDY) {
      idle.splice(0, TIDY);
      at = 0;
    }
    line.kind = kind;
    line.sent = performance.now();
    line.socket.write(requests[kind][n % job.paths.length]!);
  });
  const seconds = (performance.now() - began) / 1000;
  const watched = await health.stop();
  await sleep(300);
  for (const { socket } of lines) socket.destroy();
  const [keyed, anonymous] = [toResult(counts.keyed), toResult(counts.anonymous)];
  const latency = toLatency([...counts.keyed.times, ...counts.anonymous.times]);
  return { seconds, kinds: { keyed, anonymous }, latency, health: watched };
}

function newCount(): Count {
  return { due: 0, unsent: 0, admitted: 0, refused: {}, silent: 0, times: [], refusals: [] };
}

/** What is due is sent a few hundred at a time at most, so that answers are read in between. */
function fire({ rate, seconds }: OverloadJob, send: (n: number) => void): Promise<void> {
  const began = performance.now();
  let count = 0;
  return new Promise((resolve) => {
    const tick = (): void => {
      const now = performance.now() - began;
      if (now >= seconds * 1000) return resolve();
      const due = Math.floor((now / 1000) * rate);
      for (; count < due; count++) send(count);
      if (rate > 2000) setImmediate(tick);
      else setTimeout(tick, 1);
    };
    tick();
  });
}

/** One response: its head once, then its body by Content-Length. True: it is complete. */
function take(line: Line, chunk: Buffer, counts: Record<Kind, Count>): boolean {
  if (line.left < 0) {
    const data = line.head ? Buffer.concat([line.head, chunk]) : chunk;
    const end = data.indexOf("\r\n\r\n");
    if (end < 0) {
      line.head = data;
      return false;
    }
    line.head = null;
    const head = data.toString("latin1", 0, end);
    note(line, head, counts[line.kind]);
    line.left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (data.length - end - 4);
  } else line.left -= chunk.length;
  if (line.left > 0) return false;
  line.left = -1;
  const count = counts[line.kind];
  (line.ok ? count.times : count.refusals).push(performance.now() - line.sent);
  return true;
}

function note(line: Line, head: string, count: Count): void {
  const status = Number(head.slice(9, 12));
  line.ok = status === 200;
  if (line.ok) count.admitted++;
  else {
    count.refused[status] = (count.refused[status] ?? 0) + 1;
    if (!/\r\nretry-after: [1-9]/i.test(head)) count.silent++;
  }
}

async function watchHealth(port: number) {
  const socket = await open(port);
  const times: number[] = [];
  const state = { requested: 0, failed: 0, busy: false, sent: 0 };
  socket.on("data", (chunk: Buffer) => {
    times.push(performance.now() - state.sent);
    if (!chunk.toString("latin1", 0, 12).endsWith("200")) state.failed++;
    state.busy = false;
  });
  const timer = setInterval(() => {
    if (state.busy) return;
    state.requested++;
    Object.assign(state, { busy: true, sent: performance.now() });
    socket.write(toRequest("/health"));
  }, HEALTH_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      for (let i = 0; state.busy && i < 100; i++) await sleep(10);
      const { requested, failed, busy } = state;
      socket.destroy();
      return { ...toLatency(times), requested, failed: failed + (busy ? 1 : 0) };
    },
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

function toResult({ times, refusals, ...rest }: Count): KindResult {
  return { ...rest, latency: toLatency(times), refusal: toLatency(refusals) };
}

function toLatency(times: readonly number[]): Latency {
  const sorted = Float64Array.from(times).sort();
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
