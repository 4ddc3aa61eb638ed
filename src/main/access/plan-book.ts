/**
 * The plans of a running service, which a new reading of the configuration replaces. An account on a
 * plan that is not among them is served by the least one, and that is an error of the deployment: a
 * line of the log for each such plan, and a series (docs/operations.md, VicinityUnknownPlan).
 */
import type { Logger } from "pino";
import { ANONYMOUS_PLAN, type Plans } from "#config/plans.ts";
import type { Plan } from "#core/plans.ts";
import type { Metrics } from "#http/metrics.ts";

/** Names that are remembered; a store with more of them has one line for the rest. */
const MISSING_MAX = 1_000;

export class PlanBook {
  readonly #log: Pick<Logger, "error">;
  #plans: Plans;
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

  /** Plans of accounts that were met and are not configured. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** The plan of an account; the least one where the account's is not configured. */
  find(name: string, account_id: string): Plan {
    const found = this.#plans[name];
    if (found !== undefined) return found;
    if (!this.#missing.has(name) && this.#missing.size < MISSING_MAX) {
      this.#missing.add(name);
      this.#log.error({ plan: name, account: account_id, served_as: ANONYMOUS_PLAN }, UNKNOWN);
    }
    return this.anonymous;
  }

  replace(plans: Plans): void {
    this.#plans = plans;
    // What is missing now is said again when it is met.
    this.#missing.clear();
  }

  watch(metrics: Pick<Metrics, "watch">): void {
    metrics.watch("svc_unknown_plans", () => [{ labels: {}, value: this.#missing.size }]);
  }
}

const UNKNOWN =
  "an account is on a plan that is not configured, and has the limits of the least one: " +
  "add the plan, or change the account (docs/operations.md, VicinityUnknownPlan)";
