/** What is near a coordinate, and why its stations are what they are. */
import { AskError, bodyOf, clientFor, print, serverUrl, URL_OPTION } from "#cli/ask.ts";
import { type Command, exitOf, SEARCH_EXITS, toPoint } from "#cli/command.ts";
import { formatExplained } from "#cli/print/explain.ts";
import { formatNearby } from "#cli/print/print-nearby.ts";
import { optionsOf, queryOf } from "#cli/search.ts";
import { NEARBY_PARAMETERS, type NearbyBodyValue } from "#api/nearby.ts";

export const nearby: Command = {
  name: "nearby",
  summary: "ask what is near a coordinate and print it as a table",
  positionals: ["LAT,LON"],
  options: {
    ...optionsOf(NEARBY_PARAMETERS),
    url: URL_OPTION,
  },
  examples: [
    "vicinity nearby 48.8566,2.3522",
    "vicinity nearby -33.9249,18.4241 --modes bicycle --limit 10",
  ],
  exits: SEARCH_EXITS,
  run: async (parsed, context) => {
    const query = { ...toPoint(parsed), ...queryOf(parsed, NEARBY_PARAMETERS) };
    const reply = await clientFor(parsed, context).nearby(query);
    const body = bodyOf(reply, serverUrl(parsed, context));
    if (!Array.isArray(body.results?.stations)) throw new AskError("the answer has no results");
    const { offset = 0, sort } = query;
    const is_on_foot = sort === "walk";
    print(parsed, context, {
      json: body,
      table: (on) => formatNearby(body, { ...on, offset, is_on_foot }),
    });
    return exitOf(body.status, foundIn(body));
  },
};

/** Lines and alerts are not in `total`. */
function foundIn({ total, results }: NearbyBodyValue): number {
  return total + results.lines.length + results.alerts.length;
}

const { radius, modes, limit } = NEARBY_PARAMETERS;
const EXPLAINED = { radius, modes, limit };

export const explain: Command = {
  name: "explain",
  summary: "show who observes each station near a coordinate, and why they are one or not",
  positionals: ["LAT,LON"],
  options: {
    ...optionsOf(EXPLAINED),
    url: URL_OPTION,
  },
  examples: ["vicinity explain 48.8566,2.3522", "vicinity explain 52.52,13.405 --radius 150"],
  run: async (parsed, context) => {
    const reply = await clientFor(parsed, context).nearby({
      ...toPoint(parsed),
      include: "stations",
      debug: true,
      ...queryOf(parsed, EXPLAINED),
    });
    const body = bodyOf(reply, serverUrl(parsed, context));
    if (!body.debug) throw new AskError("the answer explains nothing: it has no debug block");
    const { entities, resolution } = body.debug;
    return print(parsed, context, {
      json: { resolution, entities },
      table: ({ paint }) => formatExplained(body, paint),
    });
  },
};
