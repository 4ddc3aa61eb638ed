/** find_departures: around a point or of one station, now or at another time, in brief. */
import { SHOWN } from "#api/agent-results.ts";
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import { fromSources, transitSource } from "../answer-sources.ts";
import { toBriefDeparture } from "../brief.ts";
import { toDepartureNotices } from "../departure-notices.ts";
import { toFootQuestion, toLeave } from "../on-foot.ts";
import type { AnswerOf, ArgumentsOf, Refused, RunTool, ToolCall, ToolDeps } from "../tool.ts";
import { toInput, toListOutcome } from "./places-tool.ts";

type Args = ArgumentsOf<"find_departures">;
type Nearby = ReplyAt<"/v1/departures/nearby">;
type Departure = Nearby["results"]["departures"][number];
/** An answer of either operation, as the tool shows it. */
type Found = Omit<Nearby, "radius"> & { radius?: number };

const { limit_max: limit } = LIMITS.departures;

export function createFindDepartures(deps: ToolDeps): RunTool<"find_departures"> {
  return async (args, query) => {
    const { station_id } = args;
    // Without a point both are absent (mcp/near).
    const hasPoint = (args.lat as number | undefined) !== undefined;
    if (hasPoint === (station_id !== undefined)) return refuse(ONE_PLACE);
    const answered = await (station_id === undefined
      ? askNearby(deps, args, query)
      : askStation(deps, { ...args, station_id }, query));
    if ("kind" in answered) return answered;
    const { reply, body } = answered;
    const { results } = body;
    const page = { offset: args.offset, most: Math.min(args.limit, SHOWN.departures_max) };
    const paged = results.departures.slice(page.offset, page.offset + page.most);
    const listed = await toListOutcome(deps, query, reply, {
      body,
      found: { ...toFound(body), ...toDepartureNotices(paged, results.alerts) },
      results: results.departures,
      page,
      foot: { profile: args.profile },
      toShown: (each: Departure) => {
        const brief = { ...toBriefDeparture(each), ...toLeave(each) };
        return fromSources(brief, each.sources.map(transitSource));
      },
    });
    const { metered, ...outcome } = listed;
    const operation = station_id === undefined ? "getDeparturesNearby" : "getStationDepartures";
    return { ...outcome, requested: [{ operation, metered }] };
  };
}

const ONE_PLACE = "arguments must have near, or lat and lon, or station_id, and one of these alone";

function refuse(message: string): Refused {
  return { kind: "refused", charged: false, code: "invalid_request", message };
}

async function askNearby({ searches }: ToolDeps, args: Args, query: ToolCall) {
  const { offset: _, station_id: __, ...wish } = args;
  const { walk, speed } = toFootQuestion(args);
  const question = { ...wish, walk, speed, limit, language: undefined, debug: false };
  const reply = await searches.departures.nearby(toInput(question, query));
  return "kind" in reply ? refuse(reply.message) : { reply, body: reply.body as Found };
}

async function askStation(
  { searches }: ToolDeps,
  args: Args & { station_id: string },
  query: ToolCall,
) {
  const { within, at, first, last, toward, modes, lines, station_id } = args;
  const time = { within, at, first, last, toward };
  const what = { station_id, arrivals: false, modes, lines, limit };
  const question = { ...time, ...what, language: undefined, debug: false };
  const reply = await searches.departures.station(toInput(question, query));
  if ("kind" in reply) return { ...refuse(reply.message), code: reply.code };
  const { station, kind: _, ...body } = reply.body;
  return { reply, body: { ...body, query_origin: station.location } as Found };
}

/** The circle and the window of the answer, and how many may not go where they are wanted to. */
function toFound({
  radius,
  window,
  unknown,
}: Found): Pick<AnswerOf<"find_departures">, "radius" | "window" | "unknown"> {
  return {
    ...(radius !== undefined && { radius }),
    window,
    ...(unknown && { unknown }),
  };
}
