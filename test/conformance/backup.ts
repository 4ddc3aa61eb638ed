/** What every backup holds: all that the ports say of a store, restored elsewhere, or a named refusal. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { backUp, type BackupOptions } from "#storage/backup/back-up.ts";
import { writeManifest } from "#storage/backup/manifest.ts";
import { restoreBackup } from "#storage/backup/restore.ts";
import {
  AT_MS,
  closeStore,
  fillStore,
  openStore,
  type Place,
  readStore,
} from "../support/filled-store.ts";

export type BackupSuite = {
  /** An empty database; null: everything is in the data folder. */
  newDatabase: () => Promise<string | null>;
  skip?: string | false;
};

export async function begin(t: TestContext, newDatabase: BackupSuite["newDatabase"]) {
  const work = mkdtempSync(join(tmpdir(), "vicinity-backup-"));
  const place = { data_dir: join(work, "data"), store_url: await newDatabase() };
  const storage = await openStore(place);
  t.after(async () => {
    await closeStore(storage);
    rmSync(work, { recursive: true });
  });
  return { ...place, work, storage, filled: await fillStore(storage) };
}

function optionsOf({ data_dir, store_url }: Place, target: string): BackupOptions {
  return {
    ...{ data_dir, store_url, mode: "live", target, version: "1.1.0", config_file: null },
    now: () => Date.UTC(2026, 10, 27),
    onPlan: ({ bytes, free }) => assert.ok(bytes > 0 && free > bytes),
    onProgress: (_, done, total) => assert.ok(done <= total),
  };
}

export function backUpTo(place: Place, target: string) {
  return backUp(optionsOf(place, target));
}

function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

export function restoreFrom(source: string, { data_dir, store_url }: Place) {
  const onProgress = (_: string, done: number, total: number): void => assert.ok(done <= total);
  return restoreBackup({ data_dir, store_url, mode: "live", source, onProgress });
}

async function made(place: Place, target: string): Promise<void> {
  const result = await backUpTo(place, target);
  if ("problem" in result) assert.fail(result.problem);
  assert.equal(result.path, target);
}

