/**
 * The load generator: raw keep-alive sockets, one request in flight on each, nothing parsed but the
 * end of a response. A child process, so that it has a core of its own; the floor shows that it is
 * faster than what it measures.
 */
import { connect, type Socket } from "node:net";
import { type Collections, observeCollections } from "./collections.ts";
import { toRequest } from "./request.ts";

export type LoadJob = {
  port: number;
  /** Paths asked in turn, every one different. */
  paths: string[];
  /** API keys, presented in turn; absent: none. */
  keys?: string[];
  connections: number;
  seconds: number;
  /** Requests per second at fixed times (open loop); null: as fast as answers come (closed). */
  rate: number | null;
  /** Where others need this core, too: sleeps between answers, and times every one. */
  sleepy?: boolean;
};

export type LoadResult = {
  requests: number;
  seconds: number;
  bytes: number;
  errors: number;
  /** Milliseconds from when each request was due; open loop, or sleepy. */
  latency: { p50: number; p99: number; p999: number; max: number } | null;
  /** Of this process, whose heap is small: what such a step takes here at least. */
  collections_ms: Collections;
};

/** `last`: the server takes no more requests on this connection (it bounds how many one may bring). */
type Line = { socket: Socket; due: number; left: number; head: Buffer | null; last: boolean };

const collections = observeCollections();

process.on("message", (job: LoadJob) => {
  void run(job).then((result) => process.send!(result));
});

async function run(job: LoadJob): Promise<LoadResult> {
  const requests = job.paths.map((path, i) => toRequest(path, job.keys?.[i % job.keys.length]));
  const state = { next: 0, done: 0, bytes: 0, errors: 0, latencies: [] as number[], open: true };
  const waiting: number[] = [];
  const timed = job.rate !== null || job.sleepy === true;
  const lines: Line[] = [];
  // First in, first out: every connection takes its turn, as those of many callers would.
  const idle: Line[] = [];
  const send = (line: Line, due: number): void => {
    line.due = due;
    line.socket.write(requests[state.next++ % requests.length]!);
  };
  const finished = (line: Line): void => {
    state.done++;
    if (timed) state.latencies.push(performance.now() - line.due);
    if (!state.open) return;
    if (line.last) void renew(line);
    else next(line);
  };
  const next = (line: Line): void => {
    if (!state.open) return;
    if (job.rate === null) send(line, performance.now());
    else if (waiting.length) send(line, waiting.shift()!);
    else idle.push(line);
  };
  const listen = (line: Line): void =>
    void line.socket.on("data", (chunk: Buffer) => {
      state.bytes += chunk.length;
      take(line, chunk, state, finished);
    });
  const renew = async (line: Line): Promise<void> => {
    line.socket.destroy();
    line.last = false;
    line.socket = await open(job.port);
    listen(line);
    next(line);
  };
  for (let i = 0; i < job.connections; i++) {
    const socket = await open(job.port);
    const line: Line = { socket, due: 0, left: -1, head: null, last: false };
    listen(line);
    lines.push(line);
    idle.push(line);
  }
  collections.reset();
  const started = performance.now();
  if (job.sleepy !== true) stayAwake(state);
  if (job.rate === null) for (const line of lines) send(line, performance.now());
  else
    pace(job, started, (due) => {
      const line = idle.shift();
      if (line) send(line, due);
      else waiting.push(due);
    });
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 1000));
  state.open = false;
  const seconds = (performance.now() - started) / 1000;
  const requestsDone = state.done;
  if (job.rate !== null) await new Promise((resolve) => setTimeout(resolve, 300));
  for (const line of lines) line.socket.destroy();
  return {
    requests: requestsDone,
    seconds,
    bytes: state.bytes,
    errors: state.errors,
    latency: timed ? quantiles(state.latencies) : null,
    collections_ms: collections.read(),
  };
}

/**
 * Polls instead of sleeping. Waking a sleeping client is paid by the server's write (a call between
 * processors, dear on a virtual machine), and the slower server would find it asleep more often.
 */
function stayAwake(state: { open: boolean }): void {
  const spin = (): void => {
    if (state.open) setImmediate(spin);
  };
  spin();
}

/** Fires at fixed times, whatever the answers do: late answers queue, as real callers would. */
function pace(job: LoadJob, started: number, fire: (due: number) => void): void {
  const step = 1000 / job.rate!;
  let count = 0;
  const end = started + job.seconds * 1000;
  const tick = (): void => {
    const now = performance.now();
    while (started + count * step <= now && started + count * step < end)
      fire(started + count++ * step);
    if (now >= end) return;
    if (job.sleepy === true) setTimeout(tick, 1);
    else setImmediate(tick);
  };
  tick();
}

/** Counts one response: its head once, then its body by Content-Length. */
function take(
  line: Line,
  chunk: Buffer,
  state: { errors: number },
  finished: (line: Line) => void,
): void {
  if (line.left < 0) {
    const data = line.head ? Buffer.concat([line.head, chunk]) : chunk;
    const end = data.indexOf("\r\n\r\n");
    if (end < 0) {
      line.head = data;
      return;
    }
    line.head = null;
    const head = data.toString("latin1", 0, end);
    if (!head.startsWith("HTTP/1.1 200")) state.errors++;
    line.last = /connection: close/i.test(head);
    line.left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (data.length - end - 4);
  } else line.left -= chunk.length;
  if (line.left > 0) return;
  line.left = -1;
  finished(line);
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

function quantiles(values: number[]): LoadResult["latency"] {
  const sorted = Float64Array.from(values).sort();
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}
