/** Captured files: names, bytes and what a document reveals of itself. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Every file a GBFS host may serve, over all versions; longest first, since names contain names. */
const NAMES = [
  "gbfs",
  "gbfs_versions",
  "manifest",
  "system_information",
  "vehicle_types",
  "station_information",
  "station_status",
  "free_bike_status",
  "vehicle_status",
  "vehicle_availability",
  "system_hours",
  "system_calendar",
  "system_regions",
  "system_pricing_plans",
  "system_alerts",
  "geofencing_zones",
].sort((a, b) => b.length - a.length);

const NAME_AND_SUFFIX = new RegExp(`^(${NAMES.join("|")})(?:[-_.].*)?$`);

/** A document as captured: its text (byte order mark kept) and its value, undefined: not JSON. */
export type Captured = { path: string; stem: string; text: string; wire: unknown };

/** `station_status-2025-04.json.gz` → `station_status`; null: not a name of GBFS. */
export function gbfsName(path: string): string | null {
  return NAME_AND_SUFFIX.exec(stemOf(path))?.[1] ?? null;
}

/** The file's name without `.json`, `.csv`, `.gz`. */
export function stemOf(path: string): string {
  return basename(path)
    .replace(/\.gz$/i, "")
    .replace(/\.(?:json|csv)$/i, "");
}

export function isJson(path: string): boolean {
  return /\.json(?:\.gz)?$/i.test(path);
}

export function isCsv(path: string): boolean {
  return /\.csv(?:\.gz)?$/i.test(path);
}

/** Files and folders of a folder, each sorted by name: the order of a series is that of its names. */
export function listFolder(dir: string): { files: string[]; folders: string[] } {
  const paths = readdirSync(dir)
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => join(dir, name));
  const folders = paths.filter((path) => statSync(path).isDirectory());
  return { folders, files: paths.filter((path) => !folders.includes(path)) };
}

export function readCaptured(path: string): Captured {
  const text = readText(path);
  return { path, stem: stemOf(path), text, wire: parse(text) };
}

export function readText(path: string): string {
  const bytes = readFileSync(path);
  // Judged by the bytes: a capture may be compressed without saying so in its name.
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(packed ? gunzipSync(bytes) : bytes);
}

/** Rows of the document's list of that name; null when it has none. */
export function rowsOf(wire: unknown, ...lists: string[]): unknown[] | null {
  const data = member(wire, "data");
  for (const list of lists) {
    const rows = member(data, list);
    if (Array.isArray(rows)) return rows;
  }
  return null;
}

export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The version member as text; null when there is none, as in 1.0. */
export function versionOf(wire: unknown): string | null {
  const version = member(wire, "version");
  return typeof version === "string" || typeof version === "number" ? String(version) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch {
    return undefined;
  }
}
