/**
 * Vehicles of the legacy routes (§4.11, §4.12; decisions, Legacy routes): those of /v1/nearby within
 * 400 metres, of one brand or the scooters and mopeds of all, in their historic records.
 */
import { LIMITS } from "#contract/limits.ts";
import type { Mode } from "#core/entities.ts";
import type { Brand } from "#core/legacy/brands.ts";
import { toBrandSlug } from "#core/legacy/brands.ts";
import { LEGACY_TYPES, toAttributes, toBattery, toNumberId } from "#core/legacy/vehicle.ts";
import { getField, modeMask, modesOf, TRI } from "#core/nearby/bits.ts";
import { vehicleExtras } from "#core/shard/vehicles.ts";
import type { Clock, Feeds } from "#ports.ts";
import {
  consult,
  type Consulted,
  findUnsurveyed,
  needsRefresh,
  remaining_s,
  waitFor,
} from "#app/gather.ts";
import type { FindCountries } from "#app/country.ts";
import { codeOf, type Failed } from "#app/one-source.ts";
import { areVehiclesGone, collectHits } from "#world/collect-hits.ts";
import { createHits, type Hits, hitId } from "#world/hits.ts";
import type { SystemEntry, World } from "#world/world.ts";
import type { BrandedSystems } from "./brands.ts";
import type { LegacyQuestion, LegacyReply } from "./reply.ts";
import { REPLY_MARGIN_MS } from "#core/time.ts";

export type LegacyDeps = {
  world: World;
  feeds: Feeds;
  clock: Clock;
  countries: () => Promise<FindCountries>;
  brands: () => BrandedSystems;
};

export type LegacyVehicles = {
  ofBrand(question: LegacyQuestion & { provider: string }): Promise<LegacyReply>;
  scooters(question: LegacyQuestion): Promise<LegacyReply>;
};

const ALL_MODES: readonly Mode[] = ["bicycle", "scooter", "moped", "car"];
const WANTS = { stations: false, vehicles: true, alerts: false };

export function createLegacyVehicles(deps: LegacyDeps): LegacyVehicles {
  const hits = createHits();
  return {
    async ofBrand(question) {
      const { bySlug } = deps.brands();
      const known = bySlug.get(toBrandSlug(question.provider));
      if (!known) return { kind: "unknown", known: [...bySlug.keys()].toSorted() };
      const gathered = await gather(deps, question, ({ source_id }) =>
        known.source_ids.has(source_id),
      );
      return answer(gathered, ALL_MODES, hits, (found) => toVehicle(found, known.brand));
    },
    async scooters(question) {
      const { of } = deps.brands();
      const gathered = await gather(deps, question, ({ source_id }) => of.has(source_id));
      return answer(gathered, ["scooter", "moped"], hits, (found) =>
        toScooter(found, of.get(found.entry.source_id)!),
      );
    },
  };
}

type Gathered = {
  circle: { lat: number; lon: number; radius_m: number };
  systems: SystemEntry[];
  consulted: Consulted[];
  /** Whether a system that nobody knows the place of yet may be here. */
  unsurveyed: boolean;
  /** Whether anybody has said what is here, if only by being elsewhere. */
  told: boolean;
  now_ms: number;
};

async function gather(
  deps: LegacyDeps,
  { coords, now_ms, deadline_ms }: LegacyQuestion,
  takes: (entry: SystemEntry) => boolean,
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
  const told =
    consulted.some(({ status }) => status === "ok") ||
    systems.some((entry) => isHeld(entry, now)) ||
    (systems.length === 0 && isElsewhere(deps.world.list().filter(takes), unsurveyed));
  return { circle, systems, consulted, unsurveyed: unsurveyed.length > 0, told, now_ms: now };
}

/** Vehicles that may still be shown (R6); a place where there are none any more counts too. */
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

type Found = { entry: SystemEntry; row: number; state: number; id: string; distance_m: number };

