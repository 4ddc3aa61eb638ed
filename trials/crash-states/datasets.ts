/**
 * Datasets after a crash: what was acknowledged and has not expired is there byte for byte, what is
 * there was put by a caller, no content is without a dataset, and the counts are right.
 */
import type { NewDataset } from "#ports.ts";
import type { DatabaseSync } from "#storage/embedded/database.ts";
import { DATASET_MIGRATIONS } from "#storage/embedded/migrations.ts";
import { createDatasetReader, type DatasetReader } from "#storage/embedded/datasets-reader.ts";
import { createDatasetWriter } from "#storage/embedded/datasets-writer.ts";
import { createDice, type Dice } from "../dice.ts";
import type { Scenario } from "./scenario.ts";

/** An acknowledgement that is not of an id: datasets that had expired by then may be gone. */
export const FORGETTING = "forgetting ";

/** One in this many is put once more after the crash. */
const REPLAYED = 8;

/** The same datasets for the writer and for the checks; time passes from one to the next. */
export function sampleDatasets(seed: number, count: number): NewDataset[] {
  const dice = createDice(seed);
  const bodies = Array.from({ length: Math.ceil(count / 2) }, () => noise(dice, 9_000));
  return Array.from({ length: count }, (_, at_ms) => ({
    id: `nearby_${at_ms}`,
    version: `1-${dice.integer(0, 9)}`,
    quota_max: null,
    owner: "public",
    quota_key: `address ${dice.integer(0, 5)}`,
    created_at_ms: at_ms,
    expires_at_ms: at_ms + dice.integer(20, count),
    observation: noise(dice, 600),
    body: dice.pick(bodies),
  }));
}

/** Packs badly, so that contents take several pages. */
function noise(dice: Dice, max: number): Uint8Array {
  const bytes = new Uint8Array(dice.integer(0, max));
  return bytes.map(() => dice.integer(0, 255));
}

export function datasetsScenario(seed: number, work: number): Scenario {
  const datasets = sampleDatasets(seed, work);
  return {
    name: "datasets",
    work,
    stores: [{ file: "datasets.db", migrations: DATASET_MIGRATIONS }],
    writer: new URL("./datasets-writer.ts", import.meta.url),
    check(storeAt, { acked }) {
      const database = storeAt("datasets.db");
      const reader = createDatasetReader(database);
      const ids = new Set(acked);
      const forgetting = acked.findLast((text) => text.startsWith(FORGETTING));
      const forgotten_ms = Number(forgetting?.slice(FORGETTING.length) ?? 0);
      const remaining = new Set(datasets.filter((dataset) => isKept(reader, dataset)));
      const lost = datasets.filter(
        (dataset) =>
          ids.has(dataset.id) && dataset.expires_at_ms > forgotten_ms && !remaining.has(dataset),
      ).length;
      const before = findFaults(database, remaining);
      // Packing takes the most time: not all are put again.
      const again = datasets.filter((_, at) => at % REPLAYED === 0);
      createDatasetWriter(database).put(again);
      for (const dataset of again)
        if (!remaining.has(dataset) && isKept(reader, dataset)) remaining.add(dataset);
      const missing = again.filter((dataset) => !remaining.has(dataset)).length;
      return [
        ...(lost > 0 ? [`${lost} acknowledged datasets are lost or changed`] : []),
        ...before.map((text) => `found: ${text}`),
        ...(missing > 0 ? [`${missing} of ${again.length} are not there after a replay`] : []),
        ...findFaults(database, remaining).map((text) => `after a replay: ${text}`),
      ];
    },
  };
}

function isKept(reader: DatasetReader, dataset: NewDataset): boolean {
  return (["observation", "body"] as const).every((part) => {
    const read = reader.read(dataset.id, part);
    return read.status === "ok" && Buffer.compare(read.bytes, dataset[part]) === 0;
  });
}

/** Of what is there, whether it was acknowledged or not; `kept`: what is there as it was put. */
function findFaults(database: DatabaseSync, datasets: ReadonlySet<NewDataset>): string[] {
  const read = (sql: string): unknown[][] =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  const ids = new Set([...datasets].map(({ id }) => id));
  const strange = read("SELECT id FROM dataset").filter(([id]) => !ids.has(String(id)));
  const orphans = read(
    "SELECT 1 FROM content WHERE content_id NOT IN (SELECT content_id FROM dataset)",
  );
  const counts = JSON.stringify(read("SELECT * FROM dataset_count ORDER BY 1"));
  const sums = read("SELECT quota_key, count(*) FROM dataset GROUP BY 1 ORDER BY 1");
  return [
    ...(strange.length > 0 ? [`${strange.length} datasets that were never put`] : []),
    ...(orphans.length > 0 ? [`${orphans.length} contents without a dataset`] : []),
    ...(counts === JSON.stringify(sums) ? [] : ["dataset_count is not what is counted"]),
  ];
}
