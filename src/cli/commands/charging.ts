import { SEARCH_EXITS, toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatCharging } from "#cli/print/charging.ts";
import { FACILITY_OPTIONS, givenOptions, search } from "#cli/search.ts";

export const charging: Command = {
  name: "charging",
  summary: "find charging stations around a coordinate, and how many plugs are free",
  positionals: ["LAT,LON"],
  options: FACILITY_OPTIONS,
  examples: [
    "vicinity charging 48.8566,2.3522",
    "vicinity charging 52.52,13.405 --radius 500 --limit 5 --language de",
  ],
  exits: SEARCH_EXITS,
  run: (parsed, context) => {
    const query = { ...toPoint(parsed), ...givenOptions(parsed) };
    return search(parsed, context, {
      ask: (client) => client.charging(query),
      format: formatCharging,
    });
  },
};
