/**
 * Identity's own thread: whatever a feed holds, resolving it never holds up the event loop, and ends.
 */
import type { NoteFault } from "#kit/guard.ts";
import type { GroupJob, GroupResult } from "#stations/identity/group.ts";
import { createThreadSlot, REST_MS, type SlotLimits } from "#kit/run/thread-slot.ts";

export type IdentityThread = {
  /** null: no result within the deadline, or the thread died. */
  resolve(job: GroupJob): Promise<GroupResult | null>;
  /** Says that a job may come soon: a thread that rests is started again. */
  wake(): void;
  close(): Promise<void>;
};

/** The largest city known takes 0.1 s. */
const LIMITS: SlotLimits = { max_heap_mb: 1_024, job_timeout_ms: 10_000, rest_ms: REST_MS };

/** Packs are shared with the thread, not copied. */
export function createIdentityThread(
  worker_url: URL,
  { onFault, ...limits }: Partial<SlotLimits> & { onFault: NoteFault },
): IdentityThread {
  const slot = createThreadSlot<GroupJob, GroupResult>({
    ...LIMITS,
    ...limits,
    worker_url,
    onFault,
  });
  slot.start();
  return { resolve: (job) => slot.run(job), wake: slot.wake, close: slot.close };
}
