/**
 * Reads captures as the service's own normalisers would hand them over: feeds and observations.
 * Formats are recognised by their content: a CityBikes network, GBFS station_information, or the
 * FeatureCollections (one to a line) that compare GBFS with the open map.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Feed, Observation } from "#stations/index.ts";

/** One capture; `ids` are what labels call the stations, where a source's own key is another. */
export type Capture = { feeds: Feed[]; observations: Observation[]; ids: string[] };

/** The context of a capture: the folder's name, the title of its page, which side it is. */
export type Origin = { system_id: string; title: string | null; side: "a" | "b" };

type Row = Record<string, unknown>;

export function readText(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").replace(/^\uFEFF/, "");
}

export function readCapture(path: string, origin: Origin): Capture {
  const text = readText(path);
  if (/\.geojson(\.gz)?$/.test(path)) return fromGeoJson(text, origin);
  const document: unknown = JSON.parse(text);
  const network = isRow(document) ? document.network : undefined;
  return isRow(network)
    ? fromCityBikes(network, origin)
    : fromGbfs(document, {
        id: `gbfs:${origin.system_id}:${origin.side}`,
        kind: "gbfs",
        system_id: origin.system_id,
        urls: [],
        names: origin.title === null ? [] : [origin.title],
      });
}

/** GBFS station_information of any version. */
export function fromGbfs(document: unknown, feed: Feed): Capture {
  const data = isRow(document) ? document.data : undefined;
  const stations = listOf(isRow(data) ? data.stations : undefined, "data.stations");
  const rows = stations.filter((row) => row.station_id != null && isPlace(row.lat, row.lon));
  return {
    feeds: [feed],
    ids: rows.map((row) => String(row.station_id)),
    observations: rows.map((row) => ({
      feed: 0,
      id: String(row.station_id),
      name: nameOf(row.name),
      lat: Number(row.lat),
      lon: Number(row.lon),
      modes: 0,
      capacity: countOf(row.capacity),
      virtual: typeof row.is_virtual_station === "boolean" ? row.is_virtual_station : null,
      keys: keysOf({
        short_name: nameOf(row.short_name) || null,
        external_id: row.external_id,
        legacy_id: row.legacy_id,
      }),
    })),
  };
}

function fromCityBikes(network: Row, origin: Origin): Capture {
  const location = (network.location ?? {}) as Row;
  const stations = listOf(network.stations, "network.stations");
  const rows = stations.filter((row) => isPlace(row.latitude, row.longitude));
  return {
    feeds: [
      {
        id: `citybikes:${String(network.id)}:${origin.side}`,
        kind: "citybikes",
        system_id: String(network.id),
        names: [network.name, ...[network.company].flat()].filter(
          (name) => typeof name === "string",
        ),
        urls: typeof network.gbfs_href === "string" ? [network.gbfs_href] : [],
        places: typeof location.city === "string" ? [location.city] : [],
      },
    ],
    ids: rows.map((row) => String(row.id)),
    observations: rows.map((row) => {
      const extra = (row.extra ?? {}) as Row;
      return {
        feed: 0,
        id: String(row.id),
        name: nameOf(row.name),
        lat: Number(row.latitude),
        lon: Number(row.longitude),
        modes: 0,
        capacity: countOf(extra.slots),
        virtual: typeof extra.virtual === "boolean" ? extra.virtual : null,
        keys: keysOf({ uid: extra.uid, station_id: extra.station_id }),
      };
    }),
  };
}

/** Side a is the operator's feed, side b the open map, one feed per operator named there. */
function fromGeoJson(text: string, origin: Origin): Capture {
  const rows = text
    .split(/\r?\n/)
    // A record separator or a byte order mark may precede the object.
    .map((line) => line.slice(Math.max(0, line.indexOf("{"))).trim())
    .filter((line) => line !== "")
    .flatMap((line) => {
      const collection: unknown = JSON.parse(line);
      return listOf(isRow(collection) ? collection.features : undefined, "features");
    })
    .flatMap(({ properties }) => (isRow(properties) ? [properties] : []))
    .filter((row) => isPlace(row.latitude, row.longitude));
  const isMap = origin.side === "b";
  const operators = isMap ? [...new Set(rows.map(({ operator }) => nameOf(operator)))] : [""];
  return {
    feeds: operators.map((operator) => ({
      id: isMap ? `openstreetmap:${operator}` : `gbfs:${origin.system_id}`,
      kind: isMap ? "openstreetmap" : "gbfs",
      urls: [],
      system_id: isMap ? operator : origin.system_id,
      names: [isMap ? operator : nameOf(rows[0]?.operator)].filter((name) => name !== ""),
    })),
    ids: rows.map(({ address }) => String(address)),
    observations: rows.map((row, index) => fromFeature(row, index, { isMap, operators })),
  };
}

/** The map's own node id is not in the file: its line number replaces it. */
function fromFeature(
  row: Row,
  index: number,
  { isMap, operators }: { isMap: boolean; operators: readonly string[] },
): Observation {
  const address = String(row.address);
  const name = nameOf(row.name);
  return {
    feed: isMap ? operators.indexOf(nameOf(row.operator)) : 0,
    id: isMap ? `node/${index}` : address,
    name: name === "Unnamed Station" ? "" : name,
    lat: Number(row.latitude),
    lon: Number(row.longitude),
    modes: 0,
    virtual: null,
    capacity: countOf(row.capacity),
    keys: isMap && !address.startsWith("osm_") ? { ref: address } : {},
  };
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The rows of a capture; throws where it has another shape. */
function listOf(value: unknown, member: string): Row[] {
  if (!Array.isArray(value)) throw new Error(`a capture of an unknown shape: no list ${member}`);
  return value.filter(isRow);
}

function isPlace(lat: unknown, lon: unknown): boolean {
  return lat != null && lon != null && Number.isFinite(Number(lat)) && Number.isFinite(Number(lon));
}

/** A name of any GBFS version: text, or texts by language. */
function nameOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return typeof value === "number" ? String(value) : "";
  const first = value[0] as { text?: unknown } | undefined;
  return typeof first?.text === "string" ? first.text : "";
}

/** Docks; 0 means that it was not filled in. */
function countOf(value: unknown): number | null {
  const count = Number(value ?? 0);
  return Number.isInteger(count) && count > 0 ? count : null;
}

function keysOf(values: Record<string, unknown>): Observation["keys"] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}
