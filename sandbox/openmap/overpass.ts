// Overpass itself: a query in, elements out, refusals as HTML pages (places.md 2.6).
import { rfc3339 } from "../gbfs/context.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { byTypeAndId, isNearCity, type Sheet } from "./elements.ts";
import { type Element, printed } from "./element.ts";
import { isInside, parseQuery, type Query, type Statement } from "./query.ts";

const COPYRIGHT =
  "The data included in this document is from www.openstreetmap.org. The data is made available under ODbL.";

/** The database lags behind the mappers. */
const LAG_S = 90;
/** A city takes no time; a question about a continent exceeds ten seconds. */
const KM2_PER_S = 25_000;

/** The query of a request: `data` in the form or in the address. */
export const queryTextOf = ({ method, body, query }: SandboxRequest): string | null =>
  method === "POST" ? new URLSearchParams(body).get("data") : query.get("data");

/** Names that libraries give themselves, or none: refused since April 2026. */
const STOCK_AGENT = /^\s*((node|undici|node-fetch|axios|got)(\/[\w.]+)?)?\s*$/i;
export const isStockAgent = (agent: string | undefined): boolean => STOCK_AGENT.test(agent ?? "");

export function answerQuery(text: string | null, sheets: readonly Sheet[], now_ms: number): Reply {
  if (text === null) return answerPage(400, "Error", "line 1: parse error: empty query");
  const parsed = parseQuery(text);
  if (!("query" in parsed))
    return answerPage(400, "Error", `line ${parsed.line}: parse error: ${parsed.error}`);
  return answerElements(parsed.query, sheets, now_ms);
}

function answerElements(query: Query, sheets: readonly Sheet[], now_ms: number): Reply {
  const match = select(query, sheets);
  const late = workOf(query) > query.timeout_s * KM2_PER_S;
  const document = (elements: readonly Element[], remark?: string): unknown => ({
    version: 0.6,
    generator: "Overpass API 0.7.62.8 e802775f",
    osm3s: {
      timestamp_osm_base: rfc3339(Math.floor(now_ms / 60_000) * 60 - LAG_S),
      copyright: COPYRIGHT,
    },
    elements: elements.map(print),
    ...(remark === undefined ? {} : { remark: `runtime error: ${remark}` }),
  });
  if (late) {
    const half = match.slice(0, Math.floor(match.length / 2));
    const when = `line 4 after ${query.timeout_s} seconds.`;
    return answerJson(200, document(half, `Query timed out in "query" at ${when}`));
  }
  const reply = answerJson(200, document(match));
  if (reply.body.length <= query.maxsize_bytes) return reply;
  const remark = `Query ran out of memory in "query" at line 4. It would need at least ${Math.ceil(reply.body.length / 1048576)} MB of RAM to continue.`;
  return answerJson(200, document([], remark));
}

function select({ statements, limit }: Query, sheets: readonly Sheet[]): Element[] {
  const matches = new Set<Element>();
  for (const statement of statements)
    for (const element of candidates(statement, sheets))
      if (isHit(statement, element)) matches.add(element);
  const sorted = [...matches].toSorted(byTypeAndId);
  return limit === null ? sorted : sorted.slice(0, limit);
}

const candidates = ({ area }: Statement, sheets: readonly Sheet[]): readonly Element[] =>
  sheets
    .filter((sheet) => area.kind === "box" || isNearCity(sheet, area.at, area.radius_m))
    .flatMap(({ elements }) => elements);

/** Tags first: they are cheaper than distances. */
const isHit = ({ filters, area }: Statement, element: Element): boolean =>
  filters.every((filter) => filter(element.tags)) && isInside(area, element);

function workOf({ statements }: Query): number {
  const works = statements.map(({ area }) => {
    if (area.kind === "around") return Math.PI * (area.radius_m / 1000) ** 2;
    const [south, west, north, east] = area.box;
    const wide = east >= west ? east - west : east - west + 360;
    return (north - south) * wide * 12_000 * Math.cos((((north + south) / 2) * Math.PI) / 180);
  });
  return works.reduce((sum, work) => sum + work, 0);
}

/** Nodes have their place, all else the middle of its box. */
function print({ type, id, lat, lon, tags }: Element): unknown {
  const at = { lat: printed(lat, id % 10), lon: printed(lon, (id + 3) % 10) };
  return type === "node" ? { type, id, ...at, tags } : { type, id, center: at, tags };
}

/** Answers a page as dispatcher and parser write them. */
export function answerPage(status: number, kind: string, text: string): Reply {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const page = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">',
    "<head>",
    '  <meta http-equiv="content-type" content="text/html; charset=utf-8" lang="en"/>',
    "  <title>OSM3S Response</title>",
    "</head>",
    "<body>",
    "",
    `<p>${COPYRIGHT}</p>`,
    `<p><strong style="color:#FF0000">${kind}</strong>: ${safe} </p>`,
    "",
    "</body>",
    "</html>",
    "",
  ].join("\n");
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: Buffer.from(page),
  };
}
