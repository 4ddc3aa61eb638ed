/** What a group of planted throws shows: how many were planted, and what was not as decided. */

export type Findings = {
  /** Exceptions that were thrown on purpose. */
  planted: number;
  /** Questions and jobs after them, without a plant. */
  further: number;
  /** One line each. */
  wrong: string[];
};

export function noFindings(): Findings {
  return { planted: 0, further: 0, wrong: [] };
}
