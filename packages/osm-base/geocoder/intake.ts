/**
 * What the geocoder keeps of an extract while it is read: addresses, streets, places, areas and
 * things of interest, as columns where there are many.
 */
import type { NodeFeature, OsmTags, RelationFeature, WayFeature } from "../base/base-features.ts";
import { type BoundaryCodes, codesOfArea, levelOfArea } from "./boundary-codes.ts";
import { createTable, type GrowingTable, pushRow } from "#kit/growing.ts";
import { isStreet, kindOfTags, needsNoName } from "./osm-kinds.ts";
import {
  createNameSets,
  createTexts,
  type NameSets,
  readNameTags,
  type Texts,
} from "./name-texts.ts";
import { type OsmType, osmKey } from "./osm-key.ts";

/** Addresses; texts are numbers of `texts`, 0 is none. */
const ADDRESSES = {
  osm: Float64Array,
  lat7: Int32Array,
  lon7: Int32Array,
  number: Uint32Array,
  street: Uint32Array,
  place: Uint32Array,
  city: Uint32Array,
  postcode: Uint32Array,
  region: Uint32Array,
  suburb: Uint32Array,
  /** Name of the house, which finds it as its number does. */
  house: Uint32Array,
};

/** Ways of streets; the points of way i are starts[i] .. starts[i + 1], as lat7, lon7 in turn. */
const STREETS = {
  osm: Float64Array,
  names: Uint32Array,
  kind: Uint32Array,
  starts: Uint32Array,
  points: Int32Array,
};

/** Things of interest. */
const INTERESTS = {
  osm: Float64Array,
  lat7: Int32Array,
  lon7: Int32Array,
  names: Uint32Array,
  /** Main tag, by number of its text. */
  kind: Uint32Array,
  /** Row of its address; -1: it has none. */
  address: Int32Array,
  /** 1: encyclopedias have it. */
  known: Uint8Array,
};

export type Settlement = {
  osm: number;
  lat7: number;
  lon7: number;
  names: number;
  place: string;
  population: number | null;
  known: boolean;
  country: string | null;
  region: string | null;
  /** Settlements that are its region and its country, by their keys; null: none is named. */
  region_osm: number | null;
  country_osm: number | null;
};

export type RawArea = BoundaryCodes & {
  osm: number;
  names: number;
  /** Administrative level; 0: a place's or a postal area. */
  level: number;
  place: string | null;
  postcode: string;
  rings: readonly Int32Array[];
  lat7: number;
  lon7: number;
  whole: boolean;
  /** Nodes that are its label or centre, the label first. */
  centres: readonly number[];
  population: number | null;
};

export type IntakeRow = { osm: number; lat7: number; lon7: number };

export type Intake = {
  texts: Texts;
  sets: NameSets;
  addresses: GrowingTable<typeof ADDRESSES>;
  streets: GrowingTable<typeof STREETS>;
  interests: GrowingTable<typeof INTERESTS>;
  settlements: Settlement[];
  areas: RawArea[];
  /** Object → name of its street, by relations of type associatedStreet. */
  streetOf: Map<number, number>;
  interpolations: { osm: number; kind: string; points: Int32Array }[];
};

export function createIntake(): Intake {
  const texts = createTexts();
  const streets = createTable(STREETS);
  streets.starts.push(0);
  return {
    texts,
    sets: createNameSets(texts),
    addresses: createTable(ADDRESSES),
    streets,
    interests: createTable(INTERESTS),
    settlements: [],
    areas: [],
    streetOf: new Map(),
    interpolations: [],
  };
}

export function takeNode(intake: Intake, { id, lat7, lon7, tags }: NodeFeature): void {
  const row = { osm: osmKey("N", id), lat7, lon7 };
  const place = tags.get("place");
  if (place !== undefined) takeSettlement(intake, row, place, tags);
  takeInterest(intake, row, tags);
}

