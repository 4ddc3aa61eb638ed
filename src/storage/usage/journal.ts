/**
 * The journal of usage: each event is written here before its reply leaves, by one call of the
 * system, so that it outlives this process; the disk is synced behind it (flusher.ts). Events stay
 * until the ledger has them (reliability 6.3); those that an earlier process left are read at the
 * start.
 *
 * Two files in turn: while the records of one are handed over, the other is written. A file that has
 * been handed over whole is written from its beginning again, over blocks that it has already.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { NoteFault } from "#kit/guard.ts";
import { FILE_MODE } from "#storage/embedded/private-files.ts";
import type { Time } from "#storage/store-time.ts";
import { Flusher } from "./flusher.ts";
import type { EventsText } from "./usage-ledger.ts";
import {
  decodeRecords,
  encodeRecord,
  type JournalRecord,
  NO_RECORD,
  type Position,
  START,
} from "./record.ts";

export type Journal = {
  /** Writes the events before it returns; they are on the disk within 50 ms. false: not kept. */
  append(events: EventsText): boolean;
  /**
   * Returns the oldest entries in their order: one, and more up to this many characters together.
   * null: they cannot be read.
   */
  read(chars: number): OldestEntries | null;
  /** Removes the entries up to this one, of those that were read last. */
  drop(through: number): void;
  /** Bytes of the entries, and bytes for which there is room without a longer file. */
  room(): { used: number; provided: number };
  /** Returns all entries; at the start, those that an earlier process left. */
  entries(): Iterable<JournalEntry>;
  /** Syncs what is not on the disk yet. */
  close(): void;
};

/** `seq` grows with the entries. */
export type JournalEntry = { seq: number; events: EventsText };
type OldestEntries = { entries: readonly JournalEntry[]; hasMore: boolean };

export const JOURNAL_FILES = ["spool-a.journal", "spool-b.journal"] as const;

/** Files of the journal of a thread that serves, by its number from 1; 0: of a process with one. */
export function journalFilesOf(thread: number): readonly string[] {
  return thread === 0
    ? JOURNAL_FILES
    : JOURNAL_FILES.map((name) => name.replace(".", `-${thread}.`));
}

/** Numbers of the threads that have journals in a folder; 0 among them where there is a folder. */
export function listJournalThreads(folder: string): number[] {
  if (!existsSync(folder)) return [];
  const numbers = readdirSync(folder).flatMap((name) => THREAD_JOURNAL.exec(name)?.[1] ?? []);
  return [...new Set([0, ...numbers.map(Number)])].sort((a, b) => a - b);
}

const THREAD_JOURNAL = /^spool-[ab]-([1-9]\d?)\.journal$/;

/** Files of all journals that a folder may have. */
export function listJournalFiles(folder: string): string[] {
  return listJournalThreads(folder).flatMap(journalFilesOf);
}

/** System calls that may fail; replaced by tests. */
export type Disk = { write: typeof writeSync; sync: typeof fdatasync };
const DISK: Disk = { write: writeSync, sync: fdatasync };

export type JournalDeps = {
  time: Time;
  /** The disk refused a write, or a sync: then events are refused until one succeeds. */
  onFault(error: unknown): void;
  /** The disk took a write after it had refused one. */
  onKept?(): void;
  onDefect: NoteFault;
  disk?: Disk;
};

/**
 * Opens the journal for the one service that writes it, or for one of its threads; others may read it.
 * Throws as the file system does.
 */
