/** An import in threads, of one page and of many: faults of a thread and of the disk, and how it is stopped. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type BaseTarget, threadBaseImport } from "../../reader/import-paged.ts";
import type { BaseProgress } from "../../reader/import-progress.ts";
import { listFarCopies } from "../far-copies.ts";
import { listCountry } from "../../../../sandbox/pbf/country.ts";
import type { PbfObject } from "../../../../sandbox/pbf/objects.ts";
import { writeExtract, writeTemporary } from "../../../../test/support/base.ts";
import { noFault } from "../../../../test/support/faults.ts";

const worker_url = new URL("../../../../test/support/base-worker.ts", import.meta.url);
const OPTIONS = { region: null, now_ms: 5 };
/** So little that the extracts of these tests do not fit one page. */
const PAGE_BYTES = 8_000;

/** A base that is counted and not written. */
async function createTarget(t: TestContext, fail: (at: number) => Error | null = () => null) {
  const folder = await mkdtemp(join(tmpdir(), "paged-import-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const written: number[] = [];
  const target: BaseTarget = {
    folder,
    write(at, bytes) {
      const error = fail(at);
      if (error) return Promise.reject(error);
      written.push(bytes.length);
      return Promise.resolve();
    },
  };
  return { target, written };
}

const QUARTERS = 6;
const FAR = 4;
/** Invented countries a degree of longitude apart. */
const listFar = (): PbfObject[] => listFarCopies([...listCountry({ quarters: QUARTERS })], FAR);

for (const [what, page_bytes, threads] of [
  ["one page", undefined, 2],
  ["many pages", PAGE_BYTES, 2],
] as const) {
  const bounds = { ...(page_bytes && { page_bytes }), threads };
  const extract = (t: TestContext): Promise<string> => writeExtract(t, listFar());
  /** Writes of an import that ends well. */
  let writes = 0;

  test(`${what}: how far it is never goes back, and ends at the end`, async (t) => {
    const { target, written } = await createTarget(t);
    const progresses: BaseProgress[] = [];
    const options = { ...OPTIONS, ...bounds, id: "town", target };
    const result = await threadBaseImport({ worker_url, onFault: noFault })(await extract(t), {
      ...options,
      onProgress: (progress) => progresses.push(progress),
    });
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.report.counts.nodes, FAR * QUARTERS * 216);
    assert.deepEqual(Object.keys(result.report.section_counts), ["services"]);
    writes = written.length;
    assert.ok(page_bytes ? writes > 4 : writes === 3, `${writes} writes`);
    const fractions = progresses.map(({ fraction }) => fraction);
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
    assert.equal(fractions.at(-1), 1);
    const passes = [...new Set(progresses.map(({ pass }) => pass))];
    if (page_bytes) assert.deepEqual(passes, ["splitting", "pages", "names", "packing"]);
    assert.ok(progresses.every(({ counts }) => counts.nodes <= FAR * QUARTERS * 216));
  });

  test(`${what}: what a thread ends with is one line, and a defect is reported`, async (t) => {
    const path = await extract(t);
    const faults: unknown[] = [];
    const read = threadBaseImport({
      ...{ worker_url, max_heap_mb: 64, max_young_mb: 16 },
      onFault: (_, error) => faults.push(error),
    });
    for (const [id, says] of [
      ["throws", "extract: a defect"],
      ["exits", "extract: the import ended unexpectedly"],
      ["heavy", "extract: needs more than the 64 MB of memory that an import may take"],
    ] as const) {
      const { target } = await createTarget(t);
      const result = await read(path, { ...OPTIONS, ...bounds, id, target });
      assert.ok(!result.ok && result.problem === says, `${id}: ${JSON.stringify(result)}`);
    }
    assert.ok(faults.some((error) => error instanceof TypeError && error.message === "a defect"));
    const codes = faults.map((error) => (error as { code?: string }).code);
    assert.ok(!codes.includes("ERR_WORKER_OUT_OF_MEMORY"), "a file that is too large is no defect");
  });

  test(`${what}: it ends when it is stopped, or takes too long`, async (t) => {
    const path = await extract(t);
    const { target, written } = await createTarget(t);
    const stop = new AbortController();
    const endless = { ...OPTIONS, ...bounds, id: "endless", target };
    const stopped = await threadBaseImport({ worker_url, onFault: noFault })(path, {
      ...{ ...endless, signal: stop.signal },
      onProgress: ({ pass }) => {
        if (pass === (page_bytes ? "pages" : "packing")) stop.abort();
      },
    });
    assert.deepEqual(stopped, { ok: false, problem: "the import was stopped" });
    const before = written.length;
    const limits = { worker_url, onFault: noFault, job_timeout_ms: 1_000 };
    const another = await createTarget(t);
    const slow = await threadBaseImport(limits)(path, { ...endless, target: another.target });
    assert.ok(!slow.ok);
    assert.match(
      slow.problem,
      /^extract: takes more than the 0\.016\d* minutes that an import may/,
    );
    assert.equal(written.length, before, "nothing is written once it has ended");
  });

  test(`${what}: what the disk does not take is thrown as it is, at the first write and the last`, async (t) => {
    const path = await extract(t);
    const full = Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
    const read = threadBaseImport({ worker_url, onFault: noFault });
    assert.ok(writes > 0);
    for (const n of [0, writes - 1]) {
      let left = n;
      const { target } = await createTarget(t, () => (left-- > 0 ? null : full));
      const importing = read(path, { ...OPTIONS, ...bounds, id: "town", target });
      await assert.rejects(importing, (error) => error === full, `write ${n} of ${writes}`);
    }
  });
}

test("a folder for the runs that takes nothing is thrown as the disk's", async (t) => {
  const path = await writeExtract(t, listCountry({ quarters: 60 }));
  const { target } = await createTarget(t);
  await rm(target.folder, { recursive: true });
  const read = threadBaseImport({ worker_url, onFault: noFault });
  const options = { ...OPTIONS, page_bytes: PAGE_BYTES, id: "town", target };
  const result = await read(path, options);
  assert.ok(!result.ok);
  assert.match(result.problem, /^extract: .*no such file or folder/);
  assert.deepEqual(await readdir(target.folder).catch(() => []), []);
});

test("a damaged file is a problem of the caller, of one page or many", async (t) => {
  const path = await writeTemporary(t, Buffer.from("no extract".repeat(100)));
  for (const page_bytes of [undefined, 1]) {
    const { target, written } = await createTarget(t);
    const bounds = page_bytes ? { page_bytes } : {};
    const options = { ...OPTIONS, ...bounds, id: "town", target };
    assert.deepEqual(await threadBaseImport({ worker_url, onFault: noFault })(path, options), {
      ok: false,
      problem: "extract: not an .osm.pbf file",
    });
    assert.deepEqual(written, []);
  }
});
