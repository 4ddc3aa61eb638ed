/**
 * FaSta: lifts and escalators of the stations of Deutsche Bahn, and whether they are in service.
 * Reference: developers.deutschebahn.com, FaSta (Station Facilities Status) 2, GET /facilities.
 */
import type { TrailRecorder } from "#kit/trail.ts";
import { toId, toRow, toText } from "#kit/coerce.ts";
import { listIn } from "#providers/json-lists.ts";
import { LIFT_MEMBERS, type RegisteredLift } from "#providers/lift-register.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import { openAnswer, WRONG_SHAPE } from "#providers/open-geocoding/geocoding-answers.ts";
import { toLocation } from "#providers/place-rows.ts";
import { address, lookupSettings, secret } from "#providers/settings.ts";
import { defineSource, type LiftReader } from "#providers/source.ts";

export type FastaSettings = LookupSettings & { client_id: string; api_key: string };

/** Lifts of all stations; escalators are no way without steps. */
export const fastaLifts: LiftReader<FastaSettings> = {
  operation: "getLifts",
  keyOf: () => "",
  request: (_query, { url, client_id, api_key }) => ({
    url: `${url}/facilities?type=ELEVATOR`,
    headers: { accept: "application/json" },
    auth: { kind: "headers", headers: { "DB-Client-Id": client_id, "DB-Api-Key": api_key } },
  }),
  read: (wire, _query, { trail }) => {
    const opened = openAnswer(wire, {});
    if (!opened.ok) return opened;
    const rows = listIn(opened.json, null);
    if (rows === null) return { ok: false, ...WRONG_SHAPE };
    const value = rows.flatMap((row, index) => toLift(row, index, trail) ?? []);
    // Rows of another protocol are no register without lifts.
    const isOther = rows.length > 0 && rows.every((row) => toRow(row)?.["equipmentnumber"] == null);
    return isOther ? { ok: false, ...WRONG_SHAPE } : { ok: true, value, raw: rows.length };
  },
};

export default defineSource({
  id: "fasta",
  name: "DB FaSta",
  kind: "lookup",
  operations: ["getTransportNearby", "getDeparturesNearby", "getStationDepartures"],
  terms: {
    attribution: "Lifts: Deutsche Bahn (DB InfraGO AG)",
    attribution_url: "https://developers.deutschebahn.com/",
    licence: "CC BY 4.0",
    licence_url: "https://creativecommons.org/licenses/by/4.0/",
    store: "all",
  },
  // 3,500 lifts are a megabyte.
  limits: { max_bytes: 8 * 1_024 * 1_024 },
  lifecycle: "active",
  config: lookupSettings("DB FaSta: a register of lifts, for ways without steps within stations.", {
    url: address(
      "Base address, before /facilities.",
      "https://apis.deutschebahn.com/db-api-marketplace/apis/fasta/v2",
    ),
    client_id: secret("Client id. Write it as ${NAME} of an environment variable."),
    api_key: secret("Its key. Write it as ${NAME} of an environment variable."),
    ...LIFT_MEMBERS,
  }),
  needs: ["url", "client_id", "api_key"],
  without: () => "absent",
  policy: { cache_s: 60, places: 2, stale_s: 86_400 },
  lifts: { reader: fastaLifts },
});

const STATES: ReadonlyMap<string, RegisteredLift["state"]> = new Map(
  Object.entries({
    ACTIVE: "in_service",
    INACTIVE: "out_of_order",
    UNKNOWN: "unknown",
  }),
);

/** null: it is none. One without an id is still one of its station. */
function toLift(value: unknown, index: number, trail: TrailRecorder): RegisteredLift | null {
  const row = toRow(value);
  if (!row) {
    trail.drop("row_malformed", `#${index}`);
    return null;
  }
  if (toText(row["type"])?.toUpperCase() === "ESCALATOR") return null;
  const id = toId(row["equipmentnumber"]) ?? "";
  if (id === "") trail.repair("id_missing", `#${index}`);
  const state = STATES.get(toText(row["state"])?.toUpperCase() ?? "");
  if (state === undefined) trail.repair("state_unknown", id || `#${index}`);
  const location = toLocation(row["geocoordY"], row["geocoordX"]);
  if (typeof location === "string" && location !== "coordinates_missing")
    trail.repair(location, id);
  return {
    id,
    station: toId(row["stationnumber"]),
    location: typeof location === "string" ? null : location,
    state: state ?? "unknown",
  };
}
