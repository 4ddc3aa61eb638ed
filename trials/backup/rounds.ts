/**
 * Backups of a service under load: whole ones, restored elsewhere and compared with what had been
 * acknowledged, and killed ones, which must leave nothing that looks whole.
 */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { toPbf } from "../../sandbox/pbf/encode.ts";
import { createDocumentStore } from "#storage/embedded/documents.ts";
import { startProcess } from "../../test/integration/service/processes.ts";
import { SMALL } from "../../test/support/gtfs.ts";
import { zipOf } from "../../test/support/zip.ts";
import { ADMIN_TOKEN, Ledger, listLost, makeKey, startLoad } from "../foreign-readers/load.ts";
import { CAN_LOOK, isLocked, listDeleted } from "../foreign-readers/open-files.ts";
import { begin, run } from "./command.ts";
import { comparePlain, findMiscount, plainOf } from "./compare.ts";

export type Options = {
  work: string;
  /** null: everything is in the data folder. */
  newDatabase: (() => Promise<string>) | null;
  rounds: number;
  kills: number;
  per_s: number;
};

export type Figures = {
  keys: number;
  units: number;
  datasets: number;
  /** Of a whole backup, in the order of the rounds. */
  took_ms: number[];
  bytes: number;
  /** Killed before their end, and of these, those whose target was there all the same, and whole. */
  killed: number;
  ended_before: number;
  findings: string[];
};

/** So that a backup takes long enough to be killed in all of its steps. */
const BALLAST_BYTES = 32 * 1024 * 1024;

export async function runRounds(options: Options): Promise<Figures> {
  const data_dir = join(options.work, "data");
  const store_url = (await options.newDatabase?.()) ?? null;
  await provide({ ...options, data_dir });
  const { ready, running } = await startService(data_dir, store_url);
  const ledger = new Ledger();
  const findings: string[] = [];
  for (let i = 0; i < 4; i++) await makeKey(ready, ledger);
  const load = startLoad(ready, ledger, options.per_s);
  const place = { data_dir, store_url };
  const figures = { took_ms: [] as number[], bytes: 0, killed: 0, ended_before: 0 };
  for (let round = 1; round <= options.rounds; round++) {
    const find = (text: string): void => void findings.push(`round ${round}: ${text}`);
    const made = await backUpWhole({ ...options, place, ledger, round, find });
    figures.took_ms.push(made.took_ms);
    figures.bytes = made.bytes;
  }
  for (let kill = 1; kill <= options.kills; kill++) {
    const find = (text: string): void => void findings.push(`kill ${kill}: ${text}`);
    const share = 0.3 + (1.1 * kill) / options.kills;
    const after_ms = share * Math.max(1, Math.min(...figures.took_ms));
    const killed = await killOne({ ...options, place, after_ms, kill, find });
    figures[killed ? "killed" : "ended_before"] += 1;
  }
  await load.stop();
  const folder = join(data_dir, "sandbox");
  if (CAN_LOOK) {
    for (const path of listDeleted(ready.pid, folder)) findings.push(`without a name: ${path}`);
    const main = join(folder, "vicinity.db");
    if (!isLocked(ready.pid, main)) findings.push("the service has lost its lock");
  }
  for (const text of await listLost(ready, ledger)) findings.push(`lost: ${text}`);
  running.child.kill("SIGKILL");
  await running.ended;
  const { keys, units, datasets } = ledger;
  return { keys: keys.length, units, datasets: datasets.length, ...figures, findings };
}

