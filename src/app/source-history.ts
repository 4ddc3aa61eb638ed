/**
 * How the sources did in the last 24 hours, as this process saw it: attempts are counted when they
 * end, states and ages are looked at every five minutes, and with that all of it is written to the
 * store, so that a restart keeps it and a crash loses no more than those five minutes.
 */
import type { SourceHistoryBody, SourceState } from "#api/sources.ts";
import { PACKED_AS, packHistory, unpackHistory } from "#core/history/history-pack.ts";
import { HistoryRings, isEventful, SLOT_MS, SLOTS, toSlot } from "#core/history/history-rings.ts";
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
  /** Writes what is not written yet. */
  close(): Promise<void>;
};

export type HistoryDeps = {
  clock: Clock;
  documents: Pick<DocumentStore, "read" | "write">;
  /** It could not be written, and will be tried again. */
  onUnkept: () => void;
};

const NAME = "source_history";
const LOOK_MS = 300_000;
/** These say nothing of a source. */
const OURS = new Set(["aborted", "shutting_down"]);
const NOT_TRIED = "not_loaded";

/** Opens it with what an earlier process kept. */
export async function openSourceHistory(deps: HistoryDeps): Promise<SourceHistory> {
  const rings = new HistoryRings();
  const stored = await deps.documents.read(NAME);
  const unpacked = stored?.origin === PACKED_AS ? unpackHistory(stored.bodies) : null;
  if (unpacked) rings.import(unpacked, deps.clock.now());
  return createSourceHistory(rings, deps);
}

function createSourceHistory(
  rings: HistoryRings,
  { clock, documents, onUnkept }: HistoryDeps,
): SourceHistory {
  let cancel = (): void => undefined;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    const bodies = packHistory(rings.export(clock.now()));
    const labels = { origin: PACKED_AS, read_at_ms: clock.now(), etag: null, last_modified: null };
    if (!(await documents.write(NAME, { ...labels, bodies }))) onUnkept();
  }
  /** One at a time: what a slow disk delays is in the next one. */
  function startWriting(): Promise<void> {
    return (writing ??= write().finally(() => (writing = null)));
  }
  function look(list: () => readonly SourceItem[]): void {
    const now_ms = clock.now();
    cancel = clock.schedule(now_ms + LOOK_MS, () => {
      look(list);
      return startWriting();
    });
    for (const item of list()) {
      // Before its first attempt its state is unknown.
      if (item.problem?.reason !== NOT_TRIED) rings.observe(item.id, toSeen(item), now_ms);
    }
  }
  return {
    note(source_id, { status, reason }) {
      if (reason === null || !OURS.has(reason)) rings.count(source_id, status, clock.now());
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
    async close() {
      cancel();
      await writing;
      await write();
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
  const from_ms = (toSlot(now_ms) - SLOTS + 1) * SLOT_MS;
  return slots && { step_s: SLOT_MS / 1000, from: toRfc3339(from_ms / 1000), slots };
}
