/** What an answer of /v1/nearby means (contract 2.9, 4.9; decisions, Global nearby). */
import type { Question } from "../verdict.ts";
import { orderProblem, type Point } from "./geo.ts";
import { ascends, findListProblem, TENTH_M } from "./lists.ts";
import { findPlacesProblem, type Place } from "./places.ts";
import type { Context } from "./context.ts";
import { findWalksProblem, type OnFoot, secondsOf, type Walking } from "./walks.ts";

type Json = Record<string, unknown>;

type Item = {
  kind: "station" | "vehicle" | "place";
  id: string;
  mode: string | null;
  distance: number;
  location: Point;
  actions: Json[];
  availability: Json | null;
  /** Per capability; and whether all flags say yes. */
  states: Json;
  operational: boolean;
  walk: OnFoot["walk"];
};
type Line = { id: string; mode: string; station_ids: string[] };

export type NearbyAnswer = {
  status: string;
  total: number;
  items: readonly Item[];
  places: readonly Place[];
  lines: readonly Line[];
  alerts: readonly unknown[];
  zones: readonly unknown[];
  walking: Walking | undefined;
};

/** GeoJSON gives one feature per station, vehicle and place, in the order of the page. */
export function toNearby(body: Json): NearbyAnswer {
  const isGeo = body["features"] !== undefined;
  const meta = (isGeo ? body["meta"] : body) as Json;
  const results = (isGeo ? meta : body["results"]) as Record<string, Json[] | undefined>;
  const { stations = [], vehicles = [], places = [] } = results;
  const items = isGeo
    ? (body["features"] as Json[]).map((feature) => {
        const [lon, lat] = (feature["geometry"] as { coordinates: number[] }).coordinates;
        return toItem(feature["properties"] as Json, { lat: lat!, lon: lon! });
      })
    : [...stations, ...vehicles].map((one) => toItem(one, null));
  const extra = results as unknown as { lines?: Line[]; alerts?: unknown[]; zones?: unknown[] };
  const { lines = [], alerts = [], zones = [] } = extra;
  return {
    status: String(meta["status"]),
    total: Number(meta["total"]),
    items,
    lines,
    alerts,
    zones,
    places: places as unknown as Place[],
    walking: meta["walking"] as Walking | undefined,
  };
}

function toItem(one: Json, at: Point | null): Item {
  const source = (one["source"] ?? null) as Json | null;
  const state = source ?? one;
  const kind =
    source !== null ? "vehicle" : one["service_type"] !== undefined ? "place" : "station";
  return {
    kind,
    id: (source === null ? one["id"] : one["source_id"]) as string,
    mode: (state["mode"] ?? null) as string | null,
    distance: state["distance_meters"] as number,
    location: at ?? (state["location"] as Point),
    actions: (state["context_actions"] ?? []) as Json[],
    availability: (one["availability"] ?? null) as Json | null,
    walk: state["walk"] as OnFoot["walk"],
    states: (state["action_state"] ?? {}) as Json,
    operational: (state["service_status"] as Json | undefined)?.["state"] === "operational",
  };
}

export function findNearbyProblem(question: Question, body: Json, context: Context): string | null {
  const { items: plain, ...answer } = toNearby(body);
  const { places, walking, total } = answer;
  const items = plain.map((one) => ({ ...one, seconds: secondsOf(question, one) }));
  const onFoot = { walking, results: [...items, ...places], total };
  const around = { ...question, radius: question.applied.radius };
  const isGeo = body["features"] !== undefined;
  const kinds = isGeo ? [] : (["station", "vehicle"] as const);
  return (
    echoProblem(question, body) ??
    pageProblem(question, { ...answer, items }) ??
    familyProblem(question, { ...answer, items }) ??
    linesProblem(answer.lines) ??
    statusProblem(question, body, { ...answer, items }) ??
    items.map(unknownProblem).find((problem) => problem !== null) ??
    // Of two families, the ids of one may be those of the other.
    (isGeo ? orderProblem(items) : null) ??
    kinds
      .map((kind) =>
        findListProblem(
          around,
          items.filter((one) => one.kind === kind),
          TENTH_M,
        ),
      )
      .find((problem) => problem !== null) ??
    (isGeo
      ? findListProblem(
          around,
          items.filter(({ kind }) => kind !== "place"),
          TENTH_M,
        )
      : null) ??
    findPlacesProblem(around, places, context) ??
    findWalksProblem(question, onFoot) ??
    actionsProblem(body, items)
  );
}

