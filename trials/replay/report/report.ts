/** The replay report: every set replayed, ingested, counted, asked and compared. */
import { readAccepted } from "../oracle/accepted.ts";
import type { Accepted } from "../oracle/accepted.ts";
import type { ReplayHost } from "../host.ts";
import { startReplayHost } from "../host.ts";
import type { Skipped } from "../sets.ts";
import { STATUS_ONLY } from "../sets.ts";
import { checkAnswers } from "./answers.ts";
import { checkCircles, checkEveryEntity } from "./circles.ts";
import type { Claim } from "./claims.ts";
import { createClaim } from "./claims.ts";
import type { ReplayRuntime } from "./runtime.ts";
import { loadReplay } from "./runtime.ts";
import { startReplayService } from "./service.ts";
import type { SystemRow, Totals } from "./systems.ts";
import { rowOf, totalsOf } from "./systems.ts";

export type ReportOptions = {
  dir: string;
  circles: number;
  onStep?: (what: string) => void;
};

export type ReplayReport = {
  systems: SystemRow[];
  totals: Totals;
  captured: {
    systems: number;
    /** Of them: captured without positions, so that nothing can be served. */
    status_only: number;
    /** Of them: with an empty station list. */
    empty: number;
    /** Served in addition: sets with faults put in by hand (folders named `faulty`). */
    hand_made: number;
  };
  /** Accepted, and rightly never listed. */
  unlisted: Accepted["unlisted"];
  skipped: Skipped[];
  claims: Claim[];
  elapsed_s: number;
};

export async function makeReport(options: ReportOptions): Promise<ReplayReport> {
  const begun = performance.now();
  const step = options.onStep ?? (() => undefined);
  const now_ms = Date.now();
  const host = await startReplayHost({ dir: options.dir, now_ms, onSet: ({ path }) => step(path) });
  try {
    const accepted = acceptedBySystem(host, now_ms);
    const { systems, claims } = await readSystems(host, accepted, { ...options, now_ms });
    claims.push(...(await checkService(host, accepted, step)));
    return {
      systems,
      totals: totalsOf(systems),
      captured: countCaptured(systems, host.skipped),
      unlisted: sumUnlisted([...accepted.values()]),
      skipped: host.skipped,
      claims,
      elapsed_s: Math.round((performance.now() - begun) / 100) / 10,
    };
  } finally {
    await host.close();
  }
}

/** Loads every system, and judges the world they make up. */
async function readSystems(
  host: ReplayHost,
  accepted: ReadonlyMap<string, Accepted>,
  options: ReportOptions & { now_ms: number },
): Promise<{ systems: SystemRow[]; claims: Claim[] }> {
  const runtime = await loadReplay(host.systems, (id) => options.onStep?.(`loaded ${id}`));
  try {
    const systems = host.systems.map((system) =>
      rowOf(system, {
        reports: runtime.reports.get(system.id)!,
        loaded: runtime.loaded.get(system.id)!,
        now_ms: options.now_ms,
      }),
    );
    const claims = [claimFeeds(systems), claimCounts(systems, accepted)];
    return { systems, claims: [...claims, ...checkWorld(runtime, accepted, options)] };
  } finally {
    await runtime.close();
  }
}

/** Systems of the captures: those served, without hand-made ones, and those known by status alone. */
function countCaptured(
  rows: readonly SystemRow[],
  skipped: readonly Skipped[],
): ReplayReport["captured"] {
  const hand_made = rows.filter(({ path }) => /(?:^|[\\/])faulty[\\/]/.test(path)).length;
  const status_only = skipped.filter(({ reason }) => reason === STATUS_ONLY).length;
  const empty = rows.filter((row) => row.empty).length;
  const systems = rows.length - hand_made + status_only;
  return { systems, status_only, empty, hand_made };
}

function acceptedBySystem(host: ReplayHost, now_ms: number): Map<string, Accepted> {
  const times = { fetched_ms: now_ms, now_ms };
  return new Map(
    host.systems.map(
      ({ id, name, document }) => [id, readAccepted(id, document, { ...times, name })] as const,
    ),
  );
}

function claimFeeds(rows: readonly SystemRow[]): Claim {
  const claim = createClaim();
  for (const { id, lost } of rows)
    claim.check(lost.length === 0, () => `${id}: ${lost.join("; ")}`);
  const empty = rows.filter((row) => row.empty).length;
  return claim.finish(
    "no feed is lost to a bad row, no row is dropped without a reason",
    `${rows.length} systems read, ${empty} of them with an empty station list`,
  );
}

/** What the packs took over is what the normalisers let through. */
function claimCounts(rows: readonly SystemRow[], accepted: ReadonlyMap<string, Accepted>): Claim {
  const claim = createClaim();
  for (const { id, stations, vehicles } of rows) {
    const oracle = accepted.get(id)!;
    const got = `${stations?.accepted ?? 0} stations, ${vehicles?.accepted ?? 0} vehicles`;
    const wanted = `${oracle.stations} stations, ${oracle.vehicles} vehicles`;
    claim.check(got === wanted, () => `${id}: got ${got}, wanted ${wanted}`);
  }
  return claim.finish("packs hold what the normalisers accept", `${rows.length} systems`);
}

function checkWorld(
  { world }: ReplayRuntime,
  accepted: ReadonlyMap<string, Accepted>,
  options: ReportOptions,
): Claim[] {
  const known = [...accepted.values()].flatMap((each) => each.known);
  options.onStep?.(`${known.length} entities, one by one`);
  const now_ms = Date.now();
  const each = checkEveryEntity({ world, known, now_ms });
  options.onStep?.(`${options.circles} random circles`);
  return [each, ...checkCircles({ world, known, circles: options.circles, now_ms })];
}

async function checkService(
  host: ReplayHost,
  accepted: ReadonlyMap<string, Accepted>,
  step: (what: string) => void,
): Promise<Claim[]> {
  step("starting the service");
  const service = await startReplayService(host.systems);
  const known = [...accepted.values()].flatMap((each) => each.known);
  try {
    const lacking = host.systems.filter(({ missing }) => missing.length > 0);
    const incomplete = new Set(lacking.map(({ id }) => id));
    const onSystem = (id: string): void => step(`asked ${id}`);
    return await checkAnswers({ url: service.url, known, incomplete, onSystem });
  } finally {
    await service.close();
  }
}

function sumUnlisted(accepted: readonly Accepted[]): Accepted["unlisted"] {
  const total = { station_not_installed: 0, mode_other: 0, too_old: 0 };
  for (const { unlisted } of accepted) {
    total.station_not_installed += unlisted.station_not_installed;
    total.mode_other += unlisted.mode_other;
    total.too_old += unlisted.too_old;
  }
  return total;
}