export function takeWay(intake: Intake, { id, tags, points, closed }: WayFeature): void {
  if (points.length === 0) return;
  const osm = osmKey("W", id);
  const interpolation = tags.get("addr:interpolation");
  if (interpolation !== undefined && !closed)
    intake.interpolations.push({ osm, kind: interpolation, points: points.slice() });
  const row = { osm, ...centreOf(points) };
  if (closed && isArea(tags))
    takeArea(intake, row, { tags, rings: [points], whole: true, type: "W" });
  if (isStreetLike(tags)) takeStreet(intake, osm, tags, points);
  takeInterest(intake, row, tags);
}

export function takeRelation(intake: Intake, feature: RelationFeature): void {
  const { id, tags, members, whole } = feature;
  const type = tags.get("type");
  if (type === "associatedStreet" || type === "street") takeAssociated(intake, feature);
  if (!isArea(tags) && !isStreetLike(tags) && !isInterest(tags)) return;
  const { rings, box } = feature;
  if (!box) return;
  const row = {
    osm: osmKey("R", id),
    lat7: Math.round((box[0] + box[2]) / 2),
    lon7: Math.round((box[1] + box[3]) / 2),
  };
  if (isArea(tags)) {
    const centres = ["label", "admin_centre", "admin_center"].flatMap((role) =>
      members
        .filter((member) => member.type === "node" && member.role === role)
        .map((member) => osmKey("N", member.id)),
    );
    const points = rings.map((ring) => ring.points);
    takeArea(intake, row, { tags, rings: points, whole, type: "R", centres });
    return;
  }
  if (isStreetLike(tags)) for (const ring of rings) takeStreet(intake, row.osm, tags, ring.points);
  takeInterest(intake, row, tags);
}

/** Centre of the box around points. */
function centreOf(points: Int32Array): { lat7: number; lon7: number } {
  let [south, west] = [points[0]!, points[1]!];
  let [north, east] = [south, west];
  for (let i = 2; i < points.length; i += 2) {
    south = Math.min(south, points[i]!);
    north = Math.max(north, points[i]!);
    west = Math.min(west, points[i + 1]!);
    east = Math.max(east, points[i + 1]!);
  }
  return { lat7: Math.round((south + north) / 2), lon7: Math.round((west + east) / 2) };
}

/** Whether a closed way or a relation is an area: a boundary, or a place that is drawn. */
export function isArea(tags: OsmTags): boolean {
  const boundary = tags.get("boundary");
  if (boundary === "administrative" || boundary === "postal_code") return true;
  const place = tags.get("place");
  return place !== undefined && place !== "square" && tags.has("name");
}

/** Whether it is a street, or a square: they have addresses like streets. */
export function isStreetLike(tags: OsmTags): boolean {
  return (isStreet(tags.get("highway")) || tags.get("place") === "square") && tags.has("name");
}

/** What has an address or a kind. */
export function isInterest(tags: OsmTags): boolean {
  const isHouse = tags.has("addr:housenumber") || tags.has("addr:conscriptionnumber");
  return (
    isHouse || tags.has("addr:housename") || tags.has("addr:street") || kindOfTags(tags) !== null
  );
}

function takeStreet(intake: Intake, osm: number, tags: OsmTags, points: Int32Array): void {
  const { streets, sets, texts } = intake;
  const names = readNameTags(tags);
  if (names.length === 0) return;
  const highway = tags.get("highway");
  streets.osm.push(osm);
  streets.names.push(sets.add(names));
  streets.kind.push(texts.add(highway === undefined ? "place=square" : `highway=${highway}`));
  streets.points.pushAll(points);
  streets.starts.push(streets.points.length);
}

function takeAssociated(intake: Intake, { tags, members }: RelationFeature): void {
  const name = tags.get("name") ?? tags.get("addr:street");
  if (name === undefined) return;
  const text = intake.texts.add(name);
  for (const { type, id, role } of members)
    if (role === "house" || role === "address" || role === "")
      intake.streetOf.set(osmKey(OF_MEMBER[type], id), text);
}

const OF_MEMBER = { node: "N", way: "W", relation: "R" } as const;

type AreaParts = {
  tags: OsmTags;
  rings: readonly Int32Array[];
  whole: boolean;
  type: OsmType;
  centres?: readonly number[];
};

