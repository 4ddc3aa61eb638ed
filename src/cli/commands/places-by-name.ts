/** Names of places to coordinates, and back. */
import { URL_OPTION } from "#cli/ask.ts";
import { type Command, type Parsed, pointOption, toPoint, UsageError } from "#cli/command.ts";
import { formatCandidates } from "#cli/print/geocode.ts";
import { oneLine } from "#kit/text/one-line.ts";
import { optionsOf, queryOf, search } from "#cli/search.ts";
import type { Client } from "#api/client/client.ts";
import { GEOCODE_PARAMETERS, REVERSE_PARAMETERS } from "#api/geocoding.ts";

export const geocode: Command = {
  name: "geocode",
  summary: "find the coordinates of an address or a place",
  positionals: ['"TEXT"'],
  options: {
    near: {
      value: "LAT,LON",
      help: "places and points of interest, those near here first; not with --country",
    },
    ...optionsOf(GEOCODE_PARAMETERS),
    url: URL_OPTION,
  },
  examples: [
    'vicinity geocode "10 avenue Gambetta, Paris"',
    'vicinity geocode "central station" --near 52.52,13.405 --language de',
  ],
  run: (parsed, context) => {
    const { q, near, ask } = toQuestion(parsed);
    const at = near ? ` near ${near.lat}, ${near.lon}` : "";
    const query = `for ${JSON.stringify(oneLine(q))}${at}`;
    return search(parsed, context, {
      ask,
      format: (body, on) => formatCandidates(body, query, on),
    });
  },
};

/** A point to prefer is known to /v1/place-search only, a country to /v1/geocode only. */
function toQuestion(parsed: Parsed) {
  const q = parsed.positionals[0] ?? "";
  const { country, ...rest } = queryOf(parsed, GEOCODE_PARAMETERS);
  const near = pointOption(parsed, "near");
  if (near && country !== undefined) {
    throw new UsageError("--country and --near do not go together; leave one of them out");
  }
  const nation = country === undefined ? {} : { country };
  const ask = (client: Client) =>
    near ? client.searchPlaces({ q, ...near, ...rest }) : client.geocode({ q, ...nation, ...rest });
  return { q, near, ask };
}

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
