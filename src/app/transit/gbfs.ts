/**
 * Rental stations as transport stations (decisions, Transport: GBFS cars are `car_share`, mopeds
 * `shared_mobility`): from the world, identity resolved, without their counts.
 */
import { TRANSPORT_MODES } from "#contract/tokens.ts";
import { modesOf } from "#core/nearby/bits.ts";
import type { Mode } from "#core/entities.ts";
import { type TransitMode, type TransitStation } from "#core/transit/station.ts";
import type { Clock, Feeds } from "#ports.ts";
import type { FindCountries } from "#app/country.ts";
import { consult, findUnsurveyed, needsRefresh, type Wants, waitFor } from "#app/gather.ts";
import { collectHits } from "#world/collect-hits.ts";
import { caseOf, createHits, type Hits } from "#world/hits.ts";
import { type Member, tellStatic } from "#world/identity/cases.ts";
import type { SystemEntry, World } from "#world/world.ts";
import { readText } from "#core/shard/bytes.ts";
import type { TransitFinder, TransitFinding, TransitQuestion } from "./finder.ts";

export type GbfsDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  countries: () => Promise<FindCountries>;
};

const MODES: Readonly<Record<Exclude<Mode, "other">, TransitMode>> = {
  bicycle: "bicycle",
  scooter: "scooter",
  moped: "shared_mobility",
  car: "car_share",
};
const ALL = 0b1111;
/** Static data alone: of live files only that a system has been read at all. */
const WANTS: Wants = { stations: false, vehicles: false, alerts: false };
const FRESH_MS = 30_000;
const UNSURVEYED = { status: "unavailable", reason: "not_surveyed" } as const;
const hits: Hits = createHits();

export function gbfsFinder(deps: GbfsDeps): TransitFinder {
  return {
    ...{ provider: "gbfs", key: "gbfs", covers: () => true },
    async find(question) {
      const { circle, now_ms, patience } = question;
      const systems: SystemEntry[] = [];
      deps.world.covering(circle, systems);
      for (const { source_id } of systems) deps.feeds.wake(source_id);
      const late = systems.filter((entry) => needsRefresh(entry, WANTS, null, now_ms));
      const waiting = waitFor(late, deps, { begun_after_ms: 0, until_ms: patience.until_ms });
      const unsurveyed = await findUnsurveyed(deps, circle);
      const waits = await waiting;
      const consulted = systems.map((entry) =>
        consult(entry, WANTS, { feeds: deps.feeds, now_ms, wait: waits.get(entry) }),
      );
      const failed =
        consulted.find(({ status }) => status !== "ok") ??
        (unsurveyed.length > 0 ? UNSURVEYED : undefined);
      const stations = collect(systems, question);
      return {
        ...{ key: "gbfs", groups: [stations], raw: stations.length, calls: late.length },
        cache: late.length > 0 ? "partial" : "hit",
        ...(failed && failed.status !== "ok"
          ? { status: failed.status, reason: failed.reason, good_until_ms: null }
          : { status: "ok", reason: null, good_until_ms: now_ms + FRESH_MS }),
      } satisfies TransitFinding;
    },
  };
}

function collect(systems: SystemEntry[], { circle, now_ms }: TransitQuestion): TransitStation[] {
  collectHits(hits, systems, { circle, modes: ALL, stations: true, vehicles: false, now_ms });
  const stations: TransitStation[] = [];
  for (let position = 0; position < hits.count; position++) {
    const hit = hits.order[position]!;
    const entry = hits.systems[hits.system[hit]!]!;
    const known = caseOf(hits, hit);
    const member = known?.of.members[0] ?? {
      ...{ entry, statics: entry.shard!.statics, row: hits.row[hit]! },
    };
    stations.push(toStation(member, modesOf(hits.state[hit]!), now_ms));
  }
  return stations;
}

function toStation(member: Member, modes: readonly Mode[], now_ms: number): TransitStation {
  const { entry, statics, row } = member;
  const { name, location } = tellStatic(member);
  const { system_id, network } = statics.meta;
  const station_id = readText(statics.ids, row);
  const known = new Set(modes.flatMap((mode) => (mode === "other" ? [] : [MODES[mode]])));
  return {
    ...{ name, lat: location.lat, lon: location.lon },
    modes: TRANSPORT_MODES.filter((mode) => known.has(mode)),
    operators: [{ id: network.id, name: network.name }],
    routes: [],
    // Counts are live wherever the publisher offers them (mobility.md 4.5).
    realtime: entry.shard!.status !== null,
    alerts: entry.shard!.alerts !== null,
    wheelchair: "unknown",
    fetched_at_ms: entry.shard!.status?.live?.validated_at_ms ?? now_ms,
    source: {
      ...{ provider: "gbfs", region: null, source_id: station_id },
      ...{ operator_id: network.id, feed_id: system_id },
    },
  };
}
