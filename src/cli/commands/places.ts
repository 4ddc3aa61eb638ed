/** Services, parking, charging and stations around a point: one search each (§4.6 to §4.7a). */
import { formatCharging } from "#cli/print/print-charging.ts";
import { formatParking } from "#cli/print/print-parking.ts";
import { formatServices } from "#cli/print/print-services.ts";
import { formatStations } from "#cli/print/print-stations.ts";
import { formatPlaces } from "#cli/print/print-places.ts";
import { URL_OPTION } from "#cli/ask.ts";
import { optionsOf, queryOf, search, searchCommand } from "#cli/search.ts";
import { type Command, SEARCH_EXITS, toPoint } from "#cli/command.ts";
import { CLASS_PARAMETERS } from "#api/class-places.ts";
import type { QueryAt } from "#api/operations.ts";
import { CHARGING_PARAMETERS, FACILITY_PARAMETERS, SERVICES_PARAMETERS } from "#api/services.ts";
import { TRANSPORT_PARAMETERS } from "#api/transit.ts";

export const services: Command = searchCommand({
  name: "services",
  summary: "find toilets, drinking water, defibrillators and more around a coordinate",
  examples: [
    "vicinity services 48.8566,2.3522 --types toilets,drinking_water",
    "vicinity services -33.9249,18.4241 --types aed --radius 500 --limit 5",
  ],
  parameters: SERVICES_PARAMETERS,
  ask: (client, query) => client.services(query as QueryAt<"/v1/services/nearby">),
  format: formatServices,
});

const { classes: _classes, ...PLACES_PARAMETERS } = CLASS_PARAMETERS;

export const places: Command = {
  name: "places",
  summary: "find pharmacies, supermarkets, cafés and some 85 more classes of places",
  positionals: ["CLASS,...", "LAT,LON"],
  options: { ...optionsOf(PLACES_PARAMETERS), url: URL_OPTION },
  examples: [
    "vicinity places pharmacy 48.8566,2.3522 --usable now",
    "vicinity places supermarket,bakery 52.52,13.405 --radius 800 --walk",
  ],
  exits: SEARCH_EXITS,
  run: (parsed, context) => {
    const [classes = ""] = parsed.positionals;
    const query = { ...toPoint(parsed, 1), ...queryOf(parsed, PLACES_PARAMETERS), classes };
    return search(parsed, context, { ask: (client) => client.places(query), format: formatPlaces });
  },
};

export const parking: Command = searchCommand({
  name: "parking",
  summary: "find car parks around a coordinate",
  examples: [
    "vicinity parking 48.8566,2.3522",
    "vicinity parking 52.52,13.405 --radius 500 --limit 5 --language de",
  ],
  parameters: FACILITY_PARAMETERS,
  ask: (client, query) => client.parking(query),
  format: formatParking,
});

export const charging: Command = searchCommand({
  name: "charging",
  summary: "find charging stations around a coordinate, and how many plugs are free",
  examples: [
    "vicinity charging 48.8566,2.3522",
    "vicinity charging 52.52,13.405 --radius 500 --limit 5 --language de",
  ],
  parameters: CHARGING_PARAMETERS,
  ask: (client, query) => client.charging(query),
  format: formatCharging,
});

/** Reserved, and without effect (§4.7a): no option for it. */
const { realtime: _, ...STATIONS_PARAMETERS } = TRANSPORT_PARAMETERS;

export const stations: Command = searchCommand({
  name: "stations",
  summary: "find public transport stations around a coordinate",
  examples: [
    "vicinity stations 48.8566,2.3522",
    "vicinity stations 35.6812,139.7671 --providers gtfs --modes metro,rail --radius 500",
  ],
  parameters: STATIONS_PARAMETERS,
  ask: (client, query) => client.transport(query),
  format: formatStations,
  list: ({ results }) => results.stations,
});
