/** Files that are too large for a base or for the machine: one line, before anything of them is read. */
import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createGeocoderSection } from "../../geocoder/geocoder-section.ts";
import { importAddresses } from "../../reader/address-files.ts";
import { importBase } from "../../reader/import-extract.ts";
import { measureCapacity } from "../../reader/capacity.ts";
import { threadBaseImport } from "../../reader/import-paged.ts";
import { listCountry } from "../../../../sandbox/pbf/country.ts";
import { collect, writeExtract } from "../../../../test/support/base.ts";
import { noFault } from "../../../../test/support/faults.ts";

const OPTIONS = { id: "x", region: null, now_ms: 1 };
const folder = await mkdtemp(join(tmpdir(), "needs-"));
after(() => rm(folder, { recursive: true }));

/** A file of this size that takes no space; read, it would be no extract. */
async function sparse(name: string, size: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "");
  await truncate(path, size);
  return path;
}

test("an extract above the bound of one pack is refused before its first block", async () => {
  for (const size of [1_600_000_000, 2 ** 31, 2 ** 31 + 4096, 2 ** 32, 2 ** 32 + 4096]) {
    const path = await sparse("large.osm.pbf", size);
    const { section } = collect();
    const here = await importBase(path, { ...OPTIONS, sections: [section] });
    assert.ok(!here.ok);
    assert.match(here.problem, /^extract: [\d.]+ GB can become a base of .*a smaller extract/);
  }
  const path = await sparse("below.osm.pbf", 1_500_000_000);
  const below = await importBase(path, { ...OPTIONS, sections: [collect().section] });
  assert.deepEqual(below, { ok: false, problem: "extract: not an .osm.pbf file" });
});

test("an extract that needs more memory or disk than there is, is refused before its first block", async () => {
  const path = await sparse("x.osm.pbf", 100_000_000);
  const of = async (memory_bytes: number | null, disk_bytes: number | null): Promise<string> => {
    const capacity = { memory_bytes, disk_bytes };
    const result = await importBase(path, { ...OPTIONS, capacity, sections: [collect().section] });
    return result.ok ? "" : result.problem;
  };
  assert.match(await of(500e6, null), /^extract: needs 760 MB to 930 MB of memory.* has 500 MB/);
  assert.match(await of(2e9, 100e6), /^extract: needs up to 286 MB of disk, and 100 MB are free/);
  assert.equal(await of(2e9, 1e9), "extract: not an .osm.pbf file");
});

test("an extract of any size is imported page by page, where there is disk and memory for it", async () => {
  const worker_url = new URL("../../../../test/support/base-worker.ts", import.meta.url);
  const read = threadBaseImport({ worker_url, onFault: noFault });
  const target = { folder, write: () => assert.fail("nothing is written") };
  const of = async (size: number, memory_bytes: number, disk_bytes: number): Promise<string> => {
    const path = await sparse("any.osm.pbf", size);
    const capacity = { memory_bytes, disk_bytes };
    const result = await read(path, { ...OPTIONS, target, capacity });
    return result.ok ? "" : result.problem;
  };
  for (const size of [1_600_000_000, 2 ** 31, 2 ** 31 + 4096, 2 ** 32, 2 ** 32 + 4096, 86e9]) {
    assert.equal(await of(size, 2e9, 5e12), "extract: not an .osm.pbf file");
    assert.match(await of(size, 2e9, 1e9), /^extract: needs up to [\d.]+ GB of disk, [\d.]+ GB of/);
    assert.match(await of(size, 2e8, 5e12), /^extract: needs \d+ MB of memory, whatever its size/);
  }
});

test("a list that is too large is refused unread", async () => {
  for (const [name, size] of [
    ["a.csv", 7e9],
    ["a.csv.gz", 1e9],
  ] as const) {
    const section = createGeocoderSection();
    const path = await sparse(name, size);
    const result = await importAddresses(path, { ...OPTIONS, format: "bano", section });
    assert.ok(!result.ok);
    assert.match(result.problem, /^addresses: [\d.]+ GB can become a base of/);
  }
});

test("this machine has room for a small extract, and a folder that is not there has none known", async (t) => {
  const capacity = await measureCapacity(folder);
  assert.ok(capacity.memory_bytes! > 100e6 && capacity.disk_bytes! > 0);
  const path = await writeExtract(t, listCountry({ quarters: 2 }));
  const result = await importBase(path, { ...OPTIONS, capacity, sections: [collect().section] });
  assert.ok(result.ok);
  assert.equal((await measureCapacity(join(folder, "none"))).disk_bytes, null);
});
