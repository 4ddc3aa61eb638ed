/**
 * The bodies of GET /v1/nearby (§2.9, §4.9): JSON, GeoJSON and JSON with `debug`, each a function of
 * the result alone. Only the first is written for speed; the others are made of it.
 */
import type { Coverage } from "#core/coverage.ts";
import { toNoticeJson } from "#core/notices.ts";
import { toFeatureCollection } from "#app/geojson.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { toDebug } from "#app/debug.ts";
import type { NearbyQuestion, NearbyResult } from "#app/answer-types.ts";
import { copyOf, PageRenderer, type UseBody } from "#world/render.ts";

/** Renders the body that the question asked for, and shows it to `use` for the length of the call. */
export type RenderNearby = (result: NearbyResult, use: UseBody) => void;

export const NEARBY_TYPES: Readonly<Record<NearbyQuestion["format"], string>> = {
  json: "application/json",
  geojson: "application/geo+json",
};

/** A renderer with memory of its own (world/render). */
export function createRenderNearby(): RenderNearby {
  const renderer = new PageRenderer();
  return (result, use) => {
    const { format, debug } = result.input.question;
    if (format === "geojson") use(toGeoJson(result, renderer));
    else if (debug) use(toDebugJson(result, renderer));
    else renderJson(result, renderer, use);
  };
}

/** The body of a question that wants JSON, read again. */
export function bodyOf(result: NearbyResult, render: RenderNearby): NearbyBodyValue {
  return parseJsonBytes(copyOf((use) => render(result, use))) as NearbyBodyValue;
}

function renderJson(result: NearbyResult, renderer: PageRenderer, use: UseBody): void {
  const { items, alerts } = result.found;
  renderer.render(items, { before: openingJson(result), alerts: `[${alerts.join()}]` }, use);
}

function toGeoJson(result: NearbyResult, renderer: PageRenderer): Buffer {
  const { debug } = result.input.question;
  const body = JSON.parse(toText(result, renderer)) as NearbyBodyValue;
  const listed = debug ? { ...body, debug: toDebug(result) } : body;
  return Buffer.from(JSON.stringify(toFeatureCollection(listed, result.input.question)));
}

function toDebugJson(result: NearbyResult, renderer: PageRenderer): Buffer {
  const debug = JSON.stringify(toDebug(result));
  return Buffer.from(`${toText(result, renderer).slice(0, -1)},"debug":${debug}}`);
}

function toText(result: NearbyResult, renderer: PageRenderer): string {
  return copyOf((use) => renderJson(result, renderer, use)).toString();
}

/** The answer from its brace to the stations' bracket (§2.9; decisions, Global nearby). */
function openingJson({ input, applied, coverage, found }: NearbyResult): string {
  const { question } = input;
  const warnings = applied.warnings.length ? `,"warnings":${JSON.stringify(applied.warnings)}` : "";
  return (
    `{"status":"${coverage.status}"${messageJson(coverage)},` +
    `"query_origin":{"lat":${question.lat},"lon":${question.lon}},"radius":${applied.radius},` +
    `"total":${found.total}${summaryJson(found)},"requested_radius":${question.radius},` +
    `"requested_limit":${question.limit},"limit":${applied.limit}${warnings}${noticesJson(coverage)}${walkingJson(found)}${nearestJson(found)}${beyondJson(found)},` +
    `"results":{"places":${listJson(found.places)},"lines":${listJson(found.lines)}${zonesJson(found)}${pricesJson(found)},"stations":[`
  );
}

function messageJson({ message }: Coverage): string {
  return message === null ? "" : `,"message":${JSON.stringify(message)}`;
}

function noticesJson({ notices }: Coverage): string {
  return notices.length > 0 ? `,"notices":[${notices.map(toNoticeJson).join()}]` : "";
}

/** Absent unless a filter is set. */
function summaryJson({ unknown }: NearbyResult["found"]): string {
  return unknown === null ? "" : `,"summary":${JSON.stringify(unknown)}`;
}

/** Absent unless asked for. */
function walkingJson({ foot }: NearbyResult["found"]): string {
  return foot === null ? "" : `,"walking":${JSON.stringify(foot.walking)}`;
}

/** Absent unless a filter is set. */
function nearestJson({ nearest_known }: NearbyResult["found"]): string {
  return nearest_known === undefined ? "" : `,"nearest_known":${JSON.stringify(nearest_known)}`;
}

/** Absent where something was found, or nothing that it may be was asked for. */
function beyondJson({ beyond }: NearbyResult["found"]): string {
  return beyond === undefined ? "" : `,"beyond":${JSON.stringify(beyond)}`;
}

/** Absent unless asked for. */
function zonesJson({ zones }: NearbyResult["found"]): string {
  return zones === null ? "" : `,"zones":${JSON.stringify(zones)}`;
}

/** Absent unless asked for. */
function pricesJson({ prices }: NearbyResult["found"]): string {
  return prices === null ? "" : `,"prices":${JSON.stringify(prices)}`;
}

function listJson(items: readonly object[]): string {
  return items.length > 0 ? JSON.stringify(items) : "[]";
}
