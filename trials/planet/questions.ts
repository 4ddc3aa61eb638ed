/** Questions of every operation about the objects of an extract; the n-th of a seed is always the same. */
import { createDice, type Dice } from "../dice.ts";
import { misspell } from "./misspell.ts";
import type { Drawn, DrawnObjects } from "./drawn-objects.ts";

export type Question = { operation: string; target: string };
type Point = { lat: number; lon: number };
type Query = Readonly<Record<string, string | number | boolean>>;
type Maker = (about: About) => [path: string, query: Query];
type About = { dice: Dice; objects: DrawnObjects; where: Point };

/** Smallest cells of pages; the trial places the middles of towns at their corners. */
const CELL_ZOOM = 11;
const METRE = 1 / 111_320;
/** What is open is judged at one moment, whenever it is asked. */
const MOMENT = "2026-05-05T10:30:00Z";
const TYPES = [
  "aed",
  "toilets",
  "drinking_water",
  "fountain",
  "wifi",
  "parking",
  "charging",
  "locker",
];
const LANGUAGES = ["de", "en", "fr", "pt", "fi"];

/** By operation, with how many of a hundred questions are of it. */
const MAKERS: Readonly<Record<string, { share: number; make: Maker }>> = {
  "geocode: addresses": {
    share: 9,
    make: (about) => ["/v1/geocode", withOptions(about, { q: addressOf(about) })],
  },
  "geocode: streets": {
    share: 5,
    make: (about) => ["/v1/geocode", withOptions(about, { q: streetOf(about) })],
  },
  "geocode: places and things": {
    share: 6,
    make: (about) => ["/v1/geocode", withOptions(about, { q: nameOf(about) })],
  },
  "geocode: typing errors": {
    share: 5,
    make: (about) => [
      "/v1/geocode",
      { q: misspell(about.dice.chance(0.5) ? streetOf(about) : nameOf(about), about.dice) },
    ],
  },
  "geocode: postcodes": { share: 3, make: (about) => ["/v1/geocode", { q: postcodeOf(about) }] },
  "geocode: kinds of things": { share: 2, make: (about) => ["/v1/geocode", { q: kindOf(about) }] },
  "place-search": {
    share: 6,
    make: (about) => ["/v1/place-search", biased(about, { q: anyNameOf(about) })],
  },
  "place-search: prefix": {
    share: 10,
    make: (about) => [
      "/v1/place-search",
      biased(about, { q: cut(anyNameOf(about), about.dice), prefix: true }),
    ],
  },
  "photon: api": {
    share: 5,
    make: (about) => ["/photon/api", biased(about, photon(about, anyNameOf(about)))],
  },
  "photon: reverse": {
    share: 4,
    make: (about) => [
      "/photon/reverse",
      { ...at(about.where), limit: about.dice.integer(1, 10), radius: about.dice.pick([1, 2, 5]) },
    ],
  },
  "reverse-geocode": {
    share: 8,
    make: ({ dice, where }) => [
      "/v1/reverse-geocode",
      { ...at(where), ...(dice.chance(0.5) && { language: dice.pick(LANGUAGES) }) },
    ],
  },
  services: { share: 9, make: (about) => ["/v1/services/nearby", services(about)] },
  "services: walk": {
    share: 3,
    make: (about) => ["/v1/services/nearby", { ...services(about), ...onFoot(about.dice) }],
  },
  "parking, charging": {
    share: 3,
    make: (about) => [
      about.dice.pick(["/v1/parking/nearby", "/v1/charging/nearby"]),
      circle(about),
    ],
  },
  "nearby: places": {
    share: 4,
    make: ({ dice, where }) => [
      "/v1/nearby",
      {
        ...at(where),
        radius: dice.integer(50, 400),
        include: "places",
        ...(dice.chance(0.3) && onFoot(dice)),
      },
    ],
  },
  walk: { share: 7, make: (about) => ["/v1/walk", walk(about)] },
  reach: { share: 4, make: (about) => ["/v1/reach", reach(about)] },
  tiles: { share: 7, make: (about) => [tileAt(about.where, about.dice.integer(0, 14)), {}] },
};

