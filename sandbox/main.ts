// The simulator: a seeded world that answers as the real upstreams do, and can be made to misbehave.
// It shares nothing with the service, so that an error in one is not repeated by the other.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { commit } from "./acts.ts";
import { createClock, type SandboxClock } from "./clock.ts";
import { answerControl, type ControlDeps, isControl } from "./control.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { GbfsHost, GbfsSystem } from "./gbfs/host.ts";
import { firstLanguage, textIn } from "./gbfs/context.ts";
import { listFeeds } from "./gtfs/style.ts";
import type { LiveAddresses, RealtimeHost } from "./gtfs-rt/host.ts";
import { createHosts } from "./hosts.ts";
import { EXTRACT_EDITION } from "./openbase/edition.ts";
import { readRequest, refuse, type SandboxRequest, send } from "./http.ts";
import { createJournal, type Journal } from "./journal.ts";
import type { MotisDocument } from "./motis/host.ts";
import type { MapDocument } from "./openmap/host.ts";
import { hashText, hex } from "./rng.ts";
import type { Source, Upstream } from "./source.ts";
import { Walks } from "./walks/walk.ts";
import type { Credential } from "./world/model.ts";
import { drawPlan, type Plan } from "./world/plan.ts";
export type { Plan };
import { createWorld, type World } from "./world/world.ts";

export type SandboxOptions = {
  readonly seed: number;
  readonly port: number;
  readonly host?: string;
  /** Ids of the cities that the world has; absent: all of them. A city is the same in either. */
  readonly cities?: readonly string[];
  /** The clock the world starts from; what POST /__sandbox/clock adds comes on top of it. */
  readonly now?: () => number;
  /** Awaited before POST /__sandbox/clock answers. */
  readonly onAdvance?: (advance_s: number) => Promise<void>;
};

type SandboxSource = {
  readonly id: string;
  readonly url: string;
  readonly description: string;
};

export type SandboxGbfsSystem = {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly country: string;
  readonly auth?: Credential;
};

/** A timetable, and where its live data are. */
export type SandboxGtfsFeed = {
  readonly id: string;
  readonly url: string;
  readonly realtime?: LiveAddresses;
};

type SandboxCity = {
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly country: string;
  /** Id of a rental system with free-floating vehicles in its streets; null: there is none. */
  readonly roaming: string | null;
  /** Ids of its timetables. */
  readonly timetables: readonly string[];
};

/** A city's map, drawn when it is read. */
type SandboxPlan = {
  readonly id: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  read(): Plan | Promise<Plan>;
};

/** Names the extract of a world (openbase/extract.ts): equal ones have equal names. */
type SandboxExtract = {
  readonly name: string;
  readonly seed: number;
  readonly cities: readonly string[];
};

export type Sandbox = {
  readonly url: string;
  readonly port: number;
  readonly sources: readonly SandboxSource[];
  /** The simulated time in milliseconds. */
  now(): number;
  gbfsSystems(): SandboxGbfsSystem[];
  gtfsFeeds(): SandboxGtfsFeed[];
  openMapStations(): MapDocument[];
  motisStations(): MotisDocument[];
  cities(): SandboxCity[];
  plans(): SandboxPlan[];
  readonly extract: SandboxExtract;
  /** By source, the settings the service needs to ask it: addresses and invented secrets. */
  upstreams(): Record<string, Upstream>;
  close(): Promise<void>;
};

/** Facts about a running simulator that do not change, as plain data. */
export type SandboxFacts = Pick<Sandbox, "url" | "port" | "sources" | "extract"> & {
  readonly gbfs_systems: SandboxGbfsSystem[];
  readonly gtfs_feeds: SandboxGtfsFeed[];
  readonly open_map_stations: MapDocument[];
  readonly motis_stations: MotisDocument[];
  readonly cities: SandboxCity[];
  readonly plans: Omit<SandboxPlan, "read">[];
  readonly upstreams: Record<string, Upstream>;
};

export function describeSandbox(sandbox: Sandbox): SandboxFacts {
  const { url, port, sources, extract } = sandbox;
  return {
    ...{ url, port, sources, extract },
    gbfs_systems: sandbox.gbfsSystems(),
    gtfs_feeds: sandbox.gtfsFeeds(),
    open_map_stations: sandbox.openMapStations(),
    motis_stations: sandbox.motisStations(),
    cities: sandbox.cities(),
    plans: sandbox.plans().map(({ id, name, lat, lon }) => ({ id, name, lat, lon })),
    upstreams: sandbox.upstreams(),
  };
}

