/** A thing that `vicinity doctor --node` looks at, and what it found. */

/** `unknown`: it could not be looked at, which is neither good nor bad. */
export type CheckState = "ok" | "warning" | "failing" | "unknown";

export type Check = {
  /** A word of ours, the same in every version. */
  check: string;
  state: CheckState;
  /** One line for people. */
  detail: string;
};

export function toCheck(check: string, state: CheckState, detail: string): Check {
  return { check, state, detail };
}
