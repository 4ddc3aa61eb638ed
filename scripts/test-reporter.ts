/**
 * Reporter of scripts/test.ts: failures in full, then the counts, as one JSON text that the script
 * reads. Everything that passes stays silent.
 */
import { inspect, stripVTControlCharacters } from "node:util";
import type { TestEvent } from "node:test/reporters";

export type Skip = { where: string; name: string; reason: string | null };
export type Counts = {
  tests: number;
  passed: number;
  failed: number;
  todo: number;
  skipped: Skip[];
  /** What the tests of each took, without the start of its process. */
  files: { file: string; ms: number }[];
};

/** Between the texts for people and the counts for the script. */
export const MARK = "\u0000counts ";

/** Makes one group of tests of each file that it runs, named by its path. */
export const TOGETHER = "scripts/test-together.ts";

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts: Counts = { tests: 0, passed: 0, failed: 0, todo: 0, skipped: [], files: [] };
  const files = new Map<string, number>();
  for await (const event of events) {
    if (event.type === "test:stdout" || event.type === "test:stderr") yield event.data.message;
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { data } = event;
    const file = relative(data.file);
    if (data.nesting === 0) {
      const path = file === TOGETHER ? data.name : file;
      files.set(path, (files.get(path) ?? 0) + (data.details.duration_ms ?? 0));
    }
    if (data.details.type === "suite" && event.type === "test:pass") continue;
    counts.tests += 1;
    const where = `${file}:${data.line ?? 0}`;
    if (data.skip !== undefined && data.skip !== false) {
      const reason = typeof data.skip === "string" && data.skip !== "" ? data.skip : null;
      counts.skipped.push({ where, name: data.name, reason });
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
  counts.files = Array.from(files, ([file, ms]) => ({ file, ms }));
  yield `${MARK}${JSON.stringify(counts)}\n`;
}

function explain(error: Error): string {
  const cause = error.cause ?? error;
  const text = inspect(cause, { depth: 5, colors: false });
  return stripVTControlCharacters(text).replace(/^/gm, "    ");
}

function relative(file: string | undefined): string {
  return file === undefined ? "?" : file.replace(`${process.cwd()}/`, "");
}
