/**
 * Recorded pairs of points with the length of the shortest way on foot, by a program of others over the
 * same rules (../shared/data/walking, SOURCE.md), and by Routino over rules of its own.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { importBase, openPack } from "../../reader/import-extract.ts";
import { openWalk, type WalkGraph } from "../../walk/walk-graph.ts";
import { WalkSearch } from "../../walk/walk-search.ts";
import type { WalkMeta } from "../../walk/walk-layout.ts";
import { createWalkSection } from "../../walk/walk-section.ts";
import { snap, type Snap } from "../../walk/snap.ts";

const DATA = fileURLToPath(new URL("../../../../../shared/data/walking/", import.meta.url));
const PLACES = existsSync(DATA) ? readdirSync(DATA) : [];
/** As the pairs were made: points further away had no way. */
const ON_FOOT = { most_m: 250, profile: "foot" } as const;
const FAR_CM = 2_000_000;
const SAME_M = 0.1;

type Pair = Readonly<Record<string, string>>;

function readPairs(place: string): Pair[] {
  const text = gunzipSync(readFileSync(`${DATA}${place}/pairs.csv.gz`)).toString();
  const [head, ...rows] = text
    .trim()
    .split("\n")
    .map((row) => row.split(","));
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head![i]!, cell])));
}

async function importWalk(place: string, meta: Partial<WalkMeta>): Promise<WalkGraph> {
  const result = await importBase(`${DATA}${place}/${place}.osm.pbf`, {
    ...{ id: "recorded", region: null, now_ms: 0 },
    sections: [createWalkSection(meta)],
  });
  assert.ok(result.ok);
  const { columns, meta: header } = openPack(result.pack)!;
  return openWalk(columns, header.sections["walk"] as WalkMeta)!;
}

function snapEnd(graph: WalkGraph, pair: Pair, end: "from" | "to"): Snap | null {
  const [lat, lon] = [pair[`${end}_lat`], pair[`${end}_lon`]].map(Number);
  return snap(graph, { lat7: Math.round(lat! * 1e7), lon7: Math.round(lon! * 1e7) }, ON_FOOT);
}

/** Metres of each pair; null: there is no way. */
function walkAll(graph: WalkGraph, pairs: readonly Pair[]): (number | null)[] {
  const search = new WalkSearch(graph);
  return pairs.map((pair) => {
    const from = snapEnd(graph, pair, "from");
    const to = snapEnd(graph, pair, "to");
    const walk = from && search.find(from, [to], { most_cm: FAR_CM, profile: "foot" })[0]!;
    return walk ? walk.length_cm / 100 : null;
  });
}

const skip = PLACES.length > 0 ? false : "NO RECORDED WAYS: ../shared/data/walking is missing";

describe("recorded ways on foot", { skip }, () => {
  for (const place of PLACES) {
    for (const ruleset of ["plain", "wide"] as const)
      test(`${place}: as long as another program finds them, by the ${ruleset} rules`, async () => {
        const graph = await importWalk(place, { ruleset, squares: false });
        const pairs = readPairs(place);
        const found = walkAll(graph, pairs);
        const wrong = pairs.filter((pair, i) => {
          const text = pair[ruleset === "plain" ? "exact_m" : "wide_m"]!;
          const [wanted, got] = [text === "" ? null : Number(text), found[i]!];
          return wanted === null || got === null ? wanted !== got : Math.abs(got - wanted) > SAME_M;
        });
        assert.deepEqual(
          wrong.map(({ id }) => id),
          [],
        );
        assert.ok(pairs.length >= 300);
      });

    test(`${place}: with squares crossed no way is longer, and most are as Routino's`, async () => {
      const pairs = readPairs(place);
      const usual = walkAll(await importWalk(place, {}), pairs);
      let [near, both] = [0, 0];
      pairs.forEach(({ id, kind, wide_m, routino_m }, i) => {
        const metres = usual[i]!;
        // A point next to a square comes to another edge of it.
        if (kind === "node" && wide_m !== "")
          assert.ok(metres !== null && metres <= Number(wide_m) + SAME_M, `pair ${id}: ${metres}`);
        if (routino_m === "" || metres === null) return;
        both += 1;
        if (Math.abs(metres - Number(routino_m)) <= 0.05 * Number(routino_m)) near += 1;
      });
      // Hamburg: ferries, islands, and squares and platforms that Routino goes around.
      const least = place.startsWith("hamburg") ? 0.7 : 0.95;
      assert.ok(near / both >= least, `${near} of ${both}`);
    });
  }
});
