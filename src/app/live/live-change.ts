/** One thing of the live layer that has changed, as every scope judges it for itself. */
import type { LeftReason } from "#api/live.ts";
import type { LiveRow } from "#world/live/live-rows.ts";

export type LiveChange = {
  id: string;
  /** Counts the moments at which something changed, from 1. */
  generation: number;
  /** Epoch ms. */
  at_ms: number;
  /** null: it was not shown. */
  before: LiveRow | null;
  /** null: it is not shown any more. */
  after: LiveRow | null;
  /** Why it is not shown any more; null: it is. */
  reason: LeftReason | null;
  /** Where it was and is (live-grid): one tile or two. */
  tiles: readonly number[];
};

/** What enters, changes and leaves a scope. */
export type ScopeDelta = {
  entered: LiveRow[];
  changed: LiveRow[];
  left: { id: string; reason: LeftReason }[];
};

export function emptyDelta(): ScopeDelta {
  return { entered: [], changed: [], left: [] };
}
