/** A car park of a register as a place, and its live numbers, whatever the format they come in. */
import { present } from "#kit/present.ts";
import type { Location } from "#kit/geo.ts";
import type { Contradiction, LiveState, SpacesState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { parkingOf } from "#providers/openstreetmap/osm-parking.ts";
import { type Dropped, toAttribution } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import { readFacts } from "#providers/stated-facts.ts";

/** What a row of a register is read as: its id, and its value or why it is dropped. */
export type ReadRow<T extends object> = { id: string | null; value: T | Dropped };

/** Gives the values of rows, each id once; null instead of a row that is dropped. */
export function keepEach<T extends object>(
  rows: Iterable<ReadRow<T> | null>,
  trail: TrailRecorder,
): Generator<T | null, void> {
  return keep(rows, trail, new Set());
}

/** The same of states, doubled ids too: which of them counts is known where they meet their sites. */
export function keepStates<T extends LiveState>(
  rows: Iterable<ReadRow<T> | null>,
  trail: TrailRecorder,
): Generator<T | null, void> {
  return keep(rows, trail, null);
}

/** `seen` null: ids may come again. */
function* keep<T extends object>(
  rows: Iterable<ReadRow<T> | null>,
  trail: TrailRecorder,
  seen: Set<string> | null,
): Generator<T | null, void> {
  let index = -1;
  for (const row of rows) {
    index += 1;
    // What is no row has left its reason in the trail.
    const reason = row && reasonOf(row, seen);
    if (reason !== null) trail.drop(reason, row?.id ?? `#${index}`);
    yield row && reason === null ? (row.value as T) : null;
  }
}

function reasonOf({ id, value }: ReadRow<object>, seen: Set<string> | null): Dropped | null {
  if (typeof value === "string") return value;
  if (id === null) return "id_missing";
  if (seen?.has(id)) return "id_duplicate";
  seen?.add(id);
  return null;
}

/** As its register has it; null: not stated. */
export type StatedCarPark = {
  id: string;
  /** Under which the live half has it. */
  live_id: string;
  location: Location;
  name: string | null;
  /** In the words of the open map: `multi-storey`, `surface`, `street_side` … */
  layout: string | null;
  fee: boolean | null;
  /** Price, in the words of the register. */
  charge: string | null;
  capacity: number | null;
  access: "customers" | "restricted" | null;
  operator: string | null;
  address: string | null;
  /** In the grammar of the open map. */
  hours: string | null;
};

export function toCarPark(stated: StatedCarPark, settings: RegisterSettings): Place {
  const { id, live_id, location, name, hours, address } = stated;
  const operator = stated.operator ?? settings.name;
  const { capacity, ...members } = parkingOf(tagsOf(stated));
  return {
    kind: "parking",
    ...location,
    source_id: settings.id,
    source_type: "partner_api",
    external_id: id,
    name,
    provider: { id: settings.id, name: operator },
    attributes: {
      ...present({ maps_place_id: id, address }),
      // Others are evaluated with the answer, where the moment and the time zone are known.
      open_status: hours === "24/7" ? "open" : "unknown",
      ...(hours === null ? {} : { opening_hours: [hours] }),
      ...readFacts("parking", {
        operator: stated.operator,
        fee: stated.fee,
        charge: stated.charge,
        capacity,
        access: stated.access,
        attribution: toAttribution(settings),
      }),
      ...members,
    },
    ...(hours === null ? {} : { opening: { text: hours } }),
    live: { kind: "spaces", id: live_id },
    keys: [`${settings.id}:${id}`],
  };
}

/** What of it the open map says in tags, so that both are put in the same words. */
function tagsOf({ layout, fee, capacity }: StatedCarPark): Map<string, string> {
  const tags = new Map<string, string>();
  if (layout !== null) tags.set("parking", layout);
  if (fee !== null) tags.set("fee", fee ? "yes" : "no");
  if (capacity !== null) tags.set("capacity", String(capacity));
  return tags;
}

/** Live numbers of one car park as they are stated; null: not known. */
export type StatedCounts = {
  free: number | null;
  capacity: number | null;
  occupied: number | null;
  /** Share of the spaces that are taken, percent. */
  occupied_percent: number | null;
};

/** Counters that are read one after the other differ by the cars that pass in between. */
const SLACK = 0.05;
const SLACK_SPACES = 3;

/**
 * Free spaces and capacity, and what of the stated numbers cannot all be true. A capacity of 0 is
 * a way of not saying, and so are the counts that come with it.
 */
export function toSpaces(
  stated: StatedCounts,
): Pick<SpacesState, "free" | "capacity" | "contradictions"> {
  const { occupied, capacity } = stated;
  if (capacity === 0) return { free: null, capacity: null };
  const derived =
    occupied !== null && capacity !== null && occupied <= capacity ? capacity - occupied : null;
  const contradictions = [...listContradictions(stated)];
  return {
    free: stated.free ?? derived,
    capacity,
    ...(contradictions.length > 0 ? { contradictions } : {}),
  };
}

function* listContradictions(stated: StatedCounts): Generator<Contradiction, void> {
  const { free, capacity, occupied, occupied_percent } = stated;
  if (free !== null && capacity !== null && free > capacity) yield "free_above_capacity";
  if (occupied !== null && capacity !== null && occupied > capacity)
    yield "occupied_above_capacity";
  if (free === null || occupied === null) return;
  const counted = free + occupied;
  const slack = Math.max(SLACK_SPACES, SLACK * counted);
  const isOther = capacity !== null && Math.abs(counted - capacity) > slack;
  const taken = occupied_percent === null ? occupied : (occupied_percent / 100) * counted;
  if (isOther || Math.abs(taken - occupied) > slack) yield "counts_do_not_add_up";
}
