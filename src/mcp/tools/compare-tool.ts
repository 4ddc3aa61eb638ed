/** compare_places: counts around several places, searched at the same time, in one table. */
import { isPartial, judgeStatus } from "#core/coverage.ts";
import { COUNTED_MAX, NETWORKS_MAX } from "#api/agent-compare.ts";
import { SHOWN } from "#api/agent-results.ts";
import type { LookAround } from "#app/surroundings.ts";
import { countPlace } from "#core/compare/count-groups.ts";
import { kindsOfForm } from "#core/filter-match.ts";
import { rankPlaces } from "#core/compare/rank-places.ts";
import { sizeOf } from "../brief.ts";
import { type FoundPlace, refusePlaces } from "../each-place.ts";
import { localAt, sourcesOfThings } from "../local.ts";
import { toCredits } from "../answer-sources.ts";
import {
  type AnswerOf,
  type ArgumentsOf,
  type RunTool,
  takeTurn,
  toAskedNearby,
  type ToolDeps,
} from "../tool.ts";
import {
  type Detail,
  type CompareRow,
  sourcesOf,
  rowStatus,
  sumAges,
  toCompareRow,
} from "./compare-rows.ts";

type Answer = AnswerOf<"compare_places">;
type CompareArguments = ArgumentsOf<"compare_places">;
type Arguments = Omit<CompareArguments, "places"> & { places: readonly FoundPlace[] };
type Around = Awaited<ReturnType<LookAround>>;

const INCLUDE = ["stations", "vehicles"] as const;

export function createComparePlaces(deps: ToolDeps): RunTool<"compare_places", Arguments> {
  return async ({ places, modes, form_factors, intent, radius }, query) => {
    if (places.every(({ ok }) => !ok)) return refusePlaces(places);
    const search = async (place: FoundPlace, index: number): Promise<Around | null> => {
      if (!place.ok) return null;
      await takeTurn(deps, index);
      const { lat, lon } = place;
      const what = { modes, form_factors, include: INCLUDE };
      const question = { lat, lon, radius, ...what, limit: COUNTED_MAX };
      return deps.lookAround(question, query);
    };
    const matches = await Promise.all(places.map(search));
    const forms = form_factors ? new Set<string>(form_factors.flatMap(kindsOfForm)) : null;
    const rows = await Promise.all(
      places.map(async (place, index): Promise<CompareRow> => {
        const around = matches[index] ?? null;
        const { body } = around?.kind === "found" ? around.surroundings : { body: null };
        const on = { at_ms: query.now_ms, sources: listNearest(around) };
        const { local_time = null } = place.ok ? await localAt(deps, place, on) : {};
        return {
          place,
          around,
          local_time,
          counts: body && countPlace(body.results, modes, forms),
        };
      }),
    );
    const answer = toAnswer(deps, { rows: intent ? rank(rows, intent) : rows, radius, intent });
    const executed = matches.filter((around) => around !== null);
    const requested = executed.map(toAskedNearby);
    return { kind: "answered", answer, requested };
  };
}

/** The sources of what is nearest. Ages are in the order of the results. */
function listNearest(around: Around | null): Generator<string> {
  const ages = around?.kind === "found" ? [...around.surroundings.ages.values()] : [];
  return sourcesOfThings(ages);
}

/** The best first; of equals, and of those without a rank, in the order given. */
function rank(
  rows: readonly CompareRow[],
  intent: NonNullable<CompareArguments["intent"]>,
): CompareRow[] {
  const ranks = rankPlaces(
    rows.map(({ counts }) => counts?.totals ?? null),
    intent,
  );
  const ranked = rows.map((row, index) => ({ ...row, rank: ranks[index] ?? null }));
  return ranked.sort((a, b) => (a.rank ?? LAST) - (b.rank ?? LAST));
}

const LAST = Number.MAX_SAFE_INTEGER;

type Table = { rows: readonly CompareRow[]; radius: number; intent: CompareArguments["intent"] };

/** Says less of each place where the table would be too large; its totals stay. */
function toAnswer(deps: ToolDeps, table: Table): Answer {
  for (let networks = NETWORKS_MAX; networks >= 0; networks--) {
    const answer = toTable(deps, table, { networks });
    if (sizeOf(answer) <= SHOWN.bytes_max) return answer;
  }
  return toTotals(toTable(deps, table, "totals"));
}

function toTable({ clock, termsOf }: ToolDeps, table: Table, detail: Detail): Answer {
  const { rows, radius, intent } = table;
  const status = judgeStatus({
    isIncomplete: rows.some((row) => isPartial({ status: rowStatus(row) })),
    found: rows.some((row) => rowStatus(row) === "success"),
  });
  return {
    status,
    ...(status === "success" ? {} : { message: MESSAGES[status] }),
    radius,
    ...(intent === undefined ? {} : { intent }),
    untrusted_text: true,
    freshness: { answered_at: new Date(clock.now()).toISOString(), ...sumAges(rows) },
    total: rows.length,
    shown: rows.length,
    results: rows.map((row) => toCompareRow(row, detail)),
    attribution: toCredits(
      rows.map((row) => ({ sources: sourcesOf(row) })),
      termsOf,
    ),
  };
}

const MESSAGES = {
  partial: "A place could not be counted, or not completely: see its row.",
  empty: "Nothing was found at any of the places.",
} as const;

/** As many credits as fit; those that do not are counted, and where they are is said. */
function toTotals({ attribution, ...table }: Answer): Answer {
  const around = (credits: typeof attribution): Answer => {
    const left = attribution.length - credits.length;
    const notice = `the credits of ${left} more sources are at /v1/sources`;
    return { ...table, ...(left === 0 ? {} : { notices: [notice] }), attribution: credits };
  };
  let credits = attribution;
  while (credits.length > 0 && sizeOf(around(credits)) > SHOWN.bytes_max)
    credits = credits.slice(0, -1);
  return around(credits);
}
