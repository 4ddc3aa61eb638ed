/**
 * Client of Valkey (or Redis, or a cluster of them). Whatever the store does, gone, frozen or slow,
 * a caller waits no longer than its timeout, and after a failure not at all (circuit.ts).
 */
import { toLine } from "#storage/error-line.ts";
import type { Failing, Reports } from "#storage/store-health.ts";
import { refusalOf } from "#storage/store-reasons.ts";
import type { SharedAddress } from "./valkey-address.ts";
import { Circuit, type CircuitEvent } from "./circuit.ts";
import { connect, type Connection, type Driver } from "./driver.ts";
import type { Script } from "./scripts.ts";

/** A reply as it is on the wire: every string is its bytes. */
export type ValkeyReply = Buffer | number | null | ValkeyReply[];
export type Argument = string | number | Buffer;

export type ValkeyClient = {
  /** Sends a command. Never rejects. `unreachable`: the outcome is unknown, or it was refused. */
  ask(
    name: string,
    args: readonly Argument[],
    options?: { timeout_ms?: number },
  ): Promise<ValkeyReply | "unreachable">;
  /** Runs a script in the same way; in a cluster all `keys` have one hash tag. */
  run(
    script: Script,
    call: { keys: readonly string[]; args: readonly Argument[] },
    options?: { timeout_ms?: number },
  ): Promise<ValkeyReply | "unreachable">;
  /** Whether it has not answered of late: `ask` would say so at once. */
  isAway(): boolean;
  /** Whether it is away by one late answer, and has not been asked again since (circuit.ts). */
  isDoubtful(): boolean;
  /** Resolves when it answers, after this time, or when `hurry` is aborted. */
  settled(within_ms: number, hurry?: AbortSignal): Promise<void>;
  close(): void;
};

/** `refused`: the store answered with an error (its first word is its name); rate-limited. */
export type ClientEvent = CircuitEvent | { state: "refused"; reason: string };

export type ValkeyOptions = {
  onEvent: (event: ClientEvent) => void;
  /** Receives what our own code throws, which nothing waits for. */
  onFault: (error: unknown) => void;
  timeout_ms?: number;
  /** Receives what fails and each recovery, under this name. */
  health?: { reports: Reports; part: string };
  /** Written to find whether the store takes writes: one that answers need not. */
  probe_key?: string;
};

/** A probe leaves no key behind for longer, ms. */
const PROBE_LIFE_MS = 60_000;

export const COMMAND_TIMEOUT_MS = 50;
const REFUSALS_EVERY_MS = 10_000;

/** Creates a client; `timeout_ms` applies to calls that set none. */
export function createValkeyClient(
  driver: Driver,
  address: SharedAddress,
  options: ValkeyOptions,
): ValkeyClient {
  const { onEvent, onFault, health, timeout_ms: usual_ms = COMMAND_TIMEOUT_MS } = options;
  const { probe_key = "vicinity:probe" } = options;
  const connection = connect(driver, address);
  const send = createSender(driver, connection);
  const explain = createExplainer(connection);
  const report = (reason: string): void => health?.reports.fail(health.part, explain.why(reason));
  const probe = async (): Promise<boolean> => {
    const reply = await within(send("set", [probe_key, 1, "PX", PROBE_LIFE_MS]), usual_ms);
    if (!isFailure(reply)) return true;
    report(reply.reason);
    return false;
  };
  const recovery = createSignal();
  const onChange = (event: CircuitEvent): void => {
    if (event.state === "away") report(event.reason);
    else {
      explain.forget();
      health?.reports.succeed(health.part);
      recovery.notify();
    }
    onEvent(event);
  };
  const circuit = new Circuit({ probe, onEvent: onChange, onFault });
  connection.on("ready", () => circuit.probeNow());

  /** An error of the store is a value here, so that a script it does not know can be sent. */
  async function attempt(
    name: string,
    args: readonly Argument[],
    timeout_ms: number,
  ): Promise<ValkeyReply | Failure> {
    if (circuit.isOpen()) return AWAY;
    const era = circuit.era();
    const reply = await within(send(name, args), timeout_ms);
    if (!isFailure(reply)) return reply;
    // One that is full or read-only answers, and is of no use for limits, leases and claims.
    if (!reply.refused || refusalOf(reply.reason)) circuit.fail(era, reply.reason);
    return reply;
  }
  const refused = createRefusals((reason) => onEvent({ state: "refused", reason }));
  const toReply = (reply: ValkeyReply | Failure): ValkeyReply | "unreachable" => {
    if (!isFailure(reply)) return reply;
    if (reply.refused) refused(reply.reason);
    return "unreachable";
  };
  return {
    ask: async (name, args, { timeout_ms = usual_ms } = {}) =>
      toReply(await attempt(name, args, timeout_ms)),
    async run({ sha, lua }, { keys, args }, { timeout_ms = usual_ms } = {}) {
      const begun_ms = performance.now();
      const rest = [keys.length, ...keys, ...args];
      const reply = await attempt("evalsha", [sha, ...rest], timeout_ms);
      if (!isFailure(reply) || !reply.reason.startsWith("NOSCRIPT")) return toReply(reply);
      const left_ms = timeout_ms - (performance.now() - begun_ms);
      return toReply(await attempt("eval", [lua, ...rest], Math.max(1, left_ms)));
    },
    isAway: () => circuit.isOpen(),
    isDoubtful: () => circuit.isDoubtful(),
    settled: async (within_ms, hurry) => {
      if (circuit.isOpen() && !hurry?.aborted) await recovery.wait(within_ms, hurry);
    },
    close() {
      circuit.close();
      connection.disconnect();
    },
  };
}

