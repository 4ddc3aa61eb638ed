/** The rows of compare_places: what is counted around one place, or why nothing is. */
import { judgeStatus, type CoverageStatus } from "#core/coverage.ts";
import type { LookAround, Surroundings } from "#app/surroundings.ts";
import type { Counts, PlaceCounts } from "#core/compare/count-groups.ts";
import { toBriefName, toOmitted } from "../brief.ts";
import type { FoundPlace } from "../each-place.ts";
import type { AnswerOf } from "../tool.ts";

type Visible = AnswerOf<"compare_places">["results"][number];
type Around = Awaited<ReturnType<LookAround>>;

export type CompareRow = {
  place: FoundPlace;
  /** null: the place is not known. */
  around: Around | null;
  /** null: nothing was counted. */
  counts: PlaceCounts | null;
  local_time: string | null;
  /** Absent: there is nothing to rank by; null: nothing is known to rank it by. */
  rank?: number | null;
};

/** How much a row says: how many networks it names, or its totals alone. */
export type Detail = { networks: number } | "totals";

export function rowStatus({ around }: CompareRow): CoverageStatus {
  if (around?.kind === "found") return around.surroundings.body.status;
  return judgeStatus({ isIncomplete: true, found: false });
}

/** Lists the sources of everything that is counted. */
export function sourcesOf({ around }: CompareRow): string[] {
  if (around?.kind !== "found") return [];
  const { ages } = around.surroundings;
  return [...new Set([...ages.values()].flatMap(({ sources }) => sources))].sort();
}

/** Adds up how old the objects of all places are. */
export function sumAges(rows: readonly CompareRow[]): {
  fresh: number;
  stale: number;
  unknown: number;
} {
  const sum = { fresh: 0, stale: 0, unknown: 0 };
  for (const { around } of rows) {
    if (around?.kind !== "found") continue;
    const { fresh, stale, unknown } = around.surroundings.freshness;
    sum.fresh += fresh;
    sum.stale += stale;
    sum.unknown += unknown;
  }
  return sum;
}

export function toCompareRow(row: CompareRow, detail: Detail): Visible {
  const { place, around, counts, local_time, rank } = row;
  const input = {
    place: toBriefName(place.text),
    ...(place.ok ? toSpot(place) : {}),
    ...(local_time === null ? {} : { local_time }),
    ...(rank === undefined ? {} : { rank }),
  };
  if (!place.ok) return { ...input, error: toError(place) };
  if (around?.kind !== "found" || counts === null) {
    const [failure = UNCOUNTED] = around?.kind === "failed" ? around.failures : [];
    return { ...input, error: toError(failure) };
  }
  const { surroundings } = around;
  const { body, freshness } = surroundings;
  const { fresh, stale, unknown } = freshness;
  return {
    ...input,
    status: body.status,
    ...toNotices(surroundings),
    found: body.total,
    counted: body.results.stations.length + body.results.vehicles.length,
    totals: toCounts(counts.totals),
    ...(detail === "totals" ? {} : toDetails(row, surroundings, { counts, ...detail })),
    freshness: { fresh, stale, unknown },
  };
}

const UNCOUNTED = { code: "internal", message: "nothing was counted" };

function toSpot({
  label,
  lat,
  lon,
}: Extract<FoundPlace, { ok: true }>): Pick<Visible, "label" | "lat" | "lon"> {
  return { ...(label === undefined ? {} : { label }), lat, lon };
}

type Wrong = Pick<Extract<FoundPlace, { ok: false }>, "code" | "message" | "candidates"> & {
  retry_after_s?: number | null;
};

function toError({ code, message, retry_after_s, candidates }: Wrong): Visible["error"] {
  const wait = retry_after_s == null ? {} : { retry_after_s };
  return { code, message, ...wait, ...(candidates && { candidates }) };
}

/** Of one place; more would cost more than the counts. */
const NOTICES_MAX = 2;

function toNotices({ body }: Surroundings): Pick<Visible, "notices"> {
  const { notices = [] } = toOmitted(body.notices, undefined);
  return notices.length === 0 ? {} : { notices: notices.slice(0, NOTICES_MAX) };
}

function toDetails(
  row: CompareRow,
  { networks: names }: Surroundings,
  { counts, networks }: { counts: PlaceCounts; networks: number },
) {
  const modes = Object.entries(counts.by_mode);
  return {
    by_mode: Object.fromEntries(modes.map(([mode, each]) => [mode, toCounts(each)])),
    networks: counts.networks.slice(0, networks).map(({ id, name, ...each }) => {
      const entry = name ?? names.get(id) ?? null;
      return { id, name: entry && toBriefName(entry), ...toCounts(each) };
    }),
    networks_total: counts.networks.length,
    sources: sourcesOf(row),
  };
}

/** Members that are 0 say nothing where everything is known. */
function toCounts({ vehicles_unknown, docks_unknown, ...counts }: Counts) {
  return {
    ...counts,
    ...(vehicles_unknown === 0 ? {} : { vehicles_unknown }),
    ...(docks_unknown === 0 ? {} : { docks_unknown }),
  };
}
