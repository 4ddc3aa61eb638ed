/**
 * A GBFS host for the benchmark: live files of any benchmark system, gzipped as publishers send
 * them, different at every request so that nothing downstream can skip its work. A child process.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { benchSystem } from "./world.ts";

const KEEP = 400;
type Files = { status: object[]; vehicles: object[]; turn: number };
const stored = new Map<number, Files>();

const server = createServer((request, response) => {
  const [, seed, file] = request.url!.split("/");
  const files = filesOf(Number(seed));
  files.turn++;
  const body = gzipSync(JSON.stringify(toFeed(files, file!)), { level: 1 });
  response.writeHead(200, {
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": body.length,
  });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));

function filesOf(seed: number): Files {
  const entry = stored.get(seed);
  if (entry) return entry;
  const system = benchSystem(seed);
  const status = [...system.statuses.values()].map((row) => ({
    station_id: row.id,
    num_bikes_available: row.vehicles,
    num_bikes_disabled: row.disabled_vehicles,
    num_docks_available: row.docks,
    num_docks_disabled: 0,
    is_installed: true,
    is_renting: row.is_renting,
    is_returning: true,
    last_reported: row.last_reported_s,
    vehicle_types_available: row.by_type.map(({ type_id, count }) => ({
      vehicle_type_id: type_id,
      count,
    })),
  }));
  const vehicles = system.vehicles.map((row) => ({
    bike_id: row.id,
    lat: row.location!.lat,
    lon: row.location!.lon,
    is_reserved: row.is_reserved,
    is_disabled: row.is_disabled,
    vehicle_type_id: row.type_id,
    last_reported: row.last_reported_s,
    current_range_meters: row.range_m,
    current_fuel_percent: row.charge,
    pricing_plan_id: row.pricing_plan_id,
    rental_uris: row.rental_uris,
  }));
  const files = { status, vehicles, turn: 0 };
  if (stored.size >= KEEP) stored.delete(stored.keys().next().value!);
  stored.set(seed, files);
  return files;
}

function toFeed(files: Files, file: string): object {
  const now = Math.floor(Date.now() / 1000);
  const data =
    file === "station_status.json" ? { stations: files.status } : { bikes: files.vehicles };
  return { last_updated: now, ttl: 60, version: "2.3", turn: files.turn, data };
}
// The parent process is gone.
process.once("disconnect", () => process.exit());
