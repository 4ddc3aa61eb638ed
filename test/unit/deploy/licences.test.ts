/** NOTICE and the bill of materials: every package of an installation, with a licence that is allowed. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SHIPPED_DATA } from "../../../scripts/licences/data.ts";
import { noticeText } from "../../../scripts/licences/notice.ts";
import { listPackages, ROOT } from "../../../scripts/licences/packages.ts";
import { sbomText } from "../../../scripts/licences/sbom.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const packages = listPackages();

/** What may be part of a program under Apache-2.0 without further conditions. */
const ALLOWED = new Set([
  ...["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"],
  ...["BlueOak-1.0.0", "CC0-1.0", "(MIT OR Apache-2.0)"],
]);

test("every package that is installed has a licence that may be in it", () => {
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies))
    assert.ok(
      packages.some((each) => each.name === name && each.version === dependencies[name]),
      name,
    );
  assert.ok(packages.length > 100, `${packages.length} packages`);
  for (const { name, licence, sha512 } of packages) {
    assert.ok(ALLOWED.has(licence), `${name}: ${licence}`);
    assert.match(sha512, /^[0-9a-f]{128}$/, name);
  }
  // Tools that only develop are no part of it.
  for (const name of ["oxlint", "playwright"])
    assert.ok(!packages.some((each) => each.name === name), name);
});

test("both files are up to date, in the image and in the tarball", () => {
  assert.equal(read("NOTICE"), noticeText());
  assert.equal(read("sbom.cdx.json"), sbomText());
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  const ignored = read(".dockerignore").split("\n");
  for (const path of ["NOTICE", "sbom.cdx.json"]) {
    assert.ok(files.includes(path), path);
    assert.ok(ignored.includes(`!${path}`), path);
  }
});

test("the data that are named are there, and tables of others' data are named", () => {
  const wheres = SHIPPED_DATA.flatMap(({ where }) => where);
  for (const place of wheres) {
    const name = /^package (.+)$/.exec(place)?.[1];
    if (name === undefined) assert.ok(existsSync(join(ROOT, place)), place);
    else
      assert.ok(
        packages.some((each) => each.name === name),
        place,
      );
  }
  const tables = globSync("src/providers/gazetteer/tables/*.json", { cwd: ROOT });
  // Words of ours for kinds of places.
  const own = new Set(["src/providers/gazetteer/tables/aliases.json"]);
  for (const path of tables) assert.ok(own.has(path) || wheres.includes(path), path);
  assert.match(noticeText(), /GeoNames: [\s\S]*CC BY 4\.0[\s\S]*Natural Earth: /);
});

type Component = { type: string; "bom-ref": string; licenses: object[]; purl?: string };

test("the bill of materials is CycloneDX 1.6 with a reference of its own for each part", () => {
  const bill = JSON.parse(sbomText()) as {
    bomFormat: string;
    specVersion: string;
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  assert.deepEqual([bill.bomFormat, bill.specVersion], ["CycloneDX", "1.6"]);
  const refs = bill.components.map((each) => each["bom-ref"]);
  assert.equal(new Set(refs).size, refs.length);
  assert.equal(bill.components.filter(({ type }) => type === "library").length, packages.length);
  for (const each of bill.components) assert.ok(each.licenses.length > 0, each["bom-ref"]);
  assert.equal(bill.dependencies[0]!.ref, bill.metadata.component["bom-ref"]);
  assert.ok(bill.dependencies[0]!.dependsOn.length >= 15);
  for (const ref of bill.dependencies[0]!.dependsOn) assert.ok(refs.includes(ref), ref);
  assert.ok(refs.includes("pkg:npm/%40noble/hashes@2.4.0"), "the @ of a scope is escaped");
});
