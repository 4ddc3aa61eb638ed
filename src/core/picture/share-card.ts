/**
 * The picture of a link, 1200 by 630: a quiet map around the point where tiles are known, else a plain
 * ground; the point; and below it the name, the counts and the time of the data. Drawn in steps.
 */
import { canWrite, fitted, widthOf, write } from "./lettering.ts";
import { type Colour, type Point, Raster } from "./raster.ts";
import { box, circle, ring, roundBox, stroke } from "./shapes.ts";
import { readTileShapes, type TileShape } from "./tile-shapes.ts";

const CARD = { width: 1_200, height: 630 } as const;
/** Where the point is in the picture. */
const MIDDLE: Point = [600, 205];
/** Tiles have zoom 14 and are drawn four times as large: zoom 16. */
export const TILE_ZOOM = 14;
const TILE_PX = 2_048;

/** Texts that the font cannot write are left out. */
export type CardTexts = {
  /** The first of them that can be written is shown. */
  names: readonly string[];
  counts: readonly string[];
  /** When the counts were reported; null: there are none. */
  time: string | null;
  /** Of the map; null: there is none. */
  attribution: string | null;
};

/** A tile of zoom 14, and where its north-western corner is in the picture. */
export type CardTile = { bytes: Uint8Array; corner: Point };

/** Shapes that are filled together, as edges between two steps. */
const SHAPES = 64;

/** Returns the picture. A tile that cannot be read throws a RangeError. */
export function* drawCard(texts: CardTexts, tiles: readonly CardTile[]): Generator<void, Raster> {
  const raster = new Raster(CARD.width, CARD.height);
  raster.add(box(0, 0, CARD.width, CARD.height));
  yield* raster.paint(GROUND);
  if (tiles.length > 0) yield* drawMap(raster, tiles);
  else yield* drawRings(raster);
  yield* drawPoint(raster);
  yield* drawPanel(raster, texts);
  yield* drawBrand(raster);
  return raster;
}

const GROUND: Colour = [239, 236, 228, 1];
const PAPER: Colour = [255, 255, 255, 1];
const INK: Colour = [29, 37, 48, 1];
const SOFT: Colour = [86, 97, 112, 1];
const ACCENT: Colour = [11, 107, 103, 1];

/** A layer of the map: what is in it, and how it is drawn, the lowest first. `width`: of lines, pixels. */
type Look = { layer: string; kinds: ReadonlySet<string> | null; colour: Colour; width: number };
const look = (layer: string, kinds: string, rgb: [number, number, number], width = 0): Look => ({
  ...{ layer, kinds: kinds === "" ? null : new Set(kinds.split(" ")), colour: [...rgb, 1], width },
});

const LOOKS: readonly Look[] = [
  look("landuse", "park zoo cemetery stadium", [214, 233, 198]),
  look("landcover", "wood grass scrub orchard wetland", [220, 234, 206]),
  look("water", "ocean water pool", [195, 223, 236]),
  look("water", "river canal", [195, 223, 236], 8),
  look("building", "", [228, 222, 211]),
  look("road", "path track steps cycleway pedestrian service", [226, 220, 208], 2.5),
  look("road", "minor tertiary", [221, 215, 202], 9),
  look("road", "minor tertiary", [255, 255, 255], 6.5),
  look("road", "secondary primary trunk motorway", [224, 198, 132], 13),
  look("road", "secondary", [255, 244, 207], 10.5),
  look("road", "primary trunk motorway", [252, 231, 173], 10.5),
];
const LAYERS = new Set(LOOKS.map(({ layer }) => layer));

function* drawMap(raster: Raster, tiles: readonly CardTile[]): Generator<void, void> {
  const shapes: (TileShape & { corner: Point })[] = [];
  for (const { bytes, corner } of tiles) {
    let count = 0;
    for (const shape of readTileShapes(bytes, LAYERS)) {
      shapes.push({ ...shape, corner });
      if (++count % SHAPES === 0) yield;
    }
  }
  for (const each of LOOKS) yield* drawLook(raster, each, shapes);
}

function* drawLook(
  raster: Raster,
  { layer, kinds, colour, width }: Look,
  shapes: readonly (TileShape & { corner: Point })[],
): Generator<void, void> {
  let count = 0;
  for (const shape of shapes) {
    if (shape.layer !== layer || shape.isArea !== (width === 0)) continue;
    if (kinds !== null && !kinds.has(shape.kind)) continue;
    const [left, top] = shape.corner;
    for (const part of shape.parts) {
      const line = part.map(([x, y]): Point => [left + x * TILE_PX, top + y * TILE_PX]);
      if (isOutside(line, width)) continue;
      for (const outline of width === 0 ? [line] : stroke(line, width)) raster.add(outline);
      if (++count % SHAPES === 0) yield;
    }
  }
  yield* raster.paint(colour);
}

