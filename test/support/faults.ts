/** Where defects go in tests: none is expected, unless the test collects them. */
import type { NoteFault } from "#kit/guard.ts";

/** Fails the test: what is thrown here is a rejection that nothing handles. */
export const noFault: NoteFault = (part, error) => {
  throw new Error(`a fault in ${part}`, { cause: error });
};

export type Collected = { onFault: NoteFault; faults: { part: string; message: string }[] };

/** Collects faults for a test that plants some. */
export function collectFaults(): Collected {
  const faults: Collected["faults"] = [];
  const onFault: NoteFault = (part, error) =>
    faults.push({ part, message: error instanceof Error ? error.message : String(error) });
  return { faults, onFault };
}
