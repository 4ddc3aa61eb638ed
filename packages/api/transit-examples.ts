/** A realistic example of the documented success of public transport; the tests validate it. */
import type { TransportBodyValue } from "./transit.ts";

export const TRANSPORT_EXAMPLE: TransportBodyValue = {
  status: "success",
  query_origin: { lat: 48.8566, lon: 2.3522 },
  radius: 1000,
  total: 1,
  results: {
    stations: [
      {
        id: "svc_transport_station_4q7x2m9k5c1v8b3n6w0j",
        type: "transport_station",
        name: "Gare des Docks",
        location: { lat: 48.8579, lon: 2.3516 },
        distance_meters: 151,
        modes: ["bus", "metro"],
        operators: [{ id: "metropole", name: "Métropole", url: "https://metropole.example/" }],
        routes: [
          {
            id: "M4",
            short_name: "4",
            long_name: "Docks – Belvédère",
            mode: "metro",
            operator_id: "metropole",
            color: "A0006E",
            text_color: "FFFFFF",
          },
          { id: "B21", short_name: "21", long_name: null, mode: "bus", operator_id: "metropole" },
        ],
        realtime: { available: true, queried: false },
        alerts: { available: null, queried: false },
        accessibility: { wheelchair: "yes" },
        freshness: { data_class: "static", fetched_at: "2026-11-14T03:10:00Z" },
        sources: [
          {
            provider: "gtfs",
            region: null,
            source_id: "S1001",
            operator_id: "metropole",
            feed_id: "paris",
          },
        ],
      },
    ],
  },
};
