/** Questions about public transport (contract 4.7a, 8; decisions, Conventions, Transport). */
import { readPoint } from "./query.ts";
import { readBoolean, readInteger, readList, readNumber } from "./grammar.ts";
import { above, conclude, createReader, type Given, type Read, within } from "./reader.ts";
import { readLanguage } from "./text.ts";

export type TransportQuestion = {
  kind: "transport";
  lat: number;
  lon: number;
  modes: readonly string[];
  providers: readonly string[];
  radius: number;
  limit: number;
  /** The effective ones. */
  applied: { radius: number; limit: number };
  debug: boolean;
};

/** Contract 2.8. */
export const TRANSPORT_MODES: readonly string[] = [
  ...["bus", "tram", "metro", "rail", "rapid_transit", "ferry", "coach", "cable_transport"],
  ...["bicycle", "scooter", "car_share", "carpool", "taxi", "rideshare", "demand_responsive"],
  ...["shared_mobility", "other"],
];
const PROVIDERS: readonly string[] = ["navitia", "transitland", "gtfs", "gbfs"];
const DEFAULT_MODES = ["bus", "tram", "metro", "rail", "rapid_transit", "ferry", "coach"];
const MAX = { radius: 5000, limit: 200 } as const;

export function readTransport(given: Given): Read<TransportQuestion> {
  const reader = createReader(given);
  const { lat, lon } = readPoint(reader);
  if (!given.has("lat")) reader.at_fault.add("lat");
  if (!given.has("lon") && !given.has("lng")) reader.at_fault.add("lon").add("lng");
  const radius = reader.one("radius", above(readNumber, 0)) ?? 1000;
  const limit = reader.one("limit", within(readInteger, 1)) ?? 50;
  const rest = {
    modes: reader.one("modes", (text) => readList(text, TRANSPORT_MODES)) ?? DEFAULT_MODES,
    // The simulator has a Navitia.
    providers: reader.one("providers", (text) => readList(text, PROVIDERS)) ?? ["navitia"],
    debug: reader.one("debug", readBoolean) ?? false,
  };
  // Both change nothing that can be seen.
  reader.one("realtime", readBoolean);
  reader.one("language", readLanguage);
  const applied = { radius: Math.min(radius, MAX.radius), limit: Math.min(limit, MAX.limit) };
  return conclude(reader, () => ({
    ...{ kind: "transport", lat: lat!, lon: lon!, radius, limit, applied },
    ...rest,
  }));
}
