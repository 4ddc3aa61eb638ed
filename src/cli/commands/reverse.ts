import { URL_OPTION } from "#cli/ask.ts";
import { toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { formatCandidates } from "#cli/print/geocode.ts";
import { optionsOf, queryOf, search } from "#cli/search.ts";
import { REVERSE_PARAMETERS } from "#api/geocoding.ts";

export const reverse: Command = {
  name: "reverse",
  summary: "find the address of a coordinate",
  positionals: ["LAT,LON"],
  options: { ...optionsOf(REVERSE_PARAMETERS), url: URL_OPTION },
  examples: ["vicinity reverse 48.8566,2.3522", "vicinity reverse 35.6812,139.7671 --language ja"],
  run: (parsed, context) => {
    const { lat, lon } = toPoint(parsed);
    const query = { lat, lon, ...queryOf(parsed, REVERSE_PARAMETERS) };
    return search(parsed, context, {
      ask: (client) => client.reverseGeocode(query),
      format: (body, on) => formatCandidates(body, `at ${lat}, ${lon}`, on),
    });
  },
};
