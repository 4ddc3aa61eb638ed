/**
 * The shipped plans (decisions, "Authentication, plans, metering"). The configuration overrides
 * single members of a row, or adds a row that states them all.
 */
import type { Plan } from "#core/plans.ts";
import { failed, loaded } from "#config/config-result.ts";
import type { Loaded } from "#config/config-result.ts";

/** What callers without a credential are on. */
export const ANONYMOUS_PLAN = "free";

export const SHIPPED_PLANS: readonly Plan[] = [
  {
    name: "free",
    rate_per_s: 5,
    burst: 50,
    units: 5_000,
    period: "day",
    hard: true,
    nearby_limit_max: 100,
    nearby_offset_max: 1_000,
    datasets: 1_000,
  },
  {
    name: "developer",
    rate_per_s: 20,
    burst: 100,
    units: 100_000,
    period: "month",
    hard: true,
    nearby_limit_max: 200,
    nearby_offset_max: 10_000,
    datasets: 100_000,
  },
  {
    name: "business",
    rate_per_s: 200,
    burst: 500,
    units: 10_000_000,
    period: "month",
    hard: false,
    nearby_limit_max: 500,
    nearby_offset_max: null,
    datasets: 10_000_000,
  },
  {
    name: "unlimited",
    rate_per_s: null,
    burst: null,
    units: null,
    period: null,
    hard: false,
    nearby_limit_max: 1_000,
    nearby_offset_max: null,
    datasets: null,
  },
];

export type Plans = Readonly<Record<string, Plan>>;
type PlanMembers = { [M in Exclude<keyof Plan, "name">]?: Plan[M] };

/** Lays the configured members over the shipped rows. */
export function resolvePlans(configured: Readonly<Record<string, PlanMembers>>): Loaded<Plans> {
  const rows = new Map<string, Plan>(SHIPPED_PLANS.map((plan) => [plan.name, plan]));
  for (const [name, members] of Object.entries(configured)) {
    const row: Partial<Plan> = { ...rows.get(name), ...members, name };
    const missing = MEMBERS.find((member) => row[member] === undefined);
    if (missing) {
      return failed(`plans.${name}.${missing}: expected a value, since a new plan states them all`);
    }
    const contradiction = findContradiction(row as Plan);
    if (contradiction) return failed(`plans.${name}.${contradiction}`);
    rows.set(name, row as Plan);
  }
  return loaded(Object.fromEntries(rows));
}

const { name: _, ...STATED } = SHIPPED_PLANS[0]!;
const MEMBERS = Object.keys(STATED) as Exclude<keyof Plan, "name">[];

/** A rate without a burst, or units without a period, would leave the limiter guessing. */
function findContradiction(plan: Plan): string | null {
  if ((plan.rate_per_s === null) !== (plan.burst === null)) {
    return "burst: expected to be null exactly when rate_per_s is null";
  }
  if ((plan.units === null) !== (plan.period === null)) {
    return "period: expected to be null exactly when units is null";
  }
  if (plan.exact === true && (!plan.hard || plan.units === null)) {
    return "exact: expected false where hard is false or units is null";
  }
  return null;
}