const UPSTREAMS = "/upstreams/";
/** Longer than any test lets a connection rest: one that closes just as it is used again is reset. */
const KEEP_ALIVE_MS = 65_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const world = createWorld(options.seed, options.cities);
  const clock = createClock(
    options.now ?? Date.now,
    options.onAdvance ?? (() => Promise.resolve()),
  );
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const { url, port } = await listen(server, options.host ?? "127.0.0.1", options.port);
  const { sources, gbfs, map, motis, realtime } = createHosts({
    world,
    now: clock.now,
    origin: url,
  });
  const described = describeSources(url, sources);
  const deps: Deps = {
    world,
    clock,
    sources,
    faults: createFaults(),
    journal: createJournal(namesOf(sources)),
    walks: new Walks(world),
    describe: () => ({ sources: described, gbfs_systems: describeSystems(gbfs) }),
  };
  server.on("request", (incoming, response) => {
    serve(incoming, response, deps).catch((error: unknown) =>
      response.headersSent ? response.destroy() : send(response, refuse(500, String(error))),
    );
  });
  return {
    url,
    port,
    sources: described,
    now: clock.now,
    gbfsSystems: () => describeSystems(gbfs),
    gtfsFeeds: () => describeFeeds(url, world, realtime),
    openMapStations: () => [...map.documents],
    motisStations: () => [...motis.documents],
    plans: () =>
      world.cities.map((city) => ({
        id: city.id,
        name: city.name,
        lat: city.lat,
        lon: city.lon,
        read: () => drawPlan(city, world.seed, world.getNetwork(city)),
      })),
    cities: () => world.cities.map((city) => toCity(city, world)),
    extract: describeExtract(world),
    upstreams: () => describeUpstreams(sources),
    close: () => close(server),
  };
}

const describeFeeds = (
  origin: string,
  world: World,
  { addresses }: RealtimeHost,
): SandboxGtfsFeed[] =>
  listFeeds(world).map(({ id }) => {
    const live = addresses.get(id);
    const url = `${origin}${UPSTREAMS}gtfs/${id}.zip`;
    return { id, url, ...(live === undefined ? {} : { realtime: live }) };
  });

function describeExtract({ seed, cities }: World): SandboxExtract {
  const ids = cities.map(({ id }) => id);
  return { name: hex(16, EXTRACT_EDITION, seed, hashText(ids.join())), seed, cities: ids };
}

function toCity(city: World["cities"][number], world: World): SandboxCity {
  const { name, lat, lon, country } = city;
  const roaming = world.operators.find(
    (one) => one.city === city && one.fleet !== null && one.stations === null,
  );
  const timetables = listFeeds(world)
    .filter((feed) => feed.city === city)
    .map(({ id }) => id);
  return { name, lat, lon, country, roaming: roaming?.id ?? null, timetables };
}

type Deps = ControlDeps & {
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly journal: Journal;
};

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  deps: Deps,
): Promise<void> {
  response.on("error", () => undefined);
  const request = await readRequest(incoming).catch(() => undefined);
  if (request === undefined) return void incoming.socket.destroy();
  if (request === null) return send(response, refuse(413, "the body is too big"));
  if (isControl(request.pathname)) return send(response, await answerControl(request, deps));
  const source = deps.sources.find(({ id }) => request.pathname.startsWith(`${UPSTREAMS}${id}/`));
  if (source === undefined) return send(response, refuse(404, `nothing at ${request.pathname}`));
  await serveUpstream({ incoming, response, request, source }, deps);
}

type Call = {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly request: SandboxRequest;
  readonly source: Source;
};

async function serveUpstream(
  { incoming, response, request, source }: Call,
  deps: Deps,
): Promise<void> {
  const names = [...source.partsOf(request.pathname), source.id];
  const time = new Date(deps.clock.now()).toISOString();
  deps.journal.record(names, {
    method: request.method,
    path: request.target,
    time,
    source: names[0] ?? source.id,
  });
  const admission = source.admit?.(request) ?? {};
  if (admission.refused) return send(response, admission.refused);
  if (admission.leave) response.once("close", admission.leave);
  const fault = deps.faults.strike(names, request.target);
  const answer = (): ReturnType<Source["handle"]> => source.handle(request, fault?.fault);
  if (fault === undefined) return send(response, answer());
  const { "if-none-match": _, "if-modified-since": __, ...headers } = request.headers;
  const answerInFull = (): ReturnType<Source["handle"]> =>
    source.handle({ ...request, headers }, fault.fault);
  await commit(fault, { incoming, response, answer, answerInFull });
}

const namesOf = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)]);

const describeSources = (origin: string, sources: readonly Source[]): SandboxSource[] =>
  sources.map(({ id, description }) => ({ id, url: `${origin}${UPSTREAMS}${id}`, description }));

const describeUpstreams = (sources: readonly Source[]): Record<string, Upstream> =>
  Object.fromEntries(
    sources.flatMap(({ id, upstream }) => (upstream === undefined ? [] : [[id, { ...upstream }]])),
  );

const describeSystems = ({ systems }: GbfsHost): SandboxGbfsSystem[] =>
  systems.map((system) => describeSystem(system));

function describeSystem({ operator, url, guard }: GbfsSystem): SandboxGbfsSystem {
  return {
    id: operator.id,
    url,
    name: textIn(operator.name, firstLanguage(operator), operator),
    country: operator.city.country,
    ...(guard.credential === null ? {} : { auth: guard.credential }),
  };
}

async function listen(
  server: Server,
  host: string,
  port: number,
): Promise<{ url: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const output = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `http://${output}:${address.port}`, port: address.port };
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
