/** The ways within the stations of a feed as columns, in the order of the stations' rows. */
import { toBlob } from "#kit/bytes.ts";
import { NO_PART, PLACE, WAY, type AccessDraft } from "./access-draft.ts";
import type { AccessColumns, AccessMeta } from "./access-layout.ts";

/** `rows`: the row of each of the feed's stations in the pack. In steps. */
export function* packAccess(
  draft: AccessDraft,
  rows: Uint32Array,
): Generator<void, { meta: AccessMeta; columns: AccessColumns }> {
  const order = draft.stations
    .map((station, i) => ({ row: rows[station]!, i }))
    .sort((a, b) => a.row - b.row);
  const places = gather(draft.place_starts, draft.places, order);
  const ways = gather(draft.way_starts, draft.ways, order);
  yield;
  const placeOf = new Map(Array.from(places.list, (stop, place) => [stop, place]));
  const stated = Array.from(places.list, (stop) => draft.place(stop));
  yield;
  const rest = Array.from(ways.list, (way) => draft.way(way));
  yield;
  const ids = toBlob(stated.map(({ id }) => id));
  const codes = toBlob(stated.map(({ code }) => code));
  const levels = toBlob(stated.map(({ level }) => level));
  const lifts = toBlob(rest.map(({ mode, id }) => (mode === WAY.lift ? id : "")));
  yield;
  const columns: AccessColumns = {
    access_stations: Uint32Array.from(order, ({ row }) => row),
    access_partial: Uint8Array.from(order, ({ i }) => draft.partial[i]!),
    place_starts: places.starts,
    place_ids: ids.bytes,
    place_id_starts: ids.offsets,
    place_kinds: Uint8Array.from(stated, ({ kind }) => kind),
    place_wheelchairs: Uint8Array.from(stated, ({ wheelchair }) => wheelchair),
    place_parts: Uint32Array.from(stated, ({ kind, parent }) =>
      kind === PLACE.boarding ? (placeOf.get(parent) ?? NO_PART) : NO_PART,
    ),
    place_codes: codes.bytes,
    place_code_starts: codes.offsets,
    place_levels: levels.bytes,
    place_level_starts: levels.offsets,
    way_starts: ways.starts,
    way_from: Uint32Array.from(rest, ({ from }) => placeOf.get(from)!),
    way_to: Uint32Array.from(rest, ({ to }) => placeOf.get(to)!),
    way_modes: Uint8Array.from(rest, ({ mode }) => mode),
    way_flags: Uint8Array.from(rest, ({ flags }) => flags),
    way_lengths: Uint32Array.from(rest, ({ length_dm }) => length_dm),
    way_ids: lifts.bytes,
    way_id_starts: lifts.offsets,
  };
  const counts = {
    stations: order.length,
    places: stated.length,
    ways: rest.length,
    lifts: rest.filter(({ mode }) => mode === WAY.lift).length,
  };
  return { meta: { counts }, columns };
}

/** Lists in another order, one behind the other. */
function gather(starts: Uint32Array, items: Uint32Array, order: readonly { i: number }[]) {
  const lists = order.map(({ i }) => items.subarray(starts[i], starts[i + 1]));
  const gathered = {
    starts: new Uint32Array(lists.length + 1),
    list: new Uint32Array(items.length),
  };
  for (const [at, list] of lists.entries()) {
    gathered.list.set(list, gathered.starts[at]);
    gathered.starts[at + 1] = gathered.starts[at]! + list.length;
  }
  return gathered;
}