/** Checks that parameters are echoed unchanged, and reductions reported exactly when they were made. */
function echoProblem(question: Question, body: Json): string | null {
  const { lat, lon, radius, limit, applied, values } = question;
  const isGeo = body["features"] !== undefined;
  const origin = body["query_origin"] as Point;
  if (origin.lat !== lat || origin.lon !== lon) return `query_origin is ${JSON.stringify(origin)}`;
  const echoed = (isGeo ? body["meta"] : body) as Json;
  const wanted: Json = isGeo
    ? { ...applied, offset: values["offset"] }
    : { ...applied, requested_radius: radius, requested_limit: limit };
  const wrong = Object.keys(wanted).find((name) => echoed[name] !== wanted[name]);
  if (wrong !== undefined)
    return `${wrong} is ${String(echoed[wrong])}, not ${String(wanted[wrong])}`;
  const capped = (["radius", "limit"] as const).filter((name) => applied[name] !== question[name]);
  const warnings = capped.map((name) => `${name}_capped ${question[name]} ${applied[name]}`);
  type Warning = { code: string; requested: number; applied: number };
  const input = ((echoed["warnings"] ?? []) as Warning[]).map(
    (one) => `${one.code} ${one.requested} ${one.applied}`,
  );
  if (input.toSorted().join() !== warnings.toSorted().join())
    return `warnings are ${input.join()}, not ${warnings.join()}`;
  const hasDebug = echoed["debug"] !== undefined;
  return hasDebug === (values["debug"] === true)
    ? null
    : "debug is there exactly when it was not asked for";
}

function pageProblem(question: Question, { items, places, total }: NearbyAnswer): string | null {
  const { values } = question;
  const offset = Number(values["offset"]);
  const listed = items.length + places.length;
  const wanted = Math.max(0, Math.min(question.applied.limit, total - offset));
  return listed === wanted
    ? null
    : `${listed} items of ${total} at offset ${offset}, limit ${question.applied.limit}`;
}

function familyProblem({ values }: Question, answer: NearbyAnswer): string | null {
  const [include, modes] = [values["include"], values["modes"]] as [string[], string[]];
  const family = answer.items.find((item) => !include.includes(`${item.kind}s`));
  if (family !== undefined) return `a ${family.kind} that was not asked for`;
  for (const name of ["places", "alerts", "lines", "zones"] as const)
    if (answer[name].length > 0 && !include.includes(name)) return `${name} not asked for`;
  const other = answer.items.find((item) => item.mode !== null && !modes.includes(item.mode));
  return other === undefined ? null : `mode ${other.mode} was not asked for`;
}

/** Contract 2.8. */
export const TRANSPORT_MODES: readonly string[] = [
  ...["bus", "tram", "metro", "rail", "rapid_transit", "ferry", "coach", "cable_transport"],
  ...["bicycle", "scooter", "car_share", "carpool", "taxi", "rideshare", "demand_responsive"],
  ...["shared_mobility", "other"],
];
export const MOST_LINES = 200;

