import { AskError, URL_OPTION, bodyOf, clientFor, print, serverUrl } from "#cli/ask.ts";
import { toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatExplained } from "#cli/print/explain.ts";
import { optionsOf, queryOf } from "#cli/search.ts";
import { NEARBY_PARAMETERS } from "#api/nearby.ts";

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
