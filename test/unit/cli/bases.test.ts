/** `vicinity bases`: what is imported, what of it cannot be read, and how one is removed. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { formatCounts } from "#cli/print/print-bases.ts";
import { noFolder, openAdminStorage } from "#storage/open-storage.ts";
import type { PbfObject } from "../../../sandbox/pbf/encode.ts";
import { aBasePack, DATA_AT_S } from "../../support/bases.ts";
import { run } from "./support.ts";

async function storeWith(
  t: TestContext,
  ids: readonly string[],
  pack: (id: string) => Promise<Uint8Array> = aBasePack,
) {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-cli-"));
  t.after(() => rmSync(data_dir, { recursive: true, force: true }));
  const openStore = ({ sandbox = false } = {}) => {
    const store = openAdminStorage({ data_dir, mode: sandbox ? "sandbox" : "live" });
    return "problem" in store ? assert.fail(store.problem) : store;
  };
  const store = openStore();
  for (const id of ids) await store.bases.put(id, await pack(id));
  store.close();
  const damage = (id: string): void =>
    writeFileSync(join(data_dir, "live", "bases", `${id}.vbase`), "damaged");
  return { openStore, damage, data_dir };
}

const DAY = new Date(DATA_AT_S * 1000).toISOString().slice(0, 10);

test("bases are listed with their date, size, box and contents", async (t) => {
  const { openStore } = await storeWith(t, ["li", "ch"]);
  const { code, out, err } = await run(["bases"], { openStore });
  assert.equal(code, 0, err);
  const [head, ...rows] = out.trimEnd().split("\n");
  assert.match(head!, /^base +data of +size +south, west, north, east +holds/);
  assert.deepEqual(
    rows.map((row) => row.split(/ {2,}/)[0]),
    ["ch", "li"],
  );
  for (const row of rows) {
    assert.ok(row.includes(DAY), row);
    assert.match(row, / kB {2}48\.85, 2\.35, 48\.86, 2\.36 {2}2 toilets, 1 water, 1 left out/);
  }
});

test("--json has the same as data", async (t) => {
  const { openStore } = await storeWith(t, ["ch"]);
  const { out } = await run(["bases", "--json"], { openStore });
  const { bases } = JSON.parse(out) as { bases: Record<string, unknown>[] };
  assert.equal(bases.length, 1);
  const [{ bytes, holds, ...base }] = bases as [Record<string, unknown>];
  assert.ok((bytes as number) > 500, String(bytes));
  assert.deepEqual(base, {
    id: "ch",
    readable: true,
    region: "FR",
    data_at: new Date(DATA_AT_S * 1000).toISOString(),
    imported_at: "2026-11-21T12:00:00.000Z",
    bbox: [48.85, 2.35, 48.86, 2.36],
    objects: { nodes: 6, ways: 0, relations: 0 },
  });
  const { services } = holds as Record<string, unknown>;
  assert.deepEqual(services, { toilets: 2, water: 1, left_out: 1 });
});

test("no base is one line; the sandbox has its own", async (t) => {
  const { openStore } = await storeWith(t, ["ch"]);
  const { code, out } = await run(["bases", "--sandbox"], { openStore });
  assert.equal(code, 0);
  assert.equal(out, "no base is imported in data/sandbox; see vicinity import --help\n");
});

test("without a folder of the mode, the one of the other is named", async (t) => {
  const { data_dir } = await storeWith(t, []);
  const { problem } = noFolder({ data_dir, mode: "sandbox" });
  assert.ok(problem.endsWith(`; there is one in ${join(data_dir, "live")}: leave out --sandbox`));
  assert.match(
    noFolder({ data_dir: join(data_dir, "none"), mode: "live" }).problem,
    /when it starts$/,
  );
});

test("a base that cannot be read is listed as such, next to the others, and exits with 1", async (t) => {
  const { openStore, damage } = await storeWith(t, ["ch", "li"]);
  damage("ch");
  const { code, out } = await run(["bases"], { openStore });
  assert.equal(code, 1);
  assert.match(out, /^ch +– +7 B +– +cannot be read: import it again$/m);
  assert.match(out, new RegExp(`^li +${DAY}`, "m"));
  const { out: json } = await run(["bases", "--json"], { openStore });
  const { bases } = JSON.parse(json) as { bases: unknown[] };
  assert.deepEqual(bases[0], { id: "ch", bytes: 7, readable: false });
});

test("--remove removes that one, once", async (t) => {
  const { openStore } = await storeWith(t, ["ch", "li"]);
  const removed = await run(["bases", "--remove", "ch"], { openStore });
  assert.deepEqual([removed.code, removed.out], [0, "removed ch\n"]);
  const left = await run(["bases", "--json"], { openStore });
  const { bases } = JSON.parse(left.out) as { bases: { id: string }[] };
  assert.deepEqual(
    bases.map(({ id }) => id),
    ["li"],
  );
  const again = await run(["bases", "--remove", "ch"], { openStore });
  assert.deepEqual(
    [again.code, again.out, again.err],
    [1, "", 'vicinity: there is no base "ch"\n'],
  );
  const json = await run(["bases", "--remove", "li", "--json"], { openStore });
  assert.deepEqual(JSON.parse(json.out), { removed: "li" });
});

test("an id that is a path or moves the cursor removes nothing and is printed harmless", async (t) => {
  const { openStore } = await storeWith(t, ["ch"]);
  for (const id of ["../bases/ch", "\u001B[2J", "ch.vbase"]) {
    const { code, err } = await run(["bases", `--remove=${id}`], { openStore });
    assert.equal(code, 1, id);
    assert.ok(!err.includes("\u001B"), err);
  }
  const { out } = await run(["bases", "--json"], { openStore });
  assert.equal((JSON.parse(out) as { bases: unknown[] }).bases.length, 1);
});

test("a store that cannot be opened is one line", async () => {
  const openStore = () => ({ problem: "the data folder is away" });
  const { code, err } = await run(["bases"], { openStore });
  assert.deepEqual([code, err], [1, "vicinity: the data folder is away\n"]);
});

test("a base says whether it has ways on foot; a list of addresses, which never has, does not", async (t) => {
  const pack = (id: string): Promise<Uint8Array> =>
    aBasePack(id, STREET, DATA_AT_S, id === "old" ? ["walk"] : []);
  const { openStore } = await storeWith(t, ["old", "new"], pack);
  const { out } = await run(["bases"], { openStore });
  const lines = Object.fromEntries(out.split("\n").map((line) => [line.split(" ")[0], line]));
  assert.match(lines["new"], /; ways on foot: 3 vertices, 2 edges, 1 stairs, 0 steps unknown$/);
  assert.match(lines["old"], /; no ways on foot: minutes on foot need a new import$/);
  assert.equal(formatCounts({ geocoder: { addresses: 3 } }), "3 addresses");
});

/** A street, and stairs at its end. */
const STREET: readonly PbfObject[] = [
  ...[0, 1, 2].map((n): PbfObject => ({
    ...{ type: "node", id: n + 1, tags: {} },
    ...{ lat7: 488_500_000 + n * 10_000, lon7: 23_500_000 },
  })),
  { type: "way", id: 1, refs: [1, 2], tags: { highway: "residential" } },
  { type: "way", id: 2, refs: [2, 3], tags: { highway: "steps" } },
];
