import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { findSets } from "../sets.ts";
import type { Results } from "../sets.ts";

const root = mkdtempSync(join(tmpdir(), "vicinity-sets-"));
after(() => rmSync(root, { recursive: true, force: true }));

const STATIONS = `{"version":"2.3","data":{"stations":[{"station_id":"1","lat":1,"lon":2}]}}`;
const STATUS = `{"last_updated":1,"data":{"stations":[{"station_id":"1","num_bikes_available":1}]}}`;

function find(name: string, files: Record<string, string | Uint8Array>): Results {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return findSets(join(root, name));
}

test("a folder of GBFS names is one system; nested folders are systems of their own", () => {
  const { sets, skipped } = find("nested", {
    "city/station_information.json.gz": gzipSync(STATIONS),
    "city/SOURCE.md": "# A city",
    "city/system_information.json": `{"data":{"name":[{"text":" My City ","language":"en"}]}}`,
    "pair/a/station_information.json": `\uFEFF${STATIONS}`,
    "pair/b/free_bike_status.json": `{"data":{"bikes":[]}}`,
  });
  assert.deepEqual(
    sets.map(({ id, title, version, empty }) => ({ id, title, version, empty })),
    [
      { id: "city", title: "My City", version: "2.3", empty: false },
      { id: "a", title: null, version: "2.3", empty: false },
      { id: "b", title: null, version: null, empty: true },
    ],
  );
  assert.deepEqual(skipped, []);
});

test("dated and numbered files are one name; several are a series in order", () => {
  const { sets } = find("series", {
    "station_information-2020-02.json": STATIONS,
    "station_status-2.json": STATUS,
    "station_status-1.json": STATUS,
    "station_status-2025-11-11_10-22-32.json": STATUS,
  });
  const files = sets[0]!.files;
  assert.deepEqual([...files.keys()], ["station_information", "station_status"]);
  assert.deepEqual(
    files.get("station_status")!.map(({ stem }) => stem),
    ["station_status-1", "station_status-2", "station_status-2025-11-11_10-22-32"],
  );
});

test("a folder of one document a system: ids are file names, titles come from systems.csv", () => {
  const { sets, skipped } = find("country", {
    "ville/lyon.json": STATIONS,
    "ville/empty_town.json": `{"version":"2.3","data":{"stations":[]}}`,
    "ville/loose.json.gz": gzipSync(`{"data":{"vehicles":[{"vehicle_id":"1"}]}}`),
    "ville/list.json": `[1,2]`,
    "ville/systems.csv": `system_id,title,city\nlyon,"Vélo'v, Lyon",Lyon\nempty_town,,Emptytown\n`,
  });
  assert.deepEqual(
    sets.map(({ id, title, empty, files }) => [id, title, empty, [...files.keys()]]),
    [
      ["empty_town", "Emptytown", true, ["station_information"]],
      ["loose", null, false, ["vehicle_status"]],
      ["lyon", "Vélo'v, Lyon", false, ["station_information"]],
    ],
  );
  assert.deepEqual(
    skipped.map(({ path }) => path),
    [join("ville", "list.json")],
  );
});

test("a document that is no feed is listed with the reason", () => {
  const { sets, skipped } = find("others", {
    "status/station_status.json": STATUS,
    "lost/gbfs.json": `{"data":{"en":{"feeds":[{"name":"station_status","url":"x"}]}}}`,
    "void/gbfs.json": `{"data":null}`,
    "bare/system_information.json": `{"data":{"name":"x"}}`,
    "tables/one.csv": "a,b\n",
    "tables/two.csv.gz": gzipSync("a,b\n"),
    "lists/systems-2026.csv": "a,b\n",
    "flat/data-gbfs.json": `{"vehicles":[]}`,
    "broken/station.json": `{"data":`,
    "mixed/station_information.json": STATIONS,
    "mixed/providers.json": "[]",
  });
  assert.deepEqual(
    sets.map(({ id }) => id),
    ["mixed"],
  );
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  const about = (path: string): string => reasons.get(path) ?? `nothing about ${path}`;
  assert.match(about("status"), /station_status only/);
  assert.match(about("lost"), /none of its files was captured/);
  assert.match(about("void"), /without data/);
  assert.match(about("bare"), /no file with stations or vehicles/);
  assert.match(about(join("tables", "*.csv")), /^2 CSV files: a series/);
  assert.match(about(join("lists", "*.csv")), /^1 CSV file: a catalogue/);
  assert.match(about(join("flat", "data-gbfs.json")), /no GBFS document/);
  assert.match(about(join("broken", "station.json")), /no GBFS document/);
  assert.match(about(join("mixed", "providers.json")), /not a file of GBFS/);
  assert.equal(reasons.size, 9);
});

test("equal folder names get their whole path, and one set alone is a set", () => {
  const files = { "x/city/station_information.json": STATIONS };
  const { sets } = find("twins", { ...files, "y/city/station_information.json": STATIONS });
  assert.deepEqual(
    sets.map(({ id }) => id),
    ["x-city", "y-city"],
  );
  const alone = findSets(join(root, "twins", "x", "city")).sets;
  assert.deepEqual(
    alone.map(({ id, path }) => [id, path]),
    [["city", "."]],
  );
});

test("a set that cannot be read is one line, and the others are found", () => {
  const { sets, skipped } = find("strange", {
    "bare/station_information.json": `[{"station_id":"1","lat":1,"lon":2}]`,
    "unknown/station_information.json": `{"foo":1}`,
    "cut/station_information.json.gz": new Uint8Array([0x1f, 0x8b, 0, 0]),
    "good/station_information.json": STATIONS,
    "good/system_information.json": `{"data":{"name":[]}}`,
    "list/systems.csv": `system_id,title\n"one`,
    "list/one.json": STATIONS,
  });
  assert.deepEqual(
    sets.map(({ id, title }) => [id, title]),
    [
      ["good", null],
      ["one", null],
    ],
  );
  assert.deepEqual(
    skipped.map(({ path }) => path),
    ["bare", "cut", "list/systems.csv", "unknown"],
  );
  assert.ok(skipped.every(({ reason }) => reason.length > 0 && !reason.includes("\n")));
});
