/**
 * One station of several providers is one result (decisions, Transport). Two observations may be one
 * when they stand near each other, serve a common mode, and their names do not speak against it; one
 * provider is never merged with itself, so that the two stops of a street stay two.
 */
import { distance_m } from "#core/geo.ts";
import { createLexicon, type Lexicon, prepareName } from "#core/identity/name.ts";
import { compareNames, createFinding } from "#core/identity/similarity.ts";
import {
  TRANSIT_MODES,
  type TransitOperator,
  type TransitRoute,
  type TransitSource,
  type TransitStation,
} from "./station.ts";

/** As told by all who know it; `lead` says where and what it is. */
export type MergedStation = Omit<TransitStation, "source"> & {
  lead: TransitStation;
  sources: readonly TransitSource[];
};

/** Providers put the pin of a station on another entrance. */
const NEAR_M = 120;
/** Of core/identity's similarity. */
const ALIKE = 0.6;
/** So near, a name in another script or a bare number is no objection. */
const SAME_SPOT_M = 30;

/** `providers`: the stations of each, leading ones first. */
export function mergeStations(providers: readonly (readonly TransitStation[])[]): MergedStation[] {
  const [first = [], ...rest] = providers.filter((stations) => stations.length > 0);
  let groups: TransitStation[][] = first.map((station) => [station]);
  for (const followers of rest) groups = join(groups, followers);
  return groups.map(tell);
}

type Pair = { group: number; follower: TransitStation; metres: number };

function join(groups: readonly TransitStation[][], followers: readonly TransitStation[]) {
  const joined = groups.map((group) => [...group]);
  const taken = new Set<number>();
  const used = new Set<TransitStation>();
  for (const { group, follower } of listPairs(groups, followers)) {
    if (taken.has(group) || used.has(follower)) continue;
    taken.add(group);
    used.add(follower);
    joined[group]!.push(follower);
  }
  const rest = followers.filter((station) => !used.has(station));
  return [...joined, ...rest.map((station) => [station])];
}

/** Nearest first, then by id: what came first decides nothing. */
function listPairs(
  groups: readonly TransitStation[][],
  followers: readonly TransitStation[],
): Pair[] {
  const lexicon = createLexicon();
  const pairs: Pair[] = [];
  followers.forEach((follower) =>
    groups.forEach(([lead], group) => {
      // A degree of latitude is 111 km: most are ruled out without a sine.
      if (Math.abs(lead!.lat - follower.lat) > 0.002) return;
      const metres = distance_m(lead!.lat, lead!.lon, follower.lat, follower.lon);
      if (metres <= NEAR_M && mayBeOne(lexicon, lead!, follower, metres))
        pairs.push({ group, follower, metres });
    }),
  );
  const idOf = ({ source }: TransitStation): string => source.source_id;
  return pairs.sort(
    (a, b) =>
      a.metres - b.metres ||
      compare(idOf(groups[a.group]![0]!), idOf(groups[b.group]![0]!)) ||
      compare(idOf(a.follower), idOf(b.follower)),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const finding = createFinding();

function mayBeOne(lexicon: Lexicon, a: TransitStation, b: TransitStation, metres: number): boolean {
  if (!a.modes.some((mode) => b.modes.includes(mode))) return false;
  compareNames(
    lexicon,
    prepareName(lexicon, a.name, []),
    prepareName(lexicon, b.name, []),
    finding,
  );
  if (finding.number_conflict || finding.side_conflict) return false;
  return finding.similarity < 0 ? metres <= SAME_SPOT_M : finding.similarity >= ALIKE;
}

function tell(group: readonly TransitStation[]): MergedStation {
  const [lead] = group as [TransitStation];
  const modes = new Set(group.flatMap((station) => station.modes));
  const { lat, lon, name } = lead;
  return {
    ...{ lat, lon, name, lead },
    modes: TRANSIT_MODES.filter((mode) => modes.has(mode)),
    operators: unite(
      group.map(({ operators }) => operators),
      operatorKey,
    ),
    routes: unite(
      group.map(({ routes }) => routes),
      routeKey,
    ),
    realtime: anyKnown(group.map(({ realtime }) => realtime)),
    alerts: anyKnown(group.map(({ alerts }) => alerts)),
    wheelchair: group.find(({ wheelchair }) => wheelchair !== "unknown")?.wheelchair ?? "unknown",
    fetched_at_ms: Math.min(...group.map(({ fetched_at_ms }) => fetched_at_ms)),
    sources: group.map(({ source }) => source),
  };
}

/** What a follower adds is what nobody before has named. */
function unite<T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): T[] {
  const known = new Map<string, T>();
  for (const list of lists)
    for (const item of list) {
      const key = keyOf(item);
      if (!known.has(key)) known.set(key, item);
    }
  return [...known.values()];
}

function operatorKey({ name }: TransitOperator): string {
  return name.toLowerCase();
}

/** Ids differ from provider to provider; what stands on the vehicle does not. */
function routeKey({ mode, short_name, long_name, id }: TransitRoute): string {
  return `${mode} ${(short_name ?? long_name ?? id).toLowerCase()}`;
}

/** One that says yes is believed; no needs somebody who knows. */
function anyKnown(flags: readonly (boolean | null)[]): boolean | null {
  if (flags.includes(true)) return true;
  return flags.includes(false) ? false : null;
}
