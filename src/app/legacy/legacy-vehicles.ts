/**
 * Vehicles of the legacy routes (§4.11, §4.12; decisions, Legacy routes): those of /v1/nearby within
 * 400 metres, of one brand or the scooters and mopeds of all, in their historic records.
 */
import { LIMITS } from "#api/limits.ts";
import type { ReplyAt } from "#api/operations.ts";
import type { Mode } from "#stations/entities.ts";
import { distance_m } from "#kit/geo.ts";
import type { Brand } from "#stations/identity/brand-names.ts";
import { toBrandSlug } from "#stations/identity/brand-names.ts";
import { LEGACY_TYPES, toAttributes, toBattery, toNumberId } from "#core/legacy/vehicle.ts";
import { createModeResolver } from "#stations/shard/shard-modes.ts";
import { getField, modeMask, modesOf } from "#stations/shard/bits.ts";
import { equipmentOf } from "#stations/shard/shard-vehicles.ts";
import type { Clock, Feeds } from "#ports.ts";
import { consult, findUnsurveyed, needsRefresh, liveFor_s, waitFor } from "#app/gather.ts";
import type { FindCountries } from "#app/country.ts";
import { type Failed, toFailed } from "#app/one-source.ts";
import type { Consulted } from "#app/answer-types.ts";
import { type FoundItem, itemId } from "#world/found.ts";
import type { World } from "#world/world.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { areVehiclesGone } from "#world/vehicles/sightings.ts";
import type { BrandedSystems } from "./legacy-brands.ts";
import type { LegacyQuestion, LegacyReply } from "./legacy-reply.ts";
import { REPLY_MARGIN_MS } from "#kit/time.ts";

export type LegacyDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  countries: () => Promise<FindCountries>;
  brands: () => BrandedSystems;
};

type Vehicles = ReplyAt<"/api/realtime/{coords}/{provider}">;
type Scooters = ReplyAt<"/api/realtime/{coords}/freefloat/scooter">;
export type LegacyVehicleSearch = {
  ofBrand(question: LegacyQuestion & { provider: string }): Promise<LegacyReply<Vehicles>>;
  scooters(question: LegacyQuestion): Promise<LegacyReply<Scooters>>;
};

const ALL_MODES: readonly Mode[] = ["bicycle", "scooter", "moped", "car"];
const SCOOTERS: readonly Mode[] = ["scooter", "moped"];
const WANTS = { stations: false, vehicles: true, alerts: false };

export function createLegacyVehicles(deps: LegacyDeps): LegacyVehicleSearch {
  return {
    async ofBrand(question) {
      const { bySlug, byOtherName, of } = deps.brands();
      const slug = toBrandSlug(question.provider);
      const entry = bySlug.get(slug) ?? byOtherName.get(slug);
      if (!entry) return { kind: "unknown", known: [...bySlug.keys()].toSorted() };
      const gathered = await gather(deps, question, {
        takes: ({ source_id }) => entry.source_ids.has(source_id),
        modes: ALL_MODES,
      });
      return answer(deps.world, gathered, ALL_MODES, (item) =>
        toVehicle(item, of.get(item.shard.source_id) ?? entry.brand, question.coords),
      );
    },
    async scooters(question) {
      const { of } = deps.brands();
      const gathered = await gather(deps, question, {
        takes: ({ source_id }) => of.has(source_id),
        modes: SCOOTERS,
      });
      return answer(deps.world, gathered, SCOOTERS, (item) =>
        toScooter(item, of.get(item.shard.source_id)!, question.coords),
      );
    },
  };
}

type Gathered = {
  circle: { lat: number; lon: number; radius_m: number };
  systems: SystemEntry[];
  /** Whether a system is asked at all. */
  takes: (entry: Pick<SystemEntry, "source_id">) => boolean;
  consulted: Consulted[];
  /** Those of them that can hold what is asked for. */
  judged: Consulted[];
  /** Whether a system without a known place may be here. */
  unsurveyed: boolean;
  /** Whether a source that can hold what is asked for has answered, if only by being elsewhere. */
  answered: boolean;
  now_ms: number;
};

async function gather(
  deps: LegacyDeps,
  { coords, now_ms, deadline_ms }: LegacyQuestion,
  { takes, modes }: { takes: Gathered["takes"]; modes: readonly Mode[] },
): Promise<Gathered> {
  const circle = { ...coords, radius_m: LIMITS.legacy.radius };
  const around: SystemEntry[] = [];
  deps.world.covering(circle, around);
  const systems = around.filter(takes);
  for (const { source_id } of systems) deps.feeds.wake(source_id);
  const late = systems.filter((entry) => needsRefresh(entry, WANTS, null, now_ms));
  const until = { begun_after_ms: 0, until_ms: deadline_ms - REPLY_MARGIN_MS };
  const waits = late.length > 0 ? await waitFor(late, deps, until) : new Map<SystemEntry, never>();
  const unsurveyed = (await findUnsurveyed(deps, circle)).filter(takes);
  const now = deps.clock.now();
  const consulted = systems.map((entry) =>
    consult(entry, WANTS, { feeds: deps.feeds, now_ms: now, wait: waits.get(entry) }),
  );
  // A system of docked bicycles has no scooters to report, however well it is.
  const able = systems.filter((entry) => canHold(entry, modes));
  const judged = consulted.filter((_, i) => able.includes(systems[i]!));
  const answered =
    judged.some(({ status }) => status === "ok") ||
    able.some((entry) => isHeld(entry, now)) ||
    (able.length === 0 && isElsewhere(deps.world.list().filter(takes), unsurveyed));
  const place = { circle, systems, takes, unsurveyed: unsurveyed.length > 0 };
  return { ...place, consulted, judged, answered, now_ms: now };
}

