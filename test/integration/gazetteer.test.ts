/** The gazetteer of a deployment: made once, kept, made again when what is kept is not whole. */
import assert from "node:assert/strict";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test, type TestContext } from "node:test";
import { pino } from "pino";
import { createBaseStore } from "#storage/base-files.ts";
import { createGazetteer, type GazetteerDeps } from "#upstream/bases/gazetteer.ts";
import { layGazetteer } from "../support/gazetteer.ts";

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "gazetteer-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openGazetteer(folder: string, log: GazetteerDeps["log"], url: URL) {
  return createGazetteer({ store: createBaseStore(folder), maker: { url, args: [folder] }, log });
}

/** Lines of the log, as they are written. */
function logOf(): { log: GazetteerDeps["log"]; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const log = pino({ base: null }, { write: (line) => void written.push(line) });
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test("the first start makes it, later ones read it, and a damaged one is made again", async (t) => {
  const folder = folderOf(t);
  const { log, lines } = logOf();
  const file = join(folder, "gazetteer.vbase");
  const start = async (maker: URL): Promise<string | undefined> => {
    const gazetteer = openGazetteer(folder, log, maker);
    assert.equal(gazetteer.current(), null);
    await gazetteer.start();
    const query = { q: "Lyon", language: "fr", country: null, near: null, limit: 1 };
    const pages = gazetteer.current()?.pages;
    using pinned = pages && (await pages.pin([0]));
    return pinned?.pages[0]?.page.geocoder?.geocode(query)[0]?.label;
  };
  const never = makerOf(folder, "process.exit(1);");
  // What the process of the service has made, which this or an earlier run of the tests has waited for.
  const stored = folderOf(t);
  await layGazetteer(stored);
  const [from, to] = [join(stored, "gazetteer.vbase"), file].map((path) => JSON.stringify(path));
  const makes = makerOf(
    folder,
    `import { copyFileSync } from "node:fs"; copyFileSync(${from}, ${to});`,
  );
  assert.equal(await start(makes), "Lyon, Auvergne-Rhône-Alpes, France");
  const made = statSync(file);
  assert.equal(await start(never), "Lyon, Auvergne-Rhône-Alpes, France");
  assert.equal(statSync(file).mtimeMs, made.mtimeMs);
  truncateSync(file, made.size - 8);
  assert.equal(await start(never), undefined);
  assert.equal(await start(makes), "Lyon, Auvergne-Rhône-Alpes, France");
  assert.deepEqual(
    lines().map(({ level, reason, bytes }) => reason ?? (level === 30 && bytes)),
    [made.size, made.size, "not_made", made.size],
  );
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".draft")),
    [],
  );
});

test("where it cannot be made there is none, and the service goes on", async (t) => {
  const folder = folderOf(t);
  const { log, lines } = logOf();
  for (const code of [
    "process.exit(1);",
    "throw new Error('broken');",
    "process.kill(process.pid, 'SIGKILL');",
  ]) {
    const gazetteer = openGazetteer(folder, log, makerOf(folder, code));
    await gazetteer.start();
    assert.equal(gazetteer.current(), null);
  }
  // What the maker threw has a line of its own, with its stack.
  assert.deepEqual(
    lines().flatMap(({ reason }) => reason ?? []),
    ["not_made", "not_made", "not_made"],
  );
});

test("a stop while it is being made ends the making", async (t) => {
  const folder = folderOf(t);
  const { log, lines } = logOf();
  const begun = join(folder, "begun.pid");
  const code = `import { renameSync, writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(`${begun}.draft`)}, String(process.pid));
    renameSync(${JSON.stringify(`${begun}.draft`)}, ${JSON.stringify(begun)});
    setInterval(() => {}, 1000);`;
  const gazetteer = openGazetteer(folder, log, makerOf(folder, code));
  const { promise: isBegun, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, (_, name) => name === "begun.pid" && resolve());
  t.after(() => watcher.close());
  const started = gazetteer.start();
  await isBegun;
  const pid = Number(readFileSync(begun, "utf8"));
  gazetteer.close();
  await started;
  assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  assert.equal(gazetteer.current(), null);
  assert.deepEqual(lines(), []);
});

let makers = 0;
function makerOf(folder: string, code: string): URL {
  const path = join(folder, `maker-${++makers}.mjs`);
  writeFileSync(path, code);
  return pathToFileURL(path);
}
