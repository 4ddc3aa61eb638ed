/** find_departures (docs/agents.md): arguments and answer. */
import { Type } from "typebox";
import { noticesMembers } from "./agent-around.ts";
import { AgentSources, circle, listed, NextOffset } from "./agent-results.ts";
import { footMembers, walkingMembers } from "./agent-walk.ts";
import {
  Departure,
  DEPARTURES_PARAMETERS,
  DepartureWindow,
  STATION_DEPARTURES_PARAMETERS,
} from "./departures.ts";
import { UnknownToward } from "./departure-times.ts";
import { closed, Count, Nullable, patternParameter, Text } from "./primitives.ts";

const { at, first, last, toward, ...STATION } = STATION_DEPARTURES_PARAMETERS;

/** Of which place and time, and where to. */
export const DEPARTURE_ARGUMENTS = {
  lat: DEPARTURES_PARAMETERS.lat,
  lon: DEPARTURES_PARAMETERS.lon,
  station_id: patternParameter({
    description: "In place of a point.",
    example: STATION.station_id.example,
    pattern: "^svc_transport_station_[0-9a-z]{1,64}$",
    rule: "text",
    word: "ID",
  }),
  radius: DEPARTURES_PARAMETERS.radius,
  within: { ...DEPARTURES_PARAMETERS.within, description: "Minutes." },
  at: {
    ...at,
    description: "From then on.",
    rule: "RFC 3339, or by clocks there: 2026-11-28T22:00, 22:00",
  },
  first: { ...first, description: "Of each line and direction." },
  last: { ...last, description: "Of the day, until 4 at night." },
  toward: { ...toward, description: "Later stop or headsign.", rule: "text" },
  modes: STATION.modes,
  lines: {
    ...STATION.lines,
    description: "Comma-separated lines, as vehicles show them.",
    rule: "text",
  },
} as const;

const ShownDeparture = Type.Object(
  {
    ...Type.Pick(Departure, [
      ...(["planned_at", "expected_at", "delay_seconds", "realtime", "status"] as const),
      ...(["headway_seconds", "wheelchair"] as const),
    ]).properties,
    line: Text,
    mode: Departure.properties.line.properties.mode,
    headsign: Nullable(Text),
    station: Text,
    station_id: Text,
    distance_meters: Nullable(Count),
    ...footMembers,
    leave: Type.Optional({
      ...Nullable(Text),
      description:
        "When to leave on foot, or that it is missed; null: the way or the time is not known.",
    }),
    platform: Nullable(Text),
    platform_step_free: Departure.properties.platform_step_free,
    approximate: Departure.properties.approximate,
    alerts: Type.Array(Text, { description: "Ids in `alerts` of the answer." }),
    alerts_total: Type.Optional(Count),
    ...Type.Pick(Departure, ["departed", "toward"]).properties,
    sources: AgentSources,
  },
  closed,
);

export const DeparturesShown = Type.Object(
  {
    ...circle,
    radius: Type.Optional(circle.radius),
    ...walkingMembers,
    window: { ...DepartureWindow, description: "The time that was looked at." },
    unknown: UnknownToward,
    ...listed,
    next_offset: NextOffset,
    ...noticesMembers,
    results: Type.Array(ShownDeparture),
  },
  closed,
);