export const OPERATIONS = Object.keys(MAKERS);

/** `corners`: points around which half of all is asked. */
export function listQuestions(
  objects: DrawnObjects,
  { corners, count, seed }: { corners: readonly Point[]; count: number; seed: number },
): Question[] {
  const order = Object.entries(MAKERS).flatMap(([operation, { share, make }]) =>
    Array.from({ length: share }, () => ({ operation, make })),
  );
  return Array.from({ length: count }, (_, n) => {
    const dice = createDice(seed, n);
    const { operation, make } = order[n % order.length]!;
    const where = placeOf(objects, corners, dice);
    const [path, query] = make({ dice, objects, where });
    const text = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    return { operation, target: text.length === 0 ? path : `${path}?${text.join("&")}` };
  });
}

/** Near a corner of cells, at an edge of one, or where the map has a node. */
function placeOf(objects: DrawnObjects, corners: readonly Point[], dice: Dice): Point {
  const roll = dice.next();
  if (roll < 0.35) return near(dice.pick(corners), dice.pick([20, 300, 2_000]), dice);
  const point = dice.pick(objects.points);
  if (roll < 0.6) return toEdge(near(point, 100, dice), dice);
  return near(point, dice.pick([5, 100, 3_000]), dice);
}

function near({ lat, lon }: Point, metres: number, dice: Dice): Point {
  const wide = Math.cos((lat * Math.PI) / 180);
  return {
    lat: lat + dice.between(-1, 1) * metres * METRE,
    lon: lon + (dice.between(-1, 1) * metres * METRE) / wide,
  };
}

/** On the line between two cells, or a few metres beside it. */
function toEdge({ lat, lon }: Point, dice: Dice): Point {
  const beside = dice.pick([0, 3, -3, 40, -40]) * METRE;
  const edge = cornerNear({ lat, lon }, CELL_ZOOM);
  return dice.chance(0.5) ? { lat: edge.lat + beside, lon } : { lat, lon: edge.lon + beside };
}