function linesProblem(lines: readonly Line[]): string | null {
  if (lines.length > MOST_LINES) return `${lines.length} lines`;
  if (!ascends(lines.map(({ id }) => id))) return "lines are not in the order of their ids";
  for (const { id, mode, station_ids } of lines) {
    if (!TRANSPORT_MODES.includes(mode)) return `line ${id} is of the mode ${mode}`;
    if (station_ids.length === 0) return `line ${id} without a station`;
    if (!ascends(station_ids)) return `line ${id}: station_ids ${station_ids.join(" ")}`;
    const other = station_ids.find((one) => !one.startsWith("svc_transport_station_"));
    if (other !== undefined) return `line ${id} stops at ${other}`;
  }
  return null;
}

type Debug = {
  sources: { source_id: string; status: string; reason: string | null }[];
  usage?: { units: number; plan: string };
};

/** Coverage: against what was found, and against what became of the sources. */
function statusProblem(question: Question, body: Json, answer: NearbyAnswer): string | null {
  const meta = (body["meta"] ?? body) as Json;
  const { status, total, lines, alerts, zones, items, places } = answer;
  const match = total + lines.length + alerts.length + zones.length;
  if ((meta["message"] !== undefined) !== (status !== "success")) return `message with ${status}`;
  if (status === "empty" && match > 0) return "empty with results";
  const { prices = [] } = (body["results"] ?? meta) as { prices?: unknown[] };
  if (status === "success" && match + prices.length === 0) return "success without results";
  const debug = meta["debug"] as Debug | undefined;
  if (debug === undefined) return null;
  const failed = debug.sources.find((one) => one.status !== "ok");
  if (failed !== undefined && status !== "partial")
    return `${status}, though ${failed.source_id} is ${failed.status}`;
  const listed = items.length + places.length;
  const units = Math.ceil(listed / 100);
  return debug.usage === undefined || debug.usage.units === units
    ? null
    : `${debug.usage.units} units for ${listed} objects to ${question.caller.key ?? "anonymous"}`;
}

const COUNTS = ["vehicles", "docks", "disabled_vehicles", "disabled_docks", "electric"];

/** Nothing observed: nothing counted; a count and what can be done agree; modes add up. */
function unknownProblem({ id, availability, states, operational }: Item): string | null {
  if (availability === null) return null;
  if (availability["vehicles"] === null && states["pickup"] === "available_now")
    return `${id}: pickup available, though the vehicles are unknown`;
  if (availability["vehicles"] === 0 && operational && states["pickup"] !== "unavailable_now")
    return `${id}: an unknown number of vehicles became none`;
  if (availability["docks"] === 0 && operational && states["return"] !== "unavailable_now")
    return `${id}: an unknown number of docks became none`;
  const counted = COUNTS.find((name) => availability[name] !== null);
  if (availability["observed_at"] === null && counted !== undefined)
    return `${id}: ${counted} of a station that was not observed`;
  const modes = availability["by_mode"] as Record<string, number> | null;
  if (modes === null) return null;
  const sum = Object.values(modes).reduce((all, one) => all + one, 0);
  return sum === availability["vehicles"]
    ? null
    : `${id}: by_mode adds up to ${sum}, not to vehicles`;
}

/** Counts that say "unknown": an answer that knows everything proves nothing. */
export function countUnknown({ items }: NearbyAnswer): number {
  const nulls = ({ availability }: Item): number =>
    availability === null ? 0 : COUNTS.filter((name) => availability[name] === null).length;
  return items.reduce((sum, item) => sum + nulls(item), 0);
}

/** available_actions is the union of what the page's items offer. */
function actionsProblem(body: Json, items: readonly Item[]): string | null {
  const key = ({ id, intent, mode }: Json): string =>
    `${String(id)} ${String(intent)} ${String(mode)}`;
  const offered = new Set(items.flatMap((item) => item.actions.map(key)));
  const listed = (body["available_actions"] as Json[]).map(key);
  if (new Set(listed).size !== listed.length) return "an available action occurs twice";
  const same = listed.length === offered.size && listed.every((one) => offered.has(one));
  return same
    ? null
    : `available_actions ${listed.join("; ")}, items offer ${[...offered].join("; ")}`;
}
