/** Rates of disagreement between sources: of the simulated world over the wire, and of real pairs. */
import { distance_m } from "#kit/geo.ts";
import { startSandbox, type Sandbox } from "../../sandbox/main.ts";
import { type LabelledSet, readSets, printSkipped } from "../scorecard/sets.ts";

/** One pair of observations of the same dock. */
type Pair = { metres: number; same_name: boolean; same_key: boolean; bridged: boolean };

export type Rates = {
  pairs: number;
  "moved more than 5 m": number;
  "moved more than 15 m": number;
  "moved more than 30 m": number;
  "median distance, m": number;
  "9 of 10 within, m": number;
  "99 of 100 within, m": number;
  "name not the same to the letter": number;
  "key not the same": number;
  "no key in common": number;
  "station with a twin within 60 m": number;
  "station with another operator's within 40 m": number;
};

const TWIN_M = 60;
const NEXT_DOOR_M = 40;

function ratesOf(pairs: readonly Pair[], twins: number, neighbours: number): Rates {
  const sorted = pairs.map(({ metres }) => metres).toSorted((a, b) => a - b);
  const at = (q: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
  const share = (holds: (pair: Pair) => boolean): number =>
    pairs.filter(holds).length / pairs.length;
  return {
    pairs: pairs.length,
    "moved more than 5 m": share(({ metres }) => metres > 5),
    "moved more than 15 m": share(({ metres }) => metres > 15),
    "moved more than 30 m": share(({ metres }) => metres > 30),
    "median distance, m": at(0.5),
    "9 of 10 within, m": at(0.9),
    "99 of 100 within, m": at(0.99),
    "name not the same to the letter": share(({ same_name }) => !same_name),
    "key not the same": share(({ same_key }) => !same_key),
    "no key in common": share(({ same_key, bridged }) => !same_key && !bridged),
    "station with a twin within 60 m": twins,
    "station with another operator's within 40 m": neighbours,
  };
}

/** All labelled `same` rows of all sets together; twins and neighbours of the sets that label them. */
export function realRates(dir: string): Rates {
  const sets = readSets(dir, printSkipped);
  const pairs = sets.flatMap((set) =>
    set.pairs.filter(({ label }) => label === "same").map(({ a, b }) => toPair(set, a, b)),
  );
  const labelled = sets.filter(({ pairs: rows }) => rows.some(({ label }) => label === "same"));
  const docks = labelled.flatMap(({ pairs: rows }) => rows.filter(({ label }) => label === "same"));
  // A `different` row is a pair of docks on one corner: both of them have a twin.
  const twinned = labelled.map((set) => twinsOf(set)).reduce((sum, n) => sum + n, 0);
  return ratesOf(pairs, twinned / docks.length, neighbourShare(sets));
}

function toPair({ observations }: LabelledSet, a: number, b: number): Pair {
  const [x, y] = [observations[a]!, observations[b]!];
  const own = [x.id, ...Object.values(x.keys)];
  const other = [y.id, ...Object.values(y.keys)];
  return {
    metres: distance_m(x.lat, x.lon, y.lat, y.lon),
    same_name: x.name === y.name,
    same_key: x.id === y.id,
    bridged: own.some((key) => other.includes(key)),
  };
}

function twinsOf({ pairs }: LabelledSet): number {
  const twins = new Set(pairs.filter(({ label }) => label === "different").map(({ a }) => a));
  return twins.size;
}

function neighbourShare(sets: readonly LabelledSet[]): number {
  const set = sets.find(({ pairs }) => pairs.some(({ label }) => label === "neighbours"));
  if (!set) return 0;
  const rows = set.pairs.filter(({ label }) => label === "neighbours");
  return new Set(rows.flatMap(({ a, b }) => [a, b])).size / set.observations.length;
}

type Thing = {
  kind: string;
  is_installed?: boolean;
  name: string;
  location: { lat: number; lon: number };
  sources: { source: string; network_id: string; source_id: string }[];
};
type Seen = { lat: number; lon: number; name: string; keys: string[] };

/** Read over the wire, as the service reads it. */
export async function simulatedRates(seed: number): Promise<Rates> {
  const sandbox = await startSandbox({ seed, port: 0 });
  try {
    return await ratesIn(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Sources that see for themselves: a trip planner passes on the publishers' own rows. */
async function ratesIn(sandbox: Sandbox): Promise<Rates> {
  const seen = new Map([...(await readCitybikes(sandbox)), ...(await readOpenMap(sandbox))]);
  const pairs: Pair[] = [];
  const counts = { stations: 0, twins: 0, shared: 0, neighbours: 0 };
  for (const { lat, lon } of sandbox.cities()) {
    const where = `lat=${lat}&lon=${lon}&radius=20000`;
    const { things } = await readJson<{ things: Thing[] }>(
      `${sandbox.url}/__sandbox/truth?${where}`,
    );
    const stations = things.filter(({ kind, is_installed }) => kind === "station" && is_installed);
    for (const station of stations) pairs.push(...pairsOf(station, seen));
    count(
      stations.filter(({ sources }) => sources[0]?.source === "gbfs"),
      counts,
    );
  }
  return ratesOf(pairs, counts.twins / counts.stations, counts.neighbours / counts.shared);
}

function pairsOf({ name, location, sources }: Thing, seen: ReadonlyMap<string, Seen>): Pair[] {
  const [first, ...others] = sources;
  if (first?.source !== "gbfs") return [];
  const key = first.source_id.slice(first.network_id.length + 1);
  return others.flatMap(({ source_id }) => {
    const other = seen.get(source_id);
    if (!other) return [];
    return {
      metres: distance_m(location.lat, location.lon, other.lat, other.lon),
      same_name: other.name === name,
      same_key: false,
      bridged: other.keys.includes(key),
    };
  });
}

/** Twins of one operator; neighbours only where a city has several operators with stations. */
function count(
  stations: readonly Thing[],
  counts: { stations: number; twins: number; shared: number; neighbours: number },
): void {
  const operators = new Set(stations.map(({ sources }) => sources[0]!.network_id));
  const near = (one: Thing, within_m: number, same: boolean): boolean =>
    stations.some(
      (other) =>
        other !== one &&
        (other.sources[0]!.network_id === one.sources[0]!.network_id) === same &&
        distance_m(one.location.lat, one.location.lon, other.location.lat, other.location.lon) <=
          within_m,
    );
  counts.stations += stations.length;
  counts.twins += stations.filter((station) => near(station, TWIN_M, true)).length;
  if (operators.size < 2) return;
  counts.shared += stations.length;
  counts.neighbours += stations.filter((station) => near(station, NEXT_DOOR_M, false)).length;
}

type Station = {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  extra: { uid?: string | number };
};

async function readCitybikes({ url }: Sandbox): Promise<[string, Seen][]> {
  const base = `${url}/upstreams/citybikes/v2/networks`;
  const { networks } = await readJson<{ networks: { id: string }[] }>(base);
  const read = networks.map(async ({ id }) => {
    const { network } = await readJson<{ network: { stations: Station[] } }>(`${base}/${id}`);
    return network.stations.map((station): [string, Seen] => [
      `citybikes:${id}:${station.id}`,
      {
        lat: station.latitude,
        lon: station.longitude,
        name: station.name,
        keys: [String(station.extra.uid)],
      },
    ]);
  });
  return (await Promise.all(read)).flat();
}

type Node = {
  type: string;
  id: number;
  lat: number;
  lon: number;
  tags: { name: string; ref?: string };
};

async function readOpenMap(sandbox: Sandbox): Promise<[string, Seen][]> {
  const read = sandbox.openMapStations().map(async ({ id, url }) => {
    const { elements } = await readJson<{ elements: Node[] }>(url);
    return elements.map((node): [string, Seen] => [
      `openstreetmap:${id}:${node.type}/${node.id}`,
      {
        lat: node.lat,
        lon: node.lon,
        name: node.tags.name,
        keys: node.tags.ref ? [node.tags.ref] : [],
      },
    ]);
  });
  return (await Promise.all(read)).flat();
}

async function readJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}

export type Row = {
  name: keyof Rates;
  simulated: number;
  real: number | null;
  /** null: there is nothing to compare with. */
  enough: boolean | null;
};

export function compareRates(simulated: Rates, real: Rates | null): Row[] {
  return (Object.keys(simulated) as (keyof Rates)[]).map((name) => ({
    name,
    simulated: simulated[name],
    real: real && real[name],
    enough: real === null || name === "pairs" ? null : simulated[name] >= real[name],
  }));
}
