/** feeds_v2.csv (mobility.md 3.4): traps of a real catalogue, in rows of our own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTrail } from "#kit/trail.ts";
import {
  type CatalogueFeed,
  feedsAt,
  readMobilityDatabase,
} from "#providers/mobilitydb/mobilitydb-catalogue.ts";
import descriptor from "#providers/mobilitydb/index.ts";
import { anyText } from "../../../support/any-text.ts";
import { tries } from "../../../support/size.ts";

/** In the order of the file, which is not that of the document. */
const COLUMNS = [
  ...["id", "data_type", "entity_type", "location.country_code", "location.subdivision_name"],
  ...["location.municipality", "provider", "is_official", "name", "note", "feed_contact_email"],
  ...["static_reference", "urls.direct_download", "urls.authentication_type"],
  ...["urls.authentication_info", "urls.api_key_parameter_name", "urls.latest", "urls.license"],
  ...["minimum_latitude", "maximum_latitude", "minimum_longitude", "maximum_longitude"].map(
    (name) => `location.bounding_box.${name}`,
  ),
  ...["location.bounding_box.extracted_on", "status", "features", "redirect.id"],
  "redirect.comment",
];
type Cells = Record<string, string>;

const box = (south: number, north: number, west: number, east: number): Cells => ({
  "location.bounding_box.minimum_latitude": String(south),
  "location.bounding_box.maximum_latitude": String(north),
  "location.bounding_box.minimum_longitude": String(west),
  "location.bounding_box.maximum_longitude": String(east),
});
const gtfs = (id: string, cells: Cells = {}): Cells => ({
  id,
  data_type: "gtfs",
  status: "active",
  "urls.direct_download": `https://feeds.example/${id}.zip`,
  ...cells,
});
const live = (static_reference: string, entity_type: string, cells: Cells = {}): Cells => ({
  id: `rt-${static_reference}`,
  data_type: "gtfs_rt",
  static_reference,
  entity_type,
  ...cells,
});

