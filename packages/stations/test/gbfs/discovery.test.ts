/** gbfs.json, gbfs_versions and default names (mobility.md 1.3, 1.12 #19, #20). */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chooseVersion,
  defaultFeeds,
  otherNameFiles,
  readDiscovery,
  readVersions,
} from "../../gbfs/gbfs-discovery.ts";

const base_url = "https://h.example/gbfs/gbfs.json";

function mapOf(...languages: string[]) {
  const feeds = (language: string) => [{ name: "station_status", url: `status-${language}.json` }];
  return {
    data: Object.fromEntries(languages.map((language) => [language, { feeds: feeds(language) }])),
  };
}

function chosen(wire: unknown, language: string | null): string | undefined {
  return readDiscovery(wire, { base_url, language })?.feeds.get("station_status");
}

test("language: exact, primary subtag, else the publisher's first", () => {
  const url = (language: string) => `https://h.example/gbfs/status-${language}.json`;
  assert.equal(chosen(mapOf("fr", "fr-CA", "en"), "FR-ca"), url("fr-CA"));
  assert.equal(chosen(mapOf("en", "fr-CA"), "fr-FR"), url("fr-CA"));
  assert.equal(chosen(mapOf("de", "en-US", "fr"), "it"), url("de"));
  assert.equal(chosen(mapOf("de", "fr"), "it"), url("de"));
  assert.equal(chosen(mapOf("de", "en"), null), url("de"));
  assert.equal(chosen(mapOf("en", "de"), null), url("en"));
});

const entry = (name: string, url: string) => ({ name, url: `https://x.test/${url}` });
const REPEATS: readonly [name: string, data: object, repeated: string[]][] = [
  ["each once", { feeds: [entry("station_status", "a"), entry("system_alerts", "b")] }, []],
  [
    "one twice",
    { feeds: [entry("station_status", "a"), entry("station_status", "b")] },
    ["station_status"],
  ],
  [
    "the old and the new word for one file",
    { en: { feeds: [entry("free_bike_status", "a"), entry("vehicle_status", "b")] } },
    ["vehicle_status"],
  ],
  [
    "with and without an ending",
    { feeds: [entry("station_status.json", "a"), entry("station_status", "b")] },
    ["station_status"],
  ],
  [
    "the same address twice",
    { feeds: [entry("station_status", "a"), entry("station_status", "a")] },
    [],
  ],
  [
    "one in each of two languages",
    {
      en: { feeds: [entry("station_status", "a")] },
      fr: { feeds: [entry("station_status", "b")] },
    },
    [],
  ],
];

for (const [name, data, repeated] of REPEATS)
  test(`a discovery with ${name}: the first is read, and ${repeated.length} are named`, () => {
    const discovery = readDiscovery({ data }, { base_url });
    assert.deepEqual(discovery?.repeated, repeated);
    assert.ok(discovery.feeds.size > 0);
    for (const url of discovery.feeds.values()) assert.match(url, /\/[ab]$/);
    for (const file of repeated)
      assert.match(discovery.feeds.get(file as "station_status")!, /\/a$/);
  });

test("files that the chosen language does not list are those of the others", () => {
  const feed = (name: string, at: string) => ({ name, url: `https://x.test/${at}/${name}.json` });
  const data = {
    nb: { feeds: [feed("system_information", "nb")] },
    en: { feeds: [feed("system_information", "en"), feed("station_status", "en")] },
  };
  const discovery = readDiscovery({ data }, { base_url: "https://x.test/gbfs.json" });
  assert.equal(
    discovery?.feeds.get("system_information"),
    "https://x.test/nb/system_information.json",
  );
  assert.equal(discovery.feeds.get("station_status"), "https://x.test/en/station_status.json");
});

test("names in other languages are where the map lists them, the first four", () => {
  const wire = (...languages: string[]) => ({
    data: Object.fromEntries(
      languages.map((language) => [
        language,
        { feeds: [{ name: "system_information", url: `${language}.json` }] },
      ]),
    ),
  });
  const files = (...languages: string[]) => otherNameFiles(wire(...languages), { base_url });
  const url = (language: string) => `https://h.example/gbfs/${language}.json`;
  assert.deepEqual(files("fr", "en", "de"), [url("en"), url("de")]);
  assert.deepEqual(files("fr", "nl"), [url("nl")]);
  assert.deepEqual(files("a", "b", "c", "d", "e", "f", "g").length, 4);
  for (const alone of [wire("fr"), { data: { feeds: [] } }, mapOf("fr", "en"), null])
    assert.deepEqual(otherNameFiles(alone, { base_url }), []);
});

test("the shape counts, not the version", () => {
  const feeds = [{ name: "vehicle_status", url: "https://h.example/v" }];
  const flat = readDiscovery({ version: "2.3", data: { feeds } }, { base_url });
  const map = readDiscovery({ version: "3.0", data: { nb: { feeds } } }, { base_url });
  assert.deepEqual(flat?.feeds, map?.feeds);
  assert.deepEqual([flat?.languages, map?.languages], [[], ["nb"]]);
});

test("no feeds at all is no discovery document, an empty list is one", () => {
  assert.equal(readDiscovery({ data: {} }, { base_url }), null);
  assert.equal(readDiscovery({ data: { en: {} } }, { base_url }), null);
  assert.equal(readDiscovery({ data: { feeds: [] } }, { base_url })?.feeds.size, 0);
});

test("a wrong base address breaks nothing", () => {
  const wire = { data: { feeds: [{ name: "station_status", url: "x.json" }] } };
  assert.equal(readDiscovery(wire, { base_url: "nonsense" })?.feeds.size, 0);
  assert.equal(defaultFeeds("nonsense").size, 0);
  assert.equal(defaultFeeds("file:///etc/gbfs.json").size, 0);
});

test("http stays http where the document came by http", () => {
  const wire = { data: { feeds: [{ name: "station_status", url: "http://h.example/s" }] } };
  const feeds = readDiscovery(wire, { base_url: "http://h.example/gbfs.json" })?.feeds;
  assert.equal(feeds?.get("station_status"), "http://h.example/s");
});

test("the highest version understood", () => {
  const choose = (...versions: unknown[]) => {
    const rows = versions.map((version) => ({ version, url: "https://h.example/gbfs" }));
    return chooseVersion(readVersions({ data: { versions: rows } }))?.version ?? null;
  };
  assert.equal(choose("1.0", "2.3", "3.0"), "3.0");
  assert.equal(choose("3.0", "2.3", "1.1"), "3.0");
  assert.equal(choose("3.0", "3.1-RC2", "3.1-RC3", "3.1-RC"), "3.1-RC3");
  assert.equal(choose("3.1-RC3", "3.1"), "3.1");
  assert.equal(choose("v1.1", "v2.3"), "2.3");
  assert.equal(choose(2.2, 2.1), "2.2");
  assert.equal(choose("4.0", "2.9", "x", null), null);
});
