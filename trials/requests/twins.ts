/**
 * Pairs of requests whose answers must agree: HEAD and GET, compressed and plain, a request and the
 * same again, a shorter list and a longer one, a page and the next, the same question in other words,
 * fewer modes and more, a smaller circle and a larger one, lines and the stations that they stop at;
 * on foot, the way back, and more time.
 */
import type { Dice } from "../dice.ts";
import { MOST_LINES, toNearby, TRANSPORT_MODES } from "./laws/nearby.ts";
import type { ServicesAnswer } from "./laws/places.ts";
import { providersOf, type TransitStation, type TransportAnswer } from "./laws/transit.ts";
import {
  ask,
  bodyOf,
  type Json,
  type Kind,
  meta,
  type Pair,
  pathOf,
  plain,
  replace,
  text,
} from "./pairs.ts";
import type { ApiRequest } from "./requests.ts";
import { ON_FOOT, sameWays, WALK_TWINS } from "./walk-twins.ts";
import type { Expectation, Question } from "./verdict.ts";
import { headerOf, readJson, readText, type Reply } from "./wire.ts";

const MOST = 200;
/** How far the pin of another provider may be away, a few times over. */
const FRINGE_M = 400;
const CLOSE_M = 1000;
const SEARCHES = ["getServicesNearby", "getParkingNearby", "getChargingNearby"];
const LISTS = ["getNearby", "getTransportNearby", ...SEARCHES];

const isNotPotable = ({ attributes }: ServicesAnswer["results"][number]): boolean =>
  (attributes as { drinking_water?: string }).drinking_water === "no";
const TRANSPORT = "/v1/transport/nearby";

