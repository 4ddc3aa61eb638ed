/**
 * The plans of a running service, which a new reading of the configuration replaces. An account on a
 * plan that is not among them is served by the least one, and that is an error of the deployment: a
 * line of the log for each such plan, and a series (docs/operations.md, VicinityUnknownPlan).
 */
import type { Logger } from "pino";
import { ANONYMOUS_PLAN, type Plans } from "#config/plan-settings.ts";
import type { Plan } from "#core/plans.ts";
import type { Metrics } from "#http/metrics.ts";
import type { Accounts } from "#ports.ts";

type AccountPlans = Awaited<ReturnType<Accounts["listPlans"]>>;

/** Names that are remembered; a store with more of them has one line for the rest. */
const MISSING_MAX = 1_000;

export class PlanBook {
  readonly #log: Pick<Logger, "error">;
  #plans: Plans;
  /** Plans of all accounts, with one account of each; null: they have not been counted yet. */
  #used: Map<string, string> | null = null;
  /** Those of them that are not configured. */
  readonly #missing = new Set<string>();

  constructor(plans: Plans, log: Pick<Logger, "error">) {
    this.#plans = plans;
    this.#log = log;
  }

  /** By name. */
  get all(): Plans {
    return this.#plans;
  }

  /** The plan of callers without a credential, which is the least one. */
  get anonymous(): Plan {
    return this.#plans[ANONYMOUS_PLAN]!;
  }

  /** The plan of an account; the least one where the account's is not configured. */
  find(name: string, account_id: string): Plan {
    const match = this.#plans[name];
    if (match !== undefined) return match;
    this.#used?.set(name, account_id);
    this.#note(name, account_id);
    return this.anonymous;
  }

  /** Takes the plans of all accounts as they are now. */
  count(used: AccountPlans): void {
    this.#used = new Map(used.map(({ plan, account_id }) => [plan, account_id]));
    for (const name of this.#missing) if (!this.#used.has(name)) this.#missing.delete(name);
    this.#compare();
  }

  replace(plans: Plans): void {
    this.#plans = plans;
    // What is missing now is said again.
    this.#missing.clear();
    this.#compare();
  }

  /** The series is absent until the accounts have been counted. */
  watch(metrics: Pick<Metrics, "watch">): void {
    metrics.watch("svc_unknown_plans", () =>
      this.#used === null ? [] : [{ labels: {}, value: this.#missing.size }],
    );
  }

  #compare(): void {
    for (const [name, account_id] of this.#used ?? [])
      if (this.#plans[name] === undefined) this.#note(name, account_id);
  }

  #note(name: string, account_id: string): void {
    if (this.#missing.has(name) || this.#missing.size >= MISSING_MAX) return;
    this.#missing.add(name);
    this.#log.error({ plan: name, account: account_id, served_as: ANONYMOUS_PLAN }, UNKNOWN);
  }
}

const UNKNOWN =
  "an account is on a plan that is not configured, and has the limits of the least one: " +
  "add the plan, or change the account (docs/operations.md, VicinityUnknownPlan)";
