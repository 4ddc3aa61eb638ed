/** systems.csv (mobility.md 1.11): traps of the real catalogue, in rows of our own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCatalogue, readCatalogue } from "../../gbfs/gbfs-catalogue.ts";

const HEAD =
  "Country Code,Name,Location,System ID,URL,Auto-Discovery URL,Supported Versions,Authentication Info URL,Authentication Type,Authentication Parameter Name";

function read(...lines: string[]) {
  return readCatalogue(parseCatalogue(`\uFEFF${[HEAD, ...lines].join("\r\n")}\r\n`));
}

test("a row is read whole, behind a byte order mark", () => {
  const { systems, trail } = read(
    `no,"Harbour, Bikes",Oslo,harbour,https://h.example,https://h.example/gbfs.json?key=a%20b,1.1 ; 2.3;3.0,https://h.example/key,2,Client-Id|Api-Key`,
  );
  assert.deepEqual(systems, [
    {
      id: "harbour",
      name: "Harbour, Bikes",
      location: "Oslo",
      country: "NO",
      url: "https://h.example/gbfs.json?key=a%20b",
      info_url: "https://h.example",
      versions: ["1.1", "2.3", "3.0"],
      auth_kind: "headers",
      auth_info_url: "https://h.example/key",
      auth_names: ["Client-Id", "Api-Key"],
    },
  ]);
  assert.deepEqual(trail, { dropped: [], repaired: [] });
});

test("ids keep their spaces, accents, apostrophes and digits", () => {
  const ids = ["yego paris", "voi_V'Lônes", "bird-gijón", "475"];
  const { systems } = read(
    ...ids.map((id) => `FR,N,L,${id},,https://x.example/${ids.indexOf(id)},,,,`),
  );
  assert.deepEqual(
    systems.map(({ id }) => id),
    ids,
  );
});

test("kinds of credentials", () => {
  const kinds = ["", "0", "1", "2", "9"];
  const { systems } = read(
    ...kinds.map((kind, n) => `FR,N,L,s${n},,https://x.example/${n},,,${kind},`),
  );
  assert.deepEqual(
    systems.map(({ auth_kind }) => auth_kind),
    ["none", "none", "query", "headers", "unknown"],
  );
});

test("a second system of one id gets a suffix, the same system twice is one", () => {
  const row = (id: string, url: string) => `FR,N,L,${id},,${url},,,,`;
  const { systems, trail } = read(
    row("twin", "https://a.example/"),
    row("twin", "https://b.example/"),
    row("twin", "https://a.example/"),
    row("twin", "https://b.example/"),
    row("twin", "https://c.example/"),
  );
  assert.deepEqual(
    systems.map(({ id, url }) => [id, url]),
    [
      ["twin", "https://a.example/"],
      ["twin~2", "https://b.example/"],
      ["twin~3", "https://c.example/"],
    ],
  );
  assert.deepEqual(trail, {
    dropped: [{ reason: "catalogue_duplicate", count: 2, examples: ["twin", "twin"] }],
    repaired: [{ reason: "catalogue_id_suffixed", count: 2, examples: ["twin~2", "twin~3"] }],
  });
});

test("rows without id or with an address we cannot fetch are left out", () => {
  const { systems, trail } = read(
    "FR,N,L,,,https://a.example/,,,,",
    "FR,N,L,ftp,,ftp://a.example/,,,,",
    "FR,N,L,none,,,,,,",
    "France,,,plain,javascript:alert(1),http://a.example/,,,,",
  );
  assert.equal(systems.length, 1);
  assert.deepEqual(systems[0], {
    id: "plain",
    name: "plain",
    location: "",
    country: null,
    url: "http://a.example/",
    info_url: null,
    versions: [],
    auth_kind: "none",
    auth_info_url: null,
    auth_names: [],
  });
  assert.deepEqual(
    trail.dropped.map(({ reason, examples }) => [reason, examples]),
    [
      ["catalogue_row_incomplete", ["#0"]],
      ["catalogue_url_invalid", ["ftp", "none"]],
    ],
  );
});

test("a quoted heading behind a byte order mark, and an open quote", () => {
  const text = `\uFEFF"System ID","Auto-Discovery URL"\na,https://a.example/\nb,"https://b.example/\n`;
  const { systems } = readCatalogue(parseCatalogue(text));
  assert.deepEqual(
    systems.map(({ id }) => id),
    ["a"],
  );
  assert.deepEqual(readCatalogue(parseCatalogue("")).systems, []);
});
