/** What the checks of places know beside the answers: the served schemas, and the simulated truth. */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { TrueStation } from "./missing.ts";
import type { PlacesContext } from "./places.ts";
import type { Schemas } from "./schemas.ts";

/** Services of a simulated city stand closer to its middle than this. */
const REACH_M = 10_000;

type Thing = {
  kind?: string;
  service_type?: string;
  charging?: { available_count: number | null };
  sources: { source: string; source_id: string }[];
};

export async function createPlacesContext(
  schemas: Schemas,
  sandbox_url: string,
): Promise<PlacesContext> {
  const names = { parking: "ParkingService", charging: "ChargingService" } as const;
  const things = await fetchThings(sandbox_url);
  return {
    facilityProblem: (kind, place) => schemas.componentProblem(names[kind], place),
    reported: toReported(things),
    stations: things.filter(isStation),
  };
}

/** Whether somebody reports a station does not change with the hour; what he reports does. */
function toReported(things: readonly Thing[]): Set<string> {
  const reported = new Set<string>();
  for (const { charging, sources } of things) {
    if (charging === undefined || charging.available_count === null) continue;
    for (const { source, source_id } of sources)
      if (source === "google_maps") reported.add(source_id);
  }
  if (reported.size === 0) throw new Error("no charging station of the simulator is reported live");
  return reported;
}

const isStation = (thing: Thing): thing is Thing & TrueStation => thing.kind === "transit_station";

async function fetchThings(sandbox_url: string): Promise<Thing[]> {
  const all: Thing[] = [];
  for (const { lat, lon } of CITIES) {
    const url = `${sandbox_url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${REACH_M}`;
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`the simulator's truth: ${reply.status} ${await reply.text()}`);
    const { things } = (await reply.json()) as { things: Thing[] };
    all.push(...things);
  }
  return all;
}
