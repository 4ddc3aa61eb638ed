/**
 * OCPI locations as one open file or its pages, of any version from 2.1.1 to 3.0: what the law of the
 * Union and of the United Kingdom asks operators to publish. The states are those of the same document,
 * or of a shorter one that names the points alone.
 */
import { toEvseId } from "#core/places/evse-id.ts";
import type { PointState } from "#core/places/live-state.ts";
import { type Row, toBool, toId, toRow, toText } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { Evse } from "#providers/ocpi/evses.ts";
import { isGone, readEvses, toState } from "#providers/ocpi/evses.ts";
import {
  isLocations,
  type OcpiRegister,
  openList,
  readLocations,
  toExternalId,
} from "#providers/ocpi/locations.ts";
import { toUtcTime_s } from "#providers/place-rows.ts";
import type { RegisterSettings, RegisterShape } from "#providers/register-shape.ts";

export const ocpiBulk: RegisterShape = {
  id: "ocpi_bulk",
  name: "OCPI locations",
  kind: "charging",
  renew_s: 86_400,
  refresh_s: 300,
  reads_tariffs: true,
  readPlaces: (body, { settings, trail, companions }) =>
    readLocations(body, { register: toRegister(settings), trail, companions }),
  readStates(body, { settings, trail }) {
    const register = toRegister(settings);
    const list = openList(body, { register, trail });
    if (!list) return null;
    const isNested = isLocations(list);
    if (!isNested && !isStatuses(list.rows())) return null;
    return readAll(list.rows(), { isNested, register, trail });
  },
};

function toRegister(settings: RegisterSettings): OcpiRegister {
  return { ...settings, label: settings.name, is_live: true };
}

/** Rows of points themselves, without their locations. */
function isStatuses(rows: Iterable<unknown>): boolean {
  for (const wire of rows) {
    const row = toRow(wire);
    if (row && "status" in row && ("evse_id" in row || "evse_uid" in row || "uid" in row))
      return true;
  }
  return false;
}

type Reading = { isNested: boolean; register: OcpiRegister; trail: TrailRecorder };

function* readAll(
  rows: Iterable<unknown>,
  { isNested, register, trail }: Reading,
): Generator<PointState | null, void> {
  let index = -1;
  for (const wire of rows) {
    index += 1;
    const row = toRow(wire);
    if (row && isNested) yield* statesOf(row, register, trail);
    else {
      const state = row ? toPointState(row, register) : "row_malformed";
      if (typeof state === "string") trail.drop(state, toId(row?.["evse_id"]) ?? `#${index}`);
      yield typeof state === "string" ? null : state;
    }
  }
}

/** Of one location; points of one id that are in different states are in none that is known. */
function* statesOf(
  row: Row,
  register: OcpiRegister,
  trail: TrailRecorder,
): Generator<PointState, void> {
  const id = toId(row["id"]);
  // Of what is not published nothing is looked for.
  if (id === null || toBool(row["publish"]) === false) return;
  const external_id = toExternalId(row, id, register);
  const evses = readEvses(row, external_id, trail) ?? [];
  for (const [evse_id, same] of Map.groupBy(evses, (evse) => evse.id)) {
    if (evse_id === null) continue;
    const states = new Set(same.map(({ unit }) => unit.state));
    if (states.size > 1) trail.repair("states_differ", evse_id);
    const state = states.size === 1 ? same[0]!.unit.state : null;
    yield { kind: "point", id: evse_id, observed_s: newest(same), state };
  }
}

function newest(evses: readonly Evse[]): number | null {
  const times = evses.flatMap(({ unit }) => unit.updated_s ?? []);
  return times.length > 0 ? Math.max(...times) : null;
}

/** A row of a file of statuses, or why it is dropped. */
function toPointState(row: Row, register: OcpiRegister): PointState | string {
  const uid = toId(row["evse_uid"] ?? row["uid"]);
  const location = locationIn(row, register);
  const inside = uid !== null && location !== null ? `${location}/${uid}` : uid;
  const id = toEvseId(toText(row["evse_id"])) ?? inside;
  if (id === null) return "id_missing";
  if (isGone(row)) return "evse_gone";
  const observed_s = toUtcTime_s(row["last_updated"] ?? row["timestamp"]);
  return { kind: "point", id, observed_s, state: toState(row) };
}

/** As its place has it, where the row says whose it is. */
function locationIn(row: Row, register: OcpiRegister): string | null {
  const id = toId(row["location_id"]);
  return id !== null && row["party_id"] != null ? toExternalId(row, id, register) : id;
}
