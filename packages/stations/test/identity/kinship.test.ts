/** Whose stations two feeds speak of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DIFFERENT,
  KIN,
  kinshipOf,
  prepareFeed,
  kinAddress,
  KINSHIP_UNKNOWN,
} from "../../identity/kinship.ts";
import type { Kinship } from "../../identity/kinship.ts";
import type { Feed } from "../../identity/observed-station.ts";

type Part = Partial<Feed>;

function kinship(a: Part, b: Part): Kinship {
  const one = prepareFeed({ id: "a", kind: "gbfs", system_id: "a", names: [], urls: [], ...a });
  const two = prepareFeed({
    id: "b",
    kind: "citybikes",
    system_id: "b",
    names: [],
    urls: [],
    ...b,
  });
  const result = kinshipOf(one, two);
  assert.equal(kinshipOf(two, one), result, "symmetrical");
  return result;
}

const named = (name: string, more: Part = {}): Part => ({ names: [name], ...more });

test("one feed under two addresses is kin, whatever it is called", () => {
  const urls = ["https://gbfs.example.com/gbfs/2.3/en/gbfs.json?key=1"];
  const other = ["http://GBFS.example.com/gbfs/v1/fr/gbfs.json"];
  assert.equal(kinship(named("Hubway", { urls }), named("Bluebikes", { urls: other })), KIN);
  assert.equal(kinAddress(urls[0]!), "gbfs.example.com");
  assert.equal(kinAddress("https://example.com/public/lyon/gbfs.json"), "example.com/public/lyon");
  assert.notEqual(
    kinAddress("https://example.com/public/lyon/gbfs.json"),
    kinAddress("https://example.com/public/paris/gbfs.json"),
  );
  assert.equal(kinAddress("not an address"), "");
});

test("addresses that are none do not make kin", () => {
  assert.equal(kinship({ urls: ["?"] }, { urls: ["?"] }), KINSHIP_UNKNOWN);
});

test("names that contain one another are kin", () => {
  const rows: [string, string][] = [
    ["Hubway", "Boston Hubway"],
    ["Citi Bike", "Citi Bike NYC"],
    ["CitiBike", "Citi Bike NYC"],
    ["Bay Wheels", "baywheels"],
    ["Vélib' Métropole", "Velib Metropole"],
    ["Bike Share Toronto", "bike share toronto"],
  ];
  for (const [a, b] of rows) assert.equal(kinship(named(a), named(b)), KIN, `${a} ~ ${b}`);
});

test("any name of several may be the common one", () => {
  assert.equal(kinship({ names: ["Fifteen", "Velo"] }, { names: ["Velozef", "Fifteen"] }), KIN);
});

test("different operators are different, and a common place is no kinship", () => {
  const places = ["Marseille"];
  assert.equal(kinship(named("Bird Marseille", { places }), named("Voi Marseille")), DIFFERENT);
  assert.equal(kinship(named("Hubway"), named("Capital Bikeshare")), DIFFERENT);
  assert.notEqual(kinship(named("Bike Share Toronto"), named("Bird Toronto")), KIN);
});

test("without knowledge of the place, a common word leaves it open", () => {
  assert.equal(kinship(named("Bird Marseille"), named("Voi Marseille")), KINSHIP_UNKNOWN);
});

test("no name, or only words that any network uses: unknown", () => {
  assert.equal(kinship({}, named("Hubway")), KINSHIP_UNKNOWN);
  assert.equal(kinship(named("City Bikes"), named("Hubway")), KINSHIP_UNKNOWN);
  assert.equal(kinship(named("Lyon", { places: ["Lyon"] }), named("Dott Lyon")), KINSHIP_UNKNOWN);
});

test("two feeds of one source are two services, unless of one system or one name", () => {
  const gbfs = { kind: "gbfs" } as const;
  assert.equal(kinship({ ...gbfs }, { ...gbfs }), DIFFERENT);
  assert.equal(kinship(named("Citiz", gbfs), named("Citiz Lyon", gbfs)), DIFFERENT);
  assert.equal(kinship(named("Citiz Lyon", gbfs), named("Citiz-Lyon", gbfs)), KIN);
  assert.equal(kinship({ ...gbfs, system_id: "x" }, { ...gbfs, system_id: "x" }), KIN);
  assert.equal(kinship({ system_id: "x" }, { kind: "gbfs_aggregator", system_id: "x" }), KIN);
  assert.equal(kinship({ system_id: "x" }, { kind: "citybikes", system_id: "x" }), KINSHIP_UNKNOWN);
});
