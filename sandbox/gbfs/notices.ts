// What an operator announces besides numbers: closures with their times, and zones with their rules.
import { around, squareRing } from "../geo.ts";
import type { Operator, Text } from "../world/model.ts";

const DAY_S = 86_400;

export type Alert = {
  readonly id: string;
  readonly type: "station_closure" | "system_closure" | "station_move" | "other";
  readonly start_s: number;
  readonly end_s: number;
  /** Stations by their place in the operator's list. */
  readonly stations: readonly number[];
  readonly summary: Text;
};

/** One closure in force, one over, one to come, and one that closes nothing; seen from the day's start. */
export function listAlerts(operator: Operator, day_s: number): Alert[] {
  if (!operator.alerts) return [];
  const say = (en: string, es: string): Text => ({ en, es });
  return [
    {
      id: "a-1041",
      type: "station_closure",
      start_s: day_s - 2 * DAY_S,
      end_s: day_s + 5 * DAY_S,
      stations: [3, 26],
      summary: say("Closed for paving works", "Cerrada por obras"),
    },
    {
      id: "a-0977",
      type: "station_closure",
      start_s: day_s - 12 * DAY_S,
      end_s: day_s - 11 * DAY_S,
      stations: [5],
      summary: say("Closed for a street fair", "Cerrada por una feria"),
    },
    {
      id: "a-1055",
      type: "station_closure",
      start_s: day_s + 7 * DAY_S,
      end_s: day_s + 8 * DAY_S,
      stations: [6],
      summary: say("Closing for the marathon", "Cierre por la maratón"),
    },
    {
      id: "a-1002",
      type: "other",
      start_s: day_s - 30 * DAY_S,
      end_s: day_s + 30 * DAY_S,
      stations: [],
      summary: say("New e-bikes have arrived", "Han llegado nuevas bicicletas eléctricas"),
    },
  ];
}

/** Stations that an alert closes at this moment, by their place in the list. */
export function listClosed(operator: Operator, now_s: number): Set<number> {
  const day_s = now_s - (now_s % DAY_S);
  const inForce = listAlerts(operator, day_s).filter(
    (alert) => alert.type === "station_closure" && alert.start_s <= now_s && now_s < alert.end_s,
  );
  return new Set(inForce.flatMap((alert) => alert.stations));
}

export type Zone = {
  readonly name: Text;
  readonly ring: readonly (readonly [number, number])[];
  readonly may_park: boolean;
  readonly may_pass: boolean;
  readonly speed_kph: number | null;
};

export function listZones(operator: Operator): Zone[] {
  if (!operator.zones) return [];
  const { city, reach_m } = operator;
  return [
    {
      name: { fr: "Jardin sans trottinettes", en: "No-scooter garden" },
      ring: squareRing(around(city, 0.1, 700), 150),
      may_park: false,
      may_pass: false,
      speed_kph: null,
    },
    {
      name: { fr: "Zone de rencontre", en: "Shared street" },
      ring: squareRing(around(city, 0.6, 500), 220),
      may_park: false,
      may_pass: true,
      speed_kph: 8,
    },
    {
      name: { fr: "Zone de service", en: "Service area" },
      // Some of its vehicles were left outside, where the global rules of 3.0 hold.
      ring: squareRing(city, reach_m * 0.7),
      may_park: true,
      may_pass: true,
      speed_kph: null,
    },
  ];
}
