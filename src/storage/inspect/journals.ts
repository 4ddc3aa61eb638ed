/**
 * The journals of usage, read while a service may be writing them: whether each is one, and whole. A
 * file is written over repeatedly, so that behind its last record lie those of earlier rounds,
 * which no checksum leads to; they are older by their numbers. What is newer than the last record and
 * cannot be reached is damage: usage that the next start will not find.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "#kit/guard.ts";
import { pathProblem } from "#kit/path-problem.ts";
import { toLine } from "#storage/error-line.ts";
import { JOURNAL_BYTES, JOURNAL_FILES, readRecords } from "#storage/usage/journal.ts";
import {
  decodeRecords,
  type JournalRecord,
  NO_RECORD,
  type Position,
  readHead,
  START,
} from "#storage/usage/record.ts";
import { type Check, type CheckState, toCheck } from "./inspection-check.ts";

/** Looked through for records behind a damaged one. */
const WINDOW_BYTES = 4 * 1024 * 1024;

type JournalState = { state: CheckState; detail: string };
/** `last_seq`: the number of the last record; 0: there is none. */
type Read = { bytes: number; records: number; last_seq: number; end: Position; rest: Buffer };

/** None where no service has ever had the folder. */
export function checkJournals(folder: string): Check[] {
  const read = JOURNAL_FILES.map((name) => ({ name, ...readOne(join(folder, name)) }));
  if (read.every(({ file }) => file === "missing")) return [];
  // A record that is just being written is looked at once more.
  return read.map(({ name, ...first }, i) => {
    const other = read[1 - i]!.file;
    const judged = judge(first, other);
    const match = judged.state === "ok" ? judged : judge(readOne(join(folder, name)), other);
    return toCheck(`journal ${name}`, match.state, match.detail);
  });
}

type One = { file: Read | "missing" | "unread"; problem: string };

function readOne(path: string): One {
  return attempt(
    () => ({ file: readWhole(path), problem: "" }),
    (error): One => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT")
        return { file: "missing", problem: "there is no such file" };
      const problem = pathProblem(error, { name: "the journal", path }, "read");
      return { file: "unread", problem: problem ?? toLine(error) };
    },
  );
}

function readWhole(path: string): Read {
  const file = openSync(path, "r");
  using end = new DisposableStack();
  end.defer(() => closeSync(file));
  let [records, last_seq, at] = [0, 0, START];
  for (const record of readRecords(file, START)) {
    records += 1;
    last_seq = record.seq;
    at = record.end;
  }
  const rest = Buffer.alloc(WINDOW_BYTES);
  const count = readSync(file, rest, 0, rest.length, at.at);
  return {
    bytes: fstatSync(file).size,
    records,
    last_seq,
    end: at,
    rest: rest.subarray(0, count),
  };
}

function judge({ file, problem }: One, other: One["file"]): JournalState {
  if (file === "missing")
    return {
      state: "warning",
      detail: `${problem}: what it held is lost; the next start makes it`,
    };
  if (file === "unread") return { state: "failing", detail: problem };
  const { bytes, records, end } = file;
  if (bytes < JOURNAL_BYTES)
    return {
      state: "failing",
      detail: `it is cut off: it has ${bytes} bytes of at least ${JOURNAL_BYTES}, ${records} records are whole`,
    };
  const newest = Math.max(file.last_seq, typeof other === "string" ? 0 : other.last_seq);
  const lost = findLater(file, newest);
  if (lost !== null)
    return {
      state: "failing",
      detail: `it is damaged at byte ${end.at}: ${records} records before it are whole, those from number ${lost} on cannot be reached`,
    };
  return judgeEnd(file, newest);
}

/** What lies behind the last record. */
function judgeEnd({ records, rest, end }: Read, newest: number): JournalState {
  const whole: JournalState = { state: "ok", detail: `whole, ${records} records` };
  const begins = rest.subarray(0, NO_RECORD.length);
  if (begins.every((byte) => byte === 0)) return whole;
  const head = readHead(rest);
  // A file that holds nothing of a journal: no record is at its beginning, and none ever was.
  if (head === null && end.at === 0)
    return { state: "failing", detail: "it is no journal, or its beginning is damaged" };
  // One of an earlier round, or the middle of one.
  if (head === null || head.seq <= newest) return whole;
  return {
    state: "warning",
    detail: `${records} records are whole; the last one, number ${head.seq}, is cut off or damaged: a write that power or a full disk ended, or lost usage`,
  };
}

/**
 * The number of the first record behind a damaged one; null: there is none. Each carries the checksum of
 * all before it, so that the next one proves it. One that is older than what begins here is of an
 * earlier round.
 */
function findLater({ rest: bytes, end }: Read, newest: number): number | null {
  // Written from its beginning again: all that follows is of earlier rounds.
  if (end.at === 0 && bytes.subarray(0, NO_RECORD.length).every((byte) => byte === 0)) return null;
  const begun = readHead(bytes);
  // Its own number may be what is damaged.
  const second = begun && findNext(bytes, begun.whole, begun.sum);
  if (second && second.seq - 1 > newest) return second.seq - 1;
  const last_seq = Math.max(newest, (begun?.seq ?? 0) - 1);
  for (let at = 0; at < bytes.length; at++) {
    const head = readHead(bytes, at);
    if (head === null || head.seq <= last_seq) continue;
    if (findNext(bytes, at + head.whole, head.sum)?.seq === head.seq + 1) return head.seq;
  }
  return null;
}

/** The record at this place, if it continues that checksum. */
function findNext(bytes: Buffer, at: number, sum: number): JournalRecord | null {
  if (at >= bytes.length) return null;
  const [next] = decodeRecords(bytes.subarray(at), { at, sum });
  return next ?? null;
}
