/** Examples of departures, as the API description shows them. */
const EXAMPLE_MEMBERS = {
  status: "success",
  window: { from: "2026-11-14T10:30:00+01:00", to: "2026-11-14T11:30:00+01:00" },
  local_time: "2026-11-14T10:30:00+01:00",
  time_zone: "Europe/Paris",
  total: 1,
  results: {
    departures: [
      {
        id: "svc_departure_q2x7m4k9c5v1b8n3w6j0",
        station: {
          id: "svc_transport_station_4q7x2m9k5c1v8b3n6w0j",
          name: "Gare des Docks",
          location: { lat: 48.8579, lon: 2.3516 },
          distance_meters: 151,
        },
        platform: { planned: "2", live: "3" },
        line: {
          id: "paris:M4",
          short_name: "4",
          long_name: "Docks – Belvédère",
          mode: "metro",
          color: "A0006E",
          text_color: "FFFFFF",
        },
        operator: { id: "metropole", name: "Métropole" },
        headsign: "Belvédère",
        planned_at: "2026-11-14T10:34:00+01:00",
        expected_at: "2026-11-14T10:36:30+01:00",
        delay_seconds: 150,
        realtime: "live",
        status: "scheduled",
        wheelchair: "yes",
        continues_as: null,
        alerts: [],
        observed_at: "2026-11-14T10:29:48+01:00",
        sources: [
          { provider: "gtfs", feed_id: "paris", trip_id: "M4-1034", service_date: "2026-11-14" },
        ],
      },
    ],
    alerts: [],
  },
} as const;

export const DEPARTURES_EXAMPLE = {
  ...EXAMPLE_MEMBERS,
  query_origin: { lat: 48.8566, lon: 2.3522 },
  radius: 400,
};
export const STATION_DEPARTURES_EXAMPLE = {
  ...EXAMPLE_MEMBERS,
  station: {
    id: "svc_transport_station_4q7x2m9k5c1v8b3n6w0j",
    name: "Gare des Docks",
    location: { lat: 48.8579, lon: 2.3516 },
  },
  kind: "departures",
};