function takeArea(
  intake: Intake,
  row: IntakeRow,
  { tags, rings, whole, centres = [] }: AreaParts,
): void {
  const boundary = tags.get("boundary");
  const level = levelOfArea(tags);
  if (!(level >= 0 && level <= 12)) return;
  const postcode = tags.get("postal_code") ?? (boundary === "postal_code" ? tags.get("ref") : "");
  const place = tags.get("place") ?? null;
  if (boundary !== "postal_code" && boundary !== "administrative" && place === null) return;
  intake.areas.push({
    ...row,
    names: boundary === "postal_code" ? 0 : intake.sets.add(readNameTags(tags)),
    level,
    place: boundary === "postal_code" ? null : place,
    ...codesOfArea(tags, level),
    postcode: postcode ?? "",
    rings,
    whole,
    centres,
    population: populationOf(tags),
  });
}

function takeSettlement(intake: Intake, row: IntakeRow, place: string, tags: OsmTags): void {
  const names = readNameTags(tags);
  if (names.length === 0) return;
  intake.settlements.push({
    ...row,
    names: intake.sets.add(names),
    place,
    population: populationOf(tags),
    known: tags.has("wikidata") || tags.has("wikipedia"),
    country: null,
    region: null,
    region_osm: null,
    country_osm: null,
  });
}

function populationOf(tags: OsmTags): number | null {
  const text = tags.get("population")?.replaceAll(/[ ,.']/g, "");
  const value = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return value > 0 ? value : null;
}

function takeInterest(intake: Intake, row: IntakeRow, tags: OsmTags): void {
  const address = takeAddress(intake, row, tags);
  const kind = kindOfTags(tags);
  if (kind === null) return;
  // Without either it is a house that others call something.
  if (kind.startsWith("building=") && address < 0 && !tags.has("name")) return;
  const names = readNameTags(tags, { ref: kind.startsWith("aeroway=") });
  if (names.length === 0 && !needsNoName(kind)) return;
  const { interests, sets, texts } = intake;
  pushRow<keyof typeof INTERESTS>(interests, {
    ...row,
    names: sets.add(names),
    kind: texts.add(kind),
    address,
    known: tags.has("wikidata") || tags.has("wikipedia") ? 1 : 0,
  });
}

/** Row of the address; -1: the tags have none. */
function takeAddress(intake: Intake, row: IntakeRow, tags: OsmTags): number {
  const number = tags.get("addr:housenumber") ?? tags.get("addr:conscriptionnumber");
  const street = tags.get("addr:street");
  const house = tags.get("addr:housename");
  if (number === undefined && street === undefined && house === undefined) return -1;
  return pushAddress(intake, row, {
    // A house that has a name only has that as its number.
    number: number ?? house,
    house,
    street,
    place: tags.get("addr:place") ?? tags.get("addr:hamlet"),
    city: tags.get("addr:city"),
    postcode: tags.get("addr:postcode"),
    region: tags.get("addr:state"),
    suburb: tags.get("addr:suburb") ?? tags.get("addr:neighbourhood"),
  });
}

export type AddressTexts = {
  [Part in "number" | "house" | "street" | "place" | "suburb" | "city" | "postcode" | "region"]?:
    | string
    | undefined;
};

export function pushAddress(
  { addresses, texts }: Intake,
  row: IntakeRow,
  parts: AddressTexts,
): number {
  // Column by column, since there are millions.
  addresses.osm.push(row.osm);
  addresses.lat7.push(row.lat7);
  addresses.lon7.push(row.lon7);
  addresses.number.push(texts.add(parts.number?.trim()));
  addresses.street.push(texts.add(parts.street?.trim()));
  addresses.place.push(texts.add(parts.place?.trim()));
  addresses.city.push(texts.add(parts.city?.trim()));
  addresses.postcode.push(texts.add(parts.postcode?.trim()));
  addresses.region.push(texts.add(parts.region?.trim()));
  addresses.suburb.push(texts.add(parts.suburb?.trim()));
  addresses.house.push(texts.add(parts.house?.trim()));
  return addresses.osm.length - 1;
}
