/**
 * The real extracts kept next to the repository: counts are those of their pages, and every object,
 * tag, position, reference and area is what osmium, which shares no code with us, reads.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { BlockReader, openBlobs } from "#osm/imports.ts";
import { importBase } from "#osm/index.ts";
import type { RelationFeature } from "#osm/sections.ts";
import { collect, extractFacts, extractPath, listExtracts } from "../support/base.ts";
import { sized } from "../support/size.ts";

const extracts = listExtracts();
const hasOsmium = spawnSync("osmium", ["--version"]).status === 0;
/** Small ones, of three different writers. */
const SAMPLE = extracts.filter((name) => /^(frankfurt|helsinki|monaco-2023)/.test(name));
const MAX_OUTPUT = 2 ** 30;

test("there are real extracts", (t) => {
  if (extracts.length === 0) return t.skip("no extracts of OpenStreetMap in ../shared/data");
  assert.ok(extracts.length >= 9, `only ${extracts.length} extracts`);
});

for (const name of extracts)
  test(`${name} has as many objects as its page says, in the same box`, async () => {
    const { box, ...counts } = extractFacts(name);
    const result = await importBase(extractPath(name), {
      id: name,
      region: null,
      now_ms: 1,
      sections: [],
    });
    assert.ok(result.ok, result.ok ? "" : result.problem);
    assert.deepEqual(result.report.counts, counts);
    result.report.box!.forEach((edge, i) => assert.ok(Math.abs(edge - box[i]!) < 0.000_051));
  });

for (const name of sized(SAMPLE, extracts))
  test(`${name} is read as osmium reads it, object by object`, async (t) => {
    if (!hasOsmium) return t.skip("osmium is not installed (apt-get install osmium-tool)");
    const [ours, theirs] = [await readObjects(name), readOsmium(name)];
    assert.equal(ours.length, theirs.length);
    for (const [i, one] of ours.entries()) if (one !== theirs[i]) assert.equal(one, theirs[i]);
  });

for (const name of sized(SAMPLE, extracts))
  test(`areas of ${name} are those that osmium assembles`, async (t) => {
    if (!hasOsmium) return t.skip("osmium is not installed (apt-get install osmium-tool)");
    const all = collect({ relation: ["type"] });
    const sections = [all.section];
    await importBase(extractPath(name), { id: name, region: null, now_ms: 1, sections });
    const theirs = readAreas(name);
    for (const [id, size] of theirs) {
      const relation = all.relations.find((one) => one.id === id)!;
      assert.ok(Math.abs(sizeOf(relation) - size) <= 1e-9 * size, `R${id}`);
    }
    const whole = all.relations.filter((one) => one.whole && one.rings.length > 0);
    const alone = whole.filter(({ id }) => !theirs.has(id));
    // Without a tag that says what it is, a relation is no area to osmium.
    assert.deepEqual(
      alone.filter(({ tags }) => tags.size > 1).map(({ id }) => id),
      [],
    );
    t.diagnostic(`${theirs.size} areas`);
  });

/** A line per object as osmium's OPL has them, tags sorted by key. */
async function readObjects(name: string): Promise<string[]> {
  const file = await openBlobs(extractPath(name));
  const reader = new BlockReader();
  const lines: string[] = [];
  const all = Array.from({ length: file.count }, (_, i) => i);
  for await (const { bytes } of file.contents(all)) {
    const tagged = new Map<number, string>();
    reader.read(bytes, {
      nodeKeys: () => 1,
      times: false,
      node: ({ id, tags }) => tagged.set(id, tagsOf(tags)),
      nodes({ count, ids, lat7, lon7 }) {
        for (let i = 0; i < count; i++)
          lines.push(line("n", ids[i]!, tagged.get(ids[i]!) ?? "[]", `${lon7[i]} ${lat7[i]}`));
      },
      way: (way) => lines.push(line("w", way.id, tagsOf(way.tags()), way.refs().join())),
      relation: (relation) =>
        lines.push(
          line(
            "r",
            relation.id,
            tagsOf(relation.tags()),
            relation
              .members()
              .map(({ type, id, role }) => `${type[0]}${id}@${role}`)
              .join(),
          ),
        ),
    });
  }
  await file.close();
  return lines;
}

function readOsmium(name: string): string[] {
  const argv = ["cat", extractPath(name), "-f", "opl,add_metadata=false", "-o", "-"];
  const text = execFileSync("osmium", argv, { encoding: "utf8", maxBuffer: MAX_OUTPUT });
  return text
    .trimEnd()
    .split("\n")
    .map((one) => {
      const [head, ...fields] = one.split(" ");
      const of = (kind: string): string =>
        fields.find((field) => field.startsWith(kind))?.slice(1) ?? "";
      const pairs = of("T")
        .split(",")
        .filter(Boolean)
        .map((pair) => pair.split("=").map(unescape));
      const tags = new Map(pairs.map(([key, value]) => [key!, value!]));
      const contents = {
        n: () => `${toUnits(of("x"))} ${toUnits(of("y"))}`,
        w: () => of("N").replaceAll("n", ""),
        r: () => of("M").split(",").map(unescape).join(),
      };
      const kind = head![0] as keyof typeof contents;
      return line(kind, Number(head!.slice(1)), tagsOf(tags), contents[kind]());
    });
}

function line(kind: string, id: number, tags: string, contents: string): string {
  return `${kind}${id} ${tags} ${contents}`;
}

function tagsOf(tags: ReadonlyMap<string, string>): string {
  return JSON.stringify([...tags].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unescape(text: string): string {
  return text.replace(/%([0-9a-f]+)%/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

function toUnits(degrees: string): number {
  return Math.round(Number(degrees) * 1e7);
}

/** Sizes of the areas of relations in square degrees, by id. */
function readAreas(name: string): Map<number, number> {
  const argv = ["export", extractPath(name), "-f", "geojsonseq", "-u", "type_id"];
  const text = execFileSync(
    "osmium",
    [...argv, "--geometry-types=polygon", "-x", "print_record_separator=false"],
    { encoding: "utf8", maxBuffer: MAX_OUTPUT, stdio: ["ignore", "pipe", "ignore"] },
  );
  type Feature = { id: string; geometry: { coordinates: number[][][][] } };
  const features = text
    .split("\n")
    .filter(Boolean)
    .map((one) => JSON.parse(one) as Feature);
  // Areas of relations have odd numbers: twice the id and one.
  return new Map(
    features
      .map(({ id, geometry }) => [Number(id.slice(1)), geometry.coordinates] as const)
      .filter(([id]) => id % 2 === 1)
      .map(([id, polygons]) => [
        (id - 1) / 2,
        polygons.reduce(
          (sum, [outer, ...inner]) =>
            sum + shoelace(outer!) - inner.reduce((all, ring) => all + shoelace(ring), 0),
          0,
        ),
      ]),
  );
}

function sizeOf({ rings }: RelationFeature): number {
  return rings.reduce((sum, { points, inner }) => {
    const ring = Array.from({ length: points.length / 2 }, (_, i) => [
      points[2 * i + 1]! / 1e7,
      points[2 * i]! / 1e7,
    ]);
    return sum + (inner ? -1 : 1) * shoelace(ring);
  }, 0);
}

function shoelace(ring: readonly number[][]): number {
  const [x0, y0] = ring[0] as [number, number];
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [xA, yA] = ring[i - 1] as [number, number];
    const [xB, yB] = ring[i] as [number, number];
    twice += (xA - x0) * (yB - y0) - (xB - x0) * (yA - y0);
  }
  return Math.abs(twice) / 2;
}
