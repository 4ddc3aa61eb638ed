/**
 * What tiles of the live layer must have, by a loop over all rows of all systems with arithmetic of its
 * own, and what a tile has, by a reader of its own (./mvt).
 */
import { hash } from "node:crypto";
import type { LiveItemValue } from "#api/live.ts";
import type { TileLayer as TileLayerName } from "#api/live.ts";
import { type LiveTilesDeps, TileStore } from "#app/live/tiles/live-tiles.ts";
import type { LiveTile } from "#app/live/live-types.ts";
import { LiveReader } from "#world/live/live-rows.ts";
import type { World } from "#world/world.ts";
import type { Deployment } from "./answers.ts";
import { readMvt, type TileFeature, type TileLayer } from "./mvt.ts";

export type At = { z: number; x: number; y: number };
export type Row = { item: LiveItemValue; lat: number; lon: number; color: string | null };

const reader = new LiveReader();

/** Everything that a map may show now, once. */
export function listRows(world: World, now_ms: number): Row[] {
  return world.list().flatMap((entry) => {
    const color = entry.shard?.statics.meta.system?.color ?? null;
    return [...reader.read(entry, now_ms).rows.values()].map(({ text, lat, lon }) => {
      return { item: JSON.parse(text) as LiveItemValue, lat, lon, color };
    });
  });
}

