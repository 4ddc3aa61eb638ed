/**
 * Identity's own thread: whatever a feed holds, resolving it never holds up the event loop, and ends.
 */
import type { GroupJob, GroupResult } from "#stations/identity/group.ts";
import { REST_MS, Thread, type ThreadLimits } from "#kit/run/thread.ts";

/** The largest city known takes 0.1 s. */
const LIMITS = { max_heap_mb: 1_024, job_timeout_ms: 10_000, rest_ms: REST_MS };

/** Starts the thread. Packs are shared with it, not copied. */
export function createIdentityThread(limits: ThreadLimits): Thread<GroupJob, GroupResult> {
  const thread = new Thread<GroupJob, GroupResult>({ ...LIMITS, ...limits });
  thread.start();
  return thread;
}
