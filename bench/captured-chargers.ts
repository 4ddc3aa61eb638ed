/** Charging stations of captured files that overlap, looked for next to the repository, as places of sources. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { listChargingKeys } from "#core/places/evse-id.ts";
import type { Place } from "#core/places/place.ts";
import { createTrail } from "#kit/trail.ts";
import { ocpiLocations } from "#providers/ocpi/index.ts";
import { openChargeMap } from "#providers/openchargemap/index.ts";
import { toWire } from "../test/support/place-fixtures.ts";
import { aPlace } from "../test/support/places.ts";

const DATA = new URL("../../shared/data/charging/", import.meta.url);

/** Each captured source by its name; those that are not there are left out. */
export function readCapturedChargers(): Map<string, Place[]> {
  const sources = new Map<string, Place[]>();
  const add = (name: string, places: readonly Place[]): void => {
    if (places.length === 0) return;
    const own = places.map((place) => ({ ...place, observed_by: name }));
    sources.set(name, [...(sources.get(name) ?? []), ...own]);
  };
  add("ocpi", [...readOcpi("ocpi-locations/"), ...readOcpi("ocpi-locations-2/")]);
  add("bundesnetzagentur", readGermany());
  add("irve", readFrance());
  add("switzerland", readSwitzerland());
  add("openchargemap", readOpenChargeMap());
  return sources;
}

function readText(path: string): string | null {
  const url = new URL(path, DATA);
  if (!existsSync(url)) return null;
  const bytes = readFileSync(url);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

function* readOcpi(folder: string): Generator<Place> {
  const url = new URL(folder, DATA);
  for (const file of existsSync(url) ? readdirSync(url) : []) {
    if (!file.includes("locations")) continue;
    const name = /-([a-z0-9]+)\.json|_([a-z0-9]+)\.json/.exec(file)?.[1] ?? file;
    const settings = {
      url: "",
      timeout_ms: 0,
      token: null,
      token_raw: false,
      tariffs_url: null,
      name,
      attribution: null,
    };
    const body = new TextEncoder().encode(readText(folder + file)!);
    for (const place of ocpiLocations.open(body, { settings, trail: createTrail() }) ?? [])
      if (place) yield place;
  }
}

const POINTS_OF_AN_ANSWER = 500;

function readOpenChargeMap(): Place[] {
  const lines = readText("open-charge-map-2020-11/poi.ndjson.gz")?.trim().split("\n") ?? [];
  const places: Place[] = [];
  for (let at = 0; at < lines.length; at += POINTS_OF_AN_ANSWER) {
    const rows = lines.slice(at, at + POINTS_OF_AN_ANSWER).join(",");
    const body = `[${rows.replaceAll(/\{"\$date":("[^"]*")\}/g, "$1")}]`;
    const query = { lat: 0, lon: 0, radius_m: 1, limit: 1, language: null, country: null };
    const settings = { url: "", timeout_ms: 0, api_key: "" };
    const read = openChargeMap.read(toWire(body), query, { settings, trail: createTrail() });
    if (read.ok) places.push(...read.value);
  }
  return places;
}

type German = {
  id: number;
  coordinates: { latitude: number; longitude: number };
  street: string;
  house_no: string;
  operator: { companyName: string };
  evses: {
    connectors: { connector_type: string | null; max_electric_power_connector: number }[];
  }[];
};

function readGermany(): Place[] {
  const text = readText("bundesnetzagentur/bnetza.json.gz");
  const { chargingStations: rows } = JSON.parse(text ?? '{"chargingStations":[]}') as {
    chargingStations: German[];
  };
  return rows.map((row) =>
    toStation("bundesnetzagentur", `${row.id}`, {
      at: [row.coordinates.latitude, row.coordinates.longitude],
      operator: row.operator.companyName,
      street: `${row.street} ${row.house_no}`,
      points: row.evses.length,
      plugs: row.evses.flatMap(({ connectors }) =>
        connectors.map(({ connector_type, max_electric_power_connector: max_kw }) => ({
          type: typeOf(connector_type ?? ""),
          max_kw,
        })),
      ),
    }),
  );
}

function typeOf(text: string): string {
  if (/combo|ccs/i.test(text)) return "CCS2";
  if (/chademo/i.test(text)) return "CHAdeMO";
  return /typ 2|type ?2/i.test(text) ? "Type 2" : "Other";
}

/** Rows of points, gathered by station. */
function readFrance(): Place[] {
  const lines = readText("irve-france/irve-statique.json.gz")?.trim().split("\n") ?? [];
  const rows = lines.map((line) => JSON.parse(line) as Record<string, string>);
  const stations = Map.groupBy(rows, (row) => row["id_station_itinerance"]!);
  return [...stations].map(([id, points]) => {
    const [lon, lat] = JSON.parse(points[0]!["coordonneesXY"]!) as [number, number];
    const has = (name: string): boolean =>
      points.some((point) => point[`prise_type_${name}`] === "True");
    const max_kw = Math.max(...points.map((point) => Number(point["puissance_nominale"])));
    const names = { 2: "Type 2", combo_ccs: "CCS2", chademo: "CHAdeMO" };
    return toStation("irve", id, {
      at: [lat, lon],
      operator: points[0]!["nom_operateur"] ?? null,
      street: points[0]!["adresse_station"] ?? null,
      points: points.length,
      plugs: Object.entries(names).flatMap(([name, type]) => (has(name) ? [{ type, max_kw }] : [])),
      ids: points.map((point) => point["id_pdc_itinerance"]!),
    });
  });
}

type Swiss = {
  id: string;
  geometry: { coordinates: [number, number] };
  properties: Record<string, unknown>;
};

/** Each point is a station of its own there. */
function readSwitzerland(): Place[] {
  const text = readText("switzerland/switzerland-2019.geojson.gz");
  const { features } = JSON.parse(text ?? '{"features":[]}') as { features: Swiss[] };
  return features.map(({ id, geometry, properties }) => {
    const [lon, lat] = geometry.coordinates;
    const names = { PlugType2Outlet: "Type 2", PlugType2Connector: "Type 2", PlugCCS2: "CCS2" };
    const plugs = Object.entries(names).flatMap(([name, type]) =>
      properties[name] ? [{ type }] : [],
    );
    return toStation("switzerland", id, {
      at: [lat, lon],
      operator: null,
      street: (properties["AddressStreet"] as string | null) ?? null,
      points: 1,
      plugs,
      ids: [id],
    });
  });
}

type Stated = {
  at: readonly [lat: number, lon: number];
  operator: string | null;
  street: string | null;
  points: number;
  plugs: readonly object[];
  ids?: readonly string[];
};

function toStation(source_id: string, id: string, stated: Stated): Place {
  const { at, operator, street, points, plugs, ids = [] } = stated;
  return aPlace(id, {
    kind: "charging",
    source_id,
    lat: at[0],
    lon: at[1],
    attributes: {
      ...(operator === null ? {} : { operator }),
      charging: { connector_count: points, connectors: plugs },
    },
    ...(street === null ? {} : { address: { street } }),
    keys: ids.flatMap((each) => listChargingKeys(each)),
  });
}
