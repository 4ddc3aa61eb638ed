/**
 * The trail: why entities of a feed were dropped or repaired. Counts by reason with a few example
 * ids, so that a feed of 20,000 bad rows costs the same as one of two.
 */

/** Reasons as data: a machine token, the violation of mobility.md 1.12 or rule (R5 …) it refers to. */
export type TrailEntry = { reason: string; count: number; examples: string[] };

export type Trail = {
  /** Entities removed from the result. */
  dropped: TrailEntry[];
  /** Entities kept after a repair (coercion, clamp, fall-back name, null for a bad value). */
  repaired: TrailEntry[];
};

const MAX_EXAMPLES = 5;

/** A mutable recorder that normalisers fill; `toTrail()` gives the immutable, sorted value. */
export type TrailRecorder = {
  drop(reason: string, id: string): void;
  repair(reason: string, id: string): void;
  toTrail(): Trail;
};

export function createTrail(): TrailRecorder {
  const dropped = new Map<string, TrailEntry>();
  const repaired = new Map<string, TrailEntry>();
  return {
    drop: (reason, id) => record(dropped, reason, id),
    repair: (reason, id) => record(repaired, reason, id),
    toTrail: () => ({ dropped: sorted(dropped), repaired: sorted(repaired) }),
  };
}

/** Sums trails (of the files of one system, or of many systems). */
export function mergeTrails(trails: readonly Trail[]): Trail {
  const dropped = new Map<string, TrailEntry>();
  const repaired = new Map<string, TrailEntry>();
  for (const trail of trails) {
    for (const entry of trail.dropped) add(dropped, entry);
    for (const entry of trail.repaired) add(repaired, entry);
  }
  return { dropped: sorted(dropped), repaired: sorted(repaired) };
}

/** Counts the entities that a trail dropped. */
export function droppedCount(trail: Trail): number {
  return trail.dropped.reduce((sum, entry) => sum + entry.count, 0);
}

function record(into: Map<string, TrailEntry>, reason: string, id: string): void {
  add(into, { reason, count: 1, examples: [id] });
}

function add(into: Map<string, TrailEntry>, entry: TrailEntry): void {
  const existing = into.get(entry.reason);
  if (!existing) {
    into.set(entry.reason, { ...entry, examples: entry.examples.slice(0, MAX_EXAMPLES) });
    return;
  }
  existing.count += entry.count;
  for (const id of entry.examples) {
    if (existing.examples.length >= MAX_EXAMPLES) break;
    existing.examples.push(id);
  }
}

function sorted(entries: Map<string, TrailEntry>): TrailEntry[] {
  return [...entries.values()].sort((a, b) => (a.reason < b.reason ? -1 : 1));
}
