/** A sound location with the given EVSEs. */
export function toLocation(evses: unknown, members: Record<string, unknown> = {}) {
  return {
    country_code: "DE",
    party_id: "EXA",
    id: "L1",
    publish: true,
    name: "Depot North",
    address: "Ringstraße 5",
    city: "Neustadt",
    postal_code: "12345",
    country: "DEU",
    coordinates: { latitude: "52.1", longitude: "9.1" },
    evses,
    operator: { name: "Example Energy" },
    time_zone: "Europe/Berlin",
    opening_times: {
      twentyfourseven: false,
      regular_hours: [{ weekday: 1, period_begin: "08:00", period_end: "20:00" }],
    },
    ...members,
  };
}
