/**
 * Protection of a source from its callers (reliability 2.4): a bulkhead for each operation, a budget of
 * retries, and the calls it may get in a day.
 */
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { anonymousMost } from "#core/limits/shared-bound.ts";
import type { Clock, SpendStore } from "#ports.ts";
import { createDeadline, type CallDeadline } from "#upstream/deadline.ts";

/**
 * Bulkhead: at most `places` calls to a source at once, and at most `queue` that wait for a place,
 * in their order and not for long. Kept libraries have no queue that a caller can leave.
 */
export class Bulkhead {
  readonly #clock: Clock;
  readonly #places: number;
  readonly #queue: number;
  #inside = 0;
  /** Calls for callers with a key wait before all others. */
  readonly #lines: Record<"keyed" | "anonymous", (() => void)[]> = { keyed: [], anonymous: [] };

  constructor(clock: Clock, { places, queue }: { places: number; queue: number }) {
    this.#clock = clock;
    this.#places = places;
    this.#queue = queue;
  }

  /** Calls that have a place. */
  get inside(): number {
    return this.#inside;
  }

  /**
   * Takes a place, to be held with `using`: disposed of, it is released, whatever was thrown
   * meanwhile. null: none in time, too many before, or aborted.
   */
  async enter(options: {
    wait_ms: number;
    signal: AbortSignal;
    keyed?: boolean;
  }): Promise<Disposable | null> {
    const { wait_ms, signal, keyed = false } = options;
    if (signal.aborted) return null;
    if (this.#inside < this.#places) {
      this.#inside++;
      return this.#toPermit();
    }
    if (this.#isFull(keyed)) return null;
    const deadline = createDeadline(this.#clock, this.#clock.now() + wait_ms, signal);
    const line = this.#lines[keyed ? "keyed" : "anonymous"];
    return (await waitInLine(line, deadline)) ? this.#toPermit() : null;
  }

  #isFull(keyed: boolean): boolean {
    const { keyed: before, anonymous } = this.#lines;
    if (before.length + anonymous.length >= this.#queue) return true;
    const { keyed_share } = BOUNDS_OF_ALL.calls;
    return !keyed && anonymous.length >= anonymousMost({ most: this.#queue, keyed_share });
  }

  #toPermit(): Disposable {
    let has_left = false;
    return {
      [Symbol.dispose]: () => {
        if (has_left) return;
        has_left = true;
        // The place passes on directly: in between, another call could slip in, and both be inside.
        const next = this.#lines.keyed.shift() ?? this.#lines.anonymous.shift();
        if (next) next();
        else this.#inside--;
      },
    };
  }
}

/** true: a place was passed on; false: aborted before. At once with either, the deadline is over. */
function waitInLine(waiting: (() => void)[], deadline: CallDeadline): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { signal } = deadline;
  const take = (): void => end(true);
  const give = (): void => {
    waiting.splice(waiting.indexOf(take), 1);
    end(false);
  };
  const end = (has_place: boolean): void => {
    deadline[Symbol.dispose]();
    signal.removeEventListener("abort", give);
    resolve(has_place);
  };
  signal.addEventListener("abort", give, { once: true });
  waiting.push(take);
  return promise;
}

/** Retries are at most a tenth of what succeeds, so that a struggling source is not doubled. */
export type RetryBudget = { success(): void; take(): boolean };

const TOKENS = 10;
const PER_SUCCESS = 0.1;

export function createRetryBudget(): RetryBudget {
  let tokens = TOKENS;
  return {
    success: () => void (tokens = Math.min(TOKENS, tokens + PER_SUCCESS)),
    take() {
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}

/** Bounds of what a source may be asked in a UTC day. */
export type SpendAllowance = {
  /** For sources that cost money; null: no bound. */
  calls_per_day: number | null;
  /** The last share of it, which callers without a key do not get. */
  reserved_share: number;
};

export type SpendVerdict = "ok" | "spend_cap" | "reserved_for_keys";

const DAY_MS = 86_400_000;
/** At least this often a day the store is asked; calls counted ahead are lost in a crash. */
const LEASES_A_DAY = 200;

/**
 * Calls to one source in a UTC day, counted in a store that outlives this process and that other
 * replicas may share. Calls are counted ahead, some at a time, so that a crash never forgets any.
 */
export class Spend {
  readonly #clock: Clock;
  readonly #provider: string;
  readonly #allowance: SpendAllowance;
  readonly #store: SpendStore;
  #day = "";
  /** Of the day, by all replicas, as last reported; calls counted ahead included. */
  #counted = 0;
  /** Counted ahead, and not made. */
  #ahead = 0;
  #leasing: Promise<void> | null = null;

  constructor(clock: Clock, provider: string, allowance: SpendAllowance, store: SpendStore) {
    this.#clock = clock;
    this.#provider = provider;
    this.#allowance = allowance;
    this.#store = store;
  }

  /** Made today, as far as this replica knows. */
  spent(): number {
    this.#renewDay();
    return this.#counted - this.#ahead;
  }

  /** Whether one more call may be made, for a caller with a key or without. */
  take(keyed: boolean): SpendVerdict | Promise<SpendVerdict> {
    this.#renewDay();
    const { calls_per_day: cap } = this.#allowance;
    if (cap === null) {
      this.#counted++;
      return "ok";
    }
    const refusal = this.#refusal(cap, keyed);
    if (refusal) return refusal;
    if (this.#ahead === 0) {
      const leased = this.#lease(cap);
      if (leased) return leased.then(() => this.take(keyed));
    }
    const late = this.#ahead === 0 ? "spend_cap" : this.#refusal(cap, keyed);
    if (late) return late;
    this.#ahead--;
    return "ok";
  }

  /** Returns the calls that were counted ahead and not made. */
  async close(): Promise<void> {
    const [day, unused] = [this.#day, this.#ahead];
    this.#ahead = 0;
    if (unused > 0) await this.#store.add(this.#provider, day, -unused);
  }

  #refusal(cap: number, keyed: boolean): SpendVerdict | null {
    const spent = this.#counted - this.#ahead;
    if (spent >= cap) return "spend_cap";
    const free = Math.floor(cap * (1 - this.#allowance.reserved_share));
    return keyed || spent < free ? null : "reserved_for_keys";
  }

  /** Promise: the store is elsewhere, and all calls wait for the same answer of it. */
  #lease(cap: number): Promise<void> | null {
    if (this.#leasing) return this.#leasing;
    const day = this.#day;
    const wanted = Math.max(1, Math.floor(cap / LEASES_A_DAY));
    const note = (counted: number): void => {
      // Of a day that is over by now.
      if (day !== this.#day) return;
      this.#counted = counted;
      this.#ahead = Math.max(0, Math.min(wanted, cap - (counted - wanted)));
    };
    const counted = this.#store.add(this.#provider, day, wanted);
    if (!(counted instanceof Promise)) return (note(counted), null);
    // A store that fails is asked again by the next call.
    this.#leasing = counted.then(note).finally(() => (this.#leasing = null));
    return this.#leasing;
  }

  #renewDay(): void {
    const day = new Date(Math.floor(this.#clock.now() / DAY_MS) * DAY_MS)
      .toISOString()
      .slice(0, 10);
    if (day === this.#day) return;
    this.#day = day;
    this.#counted = 0;
    this.#ahead = 0;
  }
}

/** The spends of a deployment: one a source, whatever it is asked for. */
export class Spending {
  readonly #clock: Clock;
  readonly #store: SpendStore;
  readonly #spends = new Map<string, Spend>();

  constructor(clock: Clock, store: SpendStore) {
    this.#clock = clock;
    this.#store = store;
  }

  of(provider: string, allowance: SpendAllowance): Spend {
    const known_spend = this.#spends.get(provider);
    if (known_spend) return known_spend;
    const spend = new Spend(this.#clock, provider, allowance, this.#store);
    this.#spends.set(provider, spend);
    return spend;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#spends.values(), (spend) => spend.close()));
  }
}

/** Makes a store in the memory of one process. */
export function createMemorySpendStore(): SpendStore {
  const counts = new Map<string, number>();
  return {
    add(provider, day, calls) {
      const key = `${day} ${provider}`;
      const count = (counts.get(key) ?? 0) + calls;
      counts.set(key, count);
      return count;
    },
  };
}
