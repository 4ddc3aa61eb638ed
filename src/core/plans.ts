/** What a caller may ask for and how often (decisions, "Authentication, plans, metering"). */

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
  nearby_limit_max: number;
  /** null: any offset. */
  nearby_offset_max: number | null;
  /** Stored datasets that may live at once (§4.8), per account or anonymous address; null: any number. */
  datasets: number | null;
};
