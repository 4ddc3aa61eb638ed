/**
 * DATEX II parking, versions 2 and 3: a publication of the table of car parks and one of their status,
 * both in one of two forms (records of parking, and parking facilities), at times as extension of a
 * GenericPublication. Reference: DATEX II 3, ParkingPublication, and its extension of 2.3.
 */
import { toId } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { keepEach, keepStates, type ReadRow } from "#providers/car-park.ts";
import { toStatus } from "#providers/datex2_parking/parking-status.ts";
import { toFacility } from "#providers/datex2_parking/parking-table.ts";
import type { Dropped } from "#providers/place-rows.ts";
import type { RegisterShape } from "#providers/register-shape.ts";
import { childOf, readElements, readHead, type XmlElement } from "#providers/xml-elements.ts";

export const datex2Parking: RegisterShape = {
  id: "datex2_parking",
  name: "DATEX II parking",
  kind: "parking",
  renew_s: 86_400,
  refresh_s: 120,
  readPlaces(body, { settings, trail }) {
    if (!isParking(body)) return null;
    return keepEach(
      readRecords(body, TABLE, (record, id) => toFacility(record, id, { settings, trail }), trail),
      trail,
    );
  },
  readStates(body, { trail }) {
    return isParking(body) ? keepStates(readRecords(body, STATUS, toStatus, trail), trail) : null;
  },
};

const PUBLISHED = "publicationTime";
const TABLE: ReadonlySet<string> = new Set(["parkingRecord", "parkingFacility"]);
const STATUS: ReadonlySet<string> = new Set([
  PUBLISHED,
  "parkingRecordStatus",
  "parkingFacilityStatus",
]);

/** Version 2 names the publication by an element, version 3 by the type of its payload. */
const PUBLICATION = /^parking(?:facility)?(?:table)?(?:status)?publication$/i;

function isParking(body: Uint8Array): boolean {
  return readHead(body).some(({ name, attributes }) => {
    const type = attributes.get("type") ?? "";
    return PUBLICATION.test(name) || PUBLICATION.test(type.slice(type.indexOf(":") + 1));
  });
}

/** `published` is the time of the publication a record is in, which goes before its records. */
function* readRecords<T extends object>(
  body: Uint8Array,
  wanted: ReadonlySet<string>,
  read: (record: XmlElement, id: string, published: string | null) => T | Dropped,
  trail: TrailRecorder,
): Generator<ReadRow<T> | null, void> {
  let published: string | null = null;
  for (const element of readElements(body, wanted, trail)) {
    if (element?.name === PUBLISHED) {
      published = element.text || null;
      continue;
    }
    const id = element && idOf(element);
    if (element === null) yield null;
    else yield { id, value: id === null ? "id_missing" : read(element, id, published) };
  }
}

/** A status has the id of what it is about in a reference. */
function idOf(record: XmlElement): string | null {
  const reference =
    childOf(record, "parkingRecordReference") ?? childOf(record, "parkingFacilityReference");
  return toId((reference ?? record).attributes.get("id"));
}
