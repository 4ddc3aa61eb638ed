/** Limits of a caller (decisions, "Authentication, plans, metering"). */

/** One row of `plans`. */
export type Plan = {
  name: string;
  /** null: never limited. */
  rate_per_s: number | null;
  burst: number | null;
  units: number | null;
  period: "day" | "month" | null;
  /** true: 402 when used up; false: overage is counted. */
  hard: boolean;
  /** Whether units of a key are reserved in the store that replicas share (docs/accounts.md). */
  exact?: boolean;
  nearby_limit_max: number;
  /** null: any offset. */
  nearby_offset_max: number | null;
  /**
   * Stored datasets that may live at once (§4.8): of an account; of an anonymous address, those that
   * were read again. null: any number.
   */
  datasets: number | null;
};

/** An offset above the plan's bound is refused, never clamped: pages would repeat. null: it is none. */
export function refuseOffset(
  { name, nearby_offset_max: most }: Plan,
  offset: number,
): { code: "plan_not_allowed"; message: string } | null {
  if (most === null || offset <= most) return null;
  return {
    code: "plan_not_allowed",
    message: `offset must be at most ${most} on the plan ${name}`,
  };
}
