/**
 * Counts the plans of all accounts when a service starts and whenever accounts have changed, so that a plan
 * that is not configured is seen before a caller is served by another (plan-book.ts).
 */
import { attempt, guard } from "#kit/guard.ts";
import type { Accounts, Clock } from "#ports.ts";
import type { PlanBook } from "./plan-book.ts";

/** All accounts are looked through: no oftener than a change is to be seen. */
const LOOK_MS = 5_000;

export type PlanWatchDeps = {
  accounts: Pick<Accounts, "listPlans" | "version">;
  plans: Pick<PlanBook, "count">;
  clock: Pick<Clock, "now" | "schedule">;
  onFault: (error: unknown) => void;
};

export class PlanWatch {
  readonly #deps: PlanWatchDeps;
  /** Version of the accounts that were counted last; null: none were. */
  #counted: number | null = null;
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(deps: PlanWatchDeps) {
    this.#deps = deps;
  }

  /** Counts now, and whenever accounts have changed. Resolves when they have been counted, or could not. */
  async start(): Promise<void> {
    await this.#look();
    if (this.#closed) return;
    const { clock } = this.#deps;
    this.#cancel = clock.schedule(clock.now() + LOOK_MS, () => this.start());
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** A store that is away is asked again: until then nothing is known, and later what was counted last. */
  async #look(): Promise<void> {
    const { accounts, plans, onFault } = this.#deps;
    const version = attempt(accounts.version, () => null);
    if (version === null || version === this.#counted) return;
    const used = await guard(accounts.listPlans, (error) => {
      onFault(error);
      return null;
    });
    if (used === null || this.#closed) return;
    this.#counted = version;
    plans.count(used);
  }
}
