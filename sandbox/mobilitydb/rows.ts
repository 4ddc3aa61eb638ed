// The catalogue's rows (mobility.md 3.4): the simulator's own feeds with their boxes, live feeds that
// go with some, and what every catalogue drags along: feeds that are gone, elsewhere, or nowhere.
import type { Row } from "../gtfs/csv.ts";
import { type Feed, listFeeds } from "../gtfs/style.ts";
import { type File, KEY_HEADER, liveStyleOf } from "../gtfs-rt/style.ts";
import { toTown } from "../world/towns.ts";
import { listStops } from "../world/transit-stops.ts";
import type { World } from "../world/world.ts";

export const COLUMNS = [
  ...["id", "data_type", "entity_type", "location.country_code", "location.subdivision_name"],
  ...["location.municipality", "provider", "is_official", "name", "note", "feed_contact_email"],
  ...["static_reference", "urls.direct_download", "urls.authentication_type"],
  ...["urls.authentication_info_url", "urls.api_key_parameter_name", "urls.latest", "urls.license"],
  ...[
    "minimum_latitude",
    "maximum_latitude",
    "minimum_longitude",
    "maximum_longitude",
    "extracted_on",
  ].map((name) => `location.bounding_box.${name}`),
  ...["status", "features", "redirect.id", "redirect.comment"],
];

const FIRST_ID = 8000;
const FIRST_LIVE_ID = 9000;

const ENTITIES: Readonly<Record<File, string>> = {
  trip_updates: "tu",
  vehicle_positions: "vp",
  alerts: "sa",
  all: "vp|tu|sa",
};

export function listRows(world: World, origin: string): Row[] {
  const feeds = listFeeds(world);
  const rows = feeds.flatMap((feed, n) => {
    const files = liveStyleOf(feed)?.files ?? [];
    const live = files.map((file, nth) => toLive(feed, { n, nth, file, origin }));
    return [toSchedule(feed, n, origin), ...live];
  });
  const [paris] = feeds;
  const leftovers = paris === undefined ? [] : listLeftovers(paris, origin);
  return [...rows.slice(0, 9), ...leftovers, {}, ...rows.slice(9), {}];
}

const idOf = (n: number): string => `mdb-${FIRST_ID + n * 3}`;
const archiveOf = (origin: string, id: string): string => `${origin}/upstreams/gtfs/${id}.zip`;

function placeOf({ city }: Feed): Row {
  return {
    "location.country_code": city.country,
    "location.subdivision_name": toTown(city).region.english,
    "location.municipality": city.name,
  };
}

function providerOf({ network, part }: Feed): string {
  const { lines, operators } = network();
  return operators
    .filter((operator) =>
      lines.some((line) => line.operator === operator && line.parts.includes(part)),
    )
    .map(({ name }) => name)
    .join(", ");
}

function toSchedule(feed: Feed, n: number, origin: string): Row {
  return {
    id: idOf(n),
    data_type: "gtfs",
    ...placeOf(feed),
    provider: providerOf(feed),
    is_official: n % 3 === 0 ? "True" : "",
    name: feed.part === 1 ? "Rail" : "",
    note: n % 4 === 1 ? 'Known as "the city\'s feed",\nupdated on Mondays' : "",
    "urls.direct_download": archiveOf(origin, feed.id),
    "urls.authentication_type": n % 2 === 0 ? 0 : "",
    "urls.latest": `https://files.catalogue.example/${idOf(n)}/latest.zip`,
    "urls.license": "https://licences.example/open",
    ...boxOf(feed),
    status: "active",
    features: "Feed Information|Route Colors|Location Types",
  };
}

/** Smallest and greatest numbers, over the antimeridian too: the box then goes around the globe. */
function boxOf({ network, part }: Feed): Row {
  const at = listStops(network(), part).flatMap((row) => row.at ?? []);
  const [lats, lons] = [at.map(({ lat }) => lat), at.map(({ lon }) => lon)];
  return {
    "location.bounding_box.minimum_latitude": Math.min(...lats),
    "location.bounding_box.maximum_latitude": Math.max(...lats),
    "location.bounding_box.minimum_longitude": Math.min(...lons),
    "location.bounding_box.maximum_longitude": Math.max(...lons),
    "location.bounding_box.extracted_on": "2026-01-06 04:12:19.000000+00:00",
  };
}

type Listed = {
  readonly n: number;
  readonly nth: number;
  readonly file: File;
  readonly origin: string;
};

/** Every file is a feed of its own here. */
const toLive = (feed: Feed, { n, nth, file, origin }: Listed): Row => ({
  id: `mdb-${FIRST_LIVE_ID + n * 3 + nth}`,
  data_type: "gtfs-rt",
  ...placeOf(feed),
  entity_type: ENTITIES[file],
  provider: providerOf(feed),
  // One of them goes with a second, unknown feed.
  static_reference: n === 0 ? `${idOf(n)}|mdb-1` : idOf(n),
  "urls.direct_download": `${origin}/upstreams/gtfs-rt/${feed.id}/${file}.pb`,
  ...(liveStyleOf(feed)?.keyed
    ? { "urls.authentication_type": 2, "urls.api_key_parameter_name": KEY_HEADER }
    : { "urls.authentication_type": 0 }),
  status: "active",
});

/** None of them is to be fetched. */
function listLeftovers(feed: Feed, origin: string): Row[] {
  const old = (id: string, status: string): Row => ({
    id,
    data_type: "gtfs",
    ...placeOf(feed),
    provider: providerOf(feed),
    ...boxOf(feed),
    status,
    "urls.direct_download": archiveOf(origin, `${feed.id}-${status}`),
  });
  const moved = { "redirect.id": idOf(0), "redirect.comment": "Replaced, see there" };
  return [
    { ...old("mdb-11", "deprecated"), ...moved },
    old("mdb-12", "inactive"),
    old("mdb-13", "development"),
    {
      id: "mdb-14",
      data_type: "gtfs",
      "location.country_code": "CH",
      status: "active",
      provider: "Bergbahn ohne Ort",
      "urls.direct_download": archiveOf(origin, "nowhere"),
    },
    {
      ...old("mdb-15", "active"),
      provider: "Behind a key",
      "urls.direct_download": archiveOf(origin, "keyed"),
      "urls.authentication_type": 1,
      "urls.api_key_parameter_name": "key",
    },
  ];
}