function toCsv(rows: readonly Cells[]): string {
  const lines = rows.map((row) =>
    COLUMNS.map((column) => `"${(row[column] ?? "").replaceAll('"', '""')}"`).join(","),
  );
  return `\uFEFF${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

function read(...rows: Cells[]) {
  const trail = createTrail();
  const feeds = readMobilityDatabase(toCsv(rows), trail);
  assert.ok(feeds);
  return { feeds, dropped: trail.toTrail().dropped };
}

test("a row is read whole, behind a byte order mark", () => {
  const { feeds, dropped } = read(
    gtfs("mdb-1", {
      ...box(48.1, 49.2, 1.5, 3.25),
      provider: "Lunéa, Transports",
      name: "Tout\nle réseau",
      is_official: "True",
      "location.country_code": "fr",
      "location.subdivision_name": "Île-de-Lune",
      "location.municipality": "Lunéa",
      "urls.direct_download": "http://feeds.example/a.zip?key=a%20b",
      "urls.authentication_type": "2",
      "urls.authentication_info": "https://l.example/key",
      "urls.api_key_parameter_name": "Client-Id|Api-Key",
      "urls.latest": "https://files.example/mdb-1/latest.zip",
      "urls.license": "https://l.example/licence",
      features: "Shapes|Fares V2",
    }),
  );
  const expected: CatalogueFeed = {
    id: "mdb-1",
    provider: "Lunéa, Transports",
    name: "Tout le réseau",
    country: "FR",
    subdivision: "Île-de-Lune",
    municipality: "Lunéa",
    is_official: true,
    box: { south: 48.1, west: 1.5, north: 49.2, east: 3.25 },
    url: "http://feeds.example/a.zip?key=a%20b",
    latest_url: "https://files.example/mdb-1/latest.zip",
    licence_url: "https://l.example/licence",
    auth_kind: "headers",
    auth_info_url: "https://l.example/key",
    auth_names: ["Client-Id", "Api-Key"],
    features: ["Shapes", "Fares V2"],
    realtime: false,
    alerts: false,
  };
  assert.deepEqual(feeds, [expected]);
  assert.deepEqual(dropped, []);
});

test("unknown values are null", () => {
  const { feeds } = read(gtfs("mdb-2", { "location.country_code": "Unknown" }));
  const { provider, name, country, box: bounds, is_official, licence_url } = feeds[0]!;
  assert.deepEqual(
    [provider, name, country, bounds, is_official, licence_url],
    [null, null, null, null, null, null],
  );
  assert.equal(feeds[0]!.auth_kind, "none");
});

test("active ones and those of which nothing is said are kept, others are not", () => {
  const statuses = ["active", "", "Active", "deprecated", "inactive", "development", "future"];
  const { feeds, dropped } = read(...statuses.map((status, n) => gtfs(`f${n}`, { status })));
  assert.deepEqual(
    feeds.map(({ id }) => id),
    ["f0", "f1", "f2"],
  );
  assert.deepEqual(
    dropped.map(({ reason, count }) => [reason, count]),
    [["catalogue_feed_inactive", 4]],
  );
});

test("rows without an id, with an address we cannot fetch, or twice are left out", () => {
  const address = (url: string) => ({ "urls.direct_download": url });
  const { feeds, dropped } = read(
    gtfs(""),
    gtfs("a", address("ftp://feeds.example/a.zip")),
    gtfs("b", address("")),
    gtfs("c", address("not an address")),
    gtfs("d"),
    gtfs("d", address("https://other.example/")),
    { ...gtfs("e"), data_type: "gbfs" },
  );
  assert.deepEqual(
    feeds.map(({ id, url }) => [id, url]),
    [["d", "https://feeds.example/d.zip"]],
  );
  assert.deepEqual(
    dropped.map(({ reason, count }) => [reason, count]),
    [
      ["catalogue_duplicate", 1],
      ["catalogue_row_incomplete", 1],
      ["catalogue_url_invalid", 3],
    ],
  );
});

test("live feeds name those that they refer to, before or after them", () => {
  const { feeds } = read(
    live("mdb-1|mdb-2", "vp|sa"),
    ...["mdb-1", "mdb-2", "mdb-3", "mdb-4", "mdb-5", "mdb-6"].map((id) => gtfs(id)),
    live("mdb-3", "TU", { data_type: "gtfs-rt" }),
    live("mdb-4", "sa"),
    live("mdb-5", "tu|vp|sa", { status: "deprecated" }),
    live("", "tu"),
  );
  assert.deepEqual(
    feeds.map(({ id, realtime, alerts }) => [id, realtime, alerts]),
    [
      ["mdb-1", true, true],
      ["mdb-2", true, true],
      ["mdb-3", true, false],
      ["mdb-4", false, true],
      ["mdb-5", false, false],
      ["mdb-6", false, false],
    ],
  );
});

test("kinds of credentials", () => {
  const kinds = ["", "0", "1", "2", "9"];
  const { feeds } = read(
    ...kinds.map((kind) => gtfs(`f${kind}`, { "urls.authentication_type": kind })),
  );
  assert.deepEqual(
    feeds.map(({ auth_kind }) => auth_kind),
    ["none", "none", "query", "headers", "unknown"],
  );
});

test("boxes that are broken are none, and feeds without one are nowhere", () => {
  const { feeds } = read(
    gtfs("sound", box(48, 49, 2, 3)),
    gtfs("zero", box(0, 0, 0, 0)),
    gtfs("upside-down", box(49, 48, 2, 3)),
    gtfs("far", box(48, 149, 2, 3)),
    gtfs("half", { ...box(48, 49, 2, 3), "location.bounding_box.minimum_latitude": "null" }),
    gtfs("pacific", box(-20, -10, 175, -175)),
    gtfs("point", box(48.5, 48.5, 2.5, 2.5)),
  );
  assert.deepEqual(
    feeds.filter((feed) => feed.box).map(({ id }) => id),
    ["sound", "pacific", "point"],
  );
  const idsAt = (at: Parameters<typeof feedsAt>[1]) => feedsAt(feeds, at).map(({ id }) => id);
  assert.deepEqual(idsAt({ lat: 48.5, lon: 2.5 }), ["sound", "point"]);
  assert.deepEqual(idsAt({ lat: 48.6, lon: 2.5 }), ["sound"]);
  assert.deepEqual(idsAt({ lat: 49.1, lon: 2.5 }), []);
  assert.deepEqual(idsAt({ lat: -15, lon: -179 }), ["pacific"]);
  assert.deepEqual(idsAt({ lat: -15, lon: 0 }), []);
  assert.deepEqual(idsAt({ south: 48.9, west: 2.9, north: 60, east: 60 }), ["sound"]);
  assert.deepEqual(idsAt({ south: 50, west: 2.9, north: 60, east: 60 }), []);
  assert.deepEqual(idsAt({ south: -90, west: -180, north: 90, east: 180 }).length, 3);
});

test("another file is no empty catalogue, and no text throws", () => {
  const others = ["", "<html><p>no</p></html>", "System ID,Name\na,b", "id,data_type\nmdb-1,gtfs"];
  for (const text of others) assert.equal(readMobilityDatabase(text), null, text);
  const sound = toCsv([gtfs("mdb-1", box(1, 2, 3, 4)), live("mdb-1", "tu")]);
  const cut = fc.tuple(fc.nat(sound.length), anyText(), fc.nat(40));
  const any = fc.oneof(
    anyText(),
    cut.map(([at, text, gap]) => sound.slice(0, at) + text + sound.slice(at + gap)),
  );
  fc.assert(
    fc.property(any, (text) => {
      for (const feed of readMobilityDatabase(text) ?? []) {
        assert.match(feed.url, /^https?:/i);
        assert.ok(feed.id !== "");
      }
    }),
    { numRuns: tries(1_000) },
  );
});

test("all of the catalogue may be stored", () => {
  assert.deepEqual([descriptor.id, descriptor.terms.store], ["mobilitydb", "all"]);
});
