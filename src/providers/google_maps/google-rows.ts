/** The rows of an answer, one by one: a bad one drops itself and nothing else (places.md 0.1). */
import type { Location } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toId, toNumber, toRow } from "#kit/coerce.ts";
import { type GoogleRows } from "#providers/google_maps/google-answer.ts";
import type { ReadAnswer } from "#providers/lookup.ts";

/** Reason for dropping a row. */
export type DropReason =
  | "row_malformed"
  | "id_missing"
  | "id_duplicate"
  | "name_missing"
  | "coordinates_missing"
  | "coordinates_unusable"
  | "coordinates_out_of_range"
  | "coordinates_zero"
  | "closed_permanently"
  | "of_another_type";

/** What a row lacks when it is of another shape, rather than of bad content. */
const OF_SHAPE: ReadonlySet<DropReason> = new Set([
  "row_malformed",
  "id_missing",
  "coordinates_missing",
]);

export type RowReader<T> = (row: Row, trail: TrailRecorder) => T | DropReason;

/** A list in which no row has the shape of one is no empty list: it is another protocol. */
export function readRows<T extends object>(
  answer: GoogleRows,
  { id_member, read, trail }: { id_member: string; read: RowReader<T>; trail: TrailRecorder },
): ReadAnswer<T[]> {
  if (!answer.ok) return answer;
  const dropped: DropReason[] = [];
  const value = answer.rows.flatMap((wire, index) => {
    const row = toRow(wire);
    const text = row ? read(row, trail) : "row_malformed";
    if (typeof text !== "string") return [text];
    trail.drop(text, toId(row?.[id_member]) ?? `#${index}`);
    dropped.push(text);
    return [];
  });
  const raw = answer.rows.length;
  const isOther = raw > 0 && dropped.length === raw && dropped.every((one) => OF_SHAPE.has(one));
  return isOther ? { ok: false, status: "error", reason: "wrong_shape" } : { ok: true, value, raw };
}

/** A place on the globe, or why there is none. Exactly 0,0 is where lost places go. */
export function googleLocation(lat_wire: unknown, lon_wire: unknown): Location | DropReason {
  if (lat_wire == null || lon_wire == null) return "coordinates_missing";
  const [lat, lon] = [toNumber(lat_wire), toNumber(lon_wire)];
  if (lat === null || lon === null) return "coordinates_unusable";
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return "coordinates_out_of_range";
  return lat === 0 && lon === 0 ? "coordinates_zero" : { lat, lon };
}
