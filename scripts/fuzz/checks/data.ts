/** A 200 that carries data: its form, its reuse, then its meaning. */
import { headerOf, type Reply } from "../client.ts";
import type { Expectation, Question } from "../oracle/judge.ts";
import { findGeocodingProblem, type GeocodingAnswer } from "./geocoding.ts";
import { mimeOf } from "./headers.ts";
import { countUnknown, itemsOf, placesOf } from "./items.ts";
import { findNearbyProblem } from "./nearby.ts";
import { countUnreported, type PlacesContext } from "./places.ts";
import type { Checked, Seen, Served } from "./reply.ts";
import { findServicesProblem, type ServicesAnswer } from "./services.ts";
import { countUnstated } from "./stations.ts";
import { findTransportProblem, type TransportAnswer } from "./transport.ts";

type Json = Record<string, unknown>;

/** What it says of itself, and what is in it. */
const NOTHING: Seen = { code: null, answer: null, items: 0, unknown: 0 };

export function checkData(
  served: Served,
  reply: Reply,
  { path, question }: Expectation,
  { text, body }: { text: string; body: Json },
): Checked {
  const failed = (problem: string | null): Checked => ({ problem, seen: NOTHING });
  const geojson = question?.kind === "nearby" && question.format === "geojson";
  const type = geojson ? "application/geo+json" : "application/json";
  if (mimeOf(reply) !== type) return failed(`content-type is ${mimeOf(reply)}, not ${type}`);
  const broken = served.schemas.problem({ path: path!, status: 200, type }, body);
  if (broken !== null) return failed(broken);
  const cache = headerOf(reply, "cache-control") ?? "";
  if (path === "/health") return failed(cache === "no-store" ? null : `Cache-Control is ${cache}`);
  const link = headerOf(reply, "link") ?? "";
  if (!link.includes('</v1/sources>; rel="license"')) return failed(`Link is ${link}`);
  // An escaped quotation mark before another one ends a text; two alone are an empty one.
  if (/(?<!\\)""/.test(text)) return failed('something unknown is told as ""');
  if (question === null) return failed(cacheProblem(cache, false));
  const { problem, seen, uncached } = understand(question, body, served.places);
  return { problem: cacheProblem(cache, uncached) ?? problem, seen: { ...NOTHING, ...seen } };
}

type Understood = {
  problem: string | null;
  seen: Partial<Seen>;
  /** Diagnostics and what is incomplete are never reused. */
  uncached: boolean;
};

function understand(question: Question, body: Json, context: PlacesContext): Understood {
  switch (question.kind) {
    case "nearby": {
      const items = itemsOf(body, question.format === "geojson");
      const { status } = (body["meta"] ?? body) as { status: string };
      return {
        problem: findNearbyProblem(question, body, context),
        seen: {
          ...{ answer: status, unknown: countUnknown(items) },
          items: items.length + placesOf(body).length,
        },
        uncached: question.debug || status === "partial",
      };
    }
    case "geocoding": {
      const answer = body as GeocodingAnswer;
      const { length } = answer.results;
      return {
        problem: findGeocodingProblem(question, answer),
        seen: { answer: length === 0 ? "nothing" : "found", items: length },
        uncached: false,
      };
    }
    case "transport": {
      const answer = body as TransportAnswer;
      const { status, results } = answer;
      const { stations } = results;
      return {
        problem: findTransportProblem(question, answer, context.stations),
        seen: { answer: status, items: stations.length, unknown: countUnstated(stations) },
        uncached: question.debug || status === "partial",
      };
    }
    default: {
      const answer = body as ServicesAnswer;
      const { status, results } = answer;
      return {
        problem: findServicesProblem(question, answer, context),
        seen: { answer: status, items: results.length, unknown: countUnreported(results) },
        uncached: question.debug || status === "partial",
      };
    }
  }
}

/** Complete and anonymous: shared caches may keep it for at most 30 s; else nobody may. */
function cacheProblem(cache: string, never: boolean): string | null {
  if (never) return cache === "no-store" ? null : `Cache-Control is ${cache}, not no-store`;
  const seconds = Number(/^public, max-age=(\d+)$/.exec(cache)?.[1] ?? NaN);
  return seconds <= 30 ? null : `Cache-Control is ${cache}`;
}