/** A timetable, a base, and ballast. */
async function provide({ work, data_dir }: { work: string; data_dir: string }): Promise<void> {
  const [zip, extract] = [join(work, "small.zip"), join(work, "town.osm.pbf")];
  writeFileSync(zip, zipOf(SMALL));
  const town = { type: "node" as const, id: 1, lat7: 471_000_000, lon7: 95_000_000 };
  writeFileSync(extract, toPbf([{ ...town, tags: { amenity: "toilets", name: "Toilet" } }]));
  await run(["import", "gtfs", zip, "--id", "small", "--sandbox"], { data_dir });
  await run(["import", "osm", extract, "--id", "town", "--sandbox"], { data_dir });
  const documents = createDocumentStore(join(data_dir, "sandbox", "documents"));
  const label = { origin: "trial", read_at_ms: 0, etag: null, last_modified: null };
  await documents.write("ballast", { ...label, bodies: [randomBytes(BALLAST_BYTES)] });
}

type Place = { data_dir: string; store_url: string | null };
type Find = (text: string) => void;
type Round = Options & { place: Place; ledger: Ledger; round: number; find: Find };

async function backUpWhole({ place, work, newDatabase, ledger, round, find }: Round) {
  const target = join(work, round % 2 === 0 ? `backup-${round}.tar` : `backup-${round}`);
  const before = copyOf(ledger);
  const begun = performance.now();
  const reported = await run(["backup", target, "--sandbox", "--json"], place);
  const took_ms = performance.now() - begun;
  const { bytes } = JSON.parse(reported) as { bytes: number };
  // What was begun until now may be in it, and nothing else.
  for (const [i, key] of before.keys.entries()) key.attempted = ledger.keys[i]!.attempted;
  const other = join(work, `restored-${round}`);
  const store_url = (await newDatabase?.()) ?? null;
  const elsewhere = { data_dir: other, store_url };
  await run(["restore", target, "--sandbox"], elsewhere);
  for (const text of comparePlain(plainOf(place.data_dir), plainOf(other))) find(text);
  const { ready, running } = await startService(other, store_url);
  for (const text of await listLost(ready, before)) find(`not in the backup: ${text}`);
  running.child.kill("SIGTERM");
  await running.ended;
  const miscount = await findMiscount(elsewhere);
  if (miscount !== null) find(miscount);
  await rm(target, { recursive: true });
  await rm(other, { recursive: true });
  return { took_ms, bytes };
}

/** What has been acknowledged by now. */
function copyOf(ledger: Ledger): Ledger {
  const copy = new Ledger();
  copy.keys.push(...ledger.keys.map((key) => ({ ...key })));
  copy.datasets.push(...ledger.datasets);
  return copy;
}

type Kill = Options & { place: Place; after_ms: number; kill: number; find: Find };

/** false: it had ended before. */
async function killOne({ place, work, newDatabase, after_ms, kill, find }: Kill): Promise<boolean> {
  const folder = join(work, "killed");
  await mkdir(folder);
  const target = join(folder, kill % 2 === 0 ? "backup.tar" : "backup");
  const { child, ended } = begin(["backup", target, "--sandbox"], place);
  const timer = setTimeout(() => child.kill("SIGKILL"), after_ms);
  const { code } = await ended;
  clearTimeout(timer);
  if (existsSync(target)) {
    // It had been renamed already: then it is whole.
    const other = { data_dir: join(work, "whole"), store_url: (await newDatabase?.()) ?? null };
    const { code: restored, err } = await begin(["restore", target, "--sandbox"], other).ended;
    if (restored !== 0) find(`half a backup at the target: ${err}`);
    await rm(other.data_dir, { recursive: true, force: true });
  } else if (code === 0) find("it said that it was done, and there is none");
  const odd = readdirSync(folder).filter((name) => !/^backup(\.tar)?$|\.partial$/.test(name));
  if (odd.length > 0) find(`left behind: ${odd.join()}`);
  await rm(folder, { recursive: true });
  return code !== 0;
}

function startService(data_dir: string, store_url: string | null) {
  const variables = {
    ...{ ADMIN_TOKEN, LOG_LEVEL: "error", SANDBOX_SEED: "1" },
    ...(store_url === null ? {} : { VICINITY_STORE_URL: store_url }),
  };
  return startProcess({ data_dir, cities: "paris", variables });
}
