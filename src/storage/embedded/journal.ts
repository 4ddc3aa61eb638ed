/**
 * One file of a journal: records are added at its end and read from its beginning, and when all were
 * read it begins anew. It is written through (O_DSYNC), over blocks that it has already: what a write
 * returns from is on the disk, by one call of the system and without a change of the file itself.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  write,
  writeSync,
} from "node:fs";
import { FILE_MODE } from "./private-files.ts";
import { type Entry, NOTHING, type Place, readRecords, START, writeRecord } from "./record.ts";

export type Journal = {
  /** Adds a record; it is there once this has returned, or resolved. false: it is not. */
  append(record: Omit<Entry, "end">): Promise<boolean>;
  /** The same while everything else waits. Not while an `append` is under way. */
  appendNow(record: Omit<Entry, "end">): boolean;
  isAppending(): boolean;
  /** The number of the last record that an earlier process has left; 0: none. */
  last_seq: number;
  /** All that was not dropped, read bit by bit. Throws as the file system does. */
  entries(): Generator<Entry>;
  /** The first of them, at most so many. null: it cannot be read. */
  read(most: number): Entry[] | null;
  /** What lies before this place goes. */
  drop(to: Place): void;
  isEmpty(): boolean;
  /** Of a journal that is empty, before anything is added to it. */
  rewind(): void;
  close(): void;
};

/** So much is there from the start, and kept: half a second of the fastest service there is. */
const SIZE = 1024 * 1024;
/** Is read at once; a longer record is read whole. */
const CHUNK = 1024 * 1024;

export type Writing = { write: typeof write; writeSync: typeof writeSync };

/** Throws as the file system does; who adds a record is told instead. `writing`: for tests. */
export function openJournal(path: string, writing: Writing = { write, writeSync }): Journal {
  // Without it a write would be told as durable before it is.
  if (constants.O_DSYNC === undefined) throw new Error("this system does not write through");
  const through = openSync(
    path,
    constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC,
    FILE_MODE,
  );
  /** For what need not be durable. */
  const lazy = openSync(path, "r+");
  provide(lazy);
  let head = START;
  let tail = START;
  let last_seq = 0;
  for (const { seq, end } of readFile(lazy, START)) [last_seq, tail] = [seq, end];
  let appending = false;

  // What lies behind the tail is being written, or failed to be.
  const entries = (): Generator<Entry> => readFile(lazy, head, tail.at);
  return {
    ...{ last_seq, entries },
    read: (most) => attempt(() => entries().take(most).toArray()) ?? null,
    async append(record) {
      const { bytes, end } = writeRecord(tail, record);
      appending = true;
      const written = await writeAll(writing, bytes, { file: through, at: tail.at });
      appending = false;
      // What is left of it is written over by the next one.
      if (written) tail = end;
      return written;
    },
    appendNow(record) {
      const { bytes, end } = writeRecord(tail, record);
      const written = attempt(() => writing.writeSync(through, bytes, 0, bytes.length, tail.at));
      if (written !== bytes.length) return false;
      tail = end;
      return true;
    },
    isAppending: () => appending,
    drop(to) {
      head = to;
    },
    isEmpty: () => head.at === tail.at,
    rewind() {
      if (tail.at === 0) return;
      head = tail = START;
      // Neither matters: what is found there after a crash is counted already, and counts once.
      attempt(() => writeSync(lazy, NOTHING, 0, NOTHING.length, 0));
      attempt(() => fstatSync(lazy).size > SIZE && ftruncateSync(lazy, SIZE));
    },
    close() {
      closeSync(through);
      closeSync(lazy);
    },
  };
}

/** Of a journal that somebody else may be writing; none where there is no file. */
export function* readJournal(path: string): Generator<Entry> {
  if (!existsSync(path)) return;
  const file = openSync(path, "r");
  try {
    yield* readFile(file, START);
  } finally {
    closeSync(file);
  }
}

/** Makes the file as long as it is to be, so that a write need not. */
function provide(file: number): void {
  const { size } = fstatSync(file);
  if (size < SIZE) writeSync(file, Buffer.alloc(SIZE - size), 0, SIZE - size, size);
  fsyncSync(file);
}

/** `to`: nothing from this offset on. */
function* readFile(file: number, from: Place, to = Infinity): Generator<Entry> {
  let place = from;
  let chunk = CHUNK;
  while (place.at < to) {
    const bytes = Buffer.allocUnsafe(Math.min(chunk, to - place.at));
    const count = readSync(file, bytes, 0, bytes.length, place.at);
    const before = place;
    for (const entry of readRecords(bytes.subarray(0, count), place)) {
      yield entry;
      place = entry.end;
    }
    if (count < chunk) return;
    // Nothing in it was whole: the record is longer, or this is the end.
    chunk = place === before ? chunk * 2 : CHUNK;
  }
}

function writeAll(
  writing: Writing,
  bytes: Buffer,
  { file, at }: { file: number; at: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    writing.write(file, bytes, 0, bytes.length, at, (error, count) =>
      resolve(error === null && count === bytes.length),
    );
  });
}

function attempt<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
