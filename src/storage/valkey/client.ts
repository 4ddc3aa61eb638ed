/**
 * Asking Valkey (or Redis, or a cluster of them). Whatever it does, gone, frozen or slow, a question
 * costs whoever asks its time-out and no longer, and after a failure nothing at all (circuit.ts).
 */
import type { SharedAddress } from "./address.ts";
import { type CircuitEvent, createCircuit } from "./circuit.ts";
import { connect, type Connection, type Driver } from "./driver.ts";
import type { Script } from "./scripts.ts";

/** As it is on the wire: every string is its bytes. */
export type Reply = Buffer | number | null | Reply[];
export type Argument = string | number | Buffer;

export type Client = {
  /** Never rejects. `unreachable`: nobody knows what became of it; or the store refused it. */
  ask(
    name: string,
    args: readonly Argument[],
    options?: { timeout_ms?: number },
  ): Promise<Reply | "unreachable">;
  /** The same for a script; in a cluster all `keys` have one hash tag. */
  run(
    script: Script,
    call: { keys: readonly string[]; args: readonly Argument[] },
    options?: { timeout_ms?: number },
  ): Promise<Reply | "unreachable">;
  /** It has not answered of late: `ask` would say so at once. */
  isAway(): boolean;
  /** It is away by one answer that was late, and has not been asked again since (circuit.ts). */
  isDoubtful(): boolean;
  /** Resolves when it answers, after this time, or when `hurry` is aborted. */
  settled(within_ms: number, hurry?: AbortSignal): Promise<void>;
  close(): void;
};

/** `refused`: the store answered with an error (its first word is its name); told now and then. */
export type ClientEvent = CircuitEvent | { state: "refused"; reason: string };

export type ClientOptions = { onEvent: (event: ClientEvent) => void; timeout_ms?: number };

export const TIMEOUT_MS = 50;
const REFUSALS_EVERY_MS = 10_000;

/** `timeout_ms`: of whatever does not say otherwise. */
export function createClient(
  driver: Driver,
  address: SharedAddress,
  { onEvent, timeout_ms: usual_ms = TIMEOUT_MS }: ClientOptions,
): Client {
  const connection = connect(driver, address);
  const send = createSender(driver, connection);
  const probe = async (): Promise<boolean> => !isFailure(await within(send("ping", []), usual_ms));
  const bell = createBell();
  const circuit = createCircuit(probe, (event) => {
    if (event.state === "back") bell.ring();
    onEvent(event);
  });
  connection.on("ready", () => circuit.hasten());

  /** An error of the store is a value here, so that a script it does not know can be sent. */
  async function attempt(
    name: string,
    args: readonly Argument[],
    timeout_ms: number,
  ): Promise<Reply | Failure> {
    if (circuit.isOpen()) return AWAY;
    const era = circuit.era();
    const reply = await within(send(name, args), timeout_ms);
    if (!isFailure(reply) || reply.refused) return reply;
    circuit.fail(era, reply.reason);
    return reply;
  }
  const refused = createRefusals((reason) => onEvent({ state: "refused", reason }));
  const told = (reply: Reply | Failure): Reply | "unreachable" => {
    if (!isFailure(reply)) return reply;
    if (reply.refused) refused(reply.reason);
    return "unreachable";
  };
  return {
    ask: async (name, args, { timeout_ms = usual_ms } = {}) =>
      told(await attempt(name, args, timeout_ms)),
    async run({ sha, lua }, { keys, args }, { timeout_ms = usual_ms } = {}) {
      const begun_ms = performance.now();
      const rest = [keys.length, ...keys, ...args];
      const reply = await attempt("evalsha", [sha, ...rest], timeout_ms);
      if (!isFailure(reply) || !reply.reason.startsWith("NOSCRIPT")) return told(reply);
      const left_ms = timeout_ms - (performance.now() - begun_ms);
      return told(await attempt("eval", [lua, ...rest], Math.max(1, left_ms)));
    },
    isAway: circuit.isOpen,
    isDoubtful: circuit.isDoubtful,
    settled: async (within_ms, hurry) => {
      if (circuit.isOpen() && !hurry?.aborted) await bell.rings(within_ms, hurry);
    },
    close() {
      circuit.close();
      connection.disconnect();
    },
  };
}

/** A store that is full refuses every request. */
function createRefusals(tell: (reason: string) => void): (reason: string) => void {
  let told_at_ms = -Infinity;
  return (reason) => {
    if (performance.now() - told_at_ms < REFUSALS_EVERY_MS) return;
    told_at_ms = performance.now();
    tell(reason);
  };
}

type Bell = {
  ring(): void;
  /** Resolves when it rings, after this time, or when `hurry` is aborted. */
  rings(within_ms: number, hurry?: AbortSignal): Promise<void>;
};

function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const done of waiting) done();
    },
    async rings(within_ms, hurry) {
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

function isFailure(reply: Reply | Failure): reply is Failure {
  return reply instanceof Failure;
}

type Send = (name: string, args: readonly Argument[]) => Promise<Reply | Failure>;

function createSender(driver: Driver, connection: Connection): Send {
  const toFailure = (error: Error): Failure =>
    new Failure(error.message, error instanceof driver.ReplyError);
  return (name, args) => {
    const command = new driver.Command(name, args as Argument[], { replyEncoding: null });
    void connection.sendCommand(command);
    return command.promise.catch(toFailure);
  };
}

/** An answer that lies there already when the time is up, since this process was busy, counts. */
function within(answer: Promise<Reply | Failure>, timeout_ms: number): Promise<Reply | Failure> {
  const { promise, resolve } = Promise.withResolvers<Reply | Failure>();
  const timer = setTimeout(() => setImmediate(resolve, LATE), timeout_ms);
  void answer.then((reply) => {
    clearTimeout(timer);
    return resolve(reply);
  });
  return promise;
}
