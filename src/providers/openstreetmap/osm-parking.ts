/** Parking of the open map as §2.4 wants it (places.md 3.1). */
import { toCount } from "#kit/coerce.ts";
import { type Tags, valuesOf } from "./element.ts";
import { readFee } from "#providers/fee.ts";

type ParkingKind = "garage" | "lot" | "parking";
type Sort = { kind: ParkingKind; features: "garage_parking" | "street_parking" | "parking" };

const GARAGE: Sort = { kind: "garage", features: "garage_parking" };
const LOT: Sort = { kind: "lot", features: "parking" };
const STREET: Sort = { kind: "parking", features: "street_parking" };
const OTHER: Sort = { kind: "parking", features: "parking" };

const SORTS: ReadonlyMap<string, Sort> = new Map([
  ["multi-storey", GARAGE],
  ["underground", GARAGE],
  ["garage_boxes", GARAGE],
  ["carports", GARAGE],
  ["sheds", GARAGE],
  ["surface", LOT],
  ["rooftop", LOT],
  ["street_side", STREET],
  ["lane", STREET],
  ["on_kerb", STREET],
  ["half_on_kerb", STREET],
  ["shoulder", STREET],
  ["layby", STREET],
]);

const PRIMARY_TYPES: Readonly<Record<ParkingKind, string>> = {
  garage: "parking_garage",
  lot: "parking_lot",
  parking: "parking",
};

export type ParkingTags = {
  primary_type: string;
  types: string[];
  parking: { kind: ParkingKind; features: string[] };
  capacity?: number;
};

export function parkingOf(tags: Tags): ParkingTags {
  const { kind, features } = sortOf(tags);
  const primary_type = PRIMARY_TYPES[kind];
  const isPaid = readFee(tags.get("fee"));
  return {
    primary_type,
    types: [...new Set([primary_type, "parking"])],
    parking: { kind, features: isPaid === null ? [] : [`${isPaid ? "paid" : "free"}_${features}`] },
    ...capacityOf(tags),
  };
}

/** A number of spaces; "yes", "~50" and the like are none, and 0 is a way of not saying. */
function capacityOf(tags: Tags): { capacity?: number } {
  const capacity = toCount(tags.get("capacity"));
  return capacity === null || capacity === 0 ? {} : { capacity };
}

/** Reports whether it is under open sky or at the kerb: no entrance leads into it. */
export function hasNoEntrance(tags: Tags): boolean {
  return tags.has("parking") && sortOf(tags).kind !== "garage";
}

/** Of a list the first that is known. */
function sortOf(tags: Tags): Sort {
  const entries = valuesOf(tags, "parking").map((value) => SORTS.get(value));
  return entries.find((sort) => sort !== undefined) ?? OTHER;
}
