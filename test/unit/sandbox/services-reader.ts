// What the tests of the simulated services share: the truth, the address of a source, and metres.
import type { Sandbox } from "../../../sandbox/main.ts";
import { control } from "./reader.ts";

export type Service = {
  kind: string;
  service_type: string;
  name: string;
  location: { lat: number; lon: number };
  distance_m: number;
  access: string;
  drinking_water?: string;
  charging?: {
    connector_count: number;
    available_count: number | null;
    out_of_service_count: number | null;
  };
  sources: { source: string; network_id: string; source_id: string }[];
};

export type At = { lat: number; lon: number };

/** The services that the truth lists around a point. */
export async function servicesAt(sandbox: Sandbox, { lat, lon }: At, radius = 6000) {
  const answer = await control(sandbox, "GET", `truth?lat=${lat}&lon=${lon}&radius=${radius}`);
  const { things } = (await answer.json()) as { things: Service[] };
  return things.filter(({ kind }) => kind === "service");
}

/** By the name that a source gives to it. */
export function namedBy(things: readonly Service[], source: string): Map<string, Service> {
  return new Map(
    things.flatMap((thing) =>
      thing.sources
        .filter((each) => each.source === source)
        .map(({ source_id }) => [source_id, thing]),
    ),
  );
}

export function cityOf(sandbox: Sandbox, name: string): At {
  const match = sandbox.cities().find((city) => city.name === name);
  if (match === undefined) throw new Error(`no city ${name}`);
  return match;
}

export function upstreamOf(sandbox: Sandbox, id: string): Record<string, string> {
  const match = sandbox.upstreams()[id];
  if (match === undefined) throw new Error(`no upstream ${id}`);
  return match;
}

/** Another formula than the simulator's: flat earth, good to centimetres over a kilometre. */
export function metres(a: At, b: At): number {
  const east = (((b.lon - a.lon + 540) % 360) - 180) * Math.cos((a.lat * Math.PI) / 180);
  return Math.hypot(b.lat - a.lat, east) * 111_195.08;
}
