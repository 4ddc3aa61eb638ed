/**
 * Rental stations as transport stations (decisions, Transport: GBFS cars are `car_share`, mopeds
 * `shared_mobility`): from the world, identity resolved, without their counts.
 */
import { TRANSPORT_MODES } from "#api/tokens.ts";
import { modesOf } from "#stations/shard/bits.ts";
import type { Mode } from "#stations/entities.ts";
import { type TransitMode, type TransitStation } from "#transit/schedule/station.ts";
import type { Clock, Feeds } from "#ports.ts";
import type { FindCountries } from "#app/country.ts";
import { consult, findUnsurveyed, needsRefresh, waitFor } from "#app/gather.ts";
import type { Wants } from "#app/answer-types.ts";
import type { FoundItem } from "#world/found.ts";
import { readStatic } from "#stations/identity/case-text.ts";
import type { World } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { readText } from "#kit/bytes.ts";
import { createTurn } from "#kit/run/turn.ts";
import type { TransitFinder, TransitFinding, TransitQuestion } from "./transit-finder.ts";

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
/** The modes of §4.7a that a rental station may have. */
const GBFS_MODES = TRANSPORT_MODES.filter((mode) => Object.values(MODES).includes(mode));
const ALL = 0b1111;
/** Static data alone: of live files only that a system has been read at all. */
const WANTS: Wants = { stations: false, vehicles: false, alerts: false };
const FRESH_MS = 30_000;
const UNSURVEYED = { status: "unavailable", reason: "not_surveyed" } as const;

export function gbfsFinder(deps: GbfsDeps): TransitFinder {
  return {
    provider: "gbfs",
    key: "gbfs",
    modes: GBFS_MODES,
    covers: () => true,
    async find(question) {
      const { circle, now_ms, until_ms } = question;
      const systems: SystemEntry[] = [];
      deps.world.covering(circle, systems);
      for (const { source_id } of systems) deps.feeds.wake(source_id);
      const late = systems.filter((entry) => needsRefresh(entry, WANTS, null, now_ms));
      const waiting = waitFor(late, deps, { begun_after_ms: 0, until_ms });
      const unsurveyed = await findUnsurveyed(deps, circle);
      const waits = await waiting;
      const consulted = systems.map((entry) =>
        consult(entry, WANTS, { feeds: deps.feeds, now_ms, wait: waits.get(entry) }),
      );
      const broken = consulted.find(({ status }) => status !== "ok");
      const failed = broken ?? (unsurveyed.length > 0 ? UNSURVEYED : undefined);
      const stations = await collect(deps.world, systems, question);
      return {
        key: "gbfs",
        name: broken?.name ?? "shared mobility",
        uncovered: systems.length === 0 && failed === undefined,
        groups: [stations],
        raw: stations.length,
        calls: late.length,
        cache: late.length > 0 ? "partial" : "hit",
        ...(failed && failed.status !== "ok"
          ? { status: failed.status, reason: failed.reason, good_until_ms: null }
          : { status: "ok", reason: null, good_until_ms: now_ms + FRESH_MS }),
      } satisfies TransitFinding;
    },
  };
}

/** Stations that are made before others may have the thread. */
const STEP_STATIONS = 50;

async function collect(
  world: World,
  systems: readonly SystemEntry[],
  { circle, now_ms }: TransitQuestion,
): Promise<TransitStation[]> {
  await createTurn({ slice_ms: 0 })();
  const turn = createTurn({});
  const wanted = { modes: ALL, stations: true, vehicles: false };
  const { items } = world.search(systems, { circle, now_ms, ...wanted });
  const stations: TransitStation[] = [];
  for (const item of items) {
    stations.push(toStation(item, now_ms));
    if (stations.length % STEP_STATIONS === 0) await turn();
  }
  return stations;
}

/** Of a station of several observations, as the best of them describes it. */
function toStation({ shard, row, state, merged }: FoundItem, now_ms: number): TransitStation {
  const lead = merged?.view.caseAt(merged.place).members[0];
  const member = lead ?? { statics: shard.statics, row };
  const { status, alerts } = merged && lead ? merged.view.shards[lead.part]! : shard;
  const { statics } = member;
  const { name, location } = readStatic(member);
  const { system_id, network } = statics.meta;
  const station_id = readText(statics.ids, member.row);
  const entries = new Set(modesOf(state).map((mode) => MODES[mode]));
  return {
    name,
    lat: location.lat,
    lon: location.lon,
    modes: TRANSPORT_MODES.filter((mode) => entries.has(mode)),
    operators: [{ id: network.id, name: network.name }],
    routes: [],
    // Counts are live wherever the publisher offers them (mobility.md 4.5).
    realtime: status !== null,
    alerts: alerts !== null,
    wheelchair: "unknown",
    fetched_at_ms: status?.live?.validated_at_ms ?? now_ms,
    source: {
      provider: "gbfs",
      region: null,
      source_id: station_id,
      operator_id: network.id,
      feed_id: system_id,
    },
  };
}
