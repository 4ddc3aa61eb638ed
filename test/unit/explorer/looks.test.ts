/** How marks on the page's map look: legible on both grounds, and what their text says. */
import assert from "node:assert/strict";
import { test } from "node:test";

type Colors = Record<"body" | "icon" | "rim" | "paper" | "ring" | "track" | "number", string>;
type Look = { form: string; text: string; grey: boolean; share: number; color: string };
type Looks = {
  colorsOf(look: { color: string; grey: boolean }, dark: boolean): Colors;
  contrast(a: string, b: string): number;
  inkOn(color: string): string;
  lookOf(mark: object): Look;
  letterOf(thing: object): Look | null;
};
type Kinds = { KINDS: readonly { id: string; color: string }[] };
type Palettes = { paletteOf(theme: "light" | "dark"): Record<"land" | "sea" | "green", string> };

const page = (path: string): string => new URL(`../../../explorer/${path}`, import.meta.url).href;
const { colorsOf, contrast, inkOn, lookOf, letterOf } = (await import(
  page("map/looks.js")
)) as Looks;
const { KINDS } = (await import(page("page/kinds.js"))) as Kinds;
const { paletteOf } = (await import(page("map/base-palettes.js"))) as Palettes;

test("marks of every kind can be read on the light and the dark map", () => {
  for (const dark of [false, true])
    for (const grey of [false, true])
      for (const { id, color } of KINDS) {
        const { land } = paletteOf(dark ? "dark" : "light");
        const is = colorsOf({ color, grey }, dark);
        const name = `${id}, ${dark ? "dark" : "light"}${grey ? ", grey" : ""}`;
        assert.ok(contrast(is.body, land) >= 3, `${name}: body ${contrast(is.body, land)}`);
        assert.ok(contrast(is.icon, is.body) >= 4.5, `${name}: icon`);
        assert.ok(contrast(is.ring, is.track) >= 3, `${name}: ring ${contrast(is.ring, is.track)}`);
        assert.ok(contrast(is.number, is.paper) >= 4.5, `${name}: number`);
      }
});

test("letters of an operator can be read on any colour that it publishes", () => {
  for (let n = 0; n < 4096; n += 1) {
    const color = `#${[n >> 8, (n >> 4) & 15, n & 15].map((part) => (part * 17).toString(16).padStart(2, "0")).join("")}`;
    assert.ok(contrast(inkOn(color), color) >= 4.5, color);
  }
});

test("a mark says how many, and a letter is at most two signs in a colour that is one", () => {
  const station = {
    layer: "station",
    icon: "bicycle",
    color: "#0f7b55",
    state: "operational",
    free: 7,
    total: 14,
  };
  const look = (item: object, more: object = {}): Look =>
    lookOf({ item: { ...station, ...item }, members: [item], form: "whole", ...more });
  assert.deepEqual([look({}).text, look({}).share, look({}).grey], ["7", 0.5, false]);
  assert.equal(look({ free: null }).text, "?");
  assert.equal(look({ free: 0 }).text, "0");
  assert.equal(look({ free: 0, state: "unavailable" }).text, "×");
  assert.equal(look({ free: 0, total: 0 }).share, 0);
  assert.equal(look({ stale: true }).grey, true);
  assert.equal(look({ usable: "no" }).grey, true);
  assert.equal(look({ usable: "unknown", state: "maintenance" }).grey, false);
  const vehicle = { layer: "vehicle" };
  assert.equal(look(vehicle, { members: Array.from({ length: 1234 }) }).text, "1k");
  assert.equal(look(vehicle, { members: Array.from({ length: 12 }) }).text, "12");
  assert.equal(look({}, { form: "dot" }).form, "dot");
  assert.equal(letterOf({ badge: null }), null);
  assert.equal(letterOf({}), null);
  const letter = letterOf({ badge: { text: "日本語", color: "url(x)" } });
  assert.equal(letter?.text, "日本");
  assert.match(letter?.color ?? "", /^#[\da-f]{6}$/);
  assert.equal(letterOf({ badge: { text: "L", color: "#00DD00" } })?.color, "#00DD00");
});