/** The nearest corner of the cells of a zoom. */
export function cornerNear({ lat, lon }: Point, zoom: number): Point {
  const size = 2 ** zoom;
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = Math.round((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size) / size;
  const x = Math.round((lon / 360 + 0.5) * size) / size;
  return {
    lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
    lon: (x - 0.5) * 360,
  };
}

const at = ({ lat, lon }: Point): Query => ({ lat: lat.toFixed(6), lon: lon.toFixed(6) });

function addressOf({ dice, objects }: About): string {
  const { tags } = dice.pick(objects.addresses);
  const street = tags.get("addr:street") ?? tags.get("addr:place")!;
  const number = tags.get("addr:housenumber")!;
  const line = dice.chance(0.5) ? `${street} ${number}` : `${number} ${street}`;
  return [line, cityOf(tags, dice)].filter((part) => part !== "").join(dice.pick([", ", " "]));
}

function streetOf(about: About): string {
  const { tags } = about.dice.pick(about.objects.streets);
  return [tags.get("name")!, about.dice.chance(0.4) ? placeName(about) : ""]
    .filter(Boolean)
    .join(", ");
}

function nameOf(about: About): string {
  const { dice, objects } = about;
  const tags = dice.pick(dice.chance(0.3) ? objects.places : objects.things).tags;
  const names = [...tags].filter(([key]) => /^(name|alt_name|old_name|ref|iata)(:|$)/.test(key));
  return [dice.pick(names)[1].slice(0, 150), dice.chance(0.3) ? placeName(about) : ""]
    .filter(Boolean)
    .join(" ");
}

function anyNameOf(about: About): string {
  return about.dice.pick([addressOf, streetOf, nameOf, nameOf])(about);
}

const placeName = ({ dice, objects }: About): string => dice.pick(objects.places).tags.get("name")!;

function cityOf(tags: Drawn["tags"], dice: Dice): string {
  const [postcode, city] = [tags.get("addr:postcode") ?? "", tags.get("addr:city") ?? ""];
  return dice.pick(["", city, `${postcode} ${city}`.trim(), postcode]);
}

function postcodeOf(about: About): string {
  const { dice, objects } = about;
  const codes = objects.addresses.filter(({ tags }) => tags.has("addr:postcode"));
  const { tags } = dice.pick(codes);
  return [tags.get("addr:postcode")!, dice.pick(["", tags.get("addr:city") ?? ""])]
    .filter(Boolean)
    .join(" ");
}

function kindOf(about: About): string {
  const kind = about.dice.pick([
    "pharmacy",
    "hotel",
    "restaurant",
    "supermarket",
    "museum",
    "Apotheke",
    "toilets",
    "school",
  ]);
  return about.dice.chance(0.6)
    ? `${kind} ${about.dice.pick(["near", "in"])} ${placeName(about)}`
    : kind;
}

const withOptions = ({ dice }: About, query: Query): Query => ({
  ...query,
  ...(dice.chance(0.3) && { language: dice.pick(LANGUAGES) }),
  ...(dice.chance(0.1) && { country: dice.pick(["LI", "PT", "MC", "US", "FI", "DE"]) }),
});

const biased = ({ dice, where }: About, query: Query): Query =>
  dice.chance(0.6) ? { ...query, ...at(where) } : query;

const photon = ({ dice }: About, q: string): Query => ({
  q,
  limit: dice.pick([1, 5, 15, 50]),
  ...(dice.chance(0.3) && { lang: dice.pick(LANGUAGES) }),
  ...(dice.chance(0.2) && { layer: dice.pick(["house", "street", "city", "locality"]) }),
});

/** Of a text, up to somewhere after its first letter. */
function cut(text: string, dice: Dice): string {
  const letters = [...text.slice(0, 60)];
  return (
    letters
      .slice(0, dice.integer(Math.min(2, letters.length), letters.length))
      .join("")
      .trim() || text
  );
}

function circle({ dice, where }: About): Query {
  return {
    ...at(where),
    radius: dice.pick([100, 400, 1_500, 3_000, 10_000]),
    limit: dice.pick([1, 10, 50, 200]),
    usable: MOMENT,
    ...(dice.chance(0.2) && { wheelchair: "yes" }),
    ...(dice.chance(0.2) && { fee: "no" }),
    ...(dice.chance(0.2) && { access: "public" }),
  };
}

const services = (about: About): Query => ({
  ...circle(about),
  types: about.dice.shuffle(TYPES).slice(0, about.dice.integer(1, TYPES.length)).join(","),
});

function onFoot(dice: Dice): Query {
  return {
    walk: true,
    ...(dice.chance(0.5) && { sort: "walk" }),
    ...(dice.chance(0.5) && { within_minutes: dice.integer(1, 30) }),
    ...(dice.chance(0.3) && { profile: "step_free" }),
  };
}

function walk({ dice, where }: About): Query {
  const to = near(where, dice.pick([200, 1_000, 3_000]), dice);
  const text = ({ lat, lon }: Point): string => `${lat.toFixed(6)},${lon.toFixed(6)}`;
  return {
    ...{ from: text(where), to: text(to) },
    ...(dice.chance(0.3) && { profile: "step_free" }),
    ...(dice.chance(0.3) && { format: "geojson" }),
  };
}

function reach({ dice, where }: About): Query {
  return {
    ...{ ...at(where), minutes: dice.pick([2, 5, 10, 15, 30]) },
    families: "aed,toilets,drinking_water,wifi,parking,charging,locker",
    format: dice.pick(["json", "geojson"]),
    ...(dice.chance(0.3) && { profile: "step_free" }),
  };
}

/** The tile of a zoom that holds a point. */
export function tileAt({ lat, lon }: Point, z: number): string {
  const size = 2 ** z;
  const sine = Math.sin((lat * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size);
  return `/tiles/${z}/${Math.floor((lon / 360 + 0.5) * size)}/${y}.mvt`;
}
