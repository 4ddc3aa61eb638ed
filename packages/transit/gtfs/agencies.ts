/** agency.txt (mobility.md 3.1): who runs the routes. Ids and names may be missing, and are replaced. */
import { isTimeZone } from "#kit/time-zones.ts";
import type { TransitOperator } from "../schedule/station.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toName, toText } from "#kit/coerce.ts";
import { type CsvFile, readCell } from "#kit/csv.ts";

export type Agencies = {
  /** The one that a route names; the only one there is, for a route that names none. */
  find(agency_id: string | null): TransitOperator | null;
  /** IANA name of the first that states one that there is: it is that of all of them (mobility.md 3.1). */
  timeZone(): string | null;
};

type Agency = TransitOperator & { stated: boolean };

const COLUMNS = ["agency_id", "agency_name", "agency_url", "agency_timezone"] as const;
const [ID, NAME, URL_, ZONE] = [0, 1, 2, 3] as const;

export function readAgencies(trail: TrailRecorder): CsvFile & Agencies {
  const agencies = new Map<string, Agency>();
  let zone: string | null = null;
  return {
    file: "agency.txt",
    columns: COLUMNS,
    needed: [],
    onRow(row) {
      zone ??= toZone(readCell(row, ZONE), trail);
      const id = toId(readCell(row, ID));
      const name = toName(readCell(row, NAME));
      const url = toWebUrl(readCell(row, URL_));
      const listed = name ?? id ?? hostOf(url);
      if (listed === null) return trail.drop("agency_without_name", `line ${row.line}`);
      if (name === null) trail.repair("agency_without_name", listed);
      // Without an id of its own it is known by its name, which the next issue of the feed keeps.
      const key = id ?? listed;
      if (agencies.has(key)) return trail.drop("duplicate_agency", listed);
      agencies.set(key, { id: key, name: listed, ...(url && { url }), stated: id !== null });
    },
    timeZone: () => zone,
    find(agency_id) {
      const [only] = agencies.size === 1 ? agencies.values() : [];
      const named_agency = agencies.get(agency_id ?? "");
      const match =
        (named_agency?.stated ? named_agency : undefined) ??
        (agency_id === null || only?.stated === false ? only : undefined);
      if (match === undefined) return null;
      const { stated: _, ...operator } = match;
      return operator;
    },
  };
}

/** null: none is stated, or none that there is. */
function toZone(value: string, trail: TrailRecorder): string | null {
  const name = toId(value);
  if (name === null || isTimeZone(name)) return name;
  trail.repair("unknown_time_zone", name);
  return null;
}

/** An address for people: http or https, without a user name, written out again. */
function toWebUrl(value: string): string | null {
  const text = toText(value);
  const url = text === null ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.username === "" && url.password === "" ? url.href : null;
}

function hostOf(url: string | null): string | null {
  return url === null ? null : new URL(url).hostname.replace(/^www\./, "");
}
