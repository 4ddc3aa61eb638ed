/** What of a restored store can be compared byte for byte, and whether its usage is counted once. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runSql } from "../../test/support/engines.ts";

type Plain = ReadonlyMap<string, string>;

/** Digests of timetables and bases, and of the documents that the trial has put there. */
export function plainOf(data_dir: string): Plain {
  const folder = join(data_dir, "sandbox");
  const database = new DatabaseSync(join(folder, "vicinity.db"), { readOnly: true });
  const feeds = database.prepare("SELECT feed_id, version, pack FROM transit_feed").all();
  database.close();
  const files = ["bases", "documents"].flatMap((name) =>
    readdirSync(join(folder, name))
      // The base of the simulated world is made by the service, perhaps between backup and look.
      .filter((file) => file.endsWith(".vbase") || file.startsWith("ballast"))
      .filter((file) => !file.startsWith("simulated-"))
      .map((file): [string, string] => [
        `${name}/${file}`,
        hash("sha256", readFileSync(join(folder, name, file))),
      ]),
  );
  const packs = feeds.map(({ feed_id, version, pack }): [string, string] => [
    `timetable ${String(feed_id)}`,
    `${String(version)} ${hash("sha256", pack as Uint8Array)}`,
  ]);
  return new Map([...packs, ...files]);
}

export function comparePlain(of: Plain, restored: Plain): string[] {
  if (of.size < 4) return [`the trial compares too little: ${[...of.keys()].join()}`];
  return [...of].flatMap(([name, digest]) =>
    restored.get(name) === digest ? [] : [`${name} differs in the restored store`],
  );
}

const SUMS = `SELECT (SELECT sum(units) FROM usage_event) AS events,
  (SELECT sum(units) FROM usage_day) AS days, (SELECT sum(units) FROM usage_month) AS months`;

/** Single events, days and months must have the same sum, once the journal has been handed over. */
export async function findMiscount(of: {
  data_dir: string;
  store_url: string | null;
}): Promise<string | null> {
  const row = of.store_url === null ? sumsOf(of.data_dir) : await sumsIn(of.store_url);
  const sums = ["events", "days", "months"].map((name) => Number(row?.[name]));
  const isEqual = sums[0]! > 0 && sums.every((sum) => sum === sums[0]);
  return isEqual ? null : `usage of events, days and months: ${sums.join(", ")}`;
}

function sumsOf(data_dir: string) {
  const database = new DatabaseSync(join(data_dir, "sandbox", "vicinity.db"), { readOnly: true });
  const row = database.prepare(SUMS).get();
  database.close();
  return row;
}

async function sumsIn(url: string) {
  const tables = SUMS.replaceAll(/FROM (\w+)/g, "FROM vicinity_sandbox.$1");
  const [row] = await runSql(url, tables);
  return row;
}
