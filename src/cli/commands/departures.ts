/** Departures around a coordinate, or of one station: now, at another time, the first or last of a day. */
import { UsageError, SEARCH_EXITS, toPoint } from "#cli/command.ts";
import type { Command } from "#cli/command.ts";
import { URL_OPTION } from "#cli/ask.ts";
import { formatDepartures } from "#cli/print/print-departures.ts";
import { optionsOf, queryOf, search } from "#cli/search.ts";
import type { Client } from "#api/client/client.ts";
import { DEPARTURES_PARAMETERS, STATION_DEPARTURES_PARAMETERS } from "#api/departures.ts";

const { station_id: _id, arrivals: _arrivals, ...OF_STATION } = STATION_DEPARTURES_PARAMETERS;

export const departures: Command = {
  name: "departures",
  summary:
    "list departures around a coordinate, or of a station by its id, live where a feed says so",
  positionals: ["LAT,LON"],
  examples: [
    "vicinity departures 48.8566,2.3522",
    "vicinity departures 52.52,13.405 --within 20 --modes rail,metro --limit 10",
    "vicinity departures 52.52,13.405 --last --toward Hufeisenplatz",
  ],
  exits: SEARCH_EXITS,
  options: { ...optionsOf(DEPARTURES_PARAMETERS), url: URL_OPTION },
  run: (parsed, context) => {
    const [place = ""] = parsed.positionals;
    const list = ({ results }: { results: { departures: unknown } }): unknown => results.departures;
    const rest = { format: formatDepartures, list };
    if (!place.startsWith("svc_transport_station_")) {
      const query = { ...toPoint(parsed), ...queryOf(parsed, DEPARTURES_PARAMETERS) };
      return search(parsed, context, { ask: (client) => client.departures(query), ...rest });
    }
    const foreign = Object.keys(parsed.options).find(
      (name) => name in DEPARTURES_PARAMETERS && !(name in OF_STATION),
    );
    if (foreign !== undefined)
      throw new UsageError(`--${foreign} is of a coordinate, not of a station`);
    const query = queryOf(parsed, OF_STATION);
    const ask = { ask: (client: Client) => client.stationDepartures(place, query), ...rest };
    return search(parsed, context, ask);
  },
};
