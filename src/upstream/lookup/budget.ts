/** What a source may be asked beyond the first try, and in a day. */
import type { Clock, SpendStore } from "#ports.ts";
import { DAY_MS } from "#core/time.ts";

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
export type Allowance = {
  /** For sources that cost money; null: no bound. */
  calls_per_day: number | null;
  /** The last share of it, which callers without a key do not get. */
  reserved_share: number;
};

export type SpendVerdict = "ok" | "spend_cap" | "reserved_for_keys";

/** So many times a day at least the store is asked; what was taken ahead is lost in a crash. */
const LEASES_A_DAY = 200;

/**
 * Calls to one source in a UTC day, counted in a store that outlives this process and that other
 * replicas may share. Calls are counted ahead, some at a time, so that a crash never forgets any.
 */
export class Spend {
  readonly #clock: Clock;
  readonly #provider: string;
  readonly #allowance: Allowance;
  readonly #store: SpendStore;
  #day = "";
  /** Of the day, by all replicas, as last told; calls counted ahead included. */
  #counted = 0;
  /** Counted ahead, and not made. */
  #ahead = 0;
  #leasing: Promise<void> | null = null;

  constructor(clock: Clock, provider: string, allowance: Allowance, store: SpendStore) {
    this.#clock = clock;
    this.#provider = provider;
    this.#allowance = allowance;
    this.#store = store;
  }

  /** Made today, as far as this replica knows. */
  spent(): number {
    this.#turn();
    return this.#counted - this.#ahead;
  }

  /** May one more call be made, for a caller with a key or without? */
  take(keyed: boolean): SpendVerdict | Promise<SpendVerdict> {
    this.#turn();
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

  /** What was counted ahead is given back. */
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

  /** Promise: the store is elsewhere, and everybody waits for the same answer of it. */
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
    const wait = async (): Promise<void> => {
      const told = await counted;
      this.#leasing = null;
      note(told);
    };
    this.#leasing = wait();
    return this.#leasing;
  }

  #turn(): void {
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

  of(provider: string, allowance: Allowance): Spend {
    const known = this.#spends.get(provider);
    if (known) return known;
    const spend = new Spend(this.#clock, provider, allowance, this.#store);
    this.#spends.set(provider, spend);
    return spend;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#spends.values(), (spend) => spend.close()));
  }
}

/** In the memory of one process. */
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
