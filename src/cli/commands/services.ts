import { SEARCH_EXITS, UsageError, textOption, toPoint } from "#cli/command.ts";
import type { Command, Parsed } from "#cli/command.ts";
import { formatServices } from "#cli/print/services.ts";
import { CIRCLE_OPTIONS, givenOptions, search } from "#cli/search.ts";
import { SERVICE_TYPES } from "#contract/services.ts";

export const services: Command = {
  name: "services",
  summary: "find toilets, drinking water, defibrillators and more around a coordinate",
  positionals: ["LAT,LON"],
  options: {
    types: { value: "A,B", required: true, help: `of ${SERVICE_TYPES.join(", ")}` },
    radius: CIRCLE_OPTIONS.radius,
    limit: { value: "N", help: "at most so many over all types (default: 50, maximum: 200)" },
    country: { value: "CC", help: "hint for sources that need it (default: that of the point)" },
    debug: CIRCLE_OPTIONS.debug,
    url: CIRCLE_OPTIONS.url,
  },
  examples: [
    "vicinity services 48.8566,2.3522 --types toilets,drinking_water",
    "vicinity services -33.9249,18.4241 --types aed --radius 500 --limit 5",
  ],
  exits: SEARCH_EXITS,
  run: (parsed, context) => {
    const query = { ...toPoint(parsed), types: typesOf(parsed), ...givenOptions(parsed) };
    return search(parsed, context, {
      ask: (client) => client.services(query),
      format: formatServices,
    });
  },
};

/** Which of them there are is the server's to judge; that some must be named is known here. */
function typesOf(parsed: Parsed): string {
  const types = textOption(parsed, "types");
  if (types !== undefined) return types;
  const choices = SERVICE_TYPES.join(", ");
  throw new UsageError(`services needs --types, a comma-separated list of ${choices}`);
}
