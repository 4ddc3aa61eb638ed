/** Whether what an answer says of one result, or of the weather, is the simulator's truth. */
import { fallIn, HOUR_MS } from "../../sandbox/world/weather.ts";
import type { Truth } from "./judge.ts";

type Members = Record<string, unknown>;

/** Seed of the simulated world where the environment names none. */
const SEED = 1;

/** Link and range of a vehicle, connectors of a charger, code of a locker. */
export function judgeDetail(chosen: Members, truth: readonly Truth[]): boolean {
  const own = truth.find(({ sources }) =>
    (sources as { source_id: string }[]).some(
      ({ source_id }) => source_id === (chosen["external_id"] ?? chosen["id"]),
    ),
  );
  if (!own) return false;
  const attributes = (chosen["attributes"] ?? {}) as Members;
  switch (own["service_type"]) {
    case "locker":
      return attributes["code"] === chosen["external_id"];
    case "charging":
      return isSameCharger(attributes["charging"], own["charging"]);
    default:
      return own.kind === "vehicle" && isSameVehicle(chosen, own);
  }
}

function isSameVehicle(chosen: Members, truth: Truth): boolean {
  const { web } = (chosen["rental_uris"] ?? {}) as { web?: string };
  const bare = String(chosen["id"]).split(":").at(-1)!;
  return web?.includes(bare) === true && chosen["range_m"] === truth["range_m"];
}

type Connectors = { connector_count: number; connectors: { max_kw?: number; power_kw?: number }[] };

function isSameCharger(reported: unknown, own: unknown): boolean {
  const [a, b] = [reported as Connectors | undefined, own as Connectors];
  if (!a || a.connector_count !== b.connector_count) return false;
  const powers = ({ connectors }: Connectors): number[] =>
    [...new Set(connectors.map(({ max_kw, power_kw }) => max_kw ?? power_kw ?? 0))].toSorted(
      (left, right) => left - right,
    );
  return powers(a).join() === powers(b).join();
}

type Step = { from: string; until: string; precipitation_mm: number | null };

/** Whether it rains in one of the steps that the answer has. */
export function judgeWeather(chosen: Members | null, at: { lat: number; lon: number }): boolean {
  const steps = (chosen?.["forecast"] ?? []) as Step[];
  const falls = ({ from, until }: Step): boolean => {
    const [begin, end] = [Date.parse(from), Date.parse(until)];
    const hours = Array.from({ length: (end - begin) / HOUR_MS }, (_, n) => begin + n * HOUR_MS);
    return hours.some((hour) => fallIn(SEED, at, hour).mm > 0);
  };
  return (
    steps.length > 0 && steps.every((step) => falls(step) === (step.precipitation_mm ?? 0) > 0)
  );
}
