/**
 * How the sources did in the last 24 hours and on the last 30 days, as this process saw it: attempts are
 * counted when they end, states and ages are looked at every five minutes, and with that the 24 hours
 * are written to the store, so that a restart keeps them and a crash loses no more than those five
 * minutes. The days are written every hour.
 */
import type { SourceHistoryBody, SourceState } from "#api/sources.ts";
import {
  DAYS_PACKED_AS,
  PACKED_AS,
  packHistory,
  unpackHistory,
} from "#core/history/history-pack.ts";
import { HistoryRings, isEventful, type RingSlot, toSlot } from "#core/history/history-rings.ts";
import { DAYS, QUARTERS, type RingShape } from "#core/history/ring-shape.ts";
import { type AgeSpread, spreadAges, spreadClasses } from "#core/history/ages.ts";
import type { DocumentStore } from "#core/kept-documents.ts";
import type { SourceStatus } from "#kit/outcome.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { Clock } from "#ports.ts";
import type { SourceItem } from "./answer-types.ts";

/** The end of an attempt; its reason is null where it succeeded. */
export type EndedAttempt = { status: SourceStatus; reason: string | null };

export type SourceHistory = {
  /** Counts an attempt, unless it was called off by us. */
  note(source_id: string, ended: EndedAttempt): void;
  /** Looks at these sources, now and every five minutes. */
  follow(list: () => readonly SourceItem[]): void;
  /** The items with their history: of the `most` that were asked most often, null of all others. */
  addTo(items: readonly SourceItem[], most: number): SourceItem[];
  /** What both spans say of one source. */
  read(source_id: string): { day: SourceSpan; month: SourceSpan };
  /** Writes what is not written yet. */
  close(): Promise<void>;
};

/** A stretch of slots, the oldest first; `age` is null where none was seen. */
export type SourceSpan = {
  from_ms: number;
  step_ms: number;
  slots: (RingSlot | null)[];
  age: AgeSpread | null;
};

export type HistoryDeps = {
  clock: Clock;
  documents: Pick<DocumentStore, "read" | "write">;
  /** It could not be written, and will be tried again. */
  onUnkept: () => void;
};

const LOOK_MS = 300_000;
/** Every third look counts among the ages of a day: a slot counts no further than 255. */
const COUNTED_MS = 900_000;
/** Days change slowly, and are many bytes. */
const WRITE_DAYS_MS = 3_600_000;
/** These say nothing of a source. */
const OURS = new Set(["aborted", "shutting_down"]);
const NOT_TRIED = "not_loaded";

/** Rings of one shape, and where they are kept. */
type Kept = { name: string; origin: string; shape: RingShape; rings: HistoryRings };

/** Opens it with what an earlier process kept. */
export async function openSourceHistory(deps: HistoryDeps): Promise<SourceHistory> {
  const quarters = await recall(deps, {
    ...{ name: "source_history", origin: PACKED_AS, shape: QUARTERS },
  });
  const days = await recall(deps, {
    ...{ name: "source_days", origin: DAYS_PACKED_AS, shape: DAYS },
  });
  return createSourceHistory(quarters, days, deps);
}

async function recall(
  { documents, clock }: HistoryDeps,
  about: Omit<Kept, "rings">,
): Promise<Kept> {
  const { name, origin, shape } = about;
  const rings = new HistoryRings(shape);
  const stored = await documents.read(name);
  const unpacked = stored?.origin === origin ? unpackHistory(stored.bodies, shape) : null;
  if (unpacked) rings.import(unpacked, clock.now());
  return { ...about, rings };
}

