import { SEARCH_EXITS, textOption, toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatStations } from "#cli/print/stations.ts";
import { CIRCLE_OPTIONS, givenOptions, LANGUAGE_OPTION, search } from "#cli/search.ts";

export const stations: Command = {
  name: "stations",
  summary: "find public transport stations around a coordinate",
  positionals: ["LAT,LON"],
  options: {
    radius: { value: "M", help: "metres (default: 1000, maximum: 5000)" },
    modes: { value: "LIST", help: "such as metro,tram (default: bus to coach)" },
    providers: { value: "LIST", help: "of navitia, transitland, gtfs, gbfs" },
    limit: { value: "N", help: "at most so many (default: 50, maximum: 200)" },
    language: LANGUAGE_OPTION,
    ...{ debug: CIRCLE_OPTIONS.debug, url: CIRCLE_OPTIONS.url },
  },
  examples: [
    "vicinity stations 48.8566,2.3522",
    "vicinity stations 35.6812,139.7671 --providers gtfs --modes metro,rail --radius 500",
  ],
  exits: SEARCH_EXITS,
  run: (parsed, context) => {
    const lists = {
      modes: textOption(parsed, "modes"),
      providers: textOption(parsed, "providers"),
    };
    const given = Object.entries(lists).filter(([, value]) => value !== undefined);
    const query = { ...toPoint(parsed), ...givenOptions(parsed), ...Object.fromEntries(given) };
    return search(parsed, context, {
      ask: (client) => client.transport(query),
      format: formatStations,
      list: ({ results }) => results.stations,
    });
  },
};