export function openJournal(
  folder: string,
  { time, onFault, onKept = () => undefined, onDefect, disk = DISK }: JournalDeps,
  thread = 0,
): Journal {
  /** What the disk said when it refused a sync. */
  let refusal: unknown = null;
  const note = { onFault, onRefusal: (error: unknown) => (refusal = error) };
  const names = journalFilesOf(thread);
  const files = names.map((name) => new JournalFile(join(folder, name), disk, note));
  syncFolder(folder);
  // The one that was written last is continued.
  let [older, newer] = files.toSorted((a, b) => a.last_seq - b.last_seq) as [
    JournalFile,
    JournalFile,
  ];
  let seq = newer.last_seq;
  let reading: { seq: number; file: JournalFile; end: Position }[] = [];
  const flusher = new Flusher(
    async () => (await Promise.all(files.map((file) => file.sync()))).every(Boolean),
    { time, onFault: () => onFault(refusal), onDefect },
  );
  function readOldest(chars: number): OldestEntries {
    const entries: JournalEntry[] = [];
    let left = chars;
    for (const file of [older, newer])
      for (const record of file.records()) {
        left -= record.text.length;
        if (left < 0 && entries.length > 0) return { entries, hasMore: true };
        reading.push({ seq: record.seq, file, end: record.end });
        entries.push(toEntry(record));
      }
    return { entries, hasMore: false };
  }
  return {
    append(events) {
      if (flusher.isFailing || !newer.append({ seq: seq + 1, text: events })) return false;
      seq += 1;
      flusher.noteWrite();
      onKept();
      return true;
    },
    room: () => ({
      used: files.reduce((sum, file) => sum + file.used, 0),
      provided: newer.left + (older.isEmpty() ? older.left : 0),
    }),
    read(chars) {
      if (older.isEmpty() && !newer.isEmpty()) [older, newer] = [newer, older];
      reading = [];
      return attempt(() => readOldest(chars), onFault) ?? null;
    },
    drop(through) {
      for (const { seq: dropped, file, end } of reading) if (dropped <= through) file.head = end;
      for (const file of files) if (file.isEmpty()) file.rewind();
    },
    *entries() {
      for (const file of [older, newer]) for (const record of file.records()) yield toEntry(record);
    },
    close() {
      flusher.close();
      for (const file of files.splice(0)) file.close();
    },
  };
}

/** Reads a journal that a running service may be writing; empty where there is none. */
export function readJournal(folder: string): JournalEntry[] {
  return listJournalFiles(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const file = openSync(path, "r");
      try {
        return [...readRecords(file, START)].map(toEntry);
      } finally {
        closeSync(file);
      }
    });
}

function toEntry({ seq, text }: JournalRecord): JournalEntry {
  return { seq, events: text as EventsText };
}

/** There from the start and kept: half a second of the fastest service. */
export const JOURNAL_BYTES = 1024 * 1024;
/** Read at once; a longer record is read whole. */
const CHUNK = 1024 * 1024;

/** What the disk refuses: a write, a sync. */
type DiskNotes = { onFault(error: unknown): void; onRefusal(error: unknown): void };

/** One file: records are added at its tail and read from its head. */
class JournalFile {
  /** The number of the last record that an earlier process left; 0: none. */
  readonly last_seq: number;
  /** Position before which all is in the ledger. */
  head: Position = START;
  #tail: Position = START;
  /** Offset before which all is on the disk. */
  #synced = START.at;
  /** Number of times that it was written from its beginning. */
  #round = 0;
  /** Number of syncs that the disk refused. */
  #refusals = 0;
  #closed = false;
  readonly #file: number;
  readonly #disk: Disk;
  readonly #note: DiskNotes;

