/**
 * Vector tiles of others in the layers and classes that our palettes draw: those of the Protomaps
 * basemap and of OpenMapTiles, by a table of rules. Geometry is passed on as it is, once
 * its commands were read. What no rule names is left out, and a damaged tile is a `problem`.
 */
import { KINDS } from "#osm/tiles/tile-kinds.ts";
import { LANGUAGES } from "#kit/languages.ts";
import { type EncodedGeometry, LayerWriter, type Properties, writeTile } from "#osm/tiles/mvt.ts";
import { LAYERS, TILE_BOUNDS } from "#osm/tiles/tile.ts";
import { cleanText } from "#kit/text/clean.ts";
import { lengthTag, Wire } from "#kit/wire.ts";
import { type ForeignFeature, type ForeignLayer, readForeignLayer } from "./foreign.ts";
import { checkGeometry } from "./geometry.ts";
import rows from "./rules.json" with { type: "json" };

type Value = string | number | boolean | null;
type Rule = {
  from: string;
  /** Each member is one of the values; null: it is not there. */
  when?: Readonly<Record<string, readonly Value[]>>;
  layer: string;
  class: string;
  /** Its line is drawn by another layer. */
  name_only?: boolean;
};

const SHAPES = new Map(KINDS.map((kind) => [`${kind.layer}/${kind.class}`, kind.shape]));
const RULES = Map.groupBy((rows as readonly Rule[]).map(toReady), ({ from }) => from);
const LAYER = lengthTag(3);
const NAME_MAX = 80;
const RANK_MAX = 63;

type ReadyRule = Omit<Rule, "when"> & {
  shape: ForeignFeature["shape"] | undefined;
  tests: readonly (readonly [key: string, values: readonly Value[]])[];
};

function toReady({ when = {}, ...rule }: Rule): ReadyRule {
  return { ...rule, shape: SHAPES.get(`${rule.layer}/${rule.class}`), tests: Object.entries(when) };
}

/** Layers that a tile must have one of, or nothing of it is drawn. */
export const KNOWN_LAYERS: readonly string[] = [...RULES.keys()];

/** Layers whose features are kept first where a tile is full; the others in the order of the tile. */
const FIRST: readonly string[] = [
  ...["places", "place", "boundaries", "boundary", "roads", "transportation"],
  ...["transportation_name", "water", "waterway", "water_name", "landcover", "landuse"],
];
const LAST: readonly string[] = ["buildings", "building"];

function rankOfLayer({ name }: ForeignLayer): number {
  const first = FIRST.indexOf(name);
  return LAST.includes(name) ? FIRST.length + 1 : first === -1 ? FIRST.length : first;
}

/**
 * null: nothing that our palettes draw is in it. A tile has the bounds of one of a base; what does not
 * fit is left out, the least important first.
 */
export function redrawTile(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const foreign: ForeignLayer[] = [];
  // Views of plain bytes cost half of those of a Buffer.
  const wire = new Wire(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  for (let tag = wire.next(); tag !== 0; tag = wire.next())
    if (tag === LAYER) foreign.push(readForeignLayer(wire.view()));
    else wire.skip(tag);
  const canvas = new Canvas();
  for (const layer of foreign.toSorted((a, b) => rankOfLayer(a) - rankOfLayer(b))) {
    const rules = RULES.get(layer.name);
    if (!rules) continue;
    for (const each of layer.features()) if (!canvas.draw(each, rules, layer.extent)) break;
  }
  return canvas.finish();
}

/** A full tile has fewer; each takes some microseconds of the thread that serves. */
const FEATURES_LOOKED_AT = 6_000;

/** Our layers of one tile, as long as there is room. */
class Canvas {
  readonly #layers = new Map<string, { extent: number; writer: LayerWriter }>();
  #features: number = FEATURES_LOOKED_AT;
  #bytes: number = TILE_BOUNDS.bytes;

  /** false: nothing more is looked at. */
  draw(feature: ForeignFeature, rules: readonly ReadyRule[], extent: number): boolean {
    if (this.#bytes <= 0 || --this.#features < 0) return false;
    const rule = rules.find((each) => isFor(each, feature));
    const { shape, properties, geometry } = feature;
    if (!rule || geometry.length > this.#bytes) return true;
    const { layer } = rule;
    const own_layer = this.#layers.get(layer) ?? { extent, writer: new LayerWriter(layer, extent) };
    // Two layers that become one would have to be drawn to one scale.
    if (own_layer.extent !== extent) return true;
    checkGeometry(geometry);
    this.#layers.set(layer, own_layer);
    const encoded: EncodedGeometry = { shape, bytes: geometry };
    this.#bytes += own_layer.writer.size;
    own_layer.writer.copy(0, toProperties(rule, properties), encoded);
    this.#bytes -= own_layer.writer.size;
    return true;
  }

  finish(): Uint8Array<ArrayBuffer> | null {
    const drawn = LAYERS.flatMap((name) => this.#layers.get(name)?.writer ?? []);
    return drawn.length === 0 ? null : writeTile(drawn);
  }
}

function isFor(rule: ReadyRule, { shape, properties }: ForeignFeature): boolean {
  return (
    rule.shape === shape &&
    rule.tests.every(([key, values]) => values.includes(properties.get(key) ?? null))
  );
}

function toProperties(rule: ReadyRule, input: ForeignFeature["properties"]): Properties {
  const out: [string, string | number][] = [["class", rule.class]];
  const text = (key: string, from = key): void => {
    const value = input.get(from);
    const clean = typeof value === "string" ? cleanText(value, NAME_MAX) : "";
    if (clean !== "") out.push([key, clean]);
  };
  text("name");
  for (const language of LANGUAGES) text(`name:${language}`);
  if (rule.layer === "road") text("ref");
  if (rule.layer === "place") out.push(["rank", rankOf(input)]);
  const structure = rule.name_only ? "name" : structureOf(input);
  if (structure !== null) out.push(["structure", structure]);
  if (isSet(input.get("is_link")) || isSet(input.get("ramp"))) out.push(["ramp", 1]);
  return out;
}

function structureOf(input: ForeignFeature["properties"]): string | null {
  const brunnel = input.get("brunnel");
  if (brunnel === "tunnel" || isSet(input.get("is_tunnel"))) return "tunnel";
  return brunnel === "bridge" || isSet(input.get("is_bridge")) ? "bridge" : null;
}

function isSet(value: Value | undefined): boolean {
  return value === true || value === 1;
}

/** Less is more important: OpenMapTiles counts so, too, and Protomaps by inhabitants the other way. */
function rankOf(input: ForeignFeature["properties"]): number {
  const [rank, people] = [input.get("rank"), input.get("population_rank")];
  const own = typeof rank === "number" ? rank : typeof people === "number" ? 20 - people : RANK_MAX;
  return Math.max(0, Math.min(RANK_MAX, Math.round(own)));
}
