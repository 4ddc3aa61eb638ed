/** Share of failed requests over the last five minutes, in steps of one (`error_rate_5m`). */
export type ErrorRate = {
  add(now_ms: number, ok: boolean): void;
  /** null: nothing was asked in that time. */
  read(now_ms: number): number | null;
  /** The counts, for another replica. */
  steps(): readonly Step[];
  /** Counts what another replica has, instead. */
  restore(steps: readonly Step[]): void;
};

type Step = { minute: number; all: number; failed: number };

const STEP_MS = 60_000;
const STEPS = 5;

export function createErrorRate(): ErrorRate {
  let steps: Step[] = [];
  const recent = (now_ms: number): typeof steps => {
    const oldest = Math.floor(now_ms / STEP_MS) - STEPS;
    return steps.filter((step) => step.minute > oldest);
  };
  return {
    add(now_ms, ok) {
      const minute = Math.floor(now_ms / STEP_MS);
      let step = steps.at(-1);
      if (step?.minute !== minute) {
        step = { minute, all: 0, failed: 0 };
        steps = [...recent(now_ms), step];
      }
      step.all++;
      if (!ok) step.failed++;
    },
    read(now_ms) {
      const counted = recent(now_ms);
      const all = counted.reduce((sum, step) => sum + step.all, 0);
      return all === 0 ? null : counted.reduce((sum, step) => sum + step.failed, 0) / all;
    },
    steps: () => steps.map((step) => ({ ...step })),
    restore(counted) {
      steps = counted.map((step) => ({ ...step }));
    },
  };
}
