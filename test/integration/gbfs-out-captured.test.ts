/**
 * Published GBFS of captured systems, in 3.0 and 2.3, against MobilityData's schemas. Neither is part of this
 * repository: where one is missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findSets } from "../../trials/replay/sets.ts";
import { deploy } from "../support/answers.ts";
import { capturedFolder, capturedShard } from "../support/captured.ts";
import { listedIn, NO_SCHEMAS, openSchemas, publish } from "../support/gbfs-out.ts";

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
    for (const { source_id } of shards)
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