const KINDS: Readonly<Record<string, Kind>> = {
  ...WALK_TWINS,
  head: {
    of: null,
    pair: (request) => [request, { ...request, method: "HEAD" }],
    problem: (get, head) => {
      const stable = ({ status, headers }: Reply): string =>
        [
          String(status),
          ...headers.filter(([name]) => !VOLATILE.includes(name)).map((one) => one.join(": ")),
        ].join("\n");
      return stable(get) === stable(head)
        ? null
        : `HEAD says\n${stable(head)}\nGET\n${stable(get)}`;
    },
  },
  coding: {
    of: null,
    pair: (request, { lat }) => {
      const one = plain(request);
      const coding = lat > 45 ? "gzip" : "br";
      return [one, { ...one, headers: { ...one.headers, "accept-encoding": coding } }];
    },
    problem: (one, packed) => {
      const coding = headerOf(packed, "content-encoding");
      const isLarge = one.body.length > 1024 && one.status === 200;
      if ((coding !== undefined) !== isLarge) return `${one.body.length} bytes came as ${coding}`;
      return essence(one) === essence(packed) ? null : "the compressed body says something else";
    },
  },
  again: {
    of: null,
    pair: (request) => [plain(request), plain(request)],
    problem: (one, other) =>
      essence(one) === essence(other) ? null : "asked again: another answer",
  },
  longer: {
    of: LISTS,
    pair: (request, { lat }) => {
      const [few, many] = lat > 45 ? [2, 7] : [5, 200];
      return [replace(request, { limit: few }), replace(request, { limit: many })];
    },
    problem: (one, other) => {
      const [few, many] = [bodyOf(one), bodyOf(other)];
      if (!few || !many)
        return `${one.status} with a small limit, ${other.status} with a larger one`;
      const count = ["total", "summary", "status"].find(
        (name) => text(meta(few)[name]) !== text(meta(many)[name]),
      );
      if (count !== undefined)
        return `${count} is ${text(meta(few)[count])}, then ${text(meta(many)[count])}`;
      const longer = listsOf(many);
      const other_list = Object.entries(listsOf(few)).find(([name, list]) => {
        const [some, others] = sameWays(list, longer[name]!.slice(0, list.length));
        return text(some) !== text(others);
      });
      return other_list ? `${other_list[0]} begins otherwise when the limit is larger` : null;
    },
  },
  pages: {
    of: ["getNearby"],
    pair: (request, { lat, lon, applied, values }) => {
      const base = { lat, lon, radius: applied.radius, modes: values["modes"] };
      const page = (offset: number, limit: number): ApiRequest =>
        ask(request, pathOf(request), { ...base, include: "stations,lines,alerts", offset, limit });
      return [page(0, 3), page(3, 4)];
    },
    problem: (one, other) => {
      const [first, next] = [bodyOf(one), bodyOf(other)];
      if (!first || !next) return `${one.status} on a page, ${other.status} on the next`;
      const [a, b] = [toNearby(first), toNearby(next)];
      const whole = ({ total, status, lines, alerts }: typeof a): string =>
        text([total, status, lines, alerts]);
      if (whole(a) !== whole(b)) return `a page says\n${whole(a)}\nthe next one\n${whole(b)}`;
      const both = a.items.find(({ id }) => b.items.some((item) => item.id === id));
      return both === undefined ? null : `${both.id} is on two pages`;
    },
  },
  "whole and pages": {
    of: ["getNearby"],
    pair: (request) => [
      replace(request, { offset: 2, limit: 3, format: "json" }),
      replace(request, { offset: 0, limit: 5, format: "json" }),
    ],
    problem: (page, whole) => {
      const [a, b] = [bodyOf(page), bodyOf(whole)];
      if (!a || !b) return `${page.status} and ${whole.status}`;
      const ids = (body: Json): string[] => {
        const { items, places } = toNearby(body);
        return [...items, ...places].map(({ id }) => id);
      };
      const missing = ids(a).find((id) => !ids(b).includes(id));
      return missing === undefined ? null : `${missing} is on a page, and not in the whole`;
    },
  },
  "larger circle": {
    of: ["getNearby"],
    pair: (request, { lat, lon, values }) => {
      const base = { lat, lon, modes: values["modes"], limit: 100 };
      return [
        ask(request, pathOf(request), { ...base, radius: 150 }),
        ask(request, pathOf(request), { ...base, radius: 300 }),
      ];
    },
    problem: (near, far) => {
      const [a, b] = [bodyOf(near), bodyOf(far)];
      if (!a || !b) return `${near.status} close by, ${far.status} wide`;
      const [close, wide] = [toNearby(a), toNearby(b)];
      const inside = wide.items.filter(({ distance }) => distance <= 150);
      const isCut = wide.total > 100;
      const ids = (items: readonly { id: string }[]): string =>
        items
          .map(({ id }) => id)
          .toSorted()
          .join(" ");
      return isCut || ids(close.items) === ids(inside)
        ? null
        : `within 150 m: ${close.items.length}, of a wider circle ${inside.length}`;
    },
  },
  "fewer modes nearby": {
    of: ["getNearby"],
    pair: (request, { lat, lon, values, applied }) => {
      const base = { lat, lon, radius: applied.radius, include: "vehicles", limit: 100 };
      return [
        ask(request, pathOf(request), { ...base, modes: values["modes"] }),
        ask(request, pathOf(request), base),
      ];
    },
    problem: (few, all, { values }) => {
      const [a, b] = [bodyOf(few), bodyOf(all)];
      if (!a || !b) return `${few.status} with modes, ${all.status} with all`;
      const [some, every] = [toNearby(a), toNearby(b)];
      const wanted = every.items.filter(({ mode }) =>
        (values["modes"] as string[]).includes(mode ?? ""),
      );
      const ids = ({ length }: { length: number }, items: readonly { id: string }[]): string =>
        items
          .slice(0, length)
          .map(({ id }) => id)
          .join(" ");
      const isCut = every.total > 100;
      return ids(wanted, some.items) === ids(wanted, wanted) &&
        (isCut || some.total === wanted.length)
        ? null
        : `${some.total} with modes, ${wanted.length} of all that have them`;
    },
  },
  /** Contract 4.6: the same adapter. Decisions: either token finds drinking points and fountains. */
  "other way": {
    of: SEARCHES,
    pair: (request, { lat, lon, applied, values, operation }) => {
      const around = { lat, lon, radius: applied.radius, limit: 20 };
      const services = (types: string): ApiRequest =>
        ask(request, "/v1/services/nearby", { types, ...around });
      const types = values["types"] as string[] | undefined;
      if (types && !types.includes("parking") && !types.includes("charging"))
        return [services("fountain"), services("drinking_water")];
      const kind =
        types?.includes("parking") || operation === "getParkingNearby" ? "parking" : "charging";
      return [ask(request, `/v1/${kind}/nearby`, around), services(kind)];
    },
    problem: (one, other) => {
      const bodies = [one, other].map((reply) => bodyOf(reply) as ServicesAnswer | null);
      // What is known not to be potable is no answer to a question for drinking water.
      if (bodies.some((body) => body?.results.some(isNotPotable))) return null;
      const [a, b] = [one, other].map((reply, i) => {
        const body = bodies[i];
        const places = body?.results.map((place) => ({ ...place, service_type: null }));
        return text([reply.status, body?.status, body?.total, places]);
      });
      return a === b ? null : `asked one way\n${a}\nasked the other\n${b}`;
    },
  },
  reworded: {
    of: ["getTransportNearby"],
    pair: (request, { lat, lon, applied, values }) => {
      const modes = values["modes"] as string[];
      const isNamed = values["providers"] !== undefined;
      const turned = {
        ...(isNamed && { providers: providersOf({ values } as Question).toReversed() }),
        modes: [...modes.toReversed(), modes[0]],
      };
      const language = values["language"] === undefined ? {} : { language: values["language"] };
      const onFoot = Object.fromEntries(
        ON_FOOT.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
      );
      if (onFoot["walk"] === false) delete onFoot["walk"];
      return [
        replace(request, { debug: false }),
        ask(request, TRANSPORT, {
          lng: lon,
          lat,
          ...applied,
          ...turned,
          ...language,
          ...onFoot,
          realtime: true,
        }),
      ];
    },
    problem: (one, other) => differ(one, other, "asked the other way round", () => true),
  },
  "fewer modes": {
    of: ["getTransportNearby"],
    pair: (request, question) => {
      const { lat, lon, applied, values } = question;
      const base = {
        lat,
        lon,
        radius: Math.max(applied.radius, CLOSE_M),
        providers: providersOf(question),
        limit: MOST,
      };
      return [
        ask(request, TRANSPORT, { ...base, modes: values["modes"] }),
        ask(request, TRANSPORT, { ...base, modes: TRANSPORT_MODES }),
      ];
    },
    problem: (few, all, { values }) => {
      const [some, every] = [few, all].map((reply) => bodyOf(reply) as TransportAnswer | null);
      if (!some || !every) return `${few.status} with modes, ${all.status} with all`;
      const modes = values["modes"] as string[];
      const wanted = every.results.stations.filter((one) =>
        one.modes.some((mode) => modes.includes(mode)),
      );
      const isCut = every.total > MOST;
      const input = isCut ? some.results.stations.slice(0, wanted.length) : some.results.stations;
      if (!isCut && some.total !== wanted.length)
        return `${some.total} with modes=${modes.join(",")}, ${wanted.length} of all that have them`;
      return stationsText(input) === stationsText(wanted)
        ? null
        : `modes=${modes.join(",")}: others`;
    },
  },
  closer: {
    of: ["getTransportNearby"],
    pair: (request, question) => {
      const { lat, lon } = question;
      const base = {
        lat,
        lon,
        modes: TRANSPORT_MODES,
        providers: providersOf(question),
        limit: MOST,
      };
      return [
        ask(request, TRANSPORT, { ...base, radius: CLOSE_M }),
        ask(request, TRANSPORT, { ...base, radius: 2 * CLOSE_M }),
      ];
    },
    problem: (one, other, question) => {
      // Near the edge a station that several know may be one of them alone.
      const providers = providersOf(question);
      const isAlone = providers.length === 1 && providers[0] !== "gtfs";
      const bound = CLOSE_M - (isAlone ? 0 : FRINGE_M);
      return differ(one, other, `within ${bound} m`, (station) => station.distance_meters < bound);
    },
  },
  lines: {
    of: ["getNearby"],
    pair: (request, { lat, lon, applied }) => {
      const around = { lat, lon, radius: applied.radius };
      return [
        ask(request, "/v1/nearby", { ...around, include: "lines" }),
        ask(request, TRANSPORT, {
          ...around,
          providers: "gtfs",
          modes: TRANSPORT_MODES,
          limit: MOST,
        }),
      ];
    },
    problem: (nearby, transport) => {
      const [body, other] = [bodyOf(nearby), bodyOf(transport) as TransportAnswer | null];
      if (!body || !other) return `${nearby.status}, ${transport.status}`;
      const { lines } = toNearby(body);
      const { stations } = other.results;
      const ids = new Set(stations.map(({ id }) => id));
      const strange = lines.find((line) => line.station_ids.some((id) => !ids.has(id)));
      if (strange !== undefined && other.total === stations.length)
        return `${strange.id} stops at a station that is not shown`;
      const lineOf = new Map(lines.map((line) => [line.id, line]));
      for (const { id, routes, sources } of stations) {
        const [only, ...others] = sources;
        // A result of several feeds has the id of one of them.
        if (others.length > 0 || lines.length === MOST_LINES) continue;
        const missed = routes.find(
          (route) => !lineOf.get(`${only!.feed_id}:${route.id}`)?.station_ids.includes(id),
        );
        if (missed !== undefined) return `no line says that ${missed.id} stops at ${id}`;
      }
      return null;
    },
  },
};
export const TWINS: readonly string[] = Object.keys(KINDS);

