/** Rental stations of an Overpass answer: nodes, and ways or relations with their centre. */
import type { Mode, StationInfo } from "#core/entities.ts";
import type { TrailRecorder } from "#core/trail.ts";
import { type Row, toCount, toId, toRow, toText } from "#providers/gbfs/coerce.ts";
import { type Item, readLocation, toItems } from "#providers/gbfs/rows.ts";

/** Wikis: what is rented at which amenity. */
const KINDS: Readonly<Record<string, Mode>> = {
  bicycle_rental: "bicycle",
  car_sharing: "car",
  kick_scooter_rental: "scooter",
  motorcycle_rental: "moped",
};
/** `bicycle_rental=*`: a shop is no station. */
const SHOPS: ReadonlySet<string> = new Set(["shop", "kiosk", "hotel", "key_dispensing_machine"]);

export type MapStation = { station: StationInfo; mode: Mode; names: string[] };

/** null: not an Overpass answer. What is no rental station is dropped, with its reason. */
export function readMapStations(wire: unknown, trail: TrailRecorder): MapStation[] | null {
  const elements = toRow(wire)?.["elements"];
  if (!Array.isArray(elements)) return null;
  const rows = elements.map((value) => {
    const row = toRow(value);
    const id = toId(row?.["id"]);
    return row && id !== null ? { ...row, id: `${toText(row["type"]) ?? "node"}/${id}` } : value;
  });
  return [...toItems(rows, ["id"], trail).values()].flatMap((item) => toStation(item) ?? []);
}

function toStation(item: Item): MapStation | null {
  const { row, id, trail } = item;
  const tags = toRow(row["tags"]) ?? {};
  const mode = KINDS[toText(tags["amenity"]) ?? ""];
  if (mode === undefined || SHOPS.has(toText(tags["bicycle_rental"]) ?? "")) {
    trail.drop("not_a_station", id);
    return null;
  }
  const location = readLocation(toRow(row["center"]) ?? row);
  if (typeof location === "string") {
    trail.drop(location, id);
    return null;
  }
  const capacity = toCount(tags["capacity"]) || null;
  return { mode, names: namesOf(tags), station: stationOf(id, tags, { location, mode, capacity }) };
}

function stationOf(
  id: string,
  tags: Row,
  told: { location: { lat: number; lon: number }; mode: Mode; capacity: number | null },
): StationInfo {
  const { location, mode, capacity } = told;
  const ref = toText(tags["ref"]);
  return {
    ...{
      id,
      name: toText(tags["name"]) ?? toText(tags["official_name"]) ?? ref ?? `Station ${id}`,
    },
    ...{ ...location, capacity, ref, short_name: toText(tags["short_name"]) },
    // Names the mode, as a typed capacity of the operators does (R2).
    vehicle_capacity: [{ type_ids: [mode], count: capacity ?? 0 }],
    dock_capacity: [],
    ...{ is_virtual: null, has_area: false, is_charging: null },
    address: toText(tags["addr:street"]),
    ...{ cross_street: null, post_code: toText(tags["addr:postcode"]), city: null },
    ...{ region_id: null, external_id: null, legacy_id: null, parking_type: null },
    opening_hours: toText(tags["opening_hours"]),
    ...{ rental_methods: [], rental_uris: null },
  };
}

/** By which words its operator is known. */
function namesOf(tags: Row): string[] {
  const names = ["network", "brand", "operator"].map((key) => toText(tags[key]));
  return names.filter((name) => name !== null);
}
