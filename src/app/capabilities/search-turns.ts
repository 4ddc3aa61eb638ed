/**
 * Which of equal searches is executed (docs/decisions/0031-reserve-before-the-work.md): the first one claims it
 * before the work, in this process and in the store that replicas share. The others wait for its
 * observation, within their own deadlines, and cost nothing.
 */
import { detach } from "#kit/guard.ts";
import type { Clock, Datasets } from "#ports.ts";
import type { Claim, Claims } from "#ports/claims.ts";
import { REPEAT_MS, Repeats } from "./repeated-searches.ts";
import type { ObservationReply } from "./stored-search.ts";

export type CapabilityTurn =
  /** To be executed; `work` is finished with its reply, or ended without one. */
  | { kind: "first"; work: CapabilityWork }
  /** The reply of the first. */
  | { kind: "repeat"; reply: ObservationReply }
  /** The first is still under way, and this one's deadline has passed. */
  | { kind: "late" };

export type TurnsDeps = {
  datasets: Pick<Datasets, "findRepeat" | "read">;
  /** Of the store that replicas share; null: this process is alone. */
  claims: Claims | null;
  clock: Pick<Clock, "now" | "schedule" | "sleep">;
};

/** How often a claim of another replica is looked at, ms. */
const LOOK_EVERY_MS = 100;
/** A claim outlives the deadline of its work by this, ms: the answer is stored before it leaves. */
const GRACE_MS = 1_000;

/** null: it was given up before it was executed. */
type Outcome = ObservationReply | null;

type Stored = { reply: ObservationReply; made_at_ms: number };

export class CapabilityTurns {
  readonly #deps: TurnsDeps;
  readonly #repeats = new Repeats<Outcome>();

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  /** `key`: the caller and the whole body. Waits where an equal search is under way. */
  async take(key: Uint8Array, deadline_ms: number): Promise<CapabilityTurn> {
    const name = Buffer.from(key).toString("base64");
    const first = this.#repeats.recall(name, this.#deps.clock.now());
    if (first === null) return await this.#begin(key, name, deadline_ms);
    const outcome = await this.#within(first, deadline_ms);
    if (outcome === "late") return { kind: "late" };
    if (outcome === null) return await this.take(key, deadline_ms);
    return { kind: "repeat", reply: outcome };
  }

  /** Is the first here; others may be under way elsewhere. */
  async #begin(key: Uint8Array, name: string, deadline_ms: number): Promise<CapabilityTurn> {
    const work = new CapabilityWork();
    this.#remember(name, this.#deps.clock.now(), work.outcome);
    const turn = await this.#claim(key, work, deadline_ms);
    if (turn === "first") return { kind: "first", work };
    if (turn === "late") {
      work.end();
      return { kind: "late" };
    }
    work.finish(turn.reply);
    this.#remember(name, turn.made_at_ms, work.outcome);
    return { kind: "repeat", reply: turn.reply };
  }

  #remember(name: string, at_ms: number, outcome: Promise<Outcome>): void {
    this.#repeats.remember(name, at_ms, outcome, (of) => of?.kind === "ok");
  }

  /** Claims the work, or waits for who has it. Without a store that answers it is executed here. */
  async #claim(
    key: Uint8Array,
    work: CapabilityWork,
    deadline_ms: number,
  ): Promise<Stored | "first" | "late"> {
    const { claims, clock } = this.#deps;
    const left_ms = deadline_ms - clock.now();
    if (left_ms <= 0) return "late";
    const claim = claims === null ? null : await claims.claim(key, left_ms + GRACE_MS);
    if (claim !== null && typeof claim === "object") work.hold(claim);
    // After the claim: what its last holder has stored is there by now.
    const match = await this.#findStored(key);
    if (match !== null) return match;
    if (claim !== "held") return "first";
    await clock.sleep(Math.min(LOOK_EVERY_MS, left_ms));
    return await this.#claim(key, work, deadline_ms);
  }

  async #findStored(key: Uint8Array): Promise<Stored | null> {
    const { datasets, clock } = this.#deps;
    const now_ms = clock.now();
    const repeat = await datasets.findRepeat(key, now_ms - REPEAT_MS + 1);
    // One of a later time was made before the system clock was set back: its age is unknown.
    if (repeat === null || repeat.made_at_ms - now_ms >= REPEAT_MS) return null;
    const stored = await datasets.read(repeat.id, "observation");
    if (stored.status !== "ok") return null;
    const reply = { kind: "ok", observation: stored.bytes, free: true } as const;
    return { reply, made_at_ms: repeat.made_at_ms };
  }

  async #within<T>(outcome: Promise<T>, deadline_ms: number): Promise<T | "late"> {
    const { promise, resolve } = Promise.withResolvers<"late">();
    const cancel = this.#deps.clock.schedule(deadline_ms, () => resolve("late"));
    const first = await Promise.race([outcome, promise]);
    cancel();
    return first;
  }
}

/** A search that is this request's to execute. */
export class CapabilityWork {
  readonly outcome: Promise<Outcome>;
  readonly #resolve: (of: Outcome) => void;
  #claim: Claim | null = null;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#resolve = resolve;
  }

  hold(claim: Claim): void {
    this.#claim = claim;
  }

  finish(reply: ObservationReply): void {
    this.#close(reply);
  }

  /** Gives up what is not finished, so that another one may be executed. */
  end(): void {
    this.#close(null);
  }

  #close(outcome: Outcome): void {
    this.#resolve(outcome);
    // One that cannot be ended expires.
    if (this.#claim) detach(this.#claim.end(), () => undefined);
    this.#claim = null;
  }
}
