/** An import in a thread gives what one here gives, reports its progress, and can be stopped. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { importBase, openPack } from "../../reader/import-extract.ts";
import type { BaseProgress } from "../../reader/import-progress.ts";
import { threadBaseImport } from "../../reader/extract-thread.ts";
import { listCountry } from "../../../../sandbox/pbf/country.ts";
import { collect, writeExtract, writeTemporary } from "../../../../test/support/base.ts";
import { noFault } from "../../../../test/support/faults.ts";

const worker_url = new URL("../../../../test/support/base-worker.ts", import.meta.url);
const OPTIONS = { id: "town", region: null, now_ms: 5 };

test("a thread gives the same base", async (t) => {
  const path = await writeExtract(t, listCountry({ quarters: 30 }));
  const { section } = collect({ node: ["name", "place"], way: ["building"], relation: ["type"] });
  const here = await importBase(path, { ...OPTIONS, sections: [section] });
  const progresses: BaseProgress[] = [];
  const other = await threadBaseImport({ worker_url, onFault: noFault })(path, {
    ...OPTIONS,
    onProgress: (progress) => progresses.push(progress),
  });
  assert.ok(here.ok && other.ok);
  assert.deepEqual(other.pack, here.pack);
  assert.deepEqual({ ...other.report, elapsed_ms: 0 }, { ...here.report, elapsed_ms: 0 });
  assert.equal(openPack(other.pack)!.meta.counts.nodes, 30 * 216);
  assert.equal(progresses.at(-1)!.fraction, 1);
});

test("a damaged file is a problem of the thread's caller", async (t) => {
  const path = await writeTemporary(t, Buffer.from("no extract"));
  assert.deepEqual(await threadBaseImport({ worker_url, onFault: noFault })(path, OPTIONS), {
    ok: false,
    problem: "extract: not an .osm.pbf file",
  });
});

test("a thread ends when it is stopped or takes too long", async (t) => {
  const path = await writeExtract(t, listCountry({ quarters: 2 }));
  const stop = new AbortController();
  const endless = { ...OPTIONS, id: "endless" };
  const stopped = await threadBaseImport({ worker_url, onFault: noFault })(path, {
    ...endless,
    signal: stop.signal,
    onProgress: ({ pass }) => {
      if (pass === "packing") stop.abort();
    },
  });
  assert.deepEqual(stopped, { ok: false, problem: "the import was stopped" });
  const slow = await threadBaseImport({ worker_url, onFault: noFault, job_timeout_ms: 60 })(
    path,
    endless,
  );
  assert.deepEqual(slow, {
    ok: false,
    problem: "extract: takes more than the 0.001 minutes that an import may take",
  });
});
