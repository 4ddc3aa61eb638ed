/**
 * Published GBFS of captured systems, in 3.0 and 2.3, against MobilityData's schemas. Neither is part of this
 * repository: where one is missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "node:test";
import { findSets } from "../../trials/replay/sets.ts";
import { createMemoryBridges } from "../support/memory.ts";
import { deploy, type Deployment } from "../support/answers.ts";
import { findPython } from "../support/python.ts";
import { capturedFolder, capturedShard } from "../support/captured.ts";
import {
  type GbfsDocument,
  listedIn,
  NO_SCHEMAS,
  openSchemas,
  ORIGIN,
  publish,
} from "../support/gbfs-out.ts";

const { path: SETS, skip: NO_CAPTURES } = capturedFolder("gbfs", "PUBLISHED GBFS NOT VALIDATED");

test(
  "captured systems are published without an error of the schemas",
  { skip: NO_CAPTURES || NO_SCHEMAS },
  async (context) => {
    const shards = findSets(SETS).sets.flatMap((set) => capturedShard(set, { shift: true }) ?? []);
    const deployment = deploy({
      shards,
      refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
    });
    const { read } = publish(deployment);
    const validate = openSchemas();
    let [files, rows, bytes] = [0, 0, 0];
    const errors: string[] = [];
    const { document: manifest } = await read("v3/manifest");
    const left_out = manifest["_vicinity"]!["left_out"] as { system_id: string; reason: string }[];
    const closed = new Set(left_out.map(({ system_id }) => system_id));
    // Captured without system_information, at a time when they had nothing.
    const placeless = shards.filter(({ box, statics }) => !box && !statics.meta.system?.timezone);
    assert.deepEqual(
      left_out.map(({ system_id, reason }) => [system_id, reason]),
      placeless.map(({ source_id }) => [source_id, "timezone_unknown"]),
    );
    for (const { source_id } of shards.filter((shard) => !closed.has(shard.source_id)))
      for (const [segment, version] of [
        ["v3", "3.0"],
        ["v2", "2.3"],
      ] as const) {
        const at = `${segment}/${encodeURIComponent(source_id)}`;
        for (const name of listedIn((await read(`${at}/gbfs`)).document)) {
          const file = await read(`${at}/${name}`);
          files++;
          bytes += file.bytes.length;
          rows += Object.values(file.document.data).flat().length;
          errors.push(
            ...validate(version, name, file.document).map((each) => `${source_id} ${each}`),
          );
        }
      }
    context.diagnostic(`${files} files, ${bytes} bytes, ${rows} rows of ${shards.length} systems`);
    assert.deepEqual(errors.slice(0, 20), [], `${errors.length} errors`);
    assert.ok(files > 100 && rows > 20_000, `${files} files, ${rows} rows`);
  },
);

const python = findPython();
const NO_READER = NO_CAPTURES || (python === null && "PUBLISHED GBFS NOT READ: no python3");

/** One city in two captures of its system, each with counts; the later one is fresher. */
const TWICE = ["baywheels-2022-09", "baywheels-series-2023-07"];

test(
  "docks that two sources have are published once, says another reader",
  { skip: NO_READER },
  async (context) => {
    const sets = findSets(SETS).sets.filter(({ path }) => TWICE.includes(path));
    const shards = sets.flatMap((set) => capturedShard(set, { shift: true }) ?? []);
    assert.equal(shards.length, 2);
    const merged = await readByOther(deploy({ shards, identity: IDENTITY }));
    context.diagnostic(JSON.stringify({ ...merged, duplicates: merged.duplicates.length }));
    assert.deepEqual([merged.duplicates, merged.errors], [[], []]);
    assert.ok(merged.merged > 300, String(merged.merged));
    // That reader sees them where they are.
    const apart = await readByOther(deploy({ shards }));
    assert.ok(apart.duplicates.length > 300, String(apart.duplicates.length));
  },
);

const IDENTITY = { bridges: createMemoryBridges(), overrides: { always: [], never: [] } };
const ORACLE = fileURLToPath(new URL("../oracle/gbfs_out.py", import.meta.url));

type Report = { duplicates: string[][]; errors: string[]; stations: number; merged: number };

/** What the independent reader says of all files, which are written to a folder. */
async function readByOther(deployment: Deployment): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "gbfs-out-"));
  try {
    const { read } = publish(deployment);
    const write = async (path: string): Promise<GbfsDocument> => {
      const { bytes, document } = await read(path);
      const text = Buffer.from(bytes).toString().replaceAll(`${ORIGIN}/gbfs`, folder);
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, `${path}.json`), text);
      return document;
    };
    for (const { source_id } of deployment.world.list())
      for (const segment of ["v3", "v2"])
        for (const name of listedIn(await write(`${segment}/${source_id}/gbfs`)).slice(1))
          await write(`${segment}/${source_id}/${name}`);
    await write("v3/manifest");
    const { stdout } = await promisify(execFile)(
      python!,
      [ORACLE, join(folder, "v3", "manifest.json")],
      { maxBuffer: 2 ** 26 },
    );
    return JSON.parse(stdout) as Report;
  } finally {
    await rm(folder, { recursive: true });
  }
}
