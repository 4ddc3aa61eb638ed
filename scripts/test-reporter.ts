/**
 * Reporter of scripts/test.ts: failures in full, then the counts, as one JSON text that the script
 * reads. Everything that passes stays silent.
 */
import { inspect, stripVTControlCharacters } from "node:util";
import type { TestEvent } from "node:test/reporters";
import { measureCpu } from "./test-cpu.ts";
import { countTests } from "./test-skips.ts";

export type Skip = {
  where: string;
  name: string;
  reason: string | null;
  /** More than one of a group that was skipped as a whole. */
  tests: number;
};
export type Counts = {
  tests: number;
  passed: number;
  failed: number;
  todo: number;
  skipped: Skip[];
  /** How many tests each has, and what they took without the start of its process. */
  files: FileCount[];
  /** Processor time of all of them, and of that what passes until the first test; null: not known. */
  cpu_ms: number | null;
  loading_ms: number | null;
};

export type FileCount = {
  file: string;
  ms: number;
  tests: number;
  /** Processor time; null: the file has a process of its own, or it is not known. */
  cpu_ms: number | null;
};

/** Between the texts for people and the counts for the script. */
export const MARK = "\u0000counts ";

/** Runs many files in one process. */
export const TOGETHER = "scripts/test-together.ts";
/** Name of the test that comes before those of a file, and its message: the processor time until then. */
export const FILE_MARK = "\u0000file ";
export const CPU_MARK = "\u0000cpu ";

export function noCounts(): Counts {
  const none = { tests: 0, passed: 0, failed: 0, todo: 0 };
  return { ...none, skipped: [], files: [], cpu_ms: null, loading_ms: null };
}

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = noCounts();
  const files = new Map<string, FileCount>();
  const clock = new FileClock(files);
  let together: string | null = null;
  for await (const event of events) {
    if (event.type === "test:stdout" || event.type === "test:stderr") yield event.data.message;
    if (event.type === "test:diagnostic" && event.data.message.startsWith(CPU_MARK)) {
      const begun_ms = clock.begin(together!, Number(event.data.message.slice(CPU_MARK.length)));
      counts.loading_ms ??= begun_ms;
    }
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { data } = event;
    const file = relative(data.file);
    if (data.name.startsWith(FILE_MARK)) {
      together = data.name.slice(FILE_MARK.length);
      continue;
    }
    const entry = together ?? relative((data as { entryFile?: string }).entryFile);
    // The runner reports a file without a test as if it were one.
    if (entry === UNKNOWN && event.type === "test:pass") continue;
    const count = files.get(entry) ?? { file: entry, ms: 0, tests: 0, cpu_ms: null };
    files.set(entry, count);
    if (data.nesting === 0) count.ms += data.details.duration_ms ?? 0;
    const isSkipped = data.skip !== undefined && data.skip !== false;
    const isSuite = data.details.type === "suite";
    if (isSuite && event.type === "test:pass" && !isSkipped) continue;
    const tests = isSuite && isSkipped ? countTests(data.file!, data.line ?? 1) : 1;
    counts.tests += tests;
    count.tests += tests;
    const where = `${file}:${data.line ?? 0}`;
    if (isSkipped) {
      const reason = typeof data.skip === "string" && data.skip !== "" ? data.skip : null;
      counts.skipped.push({ where, name: data.name, reason, tests });
    } else if (data.todo !== undefined && data.todo !== false) {
      counts.todo += 1;
    } else if (event.type === "test:pass") {
      counts.passed += 1;
    } else {
      counts.failed += 1;
      // A parent fails with its children, which have reported why.
      const error = event.data.details.error as Error & { failureType?: string };
      if (error.failureType === "subtestsFailed") continue;
      yield `\n✖ ${where} ${data.name}\n${explain(error)}\n`;
    }
  }
  counts.cpu_ms = measureCpu();
  clock.end(counts.cpu_ms);
  counts.files = [...files.values()];
  yield `${MARK}${JSON.stringify(counts)}\n`;
}

/** Divides the processor time of one process among the files that run in it one after the other. */
class FileClock {
  #file: string | null = null;
  #begun_ms = 0;
  readonly #files: ReadonlyMap<string, FileCount>;

  constructor(files: ReadonlyMap<string, FileCount>) {
    this.#files = files;
  }

  /** `ms` is the time of the process when the first test of `file` begins; returns it. */
  begin(file: string, ms: number): number {
    this.end(ms);
    this.#file = file;
    this.#begun_ms = ms;
    return ms;
  }

  end(ms: number | null): void {
    const count = this.#file === null ? undefined : this.#files.get(this.#file);
    if (count && ms !== null) count.cpu_ms = ms - this.#begun_ms;
  }
}

function explain(error: Error): string {
  const cause = error.cause ?? error;
  const text = inspect(cause, { depth: 5, colors: false });
  return stripVTControlCharacters(text).replace(/^/gm, "    ");
}

const UNKNOWN = "?";

function relative(file: string | undefined): string {
  return file === undefined ? UNKNOWN : file.replace(`${process.cwd()}/`, "");
}
