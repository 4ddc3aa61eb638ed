/** The table of what is drawn, and how tags find their row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import rules from "../../tiles/kinds.json" with { type: "json" };
import { findKind, KINDS } from "../../tiles/tile-kinds.ts";
import { LAYERS } from "../../tiles/tile.ts";

const MEMBERS = ["layer", "class", "shape", "zoom", "keep", "tags", "rank", "label", "ramp"];

test("every row has a layer of tiles, bounds that its columns can hold, and tags of its own", () => {
  assert.ok(rules.length < 256, "a kind is a byte");
  const seen = new Set<string>();
  for (const rule of rules) {
    const name = `${rule.layer}/${rule.class}`;
    assert.ok(
      Object.keys(rule).every((each) => MEMBERS.includes(each)),
      name,
    );
    assert.ok((LAYERS as readonly string[]).includes(rule.layer), name);
    assert.ok(["point", "line", "area"].includes(rule.shape), name);
    assert.match(rule.class, /^[a-z_]+$/, name);
    assert.ok(rule.zoom >= 0 && rule.zoom <= 14 && rule.keep >= 0 && rule.keep < 16, name);
    assert.equal(rule.layer === "place", rule.shape === "point", name);
    for (const [key, values] of Object.entries<string[] | undefined>(rule.tags))
      for (const value of values ?? []) {
        const tag = `${rule.shape} ${key}=${value}`;
        assert.ok(!seen.has(tag), `${tag} has two rows`);
        seen.add(tag);
      }
  }
});

test("ranks fit into six bits, and each label of an area is a kind of point", () => {
  for (const { rank, label, class: name } of KINDS) {
    assert.ok(rank * 7 + 6 < 64, name);
    if (label === null) continue;
    assert.ok(
      KINDS.some((each) => each.layer === "place" && each.class === label),
      label,
    );
  }
});

test("the first row that fits is taken, any value of a building fits, and `no` never does", () => {
  const find = (shape: "line" | "area", tags: Record<string, string>): string | undefined =>
    findKind(shape, new Map(Object.entries(tags)))?.class;
  assert.equal(find("area", { building: "garage", amenity: "school" }), "building");
  assert.equal(find("area", { building: "no", amenity: "school" }), "school");
  assert.equal(find("line", { highway: "motorway_link" }), "motorway");
  assert.equal(find("line", { highway: "proposed" }), undefined);
  assert.equal(find("line", { __proto__x: "1" }), undefined);
});