/** Column and row of a point at a zoom, with their parts; the formula of the tangent. */
export function toTileNumbers(lat: number, lon: number, z: number): { x: number; y: number } {
  const radians = (lat * Math.PI) / 180;
  const tiles = 2 ** z;
  const east = (lon + 180) % 360;
  const south = (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2;
  return { x: ((east < 0 ? east + 360 : east) / 360) * tiles, y: south * tiles };
}

/** Parts of a tile within which the last digit decides: captured docks lie on a grid of the map. */
export const EDGE = 1e-6;

/** A point whose last digit decides in which of two tiles it is. */
function isOnEdge({ lat, lon }: Row, z: number): boolean {
  const { x, y } = toTileNumbers(lat, lon, z);
  return [x, y].some((at) => Math.abs(at - Math.round(at)) < EDGE);
}

function isIn({ lat, lon }: Pick<Row, "lat" | "lon">, { z, x, y }: At): boolean {
  const at = toTileNumbers(lat, lon, z);
  return Math.floor(at.x) === x && Math.floor(at.y) === y && at.y >= 0 && at.y < 2 ** z;
}

/** The properties of a thing; what is not known is absent. */
function propertiesOf({ item, color }: Row): Record<string, string | number> {
  const { id, modes, network_id, state, pickup } = item;
  const all = {
    ...{ id, modes: modes.join(","), network_id, state, pickup, return: item.return, color },
    ...{ vehicles: item.vehicles, docks: item.docks, capacity: item.capacity },
    ...{ battery: item.battery, form_factor: item.form_factor },
  };
  return Object.fromEntries(
    Object.entries(all).filter((each): each is [string, string | number] => each[1] != null),
  );
}

/** Layers by name, and what differs from a loop over all rows; empty: nothing does. */
export function compareThings(tile: LiveTile, rows: readonly Row[], at: At): string[] {
  const layers = tile.bytes.length === 0 ? new Map<string, TileLayer>() : readMvt(tile.bytes);
  const faults: string[] = [];
  for (const [name, kind] of [
    ["stations", "station"],
    ["vehicles", "vehicle"],
  ] as const) {
    const features = new Map<unknown, TileFeature>();
    for (const feature of layers.get(name)?.features ?? []) {
      const { id } = feature.properties;
      if (features.has(id)) faults.push(`${name}: ${String(id)} twice`);
      features.set(id, feature);
    }
    for (const row of rows.filter(({ item }) => item.kind === kind)) {
      const feature = features.get(row.item.id);
      features.delete(row.item.id);
      if (isOnEdge(row, at.z)) continue;
      if (isIn(row, at) !== (feature !== undefined)) faults.push(`${name}: ${row.item.id}`);
      if (feature) faults.push(...compareFeature(feature, row, at));
    }
    for (const id of features.keys()) faults.push(`${name}: ${String(id)} is of no row`);
  }
  return faults;
}

function compareFeature({ properties, parts, type }: TileFeature, row: Row, at: At): string[] {
  const expected = propertiesOf(row);
  const keys = new Set([...Object.keys(expected), ...Object.keys(properties)]);
  const wrong = [...keys].filter((key) => expected[key] !== properties[key]);
  const faults = wrong.map((key) => `${row.item.id}: ${key} is ${String(properties[key])}`);
  const point = toTileNumbers(row.lat, row.lon, at.z);
  const [x, y] = parts[0]![0]!;
  const off = Math.max(
    Math.abs(x - (point.x - at.x) * 4096),
    Math.abs(y - (point.y - at.y) * 4096),
  );
  if (type !== "point" || off > 1.01) faults.push(`${row.item.id}: ${off} units off`);
  return faults;
}

/** The counts of the cells of a tile against a loop; `kind` of rows that are counted. */
export function compareCounts(tile: LiveTile, rows: readonly Row[], at: At): string[] {
  const layers = tile.bytes.length === 0 ? new Map<string, TileLayer>() : readMvt(tile.bytes);
  const faults: string[] = [];
  for (const [name, kind] of [
    ["stations", "station"],
    ["vehicles", "vehicle"],
  ] as const) {
    /** Of each cell: those that are in it, and those that lie on its edge. */
    const expected = new Map<string, { sure: number; edge: number }>();
    for (const row of rows) {
      if (row.item.kind !== kind) continue;
      const point = toTileNumbers(row.lat, row.lon, at.z + 3);
      const cells = (value: number, first: number) =>
        [...new Set([value - EDGE, value + EDGE].map(Math.floor))]
          .map((cell) => cell - 8 * first)
          .filter((cell) => cell >= 0 && cell < 8);
      const columns = cells(point.x, at.x);
      const lines = cells(point.y, at.y);
      const isSure = !isOnEdge(row, at.z + 3);
      for (const column of columns)
        for (const line of lines) {
          const key = `${column * 512 + 256},${line * 512 + 256}`;
          const cell = expected.get(key) ?? { sure: 0, edge: 0 };
          cell[isSure ? "sure" : "edge"]++;
          expected.set(key, cell);
        }
    }
    const counted = new Map(
      (layers.get(name)?.features ?? []).map(({ parts, properties }) => [
        parts[0]![0]!.join(","),
        properties["count"],
      ]),
    );
    for (const key of new Set([...expected.keys(), ...counted.keys()])) {
      const { sure, edge } = expected.get(key) ?? { sure: 0, edge: 0 };
      const count = counted.get(key) ?? 0;
      if (
        typeof count !== "number" ||
        count < sure ||
        count > sure + edge ||
        counted.get(key) === 0
      )
        faults.push(`${name} at ${key}: ${String(count)} for ${sure} to ${sure + edge}`);
    }
  }
  return faults;
}

/** Tiles over a deployment of tests. Work has its turn at once unless `turns` are given. */
export function tilesOf(
  { world, feeds, clock, countries }: Pick<Deployment, "world" | "feeds" | "clock" | "countries">,
  more: Partial<LiveTilesDeps> = {},
): TileStore {
  return new TileStore({
    ...{ world, feeds, clock, countries, stops: null, places: null },
    turns: { take: (work) => work() },
    hash: (bytes) => hash("sha256", bytes, "hex"),
    ...more,
  });
}

const FAMILIES: readonly TileLayerName[] = ["stations", "vehicles"];

/** Draws a tile; throws where too many wait. */
export async function drawTile(
  store: TileStore,
  { clock }: Pick<Deployment, "clock">,
  at: At,
  layers = FAMILIES,
): Promise<LiveTile> {
  const now_ms = clock.now();
  const tile = await store.draw({ ...at, layers, block: "b", now_ms, deadline_ms: now_ms + 2_000 });
  if (tile === "full") throw new Error("full");
  return tile;
}
