/** The replay of systems without a title, and of one whose configured name says what it rents (R1). */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeReport } from "../../trials/replay/report/report.ts";

const root = mkdtempSync(join(tmpdir(), "vicinity-names-"));
after(() => rmSync(root, { recursive: true, force: true }));

const at = { lat: 48.1, lon: 11.5 };
const toText = (data: object) =>
  JSON.stringify({ last_updated: 1_790_000_000, ttl: 60, version: "2.3", data });
const STATIONS = toText({ stations: [{ station_id: "1", name: "S", ...at, capacity: 9 }] });
const BIKES = toText({
  bikes: [{ bike_id: "a", ...at, is_reserved: false, is_disabled: false }],
});
const FILES: Readonly<Record<string, string>> = {
  "plain/station_information.json": STATIONS,
  "blank/system_information.json": toText({ system_id: "blank", name: "  " }),
  "blank/station_information.json": STATIONS,
  "untitled/systems.csv": "system_id,title,city\none,,\n",
  "untitled/one.json": STATIONS,
  "unlisted/systems.csv": "system_id,title,city\nother,Other,\n",
  "unlisted/two.json": STATIONS,
  "named/systems.csv": "system_id,title,city\nthree,Lime Town,\nfour, ,\n",
  "named/three.json": BIKES,
  "named/four.json": BIKES,
};

test("systems without a title are replayed, and modes follow the configured name", async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { claims, systems } = await makeReport({
    dir: root,
    circles: 20,
    onStep: () => undefined,
  });
  assert.equal(systems.length, 6);
  for (const { differences } of claims) assert.deepEqual(differences, []);
});
