// What the tests of simulated public transport share: truth, and a reader of GTFS archives of
// their own (central directory first, as APPNOTE wants it).
import assert from "node:assert/strict";
import { crc32, inflateRawSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { Sandbox } from "../../../sandbox/main.ts";
import { control } from "./reader.ts";

export type TrueStation = {
  kind: string;
  name: string;
  location: { lat: number; lon: number };
  distance_m: number;
  modes: string[];
  wheelchair: string;
  routes: number;
  operators: string[];
  sources: { source: string; network_id: string; source_id: string; aliases?: string[] }[];
};

export type At = { lat: number; lon: number };

export async function stationsAt(sandbox: Sandbox, { lat, lon }: At, radius = 9000) {
  const answer = await control(sandbox, "GET", `truth?lat=${lat}&lon=${lon}&radius=${radius}`);
  const { things } = (await answer.json()) as { things: TrueStation[] };
  return things.filter(({ kind }) => kind === "transit_station");
}

/** By network and key, as one source has them. */
export function keysOf(stations: readonly TrueStation[], wanted: string): Map<string, TrueStation> {
  const entries = stations.flatMap((station) =>
    station.sources
      .filter(({ source }) => source === wanted)
      .map((each) => [`${each.network_id} ${each.source_id}`, station] as const),
  );
  assert.equal(new Set(entries.map(([key]) => key)).size, entries.length, `${wanted}: keys repeat`);
  return new Map(entries);
}

type Entry = { name: string; method: number; flags: number; data: Buffer };

function unzip(zip: Buffer): Entry[] {
  const end = zip.length - 22;
  assert.equal(zip.readUInt32LE(end), 0x06054b50);
  const count = zip.readUInt16LE(end + 10);
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let n = 0; n < count; n += 1) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    const name_bytes = zip.readUInt16LE(at + 28);
    entries.push(readEntry(zip, at, zip.toString("utf8", at + 46, at + 46 + name_bytes)));
    at += 46 + name_bytes;
  }
  assert.equal(at, end);
  return entries;
}

function readEntry(zip: Buffer, at: number, name: string): Entry {
  const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)];
  const local = zip.readUInt32LE(at + 42);
  assert.equal(zip.readUInt32LE(local), 0x04034b50, name);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
  const data = method === 8 ? inflateRawSync(packed) : packed;
  assert.equal(data.length, zip.readUInt32LE(at + 24), name);
  assert.equal(crc32(data), zip.readUInt32LE(at + 16), name);
  return { name, method, flags, data };
}

export type CsvRow = Record<string, string>;

export const readCsv = (data: Buffer): CsvRow[] =>
  parse<CsvRow>(data, { columns: true, bom: true });

export type Gtfs = { entries: Entry[]; table(name: string): CsvRow[]; raw(name: string): string };

export async function fetchGtfs(sandbox: Sandbox, id: string): Promise<Gtfs> {
  const response = await fetch(`${sandbox.url}/upstreams/gtfs/${id}.zip`);
  assert.equal(response.status, 200, id);
  const entries = unzip(Buffer.from(await response.arrayBuffer()));
  const find = (name: string): Buffer => {
    const match = entries.find((entry) => entry.name === name || entry.name.endsWith(`/${name}`));
    assert.ok(match, `${id}: ${name}`);
    return match.data;
  };
  const read = new Map<string, CsvRow[]>();
  const table = (name: string): CsvRow[] => {
    const rows = read.get(name) ?? readCsv(find(name));
    read.set(name, rows);
    return rows;
  };
  return { entries, table, raw: (name) => find(name).toString() };
}

export const feedIdsOf = (sandbox: Sandbox): string[] =>
  sandbox.upstreams()["gtfs"]!["feeds"]!.split(",");

/** mobility.md 3.2 once more, as far as the simulator goes. */
export function modeOf(route_type: number): string {
  if ([0, 900].includes(route_type)) return "tram";
  if ([1, 400, 401].includes(route_type)) return "metro";
  if ([12, 109, 405].includes(route_type)) return "rapid_transit";
  if ([2, 100, 106].includes(route_type)) return "rail";
  if ([3, 11, 700, 702, 704].includes(route_type)) return "bus";
  if ([200, 208].includes(route_type)) return "coach";
  if ([4, 1000].includes(route_type)) return "ferry";
  if ([5, 1400].includes(route_type)) return "cable_transport";
  throw new Error(`route_type ${route_type}`);
}
