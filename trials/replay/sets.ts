/**
 * Finds what can be replayed below a folder: captured sets (folders of GBFS files) and folders that
 * hold one station_information per system. Everything else is listed with the reason.
 */
import { basename, join, relative } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import type { Captured } from "./files.ts";
import {
  gbfsName,
  isCsv,
  isJson,
  listFolder,
  member,
  readCaptured,
  readText,
  rowsOf,
  stemOf,
  versionOf,
} from "./files.ts";

export type ReplaySet = {
  /** Unique, and the same for the same folder. */
  id: string;
  title: string | null;
  /** Relative to the folder searched. */
  path: string;
  /** By GBFS name; more than one document is a series of polls in order. */
  files: Map<string, Captured[]>;
  /** As the files state it; null: none does, as in 1.0. */
  version: string | null;
  /** No station and no vehicle in any file: served all the same, since that is an answer. */
  empty: boolean;
};

export type Skipped = { path: string; reason: string };
export type Results = { sets: ReplaySet[]; skipped: Skipped[] };

/** A set before it has an id. */
type Draft = Omit<ReplaySet, "id"> & { name: string };
type Drafts = { drafts: Draft[]; skipped: Skipped[] };

export const STATUS_ONLY = "station_status only: no file says where the stations are";

/** Captured documents that place something on the map. */
const LOCATED = ["station_information", "free_bike_status", "vehicle_status"];

export function findSets(dir: string, onSet?: (set: { path: string }) => void): Results {
  const into: Drafts = { drafts: [], skipped: [] };
  visit(dir, dir, into, onSet ?? (() => undefined));
  return { sets: withIds(into.drafts), skipped: into.skipped };
}

function visit(root: string, dir: string, into: Drafts, onSet: (set: Draft) => void): void {
  const { files, folders } = listFolder(dir);
  const json = files.filter(isJson);
  const before = into.drafts.length;
  tolerate(relative(root, dir) || basename(dir), into, () => {
    if (json.some((path) => gbfsName(path) !== null)) readSet(root, dir, json, into);
    else readSystems(root, dir, { json, csv: files.filter(isCsv) }, into);
  });
  for (const draft of into.drafts.slice(before)) onSet(draft);
  const tables = files.filter(isCsv).filter((path) => !isIndex(path, into.drafts.length - before));
  if (tables.length > 0) into.skipped.push(tablesOf(root, dir, tables));
  for (const folder of folders) visit(root, folder, into, onSet);
}

/** What cannot be read is one line of what was skipped, and the search goes on. */
function tolerate(path: string, into: Drafts, read: () => void): void {
  try {
    read();
  } catch (error) {
    const [reason = ""] = String(error instanceof Error ? error.message : error).split("\n");
    into.skipped.push({ path, reason: `cannot be read: ${reason}` });
  }
}

/** A folder whose files have GBFS names is one system. */
function readSet(root: string, dir: string, json: readonly string[], into: Drafts): void {
  const files = new Map<string, Captured[]>();
  for (const path of json) {
    const name = gbfsName(path);
    const captured = name === null ? null : readCaptured(path);
    if (captured) files.set(name!, [...(files.get(name!) ?? []), captured]);
    else into.skipped.push({ path: relative(root, path), reason: "not a file of GBFS" });
  }
  const path = relative(root, dir);
  const reason = whyNot(files);
  if (reason !== null) into.skipped.push({ path: path || basename(dir), reason });
  else into.drafts.push(toDraft(path, basename(dir), files, titleOf(files)));
}

/** A folder of other JSON files: each that is a GBFS document is a system of its own. */
function readSystems(
  root: string,
  dir: string,
  files: { json: readonly string[]; csv: readonly string[] },
  into: Drafts,
): void {
  const index = files.csv.find((path) => stemOf(path) === "systems");
  let titles = new Map<string, string>();
  if (index) tolerate(relative(root, index), into, () => (titles = readTitles(index)));
  for (const path of files.json)
    tolerate(relative(root, path), into, () => {
      const captured = readCaptured(path);
      const name = nameByShape(captured.wire);
      if (name === null) {
        into.skipped.push({ path: relative(root, path), reason: NO_ENVELOPE });
        return;
      }
      const documents = new Map([[name, [captured]]]);
      const title = titles.get(captured.stem) ?? null;
      const where = join(relative(root, dir), captured.stem);
      into.drafts.push(toDraft(where, captured.stem, documents, title));
    });
}