type Explainer = { why(reason: string): Failing; forget(): void };

/**
 * Why commands fail, by the last error of the connection where there is none. It is "ready" also
 * after a wrong password: only an answer shows that it is well.
 */
function createExplainer(connection: Connection): Explainer {
  let last: string | null = null;
  connection.on("error", (error: Error) => (last = toLine(error)));
  return {
    forget: () => (last = null),
    why(reason) {
      const refusal = refusalOf(reason);
      if (refusal) return refusal;
      if (last !== null) return refusalOf(last) ?? { reason: "unreachable", detail: last };
      // A connection that is just being made is late.
      const isLate = reason === LATE.reason || connection.status === "connecting";
      return { reason: isLate ? "late" : "unreachable", detail: reason };
    },
  };
}

/** Limits the rate of reports: a store that is full refuses every request. */
function createRefusals(report: (reason: string) => void): (reason: string) => void {
  let reported_at_ms = -Infinity;
  return (reason) => {
    if (performance.now() - reported_at_ms < REFUSALS_EVERY_MS) return;
    reported_at_ms = performance.now();
    report(reason);
  };
}

type Signal = {
  notify(): void;
  /** Resolves when it is notified, after this time, or when `hurry` is aborted. */
  wait(within_ms: number, hurry?: AbortSignal): Promise<void>;
};

function createSignal(): Signal {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const done of waiting) done();
    },
    async wait(within_ms, hurry) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const done = (): void => resolve();
      waiting.add(done);
      hurry?.addEventListener("abort", done);
      const timer = setTimeout(done, within_ms);
      await promise;
      clearTimeout(timer);
      hurry?.removeEventListener("abort", done);
      waiting.delete(done);
    },
  };
}

class Failure {
  readonly reason: string;
  /** By the store; else it did not answer. */
  readonly refused: boolean;
  constructor(reason: string, refused: boolean) {
    this.reason = reason;
    this.refused = refused;
  }
}

const AWAY = new Failure("away", false);
const LATE = new Failure("late", false);

function isFailure(reply: ValkeyReply | Failure): reply is Failure {
  return reply instanceof Failure;
}

type Send = (name: string, args: readonly Argument[]) => Promise<ValkeyReply | Failure>;

function createSender(driver: Driver, connection: Connection): Send {
  const toFailure = (error: Error): Failure =>
    new Failure(error.message, error instanceof driver.ReplyError);
  return (name, args) => {
    const command = new driver.Command(name, args as Argument[], { replyEncoding: null });
    // It may throw at once, and then the command has no reply.
    const sent = Promise.try(() => connection.sendCommand(command));
    return Promise.race([command.promise, sent.then(() => command.promise)]).catch(toFailure);
  };
}

/** An answer that lies there already when the time is up, since this process was busy, counts. */
function within(
  answer: Promise<ValkeyReply | Failure>,
  timeout_ms: number,
): Promise<ValkeyReply | Failure> {
  const { promise, resolve } = Promise.withResolvers<ValkeyReply | Failure>();
  const timer = setTimeout(() => setImmediate(resolve, LATE), timeout_ms);
  const take = (reply: ValkeyReply | Failure): void => {
    clearTimeout(timer);
    resolve(reply);
  };
  answer.then(take, (error) => take(new Failure(String(error), false)));
  return promise;
}
