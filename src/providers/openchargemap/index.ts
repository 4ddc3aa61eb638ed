/**
 * Open Charge Map: charging stations of the world, gathered by volunteers and from registers.
 * Reference: openchargemap/ocm-docs, API definition v3; openchargemap/ocm-data (places.md 7.1).
 */
import { CHARGING_TYPE } from "#core/places/charging-facts.ts";
import { type Place, toAddressParts } from "#core/places/place.ts";
import { present } from "#kit/present.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toBool, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { listIn } from "#providers/json-lists.ts";
import type { AroundQuery, LookupSettings } from "#providers/lookup.ts";
import { openChargeMapCharging } from "#providers/openchargemap/openchargemap-connections.ts";
import {
  CLOSED_SITES,
  DEAD_SITES,
  GONE_STATUSES,
} from "#providers/openchargemap/openchargemap-tables.ts";
import {
  type Dropped,
  joinAddress,
  readPlaces,
  toDegrees,
  toLocation,
} from "#providers/place-rows.ts";
import { address, lookupSettings, secret } from "#providers/settings.ts";
import { type AroundReader, defineSource } from "#providers/source.ts";

export type OcmSettings = LookupSettings & { api_key: string };

/** There is no paging, and some of what comes is private or gone: twice as many are asked for. */
const SPARE = 2;
const MIN_RESULTS = 40;
const MAX_RESULTS = 400;

/** Charging stations around a point (§4.6, §4.7). The key is never part of the url. */
export const openChargeMap: AroundReader<OcmSettings> = {
  operation: "getChargingNearby",
  keyOf: (query) => JSON.stringify([query.lat, query.lon, query.radius_m, countOf(query)]),
  request: (query, { url, api_key }) => {
    const parameters = new URLSearchParams({
      output: "json",
      latitude: toDegrees(query.lat),
      longitude: toDegrees(query.lon),
      distance: String(Math.ceil(query.radius_m) / 1_000),
      distanceunit: "KM",
      maxresults: String(countOf(query)),
      // Ids instead of the texts behind them, which would be ten times as long.
      compact: "true",
      verbose: "false",
    });
    return {
      url: `${url}/v3/poi?${parameters.toString()}`,
      headers: { accept: "application/json" },
      auth: { kind: "headers", headers: { "X-API-Key": api_key } },
    };
  },
  read: (wire, _query, { trail }) =>
    readPlaces(
      wire,
      {
        list: (json) => listIn(json, null),
        id_member: "ID",
        toPlace: (row, id) => toStation(row, id, trail),
      },
      trail,
    ),
};

const descriptor = defineSource({
  id: "openchargemap",
  name: "Open Charge Map",
  kind: "lookup",
  operations: ["getServicesNearby", "getChargingNearby"],
  terms: {
    attribution: "© Open Charge Map contributors",
    attribution_url: "https://openchargemap.org/",
    licence: "CC BY-SA 4.0",
    licence_url: "https://creativecommons.org/licenses/by-sa/4.0/",
    store: "all",
  },
  // Four hundred stations are some 2 MiB in the short form.
  limits: { max_bytes: 8 * 1_024 * 1_024 },
  lifecycle: "active",
  config: lookupSettings("Open Charge Map: supplements charging of the open adapter.", {
    url: address("Base address, before /v3.", "https://api.openchargemap.io"),
    api_key: secret(),
  }),
  needs: ["url", "api_key"],
  key: { variable: "OPENCHARGEMAP_API_KEY", member: "api_key" },
  role: "supplement",
  policy: { cache_s: 60, places: 4 },
  snaps: true,
  precedence: 60,
  around: [{ kind: "charging", reader: openChargeMap }],
});
export default descriptor;

function countOf({ limit }: AroundQuery): number {
  return Math.min(Math.max(limit * SPARE, MIN_RESULTS), MAX_RESULTS);
}

const PRIVATE_USAGES: ReadonlySet<number> = new Set([2, 3, 6]);
/** Under review, rejected; from 1000 on delisted. */
const UNPUBLISHED: ReadonlySet<number> = new Set([1, 50, 250]);
const FIRST_DELISTED = 1_000;

