/** feeds_v2.csv of the Mobility Database: GTFS feeds, where they are and whether they are live. */
import type { Box, Location } from "#kit/geo.ts";
import { boxesTouch, boxTouchesCircle, reachOf } from "#kit/geo.ts";
import { createTrail, type Trail, type TrailRecorder } from "#kit/trail.ts";
import { toBool, toId, toName, toNumber, toText } from "#kit/coerce.ts";
import { MAX_CATALOGUE_ROWS, parseCatalogue } from "#stations/gbfs/gbfs-catalogue.ts";

export type CatalogueFeed = {
  /** "mdb-…". */
  id: string;
  provider: string | null;
  name: string | null;
  /** Two upper-case letters. */
  country: string | null;
  subdivision: string | null;
  municipality: string | null;
  is_official: boolean | null;
  /** Of its stops. */
  box: Box | null;
  /** Where its publisher has it, as written. */
  url: string;
  /** The copy of the database. */
  latest_url: string | null;
  licence_url: string | null;
  auth_kind: "none" | "query" | "headers" | "unknown";
  auth_info_url: string | null;
  /** Names of the query parameter or headers that carry the credentials. */
  auth_names: string[];
  features: string[];
  /** Whether a live feed refers to it: with vehicles or departures, with alerts. */
  realtime: boolean;
  alerts: boolean;
};

/** Result of the thread that reads the catalogue. */
export type ListedFeeds = { feeds: CatalogueFeed[]; trail: Trail };

type CsvRow = Readonly<Record<string, string>>;

const AUTH_KINDS: ReadonlyMap<string, CatalogueFeed["auth_kind"]> = new Map([
  ["", "none"],
  ["0", "none"],
  ["1", "query"],
  ["2", "headers"],
]);
const BOX = "location.bounding_box";

/** Reads the catalogue; null: not this catalogue. What is dropped goes to the trail. */
export function readMobilityDatabase(
  text: string,
  trail: TrailRecorder = createTrail(),
): CatalogueFeed[] | null {
  const rows = parseCatalogue(text);
  if (rows.length > MAX_CATALOGUE_ROWS || !rows.some(isOfCatalogue)) return null;
  const live = liveFeedsOf(rows);
  const feeds = new Map<string, CatalogueFeed>();
  rows.forEach((row, index) => {
    if (typeOf(row) !== "gtfs") return;
    const id = toId(row["id"]);
    const feed = id === null ? "catalogue_row_incomplete" : toFeed(row, id, live);
    if (typeof feed === "string") trail.drop(feed, id ?? `#${index}`);
    else if (feeds.has(feed.id)) trail.drop("catalogue_duplicate", feed.id);
    else feeds.set(feed.id, feed);
  });
  return [...feeds.values()];
}

/** Feeds whose box touches a box or holds a point; those without a box are nowhere. */
export function feedsAt(feeds: readonly CatalogueFeed[], at: Box | Location): CatalogueFeed[] {
  return feeds.filter(({ box }) => {
    if (!box) return false;
    return "lat" in at ? boxTouchesCircle(box, at, reachOf(at.lat, 0)) : boxesTouch(box, at, 0);
  });
}

function isOfCatalogue(row: CsvRow): boolean {
  return row["data_type"] !== undefined && row["urls.direct_download"] !== undefined;
}

/** "gtfs-rt" in the document, "gtfs_rt" in the file. */
function typeOf(row: CsvRow): string {
  return (row["data_type"] ?? "").toLowerCase().replace("_", "-");
}

/** Empty counts as active. */
function isActive(row: CsvRow): boolean {
  return ["", "active"].includes((row["status"] ?? "").toLowerCase());
}

type Live = { realtime: ReadonlySet<string>; alerts: ReadonlySet<string> };

/** Lists the feeds that live ones refer to, by what those publish. */
function liveFeedsOf(rows: readonly CsvRow[]): Live {
  const realtime = new Set<string>();
  const alerts = new Set<string>();
  for (const row of rows) {
    if (typeOf(row) !== "gtfs-rt" || !isActive(row)) continue;
    const published = splitList(row["entity_type"]?.toLowerCase());
    for (const id of splitList(row["static_reference"])) {
      if (published.includes("tu") || published.includes("vp")) realtime.add(id);
      if (published.includes("sa")) alerts.add(id);
    }
  }
  return { realtime, alerts };
}

function toFeed(row: CsvRow, id: string, live: Live): CatalogueFeed | string {
  if (!isActive(row)) return "catalogue_feed_inactive";
  const url = toHttpUrl(row["urls.direct_download"]);
  if (url === null) return "catalogue_url_invalid";
  const country = toText(row["location.country_code"])?.toUpperCase() ?? "";
  return {
    id,
    provider: toName(row["provider"]),
    name: toName(row["name"]),
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    subdivision: toText(row["location.subdivision_name"]),
    municipality: toText(row["location.municipality"]),
    is_official: toBool(row["is_official"]),
    box: toBox(row),
    url,
    latest_url: toHttpUrl(row["urls.latest"]),
    licence_url: toHttpUrl(row["urls.license"]),
    auth_kind: AUTH_KINDS.get(row["urls.authentication_type"] ?? "") ?? "unknown",
    // The document has the longer name, the file the shorter.
    auth_info_url: toHttpUrl(
      row["urls.authentication_info_url"] ?? row["urls.authentication_info"],
    ),
    auth_names: splitList(row["urls.api_key_parameter_name"]),
    features: splitList(row["features"]),
    realtime: live.realtime.has(id),
    alerts: live.alerts.has(id),
  };
}

/** null where one of the four is missing or nowhere, or where all stops are at 0,0. */
function toBox(row: CsvRow): Box | null {
  const of = (member: string, most: number): number | null => {
    const degrees = toNumber(row[`${BOX}.${member}`]);
    return degrees !== null && Math.abs(degrees) <= most ? degrees : null;
  };
  const [south, north] = [of("minimum_latitude", 90), of("maximum_latitude", 90)];
  const [west, east] = [of("minimum_longitude", 180), of("maximum_longitude", 180)];
  if (south === null || north === null || west === null || east === null) return null;
  if (south > north || [south, north, west, east].every((degrees) => degrees === 0)) return null;
  return { south, west, north, east };
}

/** As written, query string included. */
function toHttpUrl(value: unknown): string | null {
  const text = toText(value);
  const protocol = URL.parse(text ?? "")?.protocol;
  return protocol === "https:" || protocol === "http:" ? text : null;
}

function splitList(text: string | undefined): string[] {
  const parts = (text ?? "").split("|").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}
