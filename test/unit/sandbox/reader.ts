// Reads a simulated GBFS system as a stranger would: from its published address, by the names in discovery.
import { startSandbox, type Sandbox, type SandboxGbfsSystem } from "../../../sandbox/main.ts";

export type Row = Record<string, unknown>;
export type Feed = {
  last_updated: unknown;
  ttl: number;
  version?: string;
  data: Record<string, Row[]>;
};
export type ReadSystem = { id: string; version: string; discovery: Feed; feeds: Map<string, Feed> };

/** 09:00:30 on a Saturday; every test that looks at the world runs at this time. */
export const BASE_MS = Date.UTC(2026, 10, 21, 9, 0, 30);

/** Reads one published version of a system (by default the one its address answers with). */
export async function readSystem(
  system: SandboxGbfsSystem,
  address = system.url,
): Promise<ReadSystem> {
  const open = await opener(system);
  const discovery = (await (await open(address)).json()) as Feed;
  const feeds = new Map<string, Feed>();
  for (const { name, url } of listEntries(discovery))
    feeds.set(name, (await (await open(url)).json()) as Feed);
  return { id: system.id, version: discovery.version ?? "1.0", discovery, feeds };
}

/** The entries of every language, the first language first. */
export function listEntries(discovery: Feed): { name: string; url: string }[] {
  const data = discovery.data as unknown as { feeds?: unknown };
  const groups = Array.isArray(data.feeds) ? [data] : Object.values(discovery.data).toReversed();
  return groups.flatMap(
    (group) => (group as unknown as { feeds: { name: string; url: string }[] }).feeds,
  );
}

/** A fetch that carries the system's credential. */
export async function opener({
  auth,
}: SandboxGbfsSystem): Promise<(url: string) => Promise<Response>> {
  switch (auth?.kind) {
    case undefined:
      return (url) => fetch(url);
    case "headers":
      return (url) => fetch(url, { headers: auth.headers });
    case "query":
      return (url) => fetch(`${url}?${auth.name}=${auth.value}`);
    case "basic":
      return (url) =>
        fetch(url, {
          headers: { authorization: `Basic ${btoa(`${auth.username}:${auth.password}`)}` },
        });
    case "oauth2": {
      const form = {
        grant_type: "client_credentials",
        client_id: auth.client_id,
        client_secret: auth.client_secret,
      };
      const answer = await fetch(auth.token_url, {
        method: "POST",
        body: new URLSearchParams(form),
      });
      const { access_token } = (await answer.json()) as { access_token: string };
      return (url) => fetch(url, { headers: { authorization: `Bearer ${access_token}` } });
    }
  }
}

export function getSystem(sandbox: Sandbox, id: string): SandboxGbfsSystem {
  const system = sandbox.gbfsSystems().find((candidate) => candidate.id === id);
  if (system === undefined) throw new Error(`no system ${id}`);
  return system;
}

const rows = (system: ReadSystem, feed: string, list: string): Row[] =>
  system.feeds.get(feed)?.data[list] ?? [];

export const stationsOf = (system: ReadSystem): Row[] =>
  rows(system, "station_information", "stations");
export const statusesOf = (system: ReadSystem): Row[] => rows(system, "station_status", "stations");
export const vehiclesOf = (system: ReadSystem): Row[] => [
  ...rows(system, "free_bike_status", "bikes"),
  ...rows(system, "vehicle_status", "vehicles"),
];
export const vehicleIdOf = (row: Row): string => String(row["vehicle_id"] ?? row["bike_id"]);

/** A simulator of one seed, standing at BASE_MS. */
export const start = (seed = 1): Promise<Sandbox> =>
  startSandbox({ seed, port: 0, now: () => BASE_MS });

/** A request to the control surface. */
export const control = (
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> =>
  fetch(`${sandbox.url}/__sandbox/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
