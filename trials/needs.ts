/** What trials need beyond the checkout, and whether it is there. */
import { existsSync, statSync } from "node:fs";
import { hasPython } from "../test/support/departures-oracle.ts";
import { hasOsmium } from "../test/support/osmium.ts";
import { NO_POSTGRES, NO_VALKEY } from "../test/support/engines.ts";
import { hasBalancer } from "./chaos/fleet/balancer.ts";
import { canTrace } from "./crash-states/trace.ts";
import { installJudges } from "./judges/install.ts";
import { hasPrometheus } from "./runbook/prometheus.ts";
import type { Need, TrialEntry } from "./table.ts";

/** Data of others, where they are looked for unless a folder is given. */
const FOLDERS: Readonly<Partial<Record<Need, string>>> = {
  "captured GBFS sets": "../shared/data/gbfs",
  "extracts of OpenStreetMap": "../shared/data/osm",
  "captured registers": "../shared/data/parking/datex2",
  "captured GTFS feeds": "../shared/data/gtfs",
  "labelled pairs": "../shared/data/pairs",
};

/** null, or why trials with that need cannot run here. */
const NEEDS: Readonly<Partial<Record<Need, () => string | null>>> = {
  haproxy: () => (hasBalancer() ? null : "haproxy is missing"),
  PostgreSQL: () => NO_POSTGRES || null,
  "Valkey or Redis": () => NO_VALKEY || null,
  Prometheus: () => (hasPrometheus() ? null : "prometheus or promtool is missing"),
  strace: () => (canTrace() ? null : "strace is missing, or may not trace"),
  osmium: () => (hasOsmium() ? null : "osmium is missing"),
  "Python with time zones": () => (hasPython() ? null : "python3 or its time zones are missing"),
  "programs that judge": installJudges,
};

/**
 * Why the trial cannot run with these arguments; empty: it can. One that reads a folder needs the
 * usual one only where no other is given.
 */
export function listMissing(
  { needs, options }: Pick<TrialEntry, "needs" | "options">,
  args: readonly string[] = [],
  exists: (path: string) => boolean = existsSync,
): string[] {
  const isGiven = options.startsWith("[DIR]") && args.some(isFolder);
  return needs.flatMap((need) => {
    const folder = FOLDERS[need];
    if (folder === undefined) return NEEDS[need]?.() ?? [];
    return isGiven || exists(folder) ? [] : [`${folder} is not there`];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