function isOutside(line: readonly Point[], margin: number): boolean {
  const out = (is: (point: Point) => boolean): boolean => line.every(is);
  return (
    out(([x]) => x < -margin) ||
    out(([x]) => x > CARD.width + margin) ||
    out(([, y]) => y < -margin) ||
    out(([, y]) => y > CARD.height + margin)
  );
}

function* drawRings(raster: Raster): Generator<void, void> {
  for (const radius of [150, 300, 450, 600])
    for (const outline of ring(MIDDLE, radius, 3)) raster.add(outline);
  yield* raster.paint([206, 201, 188, 1]);
}

function* drawPoint(raster: Raster): Generator<void, void> {
  raster.add(circle(MIDDLE, 88));
  yield* raster.paint([ACCENT[0], ACCENT[1], ACCENT[2], 0.14]);
  raster.add(circle(MIDDLE, 30));
  yield* raster.paint(PAPER);
  raster.add(circle(MIDDLE, 23));
  yield* raster.paint(ACCENT);
}

const MARGIN = 40;

function* drawPanel(raster: Raster, texts: CardTexts): Generator<void, void> {
  const panel = { x: 24, y: 404, width: CARD.width - 48, height: 202 };
  raster.add(roundBox(panel, 24));
  yield* raster.paint(PAPER);
  const room = panel.width - 2 * MARGIN;
  const left = panel.x + MARGIN;
  const name = texts.names.find(canWrite);
  if (name !== undefined) yield* drawText(raster, fitted(name, 46, room), [left, 470], 46, INK);
  const counts = texts.counts.filter(canWrite).join("  ·  ");
  if (counts !== "") yield* drawText(raster, fitted(counts, 40, room), [left, 532], 40, ACCENT);
  if (texts.time !== null && canWrite(texts.time))
    yield* drawText(
      raster,
      fitted(texts.time, 24, room),
      [left, counts === "" ? 532 : 580],
      24,
      SOFT,
    );
  const { attribution } = texts;
  if (attribution === null || !canWrite(attribution)) return;
  const credit = fitted(attribution, 15, 560);
  const width = widthOf(credit, 15);
  raster.add(box(CARD.width - width - 20, 0, width + 20, 26));
  yield* raster.paint([255, 255, 255, 0.8]);
  yield* drawText(raster, credit, [CARD.width - width - 10, 18], 15, SOFT);
}

function* drawBrand(raster: Raster): Generator<void, void> {
  const width = widthOf("Vicinity", 28);
  raster.add(roundBox({ x: 24, y: 20, width: width + 84, height: 56 }, 28));
  yield* raster.paint(PAPER);
  for (const outline of ring([56, 48], 17, 4)) raster.add(outline);
  raster.add(circle([56, 48], 6));
  yield* raster.paint(ACCENT);
  yield* drawText(raster, "Vicinity", [86, 58], 28, INK);
}

// oxlint-disable-next-line max-params -- what, where, how large and in which colour
function* drawText(
  raster: Raster,
  text: string,
  at: Point,
  size: number,
  colour: Colour,
): Generator<void, void> {
  for (const outline of write(text, at, size)) raster.add(outline);
  yield* raster.paint(colour);
}

/** The tiles around a point that the picture may show, and where their corners are in it. */
export function tilesAround(lat: number, lon: number): { x: number; y: number; corner: Point }[] {
  const count = 2 ** TILE_ZOOM;
  const [column, row] = [((lon + 180) / 360) * count, rowOf(lat) * count];
  const first_x = Math.floor(column - MIDDLE[0] / TILE_PX);
  const last_x = Math.floor(column + (CARD.width - MIDDLE[0]) / TILE_PX);
  const first_y = Math.floor(row - MIDDLE[1] / TILE_PX);
  const last_y = Math.floor(row + (CARD.height - MIDDLE[1]) / TILE_PX);
  const tiles: { x: number; y: number; corner: Point }[] = [];
  for (let y = first_y; y <= last_y; y++)
    for (let x = first_x; x <= last_x; x++)
      if (y >= 0 && y < count)
        tiles.push({
          ...{ x: (x + count) % count, y },
          corner: [MIDDLE[0] + (x - column) * TILE_PX, MIDDLE[1] + (y - row) * TILE_PX],
        });
  return tiles;
}

/** How far a latitude is from the northern edge of the square map, 0 to 1. */
function rowOf(lat: number): number {
  const bounded = Math.min(85.05, Math.max(-85.05, lat));
  const angle = (bounded * Math.PI) / 180;
  return (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2;
}
