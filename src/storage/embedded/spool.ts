/**
 * Usage events on their way to a ledger: durable here first, batch by batch as they come, which is
 * the least that can be written before a reply leaves; and kept until the ledger has them
 * (reliability 6.3). What a process that was killed leaves is handed over by the next one on the
 * same folder.
 *
 * Two journals take turns: while what is in one is handed over, the other is written to.
 */
import { closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { type Journal, openJournal, readJournal, type Writing } from "#storage/embedded/journal.ts";
import type { Entry, Place } from "#storage/embedded/record.ts";
import type { EventsText } from "#storage/events.ts";

export type Spool = {
  /** The number of the batch, once it is durable. null: it was not kept. */
  put(events: EventsText): Promise<number | null>;
  /** The same while everything else waits; null also where a `put` is under way. */
  putNow(events: EventsText): number | null;
  /** The oldest batches in their order, at most so many. null: they cannot be read. */
  take(count: number): readonly Taken[] | null;
  /** Batches up to this one, of those that were taken last. */
  drop(through: number): void;
  /** At open: what an earlier process left, read bit by bit. */
  left(): Iterable<Taken>;
  close(): void;
};

/** `seq` grows with the batches that are kept. */
export type Taken = { seq: number; events: EventsText };

export const SPOOL_FILES = ["spool-a.journal", "spool-b.journal"] as const;

/** Throws as the file system does. One service opens it at a time, others may read it. */
export function openSpool(folder: string, writing?: Writing): Spool {
  const journals = SPOOL_FILES.map((name) => openJournal(join(folder, name), writing));
  syncFolder(folder);
  let { full, open, seq } = arrange(journals);
  let taken: { seq: number; journal: Journal; end: Place }[] = [];
  let line: Promise<unknown> = Promise.resolve();
  let queued = 0;

  async function append(events: EventsText): Promise<number | null> {
    const next = seq + 1;
    if (!(await open.append({ seq: next, text: events }))) return null;
    seq = next;
    return seq;
  }
  /** What is in the open one is to be taken next. */
  function turn(): void {
    if (full.isEmpty() && !open.isEmpty()) [full, open] = [open, full];
  }
  return {
    put(events) {
      queued += 1;
      const kept = line.then(() => append(events));
      line = kept.then(() => (queued -= 1));
      return kept;
    },
    putNow(events) {
      if (queued > 0 || !open.appendNow({ seq: seq + 1, text: events })) return null;
      seq += 1;
      return seq;
    },
    take(count) {
      turn();
      taken = [];
      const batches: Taken[] = [];
      for (const journal of [full, open]) {
        const entries = journal.read(count - batches.length);
        if (entries === null) return null;
        for (const { seq: number, end } of entries) taken.push({ seq: number, journal, end });
        batches.push(...entries.map(toTaken));
      }
      return batches;
    },
    drop(through) {
      for (const { seq: dropped, journal, end } of taken) if (dropped <= through) journal.drop(end);
      // What is being added to one is at its end, and has to be found from its beginning.
      for (const journal of journals)
        if (journal.isEmpty() && !journal.isAppending()) journal.rewind();
    },
    *left() {
      for (const journal of [full, open])
        for (const entry of journal.entries()) yield toTaken(entry);
    },
    close() {
      for (const journal of journals.splice(0)) journal.close();
    },
  };
}

/** For commands beside a service, or after one that was killed. */
export function readSpool(folder: string): Taken[] {
  return SPOOL_FILES.flatMap((name) => [...readJournal(join(folder, name))].map(toTaken));
}

/** As a process has left them: what was written last is written on. */
function arrange(journals: readonly Journal[]): { full: Journal; open: Journal; seq: number } {
  const [full, open] = journals.toSorted((a, b) => a.last_seq - b.last_seq) as [Journal, Journal];
  return { full, open, seq: open.last_seq };
}

function toTaken({ seq, text }: Entry): Taken {
  return { seq, events: text as EventsText };
}

/** So that files which were made just now are found after a crash. */
function syncFolder(folder: string): void {
  const file = openSync(folder, "r");
  fsyncSync(file);
  closeSync(file);
}