  constructor(path: string, disk: Disk, note: DiskNotes) {
    this.#disk = disk;
    this.#note = note;
    this.#file = openSync(path, existsSync(path) ? "r+" : "w+", FILE_MODE);
    provide(this.#file);
    let last_seq = 0;
    for (const { seq, end } of readRecords(this.#file, START)) [last_seq, this.#tail] = [seq, end];
    this.last_seq = last_seq;
    this.#synced = this.#tail.at;
  }

  /** Appends a record; the rest of a failed write is overwritten by the next one. */
  append(record: Omit<JournalRecord, "end">): boolean {
    const { bytes, end } = encodeRecord(this.#tail, record);
    const written = attempt(() => this.#write(bytes, this.#tail.at), this.#note.onFault);
    // Part of a record is what a disk takes that is just now full.
    if (written !== undefined && written < bytes.length) this.#note.onFault(noRoom());
    if (written !== bytes.length) return false;
    this.#tail = end;
    return true;
  }

  #write(bytes: Buffer, at: number): number {
    return this.#disk.write(this.#file, bytes, 0, bytes.length, at);
  }

  isEmpty(): boolean {
    return this.head.at === this.#tail.at;
  }

  get used(): number {
    return this.#tail.at - this.head.at;
  }

  /** Bytes up to the length that it has in any case. */
  get left(): number {
    return Math.max(0, JOURNAL_BYTES - this.#tail.at);
  }

  /** Not what lies behind the tail: a write that failed. */
  records(): Generator<JournalRecord> {
    return readRecords(this.#file, this.head, this.#tail.at);
  }

  /** Writes from the beginning again. Only where it is empty. */
  rewind(): void {
    if (this.#tail.at === 0) return;
    this.head = START;
    this.#tail = START;
    this.#synced = START.at;
    this.#round += 1;
    // Neither matters: what is found there after a crash is in the ledger already, and counts once.
    attempt(() => writeSync(this.#file, NO_RECORD, 0, NO_RECORD.length, 0));
    attempt(
      () => fstatSync(this.#file).size > JOURNAL_BYTES && ftruncateSync(this.#file, JOURNAL_BYTES),
    );
  }

  /** false: the disk refused it. What it may have lost is written again, for the next call. */
  sync(): Promise<boolean> {
    const [round, refusals, tail] = [this.#round, this.#refusals, this.#tail.at];
    if (tail === this.#synced) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.#disk.sync(this.#file, (error) => {
        // Synced by `close`; the descriptor may be another file's by now.
        if (this.#closed) return resolve(true);
        if (error !== null) {
          this.#refusals += 1;
          this.#note.onRefusal(error);
          attempt(() => this.#writeAgain());
          return resolve(false);
        }
        // One that was under way during a refusal proves nothing: the system reports an error once.
        if (refusals !== this.#refusals) return resolve(false);
        if (round === this.#round) this.#synced = Math.max(this.#synced, tail);
        resolve(true);
      });
    });
  }

  #writeAgain(): void {
    const bytes = Buffer.alloc(this.#tail.at - this.#synced);
    readSync(this.#file, bytes, 0, bytes.length, this.#synced);
    this.#write(bytes, this.#synced);
  }

  close(): void {
    this.#closed = true;
    attempt(() => fsyncSync(this.#file));
    closeSync(this.#file);
  }
}

/** Makes the file as long as it is to be, so that a write need not. */
function provide(file: number): void {
  const { size } = fstatSync(file);
  if (size < JOURNAL_BYTES)
    writeSync(file, Buffer.alloc(JOURNAL_BYTES - size), 0, JOURNAL_BYTES - size, size);
  fsyncSync(file);
}

/** So that files which were made just now are found after a crash. */
function syncFolder(folder: string): void {
  const file = openSync(folder, "r");
  fsyncSync(file);
  closeSync(file);
}

/** Reads the records of a file that is open. `to`: nothing from this offset on. */
export function* readRecords(
  file: number,
  from: Position,
  to = Infinity,
): Generator<JournalRecord> {
  let position = from;
  let chunk = CHUNK;
  while (position.at < to) {
    const bytes = Buffer.allocUnsafe(Math.min(chunk, to - position.at));
    const count = readSync(file, bytes, 0, bytes.length, position.at);
    const before = position;
    for (const record of decodeRecords(bytes.subarray(0, count), position)) {
      yield record;
      position = record.end;
    }
    if (count < chunk) return;
    // Nothing in it was complete: the record is longer, or this is the end.
    chunk = position === before ? chunk * 2 : CHUNK;
  }
}

function noRoom(): Error {
  return Object.assign(new Error("no space left for the journal of usage"), { code: "ENOSPC" });
}

function attempt<T>(task: () => T, onFault?: (error: unknown) => void): T | undefined {
  try {
    return task();
  } catch (error) {
    onFault?.(error);
    return undefined;
  }
}