/** A kind of pair that fits the request; null: there is none. */
export function pickTwin(
  request: ApiRequest,
  { question, operation, verdicts }: Expectation,
  dice: Dice,
): string | null {
  const isSteady =
    request.method === "GET" && !["getMe", "getHealth"].includes(operation?.id ?? "");
  if (!isSteady || question === null || verdicts[0]?.status !== 200 || verdicts.length > 1)
    return null;
  const own = TWINS.filter((name) => KINDS[name]!.of?.includes(question.operation));
  const common = TWINS.filter((name) => KINDS[name]!.of === null);
  return dice.pick(own.length > 0 && dice.chance(0.75) ? own : common);
}

export function makeTwin(kind: string, request: ApiRequest, question: Question): Pair {
  return KINDS[kind]!.pair(request, question);
}

export function findTwinProblem(
  kind: string,
  [one, other]: readonly Reply[],
  question: Question,
): string | null {
  return KINDS[kind]!.problem(one!, other!, question);
}

/** These are of the moment or of the request: the second of two has one less left. */
const VOLATILE = ["date", "x-request-id", "ratelimit"];

function listsOf(body: Json): Record<string, unknown[]> {
  const results = body["results"] ?? { features: body["features"] };
  return Array.isArray(results) ? { results } : (results as Record<string, unknown[]>);
}

/** Diagnostics state how long they took, and geocoding whether its answer was cached. */
function essence(reply: Reply): string {
  const body = readJson(readText(reply) ?? "");
  if (body === undefined || body === null || Array.isArray(body)) return text([reply.status, body]);
  const { debug: _, time: __, ...rest } = body as Json;
  const entry = JSON.stringify(rest, (name, value: unknown) =>
    name === "cache" || name === "debug" ? undefined : value,
  );
  return `${reply.status} ${entry}`;
}

/** Rental systems are read repeatedly. */
const stationsText = (stations: readonly TransitStation[]): string =>
  text(stations.map((one) => ({ ...one, freshness: null })));

function differ(
  one: Reply,
  other: Reply,
  how: string,
  keep: (station: TransitStation) => boolean,
): string | null {
  const [a, b] = [one, other].map((reply) => bodyOf(reply) as TransportAnswer | null);
  if (!a || !b) return `${one.status} and ${other.status} ${how}`;
  const [some, others] = [a.results.stations.filter(keep), b.results.stations.filter(keep)];
  if (stationsText(some) === stationsText(others)) return null;
  return `${how}: ${some.length} against ${others.length} stations`;
}
