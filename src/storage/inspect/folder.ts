/** The data folder as the file system shows it: who can read it, how much room it has, the last backup. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "#kit/guard.ts";
import { parseJson } from "#kit/json.ts";
import { isObject } from "#core/members/member-rules.ts";
import { LAST_BACKUP_FILE, MANIFEST_FILE } from "#storage/backup/manifest.ts";
import { diskSpaceOf, floorOf } from "#storage/embedded/disk.ts";
import { RUNNING_FILE, type Running } from "#storage/running.ts";
import { type Check, toCheck } from "./inspection-check.ts";

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;
const MB = 1024 * 1024;
/** Less of the disk is soon too little. */
const SCARCE_SHARE = 0.1;
const HOUR_MS = 3_600_000;
/** Twice what the shipped timer takes, less than two nights. */
const BACKUP_H = 36;

export function checkPermissions(root: string, folder: string): Check {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const open = [root, folder, ...files].filter((path) => (modeOf(path) & OTHERS) !== 0);
  if (open.length === 0) return toCheck("permissions", "ok", `only the user ${ownerOf(folder)}`);
  const state = open.some((path) => (modeOf(path) & 0o022) !== 0) ? "failing" : "warning";
  return toCheck("permissions", state, `others have rights to ${open.join(", ")}`);
}

/** 0: it is gone by now. */
function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}

function ownerOf(path: string): number | string {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? "unknown";
}

export function checkDisk(folder: string): Check {
  const space = diskSpaceOf(folder);
  const { free, size } = space;
  const text = `${Math.round(free / MB)} MB free of ${Math.round(size / MB)} MB`;
  // Then the service refuses datasets.
  if (free < floorOf(space)) return toCheck("disk", "failing", text);
  return toCheck("disk", free < size * SCARCE_SHARE ? "warning" : "ok", text);
}

/** What a running service says of itself; null: there is no such file. */
export function readRunning(folder: string): Running | null {
  return readObject(join(folder, RUNNING_FILE)) as Running | null;
}

/** By what the last backup left, and whether it is where it says. */
export function checkBackupFolder(folder: string, now_ms: number): Check {
  const last = readObject(join(folder, LAST_BACKUP_FILE));
  if (last === null) return toCheck("backup", "warning", "none was made by `vicinity backup`");
  const { path, made_at, bytes } = last;
  const made_ms = typeof made_at === "string" ? Date.parse(made_at) : Number.NaN;
  if (typeof path !== "string" || Number.isNaN(made_ms))
    return toCheck("backup", "unknown", `${LAST_BACKUP_FILE} cannot be read`);
  const age_h = Math.floor((now_ms - made_ms) / HOUR_MS);
  const size = typeof bytes === "number" ? `, ${Math.ceil(bytes / MB)} MB` : "";
  const text = `${String(made_at)} in ${path}${size}`;
  if (age_h >= BACKUP_H) return toCheck("backup", "warning", `${text}: ${age_h} hours ago`);
  return checkStored(path, String(made_at), text);
}

/** It may be on a volume that is not mounted here, or have been carried away. */
function checkStored(path: string, made_at: string, text: string): Check {
  if (!existsSync(path)) return toCheck("backup", "warning", `${text}, which is not there now`);
  const manifest = readObject(join(path, MANIFEST_FILE));
  if (manifest !== null && manifest["made_at"] !== made_at)
    return toCheck("backup", "warning", `${text}, where another one lies`);
  return toCheck("backup", "ok", text);
}

function readObject(path: string): Readonly<Record<string, unknown>> | null {
  const text = attempt(
    () => readFileSync(path, "utf8"),
    () => null,
  );
  const value = text === null ? null : parseJson(text);
  return isObject(value) ? value : null;
}
