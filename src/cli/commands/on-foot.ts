/** Ways on foot: one way, and what can be reached. */
import { AskError, bodyOf, clientFor, print, serverUrl, toJsonText, URL_OPTION } from "#cli/ask.ts";
import {
  type Command,
  exitOf,
  type OptionRule,
  type Parsed,
  SEARCH_EXITS,
  textOption,
  toPoint,
  UsageError,
} from "#cli/command.ts";
import type { On } from "#cli/print/print-answer.ts";
import { formatReach, formatWay } from "#cli/print/print-reach.ts";
import { optionsOf, queryOf } from "#cli/search.ts";
import { REACH_PARAMETERS } from "#api/reach.ts";
import { WAY_PARAMETERS } from "#api/way.ts";
import { toReachCollection, toWayFeature } from "#app/walk/walk-geojson.ts";

const FORMAT: OptionRule = {
  value: "TEXT",
  help: "geojson: what can be drawn, in place of a table",
};
const { from: _from, to: _to, ...PACE } = WAY_PARAMETERS;

export const walk: Command = {
  name: "walk",
  summary: "show the way on foot from one coordinate to another: minutes, metres, steps",
  positionals: ["FROM", "TO"],
  options: { ...optionsOf(PACE), format: FORMAT, url: URL_OPTION },
  examples: [
    "vicinity walk 48.8566,2.3522 48.8606,2.3376",
    "vicinity walk 48.8566,2.3522 48.8606,2.3376 --profile step_free --format geojson",
  ],
  exits: ["3 when nothing is known of the streets there."],
  run: async (parsed, context) => {
    const [from, to] = parsed.positionals.map((_, i) => toText(toPoint(parsed, i)));
    const query = { from: from!, to: to!, ...queryOf(parsed, PACE) };
    const isDrawn = wantsGeoJson(parsed);
    const reply = await clientFor(parsed, context).walk(query);
    const body = bodyOf(reply, serverUrl(parsed, context));
    if (!("geometry" in body)) throw new AskError("the answer has no way");
    const table = (on: On): string =>
      isDrawn ? toJsonText(toWayFeature(body)) : formatWay(body, on);
    print(parsed, context, { json: isDrawn ? toWayFeature(body) : body, table });
    return exitOf(body.status, body.meters === null ? 0 : 1);
  },
};

export const reach: Command = {
  name: "reach",
  summary: "count what can be reached on foot within some minutes, and name the nearest",
  positionals: ["LAT,LON"],
  options: { ...optionsOf(REACH_PARAMETERS), format: FORMAT, url: URL_OPTION },
  examples: [
    "vicinity reach 48.8566,2.3522 --minutes 10",
    "vicinity reach 52.52,13.405 --minutes 5 --families toilets,transit --format geojson",
  ],
  exits: SEARCH_EXITS,
  run: async (parsed, context) => {
    const { minutes, ...wish } = queryOf(parsed, REACH_PARAMETERS);
    const isDrawn = wantsGeoJson(parsed);
    if (minutes === undefined) throw new UsageError("reach needs --minutes, 1 to 30");
    const reply = await clientFor(parsed, context).reach({ ...toPoint(parsed), minutes, ...wish });
    const body = bodyOf(reply, serverUrl(parsed, context));
    if (typeof body.reached !== "object") throw new AskError("the answer says nothing of reach");
    const found = Object.values(body.reached).reduce((sum, each) => sum + (each?.count ?? 0), 0);
    const table = (on: On): string =>
      isDrawn ? toJsonText(toReachCollection(body)) : formatReach(body, on);
    print(parsed, context, { json: isDrawn ? toReachCollection(body) : body, table });
    return exitOf(body.status, found);
  },
};

function toText({ lat, lon }: { lat: number; lon: number }): string {
  return `${lat},${lon}`;
}

/** Whether GeoJSON is asked for in place of a table. */
function wantsGeoJson(parsed: Parsed): boolean {
  const format = textOption(parsed, "format");
  if (format === undefined || format === "geojson") return format !== undefined;
  throw new UsageError(`--format: expected geojson, got ${JSON.stringify(format)}`);
}
