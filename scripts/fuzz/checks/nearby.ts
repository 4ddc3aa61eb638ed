/** What an answer of /v1/nearby means, held to its question (contract 2.9, 4.9; decisions). */
import { PLAN } from "../oracle/judge.ts";
import type { NearbyQuestion } from "../oracle/query.ts";
import { findItemsProblem, type Item, itemsOf } from "./items.ts";

type Json = Record<string, unknown>;

export function findNearbyProblem(question: NearbyQuestion, body: Json): string | null {
  const geojson = question.format === "geojson";
  const meta = (geojson ? body["meta"] : body) as Json | undefined;
  if (meta === undefined) return "no meta";
  const items = itemsOf(body, geojson);
  const alerts = geojson ? null : (body["results"] as Json[][] & Json)["alerts"];
  return (
    echoProblem(question, body, meta, geojson) ??
    pageProblem(question, meta, items) ??
    familyProblem(question, items, alerts as unknown[] | null) ??
    statusProblem(question, meta, alerts === null ? null : (alerts as unknown[]).length) ??
    findItemsProblem(question, items) ??
    actionsProblem(body, items)
  );
}

/** What was asked is told unchanged, and what was reduced exactly when it was. */
function echoProblem(
  question: NearbyQuestion,
  body: Json,
  meta: Json,
  geojson: boolean,
): string | null {
  const origin = body["query_origin"] as { lat: number; lon: number };
  if (origin.lat !== question.lat || origin.lon !== question.lon)
    return `query_origin is ${JSON.stringify(origin)}`;
  const radius = Math.min(question.radius, PLAN.radius_max);
  const limit = Math.min(question.limit, PLAN.limit_max);
  const told = {
    ...meta,
    ...(geojson ? { requested_radius: question.radius, requested_limit: question.limit } : {}),
  };
  const wanted: Json = {
    ...{ radius, limit, requested_radius: question.radius, requested_limit: question.limit },
    ...(geojson ? { offset: question.offset } : {}),
  };
  const wrong = Object.keys(wanted).find((name) => (told as Json)[name] !== wanted[name]);
  if (wrong !== undefined)
    return `${wrong} is ${String((told as Json)[wrong])}, not ${String(wanted[wrong])}`;
  const warnings = [
    ...(radius === question.radius
      ? []
      : [{ code: "radius_capped", requested: question.radius, applied: radius }]),
    ...(limit === question.limit
      ? []
      : [{ code: "limit_capped", requested: question.limit, applied: limit }]),
  ];
  const given = (meta["warnings"] ?? []) as { code: string; requested: number; applied: number }[];
  const same =
    given.length === warnings.length &&
    warnings.every(({ code, requested, applied }) =>
      given.some(
        (one) => one.code === code && one.requested === requested && one.applied === applied,
      ),
    );
  if (!same) return `warnings are ${JSON.stringify(given)}, not ${JSON.stringify(warnings)}`;
  const debug = body["debug"] !== undefined;
  return debug === (question.debug && !geojson)
    ? null
    : "debug is there exactly when it was not asked for";
}

function pageProblem(question: NearbyQuestion, meta: Json, items: readonly Item[]): string | null {
  const total = meta["total"] as number;
  const limit = Math.min(question.limit, PLAN.limit_max);
  const wanted = Math.max(0, Math.min(limit, total - question.offset));
  return items.length === wanted
    ? null
    : `${items.length} items of ${total} at offset ${question.offset}, limit ${limit}`;
}

function familyProblem(
  { include, modes }: NearbyQuestion,
  items: readonly Item[],
  alerts: unknown[] | null,
): string | null {
  const family = items.find((item) => !include.includes(`${item.kind}s`));
  if (family !== undefined) return `a ${family.kind} that was not asked for`;
  if (alerts !== null && alerts.length > 0 && !include.includes("alerts"))
    return "alerts not asked for";
  const other = items.find((item) => item.mode !== null && !modes.includes(item.mode));
  return other === undefined ? null : `mode ${other.mode} was not asked for`;
}

/** `alerts`: null when the form does not show them. */
function statusProblem(question: NearbyQuestion, meta: Json, alerts: number | null): string | null {
  const { status, message, total } = meta as { status: string; message?: string; total: number };
  if ((message !== undefined) !== (status !== "success")) return `message beside ${status}`;
  const unserved = question.include.some((family) => family === "places" || family === "lines");
  if (unserved && status !== "partial") return `${status} although nothing serves a family`;
  const hidden = alerts === null && question.include.includes("alerts");
  if (status === "empty" && total + (alerts ?? 0) > 0) return "empty with results";
  if (status === "success" && total + (alerts ?? 0) === 0 && !hidden)
    return "success without results";
  return null;
}

/** available_actions is the union of what the page's items offer. */
function actionsProblem(body: Json, items: readonly Item[]): string | null {
  const key = ({ id, intent, mode }: Json): string =>
    `${String(id)} ${String(intent)} ${String(mode)}`;
  const offered = new Set(items.flatMap((item) => item.actions.map(key)));
  const told = (body["available_actions"] as Json[]).map(key);
  if (new Set(told).size !== told.length) return "an available action stands twice";
  const same = told.length === offered.size && told.every((one) => offered.has(one));
  return same
    ? null
    : `available_actions ${told.join("; ")}, items offer ${[...offered].join("; ")}`;
}
