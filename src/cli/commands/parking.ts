import { SEARCH_EXITS, toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatParking } from "#cli/print/parking.ts";
import { FACILITY_OPTIONS, givenOptions, search } from "#cli/search.ts";

export const parking: Command = {
  name: "parking",
  summary: "find car parks around a coordinate",
  positionals: ["LAT,LON"],
  options: FACILITY_OPTIONS,
  examples: [
    "vicinity parking 48.8566,2.3522",
    "vicinity parking 52.52,13.405 --radius 500 --limit 5 --language de",
  ],
  exits: SEARCH_EXITS,
  run: (parsed, context) => {
    const query = { ...toPoint(parsed), ...givenOptions(parsed) };
    return search(parsed, context, {
      ask: (client) => client.parking(query),
      format: formatParking,
    });
  },
};
