/** The question of /v1/nearby asked of databases, each in the way that its manual shows. */
import { DatabaseSync } from "node:sqlite";
import { Redis } from "iovalkey";
import { Pool } from "pg";
import type { Item } from "./nearby-items.ts";

/** Nearest first. */
type Result = { text: string; distance: number };

export type PeerEngine = {
  load(items: readonly Item[]): Promise<void>;
  /** Once all items are there: indexes and statistics. */
  prepare(): Promise<void>;
  near(lat: number, lon: number, limit: number): Promise<Result[]>;
  /** Replaces the texts of items that are there. */
  update(items: readonly Item[]): Promise<void>;
};

const RADIUS_M = 400;

export const ENGINES: Record<string, (url: string) => PeerEngine> = {
  redis: openRedis,
  postgis: openPostgis,
  sqlite: openSqlite,
};

/** GEOSEARCH for the ids, MGET for their texts, by one connection that pipelines. */
function openRedis(url: string): PeerEngine {
  const redis = new Redis(url, { enableAutoPipelining: true });
  return {
    async load(items) {
      await redis.geoadd("places", ...items.flatMap(({ id, lat, lon }) => [lon, lat, String(id)]));
      await redis.mset(...items.flatMap(({ id, text }) => [`item:${id}`, text]));
    },
    prepare: async () => {},
    async near(lat, lon, limit) {
      const where = ["FROMLONLAT", lon, lat, "BYRADIUS", RADIUS_M, "m"] as const;
      const how = ["ASC", "COUNT", limit, "WITHDIST"] as const;
      const ids = (await redis.call("GEOSEARCH", "places", ...where, ...how)) as [string, string][];
      if (ids.length === 0) return [];
      const texts = await redis.mget(ids.map(([id]) => `item:${id}`));
      return ids.map(([, distance], i) => ({ text: texts[i]!, distance: Number(distance) }));
    },
    async update(items) {
      await redis.mset(...items.flatMap(({ id, text }) => [`item:${id}`, text]));
    },
  };
}

const NEAR_SQL = `SELECT text, ST_Distance(place, $1::geography) AS distance FROM items
  WHERE ST_DWithin(place, $1::geography, ${RADIUS_M}) ORDER BY distance LIMIT $2`;

/** A geography with a GiST index, by prepared statements of eight connections. */
function openPostgis(url: string): PeerEngine {
  const pool = new Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0 });
  let made: Promise<unknown> | null = null;
  const make = async (): Promise<void> => {
    await pool.query("CREATE EXTENSION postgis");
    await pool.query("CREATE UNLOGGED TABLE items (id int, place geography(Point), text text)");
  };
  return {
    async load(items) {
      await (made ??= make());
      const sql =
        "INSERT INTO items SELECT id, ST_MakePoint(lon, lat)::geography, text FROM unnest($1::int[], $2::float8[], $3::float8[], $4::text[]) AS t(id, lon, lat, text)";
      await pool.query(sql, columnsOf(items));
    },
    async prepare() {
      await pool.query("CREATE INDEX ON items USING gist (place)");
      await pool.query("CREATE INDEX ON items (id)");
      await pool.query("VACUUM ANALYZE items");
    },
    async near(lat, lon, limit) {
      const values = [`SRID=4326;POINT(${lon} ${lat})`, limit];
      const { rows } = await pool.query<Result>({ name: "near", text: NEAR_SQL, values });
      return rows;
    },
    async update(items) {
      const sql =
        "UPDATE items SET text = t.text FROM unnest($1::int[], $2::text[]) AS t(id, text) WHERE items.id = t.id";
      await pool.query(sql, [items.map(({ id }) => id), items.map(({ text }) => text)]);
    },
  };
}

function columnsOf(items: readonly Item[]): unknown[] {
  return [
    items.map(({ id }) => id),
    items.map(({ lon }) => lon),
    items.map(({ lat }) => lat),
    items.map(({ text }) => text),
  ];
}

type Row = { text: string; lat: number; lon: number };

/** An R*Tree of boxes in the process's own memory; the exact distance is ours to compute. */
function openSqlite(): PeerEngine {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE items (id INTEGER PRIMARY KEY, lat REAL, lon REAL, text TEXT)");
  db.exec("CREATE VIRTUAL TABLE boxes USING rtree(id, south, north, west, east)");
  const put = db.prepare("INSERT INTO items VALUES (?, ?, ?, ?)");
  const box = db.prepare("INSERT INTO boxes VALUES (?, ?, ?, ?, ?)");
  const set = db.prepare("UPDATE items SET text = ? WHERE id = ?");
  const within = db.prepare(
    "SELECT text, lat, lon FROM boxes JOIN items USING (id) WHERE south <= ? AND north >= ? AND west <= ? AND east >= ?",
  );
  const inOne = async (work: () => void): Promise<void> => {
    db.exec("BEGIN");
    work();
    db.exec("COMMIT");
  };
  return {
    load: (items) =>
      inOne(() => {
        for (const { id, lat, lon, text } of items) {
          put.run(id, lat, lon, text);
          box.run(id, lat, lat, lon, lon);
        }
      }),
    prepare: async () => {},
    async near(lat, lon, limit) {
      const north = (RADIUS_M / EARTH_M) * DEGREES;
      const east = north / Math.cos(lat / DEGREES);
      const rows = within.all(lat + north, lat - north, lon + east, lon - east) as Row[];
      return rows
        .map((row) => ({ text: row.text, distance: metresBetween({ lat, lon }, row) }))
        .filter(({ distance }) => distance <= RADIUS_M)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, limit);
    },
    update: (items) => inOne(() => items.forEach(({ id, text }) => void set.run(text, id))),
  };
}

const EARTH_M = 6_371_008.8;
const DEGREES = 180 / Math.PI;

function metresBetween(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const dLat = Math.sin((b.lat - a.lat) / DEGREES / 2);
  const dLon = Math.sin((b.lon - a.lon) / DEGREES / 2);
  const h = dLat * dLat + Math.cos(a.lat / DEGREES) * Math.cos(b.lat / DEGREES) * dLon * dLon;
  return 2 * EARTH_M * Math.asin(Math.sqrt(h));
}
