/** What the laws know beyond an answer: schemas, datasets named before, the simulator's own account. */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { Caller } from "../verdict.ts";
import type { Point } from "./geo.ts";
import type { Schemas } from "./schemas.ts";

/** A dataset that an answer has named, and what reading it must give. */
export type Kept = {
  id: string;
  version: string;
  href: string;
  digest: string | null;
  /** null: any caller may read it. */
  key: string | null;
  /** As it was answered, or as it was read first. */
  observation: string | null;
  body: string | null;
};

export type Context = {
  schemas: Schemas;
  /** The bytes of /openapi.json without content coding, and the tag of that representation. */
  openapi: { text: string; etag: string };
  callers: readonly Caller[];
  truth: Truth;
  /** By `id/version`. */
  kept: Map<string, Kept>;
};

export type TrueStation = {
  name: string;
  location: Point;
  modes: readonly string[];
  routes: number;
  sources: readonly { source: string; source_id: string; aliases?: readonly string[] }[];
};
export type Truth = {
  /** Charging stations whose plugs are reported, by the maps provider's id. */
  reported: ReadonlySet<string>;
  /** Of public transport, as they truly are. */
  stations: readonly TrueStation[];
};

/** Services of a simulated city are closer to its middle than this. */
const REACH_M = 10_000;

type Thing = {
  kind?: string;
  charging?: { available_count: number | null };
  sources: { source: string; source_id: string }[];
};

export async function readTruth(sandbox_url: string): Promise<Truth> {
  const things: Thing[] = [];
  for (const { lat, lon } of CITIES) {
    const url = `${sandbox_url}/__sandbox/truth?lat=${lat}&lon=${lon}&radius=${REACH_M}`;
    const reply = await fetch(url);
    if (!reply.ok) throw new Error(`the simulator's truth: ${reply.status} ${await reply.text()}`);
    things.push(...((await reply.json()) as { things: Thing[] }).things);
  }
  // Whether a station is reported does not change with the hour; what is reported does.
  const reported = things
    .filter(({ charging }) => charging !== undefined && charging.available_count !== null)
    .flatMap(({ sources }) => sources.filter(({ source }) => source === "google_maps"));
  if (reported.length === 0) throw new Error("no charging station of the simulator is reported");
  return {
    reported: new Set(reported.map(({ source_id }) => source_id)),
    stations: things.filter(
      (thing): thing is Thing & TrueStation => thing.kind === "transit_station",
    ),
  };
}