export function backupSuite(name: string, { newDatabase, skip = false }: BackupSuite): void {
  for (const target of ["copy", "copy.tar"])
    test(
      `${name}: ${target} of a store in use is restored elsewhere, whole`,
      { skip },
      async (t) => {
        const begun = await begin(t, newDatabase);
        const path = join(begun.work, target);
        // Some of the usage has been moved to the ledger, and some is only in the journal.
        await begun.storage.usage.listUsage({ month: "2026-11" });
        const late = { account_id: begun.filled.accounts[0]!, key_id: null, operation: "nearby" };
        const one = { event_id: "late", ...late, units: 7, requests: 1, at_ms: AT_MS };
        assert.ok(begun.storage.usage.record([one]));
        await made(begun, path);
        const expected = await readStore(begun.storage, begun.filled);
        assert.equal(expected.units.join(), "127,60");
        const other = { data_dir: join(begun.work, "other"), store_url: await newDatabase() };
        const restored = await restoreFrom(path, other);
        if ("problem" in restored) return assert.fail(restored.problem);
        assert.equal(restored.made_at, "2026-11-27T00:00:00.000Z");
        const again = await openStore(other);
        t.after(() => closeStore(again));
        assert.deepEqual(await readStore(again, begun.filled), expected);
        assert.deepEqual(readdirSync(begun.work).toSorted(), ["data", "other", target].toSorted());
      },
    );

  test(
    `${name}: a target or a source that does not fit is refused in one line`,
    { skip },
    async (t) => {
      const begun = await begin(t, newDatabase);
      const path = join(begun.work, "copy");
      await made(begun, path);
      const refused = async (result: Promise<object>, line: RegExp): Promise<void> => {
        const { problem } = (await result) as { problem?: string };
        assert.match(problem ?? "it was not refused", line);
        assert.doesNotMatch(problem ?? "", /\n/);
      };
      await refused(backUpTo(begun, path), /copy is not empty; choose another folder$/);
      await refused(backUpTo(begun, join(begun.data_dir, "live", "in")), /is in the data folder/);
      // By whatever name: a link that leads into it, one that is it, and a folder in it under a link.
      const inside = join(begun.data_dir, "live", "inside");
      mkdirSync(inside);
      for (const [link, to] of [
        ["to-mode", join(begun.data_dir, "live")],
        ["to-root", begun.data_dir],
        ["to-inside", inside],
      ] as const) {
        symlinkSync(to, join(begun.work, link));
        for (const linked_path of [link, `${link}/copy`, `${link}/copy.tar`])
          if (linked_path !== link || to === inside)
            await refused(backUpTo(begun, join(begun.work, linked_path)), /is in the data folder/);
      }
      const linked = { ...begun, data_dir: join(begun.work, "to-root") };
      await refused(backUpTo(linked, join(begun.data_dir, "copy.tar")), /is in the data folder/);
      rmdirSync(inside);
      await refused(restoreFrom(path, begun), /live is not empty: name an empty one/);
      const nowhere = { data_dir: join(begun.work, "none"), store_url: begun.store_url };
      await refused(
        restoreFrom(join(begun.work, "no"), nowhere),
        /^SOURCE: .*no is not there: check the path$/,
      );
      if (begun.store_url !== null)
        await refused(restoreFrom(path, nowhere), /has a store already: name an empty one$/);
      await refused(
        restoreFrom(path, {
          ...nowhere,
          store_url: begun.store_url === null ? "postgres://h/d" : null,
        }),
        /VICINITY_STORE_URL/,
      );
      assert.ok(!existsSync(nowhere.data_dir), "nothing was written");
    },
  );

  for (const target of ["copy", "copy.tar"])
    test(
      `${name}: what is announced of ${target} is what is written, journals and documents included, and less room is refused`,
      { skip },
      async (t) => {
        const begun = await begin(t, newDatabase);
        const documents = { origin: "o", read_at_ms: AT_MS, etag: null, last_modified: null };
        const bodies = [randomBytes(3 * 1024 * 1024)];
        assert.ok(await begun.storage.documents.write("large", { ...documents, bodies }));
        const path = join(begun.work, target);
        const plan = (announced: number[]) => ({
          ...optionsOf(begun, path),
          onPlan: ({ bytes }: { bytes: number }) => void announced.push(bytes),
        });
        const announced: number[] = [];
        const all = await backUp(plan(announced));
        if ("problem" in all) return assert.fail(all.problem);
        const written = sizeOf(path);
        assert.ok(written > 5 * 1024 * 1024, "two journals, and the document");
        assert.ok(
          announced[0]! >= written,
          `${announced.join()} of ${written} bytes were announced`,
        );
        if (begun.store_url === null)
          assert.ok(announced[0]! < written * 1.01, `${announced.join()} for ${written} bytes`);
        rmSync(path, { recursive: true });
        // A disk with as much as the databases and bases take, and nothing for the rest.
        t.mock.method(fs, "statfsSync", () => ({
          bavail: Math.floor((written - 4 * 1024 * 1024) / 4096),
          bsize: 4096,
          blocks: 1e9,
        }));
        syncBuiltinESMExports();
        const less = await backUp(plan(announced));
        t.mock.restoreAll();
        syncBuiltinESMExports();
        const line = "problem" in less ? less.problem : "it was made";
        assert.match(
          line,
          /^TARGET: the backup takes \d+ bytes, and \d+ are free there: free space/,
        );
        assert.deepEqual(readdirSync(begun.work), ["data"], "nothing is left");
      },
    );

  test(
    `${name}: a damaged or newer backup is refused, and names what is wrong`,
    { skip },
    async (t) => {
      const begun = await begin(t, newDatabase);
      const path = join(begun.work, "copy");
      await made(begun, path);
      const { files, ...manifest } = readManifestOf(path);
      const elsewhere = { data_dir: join(begun.work, "none"), store_url: begun.store_url };
      const problemOf = async (): Promise<string> =>
        ((await restoreFrom(path, elsewhere)) as { problem?: string }).problem ?? "none";
      for (const { path: part } of files) {
        const file = join(path, part);
        copyFileSync(file, `${file}.kept`);
        flip(file);
        if (statSync(file).size > 0)
          assert.match(await problemOf(), new RegExp(`: ${escape(part)} is damaged: its content`));
        truncateSync(file, Math.max(0, statSync(file).size - 1));
        if (statSync(`${file}.kept`).size > 0)
          assert.match(
            await problemOf(),
            new RegExp(`: ${escape(part)} is damaged: it has \\d+ bytes of`),
          );
        rmSync(file);
        assert.match(await problemOf(), new RegExp(`: ${escape(part)} is missing$`));
        copyFileSync(`${file}.kept`, file);
        rmSync(`${file}.kept`);
      }
      const put = (text: string): void => writeFileSync(join(path, "manifest.json"), text);
      const newer = { ...manifest.schemas.files, "vicinity.db": 99 };
      put(writeManifest({ ...manifest, files, schemas: { ...manifest.schemas, files: newer } }));
      assert.match(
        await problemOf(),
        /vicinity\.db was made by a newer version \(schema 99, this one/,
      );
      put(JSON.stringify({ ...manifest, files, format: 9 }));
      assert.match(await problemOf(), /made by a newer version \(format 9, this one knows 1\)/);
      put(JSON.stringify({ format: 1, ...manifest, files, sha256: "0" }));
      assert.match(await problemOf(), /manifest\.json is damaged: it is not what was written/);
      put(writeManifest({ ...manifest, files: [{ path: "../out", bytes: 0, sha256: "" }] }));
      assert.match(await problemOf(), /manifest\.json names \.\.\/out/);
      rmSync(join(path, "manifest.json"));
      assert.match(await problemOf(), /is no backup, or an incomplete one/);
      assert.ok(!existsSync(elsewhere.data_dir), "nothing was written");
    },
  );

  test(`${name}: an archive that is damaged anywhere is refused`, { skip }, async (t) => {
    const begun = await begin(t, newDatabase);
    const path = join(begun.work, "copy.tar");
    await made(begun, path);
    const bytes = readFileSync(path);
    const elsewhere = { data_dir: join(begun.work, "none"), store_url: begun.store_url };
    for (let i = 1; i <= 12; i++) {
      const broken = Buffer.from(bytes);
      const at = Math.floor((bytes.length * i) / 13);
      broken[at] = broken[at]! ^ 1;
      writeFileSync(path, broken);
      const { problem } = (await restoreFrom(path, elsewhere)) as { problem?: string };
      // Nothing is written between the end of a file and the next block, or after the last one.
      if (problem !== undefined)
        assert.match(problem, /^nothing was restored: .* (damaged|missing)/);
      else rmSync(elsewhere.data_dir, { recursive: true });
      writeFileSync(path, bytes.subarray(0, at));
      const cut = (await restoreFrom(path, elsewhere)) as { problem?: string };
      assert.match(
        cut.problem ?? "none",
        /^nothing was restored: .*(missing|damaged|ends too early|bytes of)/,
      );
    }
  });
}

function readManifestOf(path: string) {
  const text = readFileSync(join(path, "manifest.json"), "utf8");
  const {
    format: _,
    sha256: __,
    ...manifest
  } = JSON.parse(text) as Parameters<typeof writeManifest>[0] & { format: number; sha256: string };
  return manifest;
}

function flip(path: string): void {
  const bytes = readFileSync(path);
  if (bytes.length === 0) return;
  const at = bytes.length >> 1;
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(path, bytes);
}

function escape(name: string): string {
  return name.replaceAll(/[.%]/g, "\\$&");
}