function createSourceHistory(
  quarters: Kept,
  days: Kept,
  { clock, documents, onUnkept }: HistoryDeps,
): SourceHistory {
  const { rings } = quarters;
  let cancel = (): void => undefined;
  let writing: Promise<void> | null = null;
  let days_written_ms = clock.now();
  let counted_ms = -Infinity;

  async function writeAll(kept: readonly Kept[]): Promise<void> {
    const read_at_ms = clock.now();
    let isKept = true;
    for (const { name, origin, shape, rings: own } of kept) {
      const bodies = packHistory(own.export(read_at_ms), shape);
      const labels = { origin, read_at_ms, etag: null, last_modified: null };
      isKept = (await documents.write(name, { ...labels, bodies })) && isKept;
    }
    if (!isKept) onUnkept();
  }
  function writeDue(): Promise<void> {
    if (clock.now() - days_written_ms < WRITE_DAYS_MS) return writeAll([quarters]);
    days_written_ms = clock.now();
    return writeAll([quarters, days]);
  }
  /** One at a time: what a slow disk delays is in the next one. */
  function startWriting(): Promise<void> {
    return (writing ??= writeDue().finally(() => (writing = null)));
  }
  function look(list: () => readonly SourceItem[]): void {
    const now_ms = clock.now();
    cancel = clock.schedule(now_ms + LOOK_MS, () => {
      look(list);
      return startWriting();
    });
    const counts = now_ms - counted_ms >= COUNTED_MS;
    if (counts) counted_ms = now_ms;
    for (const item of list()) {
      // Before its first attempt its state is unknown.
      if (item.problem?.reason === NOT_TRIED) continue;
      const seen = toSeen(item);
      rings.observe(item.id, seen, now_ms);
      days.rings.observe(item.id, { ...seen, counts }, now_ms);
    }
  }
  return {
    note(source_id, { status, reason }) {
      if (reason !== null && OURS.has(reason)) return;
      for (const each of [quarters, days]) each.rings.count(source_id, status, clock.now());
    },
    follow: look,
    addTo(items, most) {
      const now_ms = clock.now();
      const chosen = chooseRequested(rings, items, { most, now_ms });
      return items.map((item) => ({
        ...item,
        history: chosen.has(item.id) ? toHistory(rings, item.id, now_ms) : null,
      }));
    },
    read: (source_id) => ({
      day: toSpan(quarters, source_id, clock.now()),
      month: toSpan(days, source_id, clock.now()),
    }),
    async close() {
      cancel();
      await writing;
      await writeAll([quarters, days]);
    },
  };
}

/** The age of a source that is not asked says nothing. */
function toSeen({ state, age_s }: SourceItem): { state: SourceState; age_s: number | null } {
  return { state, age_s: isEventful({ attempts: 0, state }) ? age_s : null };
}

function chooseRequested(
  rings: HistoryRings,
  items: readonly SourceItem[],
  { most, now_ms }: { most: number; now_ms: number },
): Set<string> {
  const requests = items.flatMap(({ id }) => {
    const attempts = rings.countAttempts(id, now_ms);
    return attempts === null ? [] : [{ id, attempts }];
  });
  const chosen =
    requests.length <= most
      ? requests
      : requests.toSorted((a, b) => b.attempts - a.attempts).slice(0, most);
  return new Set(chosen.map(({ id }) => id));
}

function toHistory(rings: HistoryRings, source_id: string, now_ms: number): SourceHistoryBody {
  const slots = rings.read(source_id, now_ms);
  const from = toRfc3339(firstOf(QUARTERS, now_ms) / 1000);
  return slots && { step_s: QUARTERS.slot_ms / 1000, from, slots };
}

/** When the first slot begins, epoch ms. */
function firstOf(shape: RingShape, now_ms: number): number {
  return (toSlot(now_ms, shape) - shape.slots + 1) * shape.slot_ms;
}

function toSpan({ rings, shape }: Kept, source_id: string, now_ms: number): SourceSpan {
  const slots = rings.read(source_id, now_ms) ?? Array.from({ length: shape.slots }, () => null);
  const seen = rings.readSpread(source_id, now_ms) ?? [];
  const age = shape.spread ? spreadClasses(seen, slots) : spreadAges(slots);
  return { from_ms: firstOf(shape, now_ms), step_ms: shape.slot_ms, slots, age };
}
