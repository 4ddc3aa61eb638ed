/**
 * A file of SQLite's is opened by SQLite alone: a process that opens and closes one itself loses the
 * locks of SQLite on it (test/incidents/a-backup-unlinked-the-log.test.ts). So the names of databases
 * are known to the module that opens the data folder, connections are made by three, and neither these
 * nor what they take paths to imports a function that opens files.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../", import.meta.url);
const OWNER = "src/storage/open-storage.ts";
/** Files that have the names of databases. */
const NAMES = [OWNER, "src/storage/embedded/private-files.ts"];
/** The last one reads in a process of its own, which has no locks to lose (vicinity doctor --node). */
const CONNECTS = ["src/storage/embedded/database.ts", OWNER, "src/storage/inspect/databases.ts"];
/** Functions of node:fs that touch no content. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...[
    "accessSync",
    "constants",
    "chmodSync",
    "existsSync",
    "lstatSync",
    "mkdirSync",
    "readdirSync",
    "readlinkSync",
    "realpathSync",
  ],
  ...["statSync", "statfsSync"],
]);
/** Modules that are given the path of a database. */
const GIVEN = [
  ...CONNECTS,
  ...["disk", "file-names", "private-files", "ledger", "datasets", "transit", "worker"].map(
    (name) => `src/storage/embedded/${name}.ts`,
  ),
];

const sources = new Map(
  ["src", "packages"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts") && !path.includes("/test/"))
      .map((path): [string, string] => [path, readFileSync(new URL(path, root), "utf8")]),
  ),
);

function findOpeners(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) => {
    const matches: string[] = [];
    if (!NAMES.includes(path) && /["'`][\w./${}-]*\.db(-wal|-shm|-journal)?["'`]/.test(text))
      matches.push(`${path} names a database`);
    if (!CONNECTS.includes(path) && text.includes("new DatabaseSync("))
      matches.push(`${path} makes a connection`);
    if (GIVEN.includes(path))
      for (const name of importedFromFs(text))
        if (!HARMLESS.has(name)) matches.push(`${path} may open a database by ${name}`);
    return matches;
  });
}

function importedFromFs(text: string): string[] {
  return [...text.matchAll(/import \{([^}]*)\} from "node:fs(?:\/promises)?"/g)].flatMap(
    ([, names = ""]) => names.split(",").flatMap((name) => name.trim() || []),
  );
}

test("files of databases are opened by SQLite alone", () => {
  for (const path of GIVEN) assert.ok(sources.has(path), path);
  assert.deepEqual(findOpeners(sources), []);
});

test("a module that opens one itself is found", () => {
  const planted: [path: string, text: string, found: RegExp][] = [
    ["src/main/x.ts", 'readFileSync(join(folder, "vicinity.db"))', /names a database/],
    ["src/cli/x.ts", "copyFile(`${folder}/datasets.db-wal`)", /names a database/],
    ["src/app/x.ts", "new DatabaseSync(path)", /makes a connection/],
    [GIVEN[3]!, 'import { openSync, statSync } from "node:fs";', /by openSync/],
    [CONNECTS[0]!, 'import { copyFile } from "node:fs/promises";', /by copyFile/],
  ];
  for (const [path, text, match] of planted) {
    const [first, ...others] = findOpeners(new Map([[path, text]]));
    assert.match(first ?? "nothing", match);
    assert.deepEqual(others, []);
  }
});
