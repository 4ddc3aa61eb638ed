/** The page draws what tiles have: layers, classes and languages are the same on both sides. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KINDS } from "../../tiles/tile-kinds.ts";
import { LANGUAGES } from "#kit/languages.ts";
import { LAYERS } from "../../tiles/tile.ts";

type Layer = {
  id: string;
  source: string;
  "source-layer": string;
  filter?: unknown;
  paint: object;
};
type Style = {
  toTileLayers(theme: "light" | "dark"): Layer[];
  toTileLabels(theme: "light" | "dark"): Layer[];
};

const EXPLORER = new URL("../../../../explorer/map/", import.meta.url);
const style = (await import(new URL("base-tiles.js", EXPLORER).href)) as Style;
const labels = (await import(new URL("base-labels.js", EXPLORER).href)) as {
  LANGUAGES: readonly string[];
};
const layers = [...style.toTileLayers("light"), ...style.toTileLabels("light")];

/** Classes that an expression compares with. */
function classesIn(expression: unknown): string[] {
  if (!Array.isArray(expression)) return [];
  const [operator, input, ...arms] = expression as unknown[];
  const isClass = operator === "match" && JSON.stringify(input) === '["get","class"]';
  // Pairs of a value, or several, and what they lead to; then the rest.
  const own = isClass
    ? arms
        .slice(0, -1)
        .filter((_, i) => i % 2 === 0)
        .flat()
    : [];
  return [...own.map(String), ...expression.flatMap(classesIn)];
}

test("every class of the style is one of its layer's", () => {
  for (const { id, source, "source-layer": layer, filter, paint } of layers) {
    assert.equal(source, "base", id);
    assert.ok((LAYERS as readonly string[]).includes(layer), `${id}: ${layer}`);
    const classes = KINDS.filter((kind) => kind.layer === layer).map((kind) => kind.class);
    const used = [filter, ...Object.values(paint)].flatMap(classesIn);
    assert.deepEqual(
      used.filter((name) => !classes.includes(name)),
      [],
      id,
    );
  }
});

test("every kind is drawn by some layer", () => {
  const left = KINDS.filter(({ layer, class: name }) =>
    layers.every((each) => {
      if (each["source-layer"] !== layer) return true;
      const wanted = classesIn(each.filter);
      return wanted.length > 0 && !wanted.includes(name);
    }),
  );
  assert.deepEqual(
    left.map(({ layer, class: name }) => `${layer}/${name}`),
    [],
  );
});

test("both palettes have every colour, and ids are unique", () => {
  for (const theme of ["light", "dark"] as const) {
    const text = JSON.stringify(
      [style.toTileLayers(theme), style.toTileLabels(theme)],
      (_, value) => (value === undefined ? "MISSING" : (value as unknown)),
    );
    assert.doesNotMatch(text, /MISSING|null/);
  }
  assert.equal(new Set(layers.map(({ id }) => id)).size, layers.length);
});

test("the page asks for the languages that tiles have", () => {
  assert.deepEqual(labels.LANGUAGES, LANGUAGES);
});
