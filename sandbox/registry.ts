// What the simulated registries of urban services have in common.
import { createHash } from "node:crypto";
import { distance, type Point } from "./geo.ts";
import { isUnchanged, type Reply, type SandboxRequest } from "./http.ts";
import { hash } from "./rng.ts";
import type { Observation } from "./source.ts";
import type { ServiceThing } from "./world/service-model.ts";
import type { World } from "./world/world.ts";

export type RegistryDeps = {
  readonly world: World;
  readonly now: () => number;
  readonly origin: string;
};

/** Services know no networks. */
export const observe = (source: string, source_id: string): readonly Observation[] => [
  { source, network_id: "", source_id },
];

export const listAll = (world: World): readonly ServiceThing[] =>
  world.cities.flatMap((city) => world.listServices(city));

export function answerText(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
    body: Buffer.from(text),
  };
}

/** Answers a document with its tag, or that it is unchanged. */
export function answerTagged(request: SandboxRequest, text: string, type: string): Reply {
  const body = Buffer.from(text);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = { etag, "cache-control": "public, max-age=30" };
  if (isUnchanged(request, { etag, modified_ms: 0 }))
    return { status: 304, headers, body: Buffer.alloc(0) };
  return { status: 200, headers: { ...headers, "content-type": type }, body };
}

type SimulatedFile = { type: string; text: () => string };

/** Answers the file of this name under `root`; 404: there is none. */
export function answerFile(
  request: SandboxRequest,
  root: string,
  files: ReadonlyMap<string, SimulatedFile>,
): Reply {
  const file = files.get(request.pathname.slice(root.length));
  return file ? answerTagged(request, file.text(), file.type) : answerText(404, "Not Found");
}

/** Reads a number as written in an address; null: absent or none. */
export function numberIn({ query }: SandboxRequest, name: string): number | null {
  const text = query.get(name)?.trim() ?? "";
  return /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/** Reads a point if both are given and it is on the globe. */
export function pointIn(request: SandboxRequest, lat: string, lon: string): Point | null {
  const at = { lat: numberIn(request, lat), lon: numberIn(request, lon) };
  if (at.lat === null || at.lon === null) return null;
  return toPoint(at.lat, at.lon);
}

export const toPoint = (lat: number, lon: number): Point | null =>
  Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null;

export type Measured<T> = { readonly row: T; readonly distance_m: number };

/** Within the reach, nearest first; equally far in their own order. */
export function nearest<T extends Point>(
  rows: readonly T[],
  at: Point,
  reach_m: number,
): Measured<T>[] {
  return rows
    .map((row) => ({ row, distance_m: distance(at, row) }))
    .filter(({ distance_m }) => distance_m <= reach_m)
    .toSorted((a, b) => a.distance_m - b.distance_m);
}

/** Makes a value once, when first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Returns some day of the last years, the same for the same number. */
export const dayOf = (key: number): string =>
  new Date(Date.UTC(2021, 0, 1 + (hash(key, 190) % 1700), key % 24, key % 60)).toISOString();

/** Returns a name as registries write what the sign says. */
export function written(thing: ServiceThing): string {
  const { name, key } = thing;
  const style = hash(key, 191) % 4;
  if (style === 0) return name.toLocaleUpperCase("und");
  return style === 1 ? name.normalize("NFKD").replaceAll(/\p{M}/gu, "").normalize("NFC") : name;
}
