/**
 * Ids over real renumberings (R11, §2.9): San Francisco and Chicago gave all docks new keys. Each
 * capture goes through the production ingest and into one world, and the service is restarted in
 * between. Captures are no part of this repository: where they are missing this says so, loudly.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test, type TestContext } from "node:test";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { readText } from "#kit/bytes.ts";
import { openStatics } from "#stations/index.ts";
import { caseOfRole, isHidden, PLAIN } from "#stations/resolution.ts";
import type { Shard } from "#stations/shards.ts";
import { ingest } from "#providers/protocols.ts";
import { openStorage } from "#storage/open-storage.ts";
import { createIdentity } from "#world/identity/world-identity.ts";
import { createWorld, type World } from "#world/world.ts";
import { resolveHere } from "../support/memory.ts";

const SHARED =
  process.env["VICINITY_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../shared/data", import.meta.url));
const PAIRS = join(SHARED, "pairs");
const SETS = ["renumbered-san-francisco-2018-2023", "renumbered-chicago-2019-2025"] as const;
const START_MS = Date.UTC(2026, 8, 21);

for (const set of SETS)
  for (const restarted of [false, true]) {
    const folder = join(PAIRS, set);
    const skip = existsSync(folder) ? false : `RENUMBERING NOT TESTED: no captures at ${folder}`;
    const how = restarted ? "with a restart in between" : "while it runs";
    test(`${set}: every labelled dock keeps its id, ${how}`, { skip }, (t) => {
      const deployment = open(t);
      const first = deployment.world();
      first.put(shardOf(folder, "a."));
      const before = idsOf(first);
      const second = restarted ? deployment.world() : first;
      second.put(shardOf(folder, "b."));
      const after = idsOf(second);
      const rows = labelsOf(folder).filter(({ label }) => label === "same");
      assert.ok(rows.length > 250, `${rows.length} rows`);
      const lost = rows.filter(({ a_id, b_id }) => before.get(a_id) !== after.get(b_id));
      assert.deepEqual(lost, []);
      assert.equal(new Set(after.values()).size, after.size, "no id twice");
      t.diagnostic(`${rows.length} docks kept their ids, ${after.size} stations in all`);
    });
  }

function open(t: TestContext): { world(): World } {
  const data_dir = mkdtempSync(join(tmpdir(), "vicinity-renumbering-"));
  let close = (): void => {};
  t.after(() => {
    close();
    rmSync(data_dir, { recursive: true });
  });
  return {
    world() {
      close();
      const storage = openStorage({ data_dir, mode: "live" });
      assert.ok(!("problem" in storage));
      close = () => storage.close();
      const { bridges } = storage;
      const overrides = { always: [], never: [] };
      const world = createWorld(
        createIdentity({ bridges, overrides, now: () => START_MS, resolve: resolveHere }),
      );
      world.register({ source_id: "bikes", country: "US" });
      return world;
    },
  };
}

function shardOf(folder: string, start: string): Shard {
  const name = readdirSync(folder).find((file) => file.startsWith(start))!;
  const raw = readFileSync(join(folder, name));
  const bytes = name.endsWith(".gz") ? gunzipSync(raw) : raw;
  const { statics } = ingest({
    protocol: "gbfs",
    url: "https://bikes.example/gbfs.json",
    system_id: "bikes",
    mode_hint: null,
    name: "Bikes",
    network: null,
    has_vehicle_feed: false,
    now_ms: START_MS,
    statics: null,
    bodies: { station_information: { bytes, fetched_at_ms: START_MS } },
  });
  const opened = openStatics(statics!);
  const { box } = opened.meta;
  const none = { status: null, vehicles: null, alerts: null, zones: null };
  return { source_id: "bikes", box, statics: opened, ...none };
}

/** Station key → the id it is known by. */
function idsOf(world: World): Map<string, string> {
  const { shard, roles } = world.find("bikes")!;
  const { statics } = shard!;
  const ids = new Map<string, string>();
  for (let row = 0; row < statics.count; row++) {
    const role = roles?.of[row] ?? 0;
    const { id } = JSON.parse(`${readText(statics.head, row)}0}`) as { id: string };
    const entry = role !== PLAIN && !isHidden(role) ? roles!.cases.caseAt(caseOfRole(role)).id : id;
    ids.set(readText(statics.ids, row), entry);
  }
  return ids;
}

type Label = { a_id: string; b_id: string; label: string };

function labelsOf(folder: string): Label[] {
  return parse<Label>(readFileSync(join(folder, "truth.csv")), { columns: true, bom: true });
}