/** Synchronous, so that the hit list belongs to one question at a time. */
function answer(
  { circle, systems, consulted, unsurveyed, told, now_ms }: Gathered,
  modes: readonly Mode[],
  hits: Hits,
  toItem: (found: Found) => object,
): LegacyReply {
  if (!told) return { kind: "failed", code: failureOf(consulted), retry_after_s: null };
  const wanted = { stations: false, vehicles: true, modes: modeMask(modes) };
  collectHits(hits, systems, { circle, now_ms, ...wanted });
  const shown = Array.from(hits.order.subarray(0, hits.count))
    .filter((hit) => isFree(hits.state[hit]!))
    .slice(0, LIMITS.legacy.vehicles_max);
  const items = shown.map((hit) => toItem(toFound(hits, hit)));
  const partial = unsurveyed || consulted.some(({ status }) => status !== "ok");
  return {
    ...{ kind: "ok", items, partial },
    max_age_s: partial ? null : remaining_s(systems, WANTS, now_ms),
  };
}

/** Neither reserved nor disabled, which stand in the fields that stations use for their flags. */
function isFree(state: number): boolean {
  return getField(state, "renting") !== TRI.yes && getField(state, "returning") !== TRI.yes;
}

/** Nobody consulted: nobody knows yet where the systems are. */
function failureOf(consulted: readonly Consulted[]): Failed["code"] {
  const codes = consulted.flatMap(({ status, reason }) =>
    status === "ok" ? [] : [codeOf({ status, reason: reason ?? "unexpected" })],
  );
  if (codes.length > 0 && codes.every((code) => code === "provider_timeout"))
    return "provider_timeout";
  return codes.find((code) => code === "provider_bad_response") ?? "provider_unavailable";
}

function toFound(hits: Hits, hit: number): Found {
  const entry = hits.systems[hits.system[hit]!]!;
  const id = hitId(hits, hit);
  // Whole metres, half up, as every distance that is stated (decisions, Conventions).
  const distance_m = Math.floor(hits.decimetres[hit]! / 10 + 0.5);
  return { entry, row: hits.row[hit]!, state: hits.state[hit]!, id, distance_m };
}

function typeOf({ entry, row }: Found) {
  const { meta } = entry.shard!.statics;
  return meta.types[entry.shard!.vehicles!.data!.type[row]!] ?? null;
}

function batteryOf(found: Found): number | null {
  const { charge, range_m } = found.entry.shard!.vehicles!.data!;
  const max_range_m = typeOf(found)?.max_range_m ?? null;
  return toBattery(charge[found.row]!, range_m[found.row]!, max_range_m);
}

function placeOf({ entry, row }: Found): { lat: number; lng: number } {
  const { index } = entry.shard!.vehicles!.data!;
  return { lat: index.lat[row]!, lng: index.lon[row]! };
}

/** §4.11: an unknown level of charge is left out, since 0 would be a reading. */
function toVehicle(found: Found, brand: Brand): object {
  const battery = batteryOf(found);
  return {
    id: toNumberId(found.id),
    name: typeOf(found)?.name ?? brand.name,
    ...placeOf(found),
    ...(battery === null ? {} : { battery }),
    distance: found.distance_m,
  };
}

function toScooter(found: Found, brand: Brand): object {
  const { entry, row, id } = found;
  const { meta } = entry.shard!.statics;
  const own = id.slice(`${meta.system_id}:`.length);
  const extras = vehicleExtras(entry.shard!.vehicles!.data!, row, own) as { equipment?: string[] };
  return {
    id: own,
    ...placeOf(found),
    battery: batteryOf(found),
    type: LEGACY_TYPES[modesOf(getField(found.state, "modes"))[0] ?? "other"],
    attributes: toAttributes(typeOf(found), extras.equipment ?? []),
    provider: { name: brand.name },
    distance: found.distance_m,
  };
}
