/** Whether stations that the simulator has, and that a requested provider publishes, are shown. */
import type { TransportQuestion } from "../oracle/transport.ts";
import { greatCircle, type Point } from "./geo.ts";
import type { TransitStation } from "./stations.ts";

export type TrueStation = {
  name: string;
  location: Point;
  modes: readonly string[];
  routes: number;
  sources: readonly { source: string; source_id: string; aliases?: readonly string[] }[];
};

/** Providers put their pins around the true place. */
const PIN_M = 300;

export function findMissingProblem(
  { lat, lon, applied, modes, providers }: TransportQuestion,
  shown: readonly TransitStation[],
  truth: readonly TrueStation[],
): string | null {
  const ids = new Set(
    shown.flatMap(({ sources }) => sources.map((one) => `${one.provider} ${one.source_id}`)),
  );
  const missing = truth.find(({ location, routes, sources, modes: own }) => {
    if (routes === 0 || !own.every((mode) => modes.includes(mode))) return false;
    if (Math.abs(location.lat - lat) > 0.05) return false;
    if (greatCircle({ lat, lon }, location) > applied.radius - PIN_M) return false;
    const known = sources.filter(({ source }) => providers.includes(source));
    const told = ({ source, source_id, aliases = [] }: (typeof known)[number]): boolean =>
      [source_id, ...aliases].some((id) => ids.has(`${source} ${id}`));
    return known.length > 0 && !known.some(told);
  });
  return missing === undefined ? null : `${missing.name} is missing`;
}