const NO_ENVELOPE = "no GBFS document: the members of the envelope are missing";

/** Whatever a publisher may send as a document of GBFS, however broken it is inside. */
function isEnvelope(wire: unknown): boolean {
  return wire === undefined || member(wire, "data") !== undefined;
}

/** Why a set cannot be served; null: it can. */
function whyNot(files: ReadonlyMap<string, Captured[]>): string | null {
  const located = LOCATED.flatMap((name) => files.get(name) ?? []);
  if (located.some(({ wire }) => isEnvelope(wire))) return null;
  if (located.length > 0) return NO_ENVELOPE;
  if (files.has("station_status")) {
    return STATUS_ONLY;
  }
  if (files.has("gbfs")) {
    const data = member(files.get("gbfs")![0]!.wire, "data");
    if (data === null || data === undefined) return "a discovery document without data, no feeds";
    return "a discovery document alone: none of its files was captured";
  }
  return "no file with stations or vehicles";
}

function toDraft(
  path: string,
  name: string,
  files: Map<string, Captured[]>,
  title: string | null,
): Draft {
  const located = LOCATED.flatMap((each) => files.get(each) ?? []);
  const rows = located.flatMap(({ wire }) => rowsOf(wire, "stations", "bikes", "vehicles") ?? []);
  const versions = [...files.values()].flat().map(({ wire }) => versionOf(wire));
  const version = versions.find((each) => each !== null) ?? null;
  return { name, title, path: path || ".", files, version, empty: rows.length === 0 };
}

/** What an unnamed document is, by the list it holds; null: no GBFS document. */
function nameByShape(wire: unknown): string | null {
  if (rowsOf(wire, "bikes")) return "free_bike_status";
  if (rowsOf(wire, "vehicles")) return "vehicle_status";
  const stations = rowsOf(wire, "stations");
  if (!stations) return null;
  const counted = stations.some(
    (row) => member(row, "num_bikes_available") ?? member(row, "num_vehicles_available"),
  );
  const placed = stations.some((row) => member(row, "lat") !== undefined);
  return counted && !placed ? "station_status" : "station_information";
}

function titleOf(files: ReadonlyMap<string, Captured[]>): string | null {
  const data = member(files.get("system_information")?.[0]?.wire, "data");
  const name = member(data, "name");
  const text = Array.isArray(name) ? member(name[0], "text") : name;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : null;
}

/** `systems.csv` next to one-file systems: columns system_id, title, city. */
function readTitles(path: string): Map<string, string> {
  const text = readText(path);
  const rows: Record<string, string>[] = parseCsv(text, { columns: true, bom: true });
  const titles = rows.map((row) => [row["system_id"] ?? "", row["title"] || row["city"]] as const);
  return new Map(titles.flatMap(([id, title]) => (title?.trim() ? [[id, title.trim()]] : [])));
}

function isIndex(path: string, drafts: number): boolean {
  return drafts > 0 && stemOf(path) === "systems";
}

function tablesOf(root: string, dir: string, tables: readonly string[]): Skipped {
  const catalogue = tables.every((path) => stemOf(path).startsWith("systems"));
  const what = catalogue ? "a catalogue of systems" : "a series of tables";
  const count = `${tables.length} CSV file${tables.length === 1 ? "" : "s"}`;
  return {
    path: join(relative(root, dir) || basename(dir), "*.csv"),
    reason: `${count}: ${what}, no feed`,
  };
}

/** The folder's or file's own name; where that occurs twice, the whole path. */
function withIds(drafts: readonly Draft[]): ReplaySet[] {
  const count = new Map<string, number>();
  for (const { name } of drafts) count.set(name, (count.get(name) ?? 0) + 1);
  return drafts.map(({ name, ...set }) => ({
    ...set,
    id: count.get(name) === 1 ? name : set.path.replaceAll(/[/\\]/g, "-"),
  }));
}