/** Whether it publishes vehicles of these modes; what has not been read may publish any. */
function canHold({ shard }: SystemEntry, modes: readonly Mode[]): boolean {
  if (shard === null) return true;
  const { types, mode_hint } = shard.statics.meta;
  const { system } = createModeResolver(types, mode_hint);
  return shard.vehicles !== null && system.some((mode) => modes.includes(mode));
}

/** Whether vehicles are held that may still be shown (R6), none included. */
function isHeld({ shard }: SystemEntry, now_ms: number): boolean {
  const live = shard?.vehicles?.data && shard.vehicles.live;
  return !!live && !areVehiclesGone(live, now_ms);
}

/** A system that has been surveyed, and is not here, has answered; one that has not is a failure. */
function isElsewhere(all: readonly SystemEntry[], unsurveyed: readonly SystemEntry[]): boolean {
  const countries = new Set(unsurveyed.map(({ country }) => country));
  return (
    unsurveyed.length === 0 ||
    all.some(({ surveyed, country }) => surveyed && countries.has(country))
  );
}

function answer<R>(
  world: World,
  { circle, systems, takes, consulted, judged, unsurveyed, answered, now_ms }: Gathered,
  modes: readonly Mode[],
  toRecord: (item: FoundItem) => R,
): LegacyReply<R[]> {
  if (!answered) return failedOf(judged, now_ms);
  const wanted = { stations: false, vehicles: true, free: true, modes: modeMask(modes) };
  const page = { from: 0, to: LIMITS.legacy.vehicles_max };
  const { items: nearest } = world.search(systems, { circle, now_ms, page, takes, ...wanted });
  // They are in order of decimetres, and by id where those are equal: of 156.52 m and 156.48 m either
  // may be first.
  const listed = nearest.toSorted((a, b) => metresOf(a, circle) - metresOf(b, circle));
  const partial = unsurveyed || consulted.some(({ status }) => status !== "ok");
  return {
    kind: "ok",
    body: listed.map(toRecord),
    shown: listed.length,
    partial,
    max_age_s: partial ? null : liveFor_s(consulted, WANTS, now_ms),
  };
}

/** Of a question that no source answered; without one consulted, no system has a known place. */
function failedOf(consulted: readonly Consulted[], now_ms: number): Failed {
  const all = consulted.flatMap(({ name, status, reason }) =>
    status === "ok" ? [] : [toFailed({ status, reason: reason ?? "unexpected" }, now_ms, name)],
  );
  const worst = WORST.map((code) => all.find((failed) => failed.code === code));
  return worst.find((failed) => failed !== undefined) ?? NOT_SURVEYED;
}

/** A timeout counts where all were too late. */
const WORST = ["provider_bad_response", "provider_unavailable", "provider_timeout"] as const;
export const NOT_SURVEYED: Failed = {
  kind: "failed",
  code: "provider_unavailable",
  message: "the systems of this area have not been surveyed yet; ask again in a moment",
  retry_after_s: 10,
};

type Origin = { lat: number; lon: number };

/** Whole metres, half up, of the exact distance: what is rounded twice may be one too many. */
function metresOf(item: FoundItem, origin: Origin): number {
  const { lat, lng } = placeOf(item);
  return Math.floor(distance_m(origin.lat, origin.lon, lat, lng) + 0.5);
}

function typeOf({ shard, row }: FoundItem) {
  return shard.statics.meta.types[shard.vehicles!.data!.type[row]!] ?? null;
}

function batteryOf(item: FoundItem): number | null {
  const { charge, range_m } = item.shard.vehicles!.data!;
  const max_range_m = typeOf(item)?.max_range_m ?? null;
  return toBattery(charge[item.row]!, range_m[item.row]!, max_range_m);
}

function placeOf({ shard, row }: FoundItem): { lat: number; lng: number } {
  const { index } = shard.vehicles!.data!;
  return { lat: index.lat[row]!, lng: index.lon[row]! };
}

/** §4.11: an unknown level of charge is left out, since 0 would be a reading. */
function toVehicle(item: FoundItem, brand: Brand, origin: Origin): Vehicles[number] {
  const battery = batteryOf(item);
  return {
    id: toNumberId(itemId(item)),
    name: typeOf(item)?.name ?? brand.name,
    ...placeOf(item),
    ...(battery === null ? {} : { battery }),
    distance: metresOf(item, origin),
  };
}

function toScooter(item: FoundItem, brand: Brand, origin: Origin): Scooters[number] {
  const { shard, row } = item;
  const own = itemId(item).slice(`${shard.statics.meta.system_id}:`.length);
  return {
    id: own,
    ...placeOf(item),
    battery: batteryOf(item),
    type: LEGACY_TYPES[modesOf(getField(item.state, "modes"))[0]!],
    attributes: toAttributes(typeOf(item), equipmentOf(shard.vehicles!.data!, row)),
    provider: { name: brand.name },
    distance: metresOf(item, origin),
  };
}
