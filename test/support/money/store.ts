/** The store that replicas of a model share: ledger, reservations and claims, each reached after a while. */
import { dayOf } from "#core/metering/metering-periods.ts";
import type { UsageEvent } from "#ports.ts";
import type { Claims } from "#ports/claims.ts";
import type { Reservations } from "#ports/reservations.ts";
import { PeriodTotals, Unconfirmed } from "#storage/postgres/totals.ts";
import { type Ledger, readEvents } from "#storage/usage/usage-ledger.ts";
import type { ModelClock } from "./clock.ts";

/** Interval at which a replica reads what others have counted (storage/postgres/ledger.ts). */
export const FOLLOW_MS = 1_000;
/** How long the store takes at most, each way. */
export const DELAY_MS = 40;
const RESERVED_MS = 120_000;

export class ModelStore {
  readonly events = new Map<string, UsageEvent>();
  readonly #clock: ModelClock;
  readonly #random: () => number;
  readonly #reserved = new Map<string, { account_id: string; units: number; until_ms: number }>();
  readonly #claims = new Map<string, { holder: object; until_ms: number }>();
  #ids = 0;

  constructor(clock: ModelClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  newId = (): string => `event ${++this.#ids}`;

  /** The network, one way. */
  #pause(): Promise<void> {
    return this.#clock.sleep(Math.floor(this.#random() * DELAY_MS));
  }

  unitsOf(account_id: string, period: string): number {
    let units = 0;
    for (const each of this.events.values())
      if (each.account_id === account_id && dayOf(each.at_ms).startsWith(period))
        units += each.units;
    return units;
  }

  #rowsOf(periods: Iterable<string>, accounts: Iterable<string>) {
    return [...periods].flatMap((period) =>
      [...accounts].map((account_id) => {
        return { account_id, period, units: this.unitsOf(account_id, period) };
      }),
    );
  }

  /** Of one replica, which sees what others have counted once it looks. `isDead`: it was killed. */
  ledgerFor(isDead: () => boolean): Ledger & { start(): Promise<void> } {
    const totals = new PeriodTotals();
    const unconfirmed = new Unconfirmed(this.#clock);
    const look = async (): Promise<void> => {
      const all = [...this.events.values()];
      const seen = {
        days: new Set(all.map(({ at_ms }) => dayOf(at_ms))),
        accounts: new Set(all.map(({ account_id }) => account_id!)),
      };
      const rows = this.#rowsOf(withMonths(seen.days), seen.accounts);
      await this.#pause();
      unconfirmed.defer(() => totals.load("", { rows, complete: true }));
      if (!isDead()) this.#clock.schedule(this.#clock.now() + FOLLOW_MS, look);
    };
    return {
      start: look,
      apply: async (text, onCounted) => {
        // What is on its way arrives; a process that was killed sends nothing more.
        if (isDead()) return false;
        unconfirmed.begin();
        await this.#pause();
        const events = readEvents(text);
        for (const event of events) {
          this.events.set(event.event_id, event);
          this.#reserved.delete(event.event_id);
        }
        const days = withMonths(new Set(events.map(({ at_ms }) => dayOf(at_ms))));
        const rows = this.#rowsOf(days, new Set(events.map(({ account_id }) => account_id!)));
        await this.#pause();
        if (isDead()) return false;
        totals.raise(rows);
        onCounted();
        unconfirmed.end();
        return true;
      },
      unitsOf: (account_id, period) => totals.unitsOf(account_id, period),
      listUsage: () => [],
      forget: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }

  reservations: Reservations = {
    reserve: async ({ account_id, period, units, most }) => {
      await this.#pause();
      const now_ms = this.#clock.now();
      let left = most - this.unitsOf(account_id, period);
      for (const stored of this.#reserved.values())
        if (stored.account_id === account_id && stored.until_ms > now_ms) left -= stored.units;
      left = Math.max(0, left);
      const event_id = this.newId();
      const granted = left >= units;
      const until_ms = now_ms + RESERVED_MS;
      if (granted) this.#reserved.set(event_id, { account_id, units, until_ms });
      await this.#pause();
      if (!granted) return { granted, left };
      const settle = async (cost: number): Promise<void> => {
        await this.#pause();
        const stored = this.#reserved.get(event_id);
        if (cost === 0) this.#reserved.delete(event_id);
        else if (stored) stored.units = cost;
      };
      return { granted, left, reservation: { event_id, settle: (cost) => void settle(cost) } };
    },
  };

  claims: Claims = {
    claim: async (key, life_ms) => {
      await this.#pause();
      const name = Buffer.from(key).toString("hex");
      const stored = this.#claims.get(name);
      const now_ms = this.#clock.now();
      const holder = {};
      const isFree = stored === undefined || stored.until_ms <= now_ms;
      if (isFree) this.#claims.set(name, { holder, until_ms: now_ms + life_ms });
      await this.#pause();
      if (!isFree) return "held";
      return {
        end: async () => {
          await this.#pause();
          if (this.#claims.get(name)?.holder === holder) this.#claims.delete(name);
        },
      };
    },
  };
}

function withMonths(days: ReadonlySet<string>): Set<string> {
  return new Set([...days].flatMap((day) => [day, day.slice(0, 7)]));
}
