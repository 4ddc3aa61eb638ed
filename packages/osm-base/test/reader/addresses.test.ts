import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createGeocoderSection } from "../../geocoder/geocoder-section.ts";
import type { AddressFormatName } from "../../base/base-layout.ts";
import { openBase } from "#upstream/bases/open-bases.ts";
import { importAddresses } from "../../reader/address-files.ts";

type Input = { text: string | Uint8Array; format: AddressFormatName; name?: string };

async function imported({ text, format, name = "list.csv" }: Input) {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-addresses-"));
  const path = join(folder, name);
  await writeFile(path, text);
  const section = createGeocoderSection({ countryAt: () => "FR" });
  const result = await importAddresses(path, { id: "x", region: "FR", now_ms: 1, format, section });
  await rm(folder, { recursive: true, force: true });
  return result;
}

async function open(input: Input) {
  const result = await imported(input);
  assert.ok(result.ok, result.ok ? "" : result.problem);
  return { base: openBase(result.pack)!, report: result.report };
}

const BAN = [
  "id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;x;y;lon;lat",
  "1;a;12;bis;Rue du Moulin Vert;99001;99901;Bourg-les-Saules;0;0;2.5001;47.1001",
  "2;a;14;;Rue du Moulin Vert;99001;99901;Bourg-les-Saules;0;0;2.5005;47.1003",
  "3;a;;;Rue du Moulin Vert;99001;99901;Bourg-les-Saules;0;0;2.5005;47.1003",
  "4;a;3;;;99001;99901;Bourg-les-Saules;0;0;2.5;47.1",
  "5;a;3;;Rue Sans Lieu;99001;99901;Bourg-les-Saules;0;0;;",
].join("\n");

const QUERY = { language: null, country: null, near: null, limit: 5 };

for (const [name, text] of [
  ["list.csv", BAN],
  ["list.csv.gz", gzipSync(BAN)],
  ["list.csv", `\uFEFF${BAN.replaceAll("\n", "\r\n")}\r\n`],
] as const)
  test(`a list of the Base Adresse Nationale geocodes (${name}, ${text.length} bytes)`, async () => {
    const { base, report } = await open({ text, format: "ban", name });
    const [best] = base.geocoder!.geocode({ ...QUERY, q: "12 bis rue du moulin vert 99001" });
    assert.equal(best?.address.street, "Rue du Moulin Vert");
    assert.equal(best.match_quality, "rooftop");
    assert.equal(best.address.city, "Bourg-les-Saules");
    assert.deepEqual(best.location, { lat: 47.1001, lon: 2.5001 });
    assert.deepEqual(
      report.dropped.map(({ reason, count }) => [reason, count]),
      [
        ["coordinates_missing", 1],
        ["number_missing", 1],
        ["street_missing", 1],
      ],
    );
    assert.equal(base.meta.terms?.licence, "etalab-2.0");
    assert.ok(base.covers(47.1002, 2.5003));
    assert.ok(!base.covers(48, 2.5));
  });

test("a list of OpenAddresses names its columns in capitals, and its terms are unknown", async () => {
  const text = [
    "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH",
    '-73.7401,40.7101,215-12,"Jamaica, Upper Avenue",,Queens Hollow,,NY,11999,,',
  ].join("\n");
  const { base } = await open({ text, format: "openaddresses" });
  const [best] = base.geocoder!.geocode({ ...QUERY, q: "215-12 Jamaica Upper Avenue" });
  assert.equal(best?.address.street_number, "215-12");
  assert.equal(base.meta.terms, null);
});

test("a list of BANO has no line of names", async () => {
  const text = "1,7,Allée des Cygnes,99002,Val Clair,OSM,47.2,2.6\n";
  const { base } = await open({ text, format: "bano" });
  const [best] = base.geocoder!.reverse({ lat: 47.2, lon: 2.6, language: null, limit: 1 });
  assert.equal(best?.address.street_number, "7");
});

const BROKEN: readonly [title: string, given: Input, problem: RegExp][] = [
  ["another format", { text: "a;b;c\n1;2;3\n", format: "ban" }, /^addresses: no column numero/],
  ["no row", { text: BAN.split("\n")[0]!, format: "ban" }, /^addresses: none in 0 rows$/],
  ["empty", { text: "", format: "ban" }, /^addresses: none in 0 rows$/],
  [
    "damaged gzip",
    { text: gzipSync(BAN).subarray(0, 60), format: "ban", name: "list.csv.gz" },
    /^addresses: /,
  ],
  [
    "one endless row",
    { text: `${BAN.split("\n")[0]}\n"${"x".repeat(300_000)}`, format: "ban" },
    /^addresses: /,
  ],
];
for (const [title, input, expected] of BROKEN)
  test(`${title} is one line, and no base`, async () => {
    const result = await imported(input);
    assert.ok(!result.ok);
    assert.match(result.problem, expected);
    assert.ok(!result.problem.includes("\n"));
  });

test("a file that is not there is one line", async () => {
  const section = createGeocoderSection();
  const input = { id: "x", region: null, now_ms: 1, format: "ban", section } as const;
  assert.deepEqual(await importAddresses("/nowhere/list.csv", input), {
    ok: false,
    problem: "addresses: no such file or folder",
  });
});
