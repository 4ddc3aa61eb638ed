/**
 * `npx node scripts/old-data-folder.ts COMMIT…`: makes the data folder that a released version leaves,
 * with its own programs: keys, usage (some of it still in the journal, after a kill), datasets, two
 * timetables and, where it knows them, a base. Written to test/fixtures/old-folders, where
 * test/integration/old-folders.test.ts opens it with the program of today. Needs the history.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { toPbf } from "../sandbox/pbf/encode.ts";
import { SMALL } from "../test/support/gtfs.ts";
import { zipOf } from "../test/support/zip.ts";

/** What a folder holds, and what of it today's program must show. */
export type OldFolder = {
  commit: string;
  made_at_ms: number;
  key: { id: string; key: string; account_id: string };
  revoked: string;
  units: number;
  /** SHA-256 of the parts. */
  datasets: readonly { id: string; observation: string; body: string }[];
  timetables: readonly string[];
  bases: readonly string[];
  /** Base 64, by the path in the data folder. */
  files: Readonly<Record<string, string>>;
};

const ROOT = fileURLToPath(new URL("../", import.meta.url));
export const OLD_FOLDERS = new URL("../test/fixtures/old-folders/", import.meta.url);
const FILL = fileURLToPath(new URL("old-folders/fill.js", import.meta.url));

function make(commit: string): OldFolder {
  const work = mkdtempSync(join(tmpdir(), "vicinity-old-"));
  const [tree, data_dir] = [join(work, "tree"), join(work, "data")];
  mkdirSync(tree);
  const archive = execFileSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", tree], { input: archive });
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"));
  const env = { PATH: process.env["PATH"], HOME: work, VICINITY_DATA_DIR: data_dir };
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [join(tree, "src/main.ts"), ...args], {
      cwd: tree,
      env,
    }).toString();

  const zip = join(work, "small.zip");
  writeFileSync(zip, zipOf(SMALL));
  for (const id of TIMETABLES) run("import", "gtfs", zip, "--id", id);
  const bases = hasBases(tree) ? ["old"] : [];
  writeFileSync(join(work, "old.osm.pbf"), toPbf(TOWN));
  for (const id of bases) run("import", "osm", join(work, "old.osm.pbf"), "--id", id);
  const create = (name: string): NewKey =>
    JSON.parse(run("keys", "create", "--plan", "business", "--name", name, "--json")) as NewKey;
  const [stored, revoked] = [create("kept"), create("revoked")];
  run("keys", "revoke", revoked.id);
  const made_at_ms = Date.now();
  const { id, key, account_id } = stored;
  const input = JSON.stringify({ account_id, key_id: id, at_ms: made_at_ms });
  // It ends by a kill of its own.
  const filled = spawnSync(process.execPath, [FILL, tree, data_dir], {
    cwd: tree,
    env,
    input: input,
  });
  if (filled.signal !== "SIGKILL") throw new Error(`${commit}: ${filled.stderr.toString()}`);
  const { units, datasets } = JSON.parse(filled.stdout.toString()) as Pick<
    OldFolder,
    "units" | "datasets"
  >;
  const files = readFolder(data_dir);
  rmSync(work, { recursive: true });
  return {
    ...{ commit, made_at_ms, key: { id, key, account_id }, revoked: revoked.key },
    ...{ units, datasets, timetables: TIMETABLES, bases, files },
  };
}

type NewKey = { id: string; key: string; account_id: string };

const TIMETABLES = ["first", "second"];
const TOWN = [47.1, 47.101, 47.102].map((lat, i) => ({
  type: "node" as const,
  id: i + 1,
  lat7: Math.round(lat * 1e7),
  lon7: 95_000_000,
  tags: { amenity: "toilets", name: `Toilet ${i}` },
}));

function hasBases(tree: string): boolean {
  return readdirSync(join(tree, "src/storage")).includes("bases.ts");
}

/** The room that is kept for a full disk holds nothing, and SQLite makes again what it shares in memory. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  return Object.fromEntries(
    names.flatMap((entry): [string, string][] => {
      if (!entry.isFile() || entry.name === "reserve" || entry.name.endsWith("-shm")) return [];
      const path = join(entry.parentPath, entry.name);
      return [[path.slice(folder.length + 1), readFileSync(path).toString("base64")]];
    }),
  );
}

if (import.meta.main)
  for (const commit of process.argv.slice(2)) {
    const made = make(commit);
    mkdirSync(OLD_FOLDERS, { recursive: true });
    const bytes = gzipSync(JSON.stringify(made), { level: 9 });
    writeFileSync(new URL(`${commit}.json.gz`, OLD_FOLDERS), bytes);
    console.log(`${commit}: ${bytes.length} bytes, ${Object.keys(made.files).length} files`);
  }
