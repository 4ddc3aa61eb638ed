/** What an answer of /v1/nearby means, held to its question (contract 2.9, 4.9; decisions, Global nearby). */
import { PLAN } from "../oracle/judge.ts";
import type { NearbyQuestion } from "../oracle/query.ts";
import { SERVICE_TYPES } from "../oracle/search.ts";
import { findItemsProblem, type Item, itemsOf, placesOf } from "./items.ts";
import { findLinesProblem, type Line } from "./lines.ts";
import { findPlacesProblem, type PlacesContext } from "./places.ts";

type Json = Record<string, unknown>;

export function findNearbyProblem(
  question: NearbyQuestion,
  body: Json,
  context: PlacesContext,
): string | null {
  const geojson = question.format === "geojson";
  const meta = (geojson ? body["meta"] : body) as Json | undefined;
  if (meta === undefined) return "no meta";
  const items = itemsOf(body, geojson);
  const places = placesOf(body);
  const results = (geojson ? {} : body["results"]) as Record<string, unknown[]>;
  const { alerts = null, lines = [] } = results;
  return (
    echoProblem(question, body, meta, geojson) ??
    pageProblem(question, meta, items.length + places.length) ??
    familyProblem(question, items, { places, alerts: alerts ?? [] }) ??
    findLinesProblem(lines as Line[], question.include.includes("lines")) ??
    statusProblem(question, meta, alerts === null ? null : alerts.length + lines.length) ??
    findItemsProblem(question, items) ??
    findPlacesProblem(around(question), places, context) ??
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

function around({ lat, lon, radius }: NearbyQuestion): Parameters<typeof findPlacesProblem>[0] {
  return { lat, lon, radius: Math.min(radius, PLAN.radius_max), types: SERVICE_TYPES };
}

/** Places are counted and paged with the rest, but no features of GeoJSON. */
function pageProblem(question: NearbyQuestion, meta: Json, shown: number): string | null {
  const total = meta["total"] as number;
  const limit = Math.min(question.limit, PLAN.limit_max);
  const wanted = Math.max(0, Math.min(limit, total - question.offset));
  const hidden = question.format === "geojson" && question.include.includes("places");
  return shown === wanted || (hidden && shown < wanted)
    ? null
    : `${shown} items of ${total} at offset ${question.offset}, limit ${limit}`;
}

function familyProblem(
  { include, modes }: NearbyQuestion,
  items: readonly Item[],
  others: { places: readonly unknown[]; alerts: readonly unknown[] },
): string | null {
  const family = items.find((item) => !include.includes(`${item.kind}s`));
  if (family !== undefined) return `a ${family.kind} that was not asked for`;
  for (const [name, found] of Object.entries(others))
    if (found.length > 0 && !include.includes(name)) return `${name} not asked for`;
  const other = items.find((item) => item.mode !== null && !modes.includes(item.mode));
  return other === undefined ? null : `mode ${other.mode} was not asked for`;
}

/** `uncounted`: lines and alerts; null when the form does not show them. */
function statusProblem(
  question: NearbyQuestion,
  meta: Json,
  uncounted: number | null,
): string | null {
  const { status, message, total } = meta as { status: string; message?: string; total: number };
  if ((message !== undefined) !== (status !== "success")) return `message beside ${status}`;
  const { include } = question;
  const hidden = uncounted === null && (include.includes("alerts") || include.includes("lines"));
  if (status === "empty" && total + (uncounted ?? 0) > 0) return "empty with results";
  if (status === "success" && total + (uncounted ?? 0) === 0 && !hidden)
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
