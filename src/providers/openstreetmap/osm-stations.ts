/** Rental stations of an Overpass answer: nodes, and ways or relations with their centre. */
import type { Mode, StationInfo } from "#stations/entities.ts";
import type { Location } from "#kit/geo.ts";
import { isNotInUse, isOutOfOrder } from "#providers/openstreetmap/exclusions.ts";
import { toTags } from "#providers/openstreetmap/element.ts";
import { type Row, toCount, toId, toName, toRow, toText } from "#kit/coerce.ts";
import { type Item, readLocation, toItems } from "#stations/gbfs/gbfs-rows.ts";
import { withoutSecondDrawings } from "#providers/openstreetmap/drawings.ts";
import type { FeedProtocol } from "#stations/feed.ts";
import {
  NEVER_STATED,
  type ReadStations,
  staticProtocol,
  type StaticStation,
} from "#providers/static-stations.ts";

/** Wikis: what is rented at which amenity. */
const KINDS: ReadonlyMap<string, Mode> = new Map(
  Object.entries({
    bicycle_rental: "bicycle",
    car_sharing: "car",
    kick_scooter_rental: "scooter",
    motorcycle_rental: "moped",
  }),
);
/** `bicycle_rental=*`: a shop is no station. */
const SHOPS: ReadonlySet<string> = new Set(["shop", "kiosk", "hotel", "key_dispensing_machine"]);

/** null: not an Overpass answer. */
const read: ReadStations = (wire, trail) => {
  const elements = toRow(wire)?.["elements"];
  if (!Array.isArray(elements)) return null;
  const rows = elements.map((value) => {
    const row = toRow(value);
    const id = toId(row?.["id"]);
    return row && id !== null ? { ...row, id: `${toText(row["type"]) ?? "node"}/${id}` } : value;
  });
  const items = [...toItems(rows, ["id"], trail).values()];
  const stations = items.flatMap((item) => toStation(item) ?? []);
  return { stations: withoutSecondDrawings(stations, trail), seen: elements.length };
};

export const openstreetmapProtocol: FeedProtocol = staticProtocol("openstreetmap", read);

function toStation(item: Item): StaticStation | null {
  const { row, id, trail } = item;
  const tags = toRow(row["tags"]) ?? {};
  const mode = KINDS.get(toText(tags["amenity"]) ?? "");
  if (mode === undefined || SHOPS.has(toText(tags["bicycle_rental"]) ?? "")) {
    trail.drop("not_a_station", id);
    return null;
  }
  const all = toTags(tags);
  if (isNotInUse(all) || isOutOfOrder(all)) {
    trail.drop(isNotInUse(all) ? "not_in_use" : "out_of_order", id);
    return null;
  }
  const location = readLocation(toRow(row["center"]) ?? row);
  if (typeof location === "string") {
    trail.drop(location, id);
    return null;
  }
  return { modes: [mode], names: namesOf(tags), station: stationOf(id, tags, location) };
}

function stationOf(id: string, tags: Row, location: Location): StationInfo {
  const ref = toText(tags["ref"]);
  return {
    ...NEVER_STATED,
    id,
    name: toName(tags["name"]) ?? toName(tags["official_name"]) ?? ref ?? `Station ${id}`,
    ...location,
    ref,
    short_name: toName(tags["short_name"]),
    // 0 is a way of not saying.
    capacity: toCount(tags["capacity"]) || null,
    address: toText(tags["addr:street"]),
    post_code: toText(tags["addr:postcode"]),
    opening_hours: toText(tags["opening_hours"]),
  };
}

/** By which words its operator is known. */
function namesOf(tags: Row): string[] {
  const names = ["network", "brand", "operator"].map((key) => toName(tags[key]));
  return names.filter((name) => name !== null);
}