/** Of points that volunteers brought, which the terms of the whole speak of. */
const OWN_DATA = 1;

/** The place, or why it is dropped. */
function toStation(row: Row, id: string, trail: TrailRecorder): Place | Dropped {
  const reason = findReason(row);
  if (reason !== null) return reason;
  const info = toRow(row["AddressInfo"]);
  const location = toLocation(info?.["Latitude"], info?.["Longitude"]);
  if (typeof location === "string") return location;
  const external_id = `ocm/${id}`;
  const charging = openChargeMapCharging(row, external_id, trail);
  if (charging === null) return "no_connection_left";
  return {
    kind: "charging",
    ...location,
    source_id: descriptor.id,
    source_type: "partner_api",
    external_id,
    name: toName(info?.["Title"]),
    provider: { id: descriptor.id, name: descriptor.name },
    attributes: {
      ...toPlaceMembers({ id, external_id, info }),
      ...readFacts("charging", {
        operator: toOperator(row),
        fee: row["UsageCost"],
        charge: row["UsageCost"],
        attribution: toAttribution(row),
      }),
      charging,
    },
    address: toAddressParts({
      street: toText(info?.["AddressLine1"]),
      area: toText(info?.["Town"]),
    }),
    ...(CLOSED_SITES.has(statusOf(row)) ? { opening: CLOSED_NOW } : {}),
    keys: [`${descriptor.id}:${id}`],
  };
}

/** It says so of now, and not until when. */
const CLOSED_NOW: NonNullable<Place["opening"]> = { now: { state: "closed", until_ms: null } };

/** -1 is in no list. The long form names the status by its record, too. */
function statusOf(row: Row): number {
  return toNumber(row["StatusTypeID"]) ?? toNumber(toRow(row["StatusType"])?.["ID"]) ?? -1;
}

function findReason(row: Row): Dropped | null {
  const status = statusOf(row);
  const gone = GONE_STATUSES.get(status) ?? DEAD_SITES.get(status);
  if (gone !== undefined) return gone;
  // A status that came after the table says itself what it means.
  if (toBool(toRow(row["StatusType"])?.["IsOperational"]) === false) return "not_operational";
  const usage = toNumber(row["UsageTypeID"]);
  if (usage !== null && PRIVATE_USAGES.has(usage)) return "private";
  const submission = toNumber(row["SubmissionStatusTypeID"]);
  if (submission === null) return null;
  return UNPUBLISHED.has(submission) || submission >= FIRST_DELISTED ? "not_published" : null;
}

function toPlaceMembers(one: { id: string; external_id: string; info: Row | null }): Row {
  const of = (member: string): string | null => toText(one.info?.[member]);
  return present({
    maps_place_id: one.external_id,
    address: joinAddress([of("AddressLine1")], [of("Postcode"), of("Town")]),
    primary_type: CHARGING_TYPE,
    types: [CHARGING_TYPE],
    // Opening hours are prose there, where there are any.
    open_status: "unknown",
    maps_uri: `https://map.openchargemap.io/?id=${encodeURIComponent(one.id)}`,
  });
}

/** Titles such as "(Unknown Operator)" say that there is none. */
function toOperator(row: Row): string | null {
  const title = toName(toRow(row["OperatorInfo"])?.["Title"]);
  return title?.startsWith("(") ? null : title;
}

/**
 * Each point is under the licence of who brought it. The short form says only who that is, by number;
 * where it is not the volunteers, no licence is claimed.
 */
function toAttribution(row: Row): Row {
  const provider = toRow(row["DataProvider"]);
  const title = toName(provider?.["Title"]);
  const provider_id = toNumber(provider?.["ID"] ?? row["DataProviderID"]);
  const isOwn = provider_id === null || provider_id === OWN_DATA;
  const { attribution, licence, licence_url } = descriptor.terms;
  return present({
    provider: descriptor.name,
    display_name: isOwn || title === null ? attribution : `© ${title}, ${attribution}`,
    required: true,
    license: toText(provider?.["License"]) ?? (isOwn ? licence : null),
    license_url: isOwn ? licence_url : null,
    data_provider_id: isOwn ? null : provider_id,
  });
}
