/** Questions of every operation about the objects of an extract; the n-th of a seed is always the same. */
import { createDice, type Dice } from "../dice.ts";
import type { DrawnObjects } from "./drawn-objects.ts";
import { near, placeOf, type Point, tileAt } from "./question-places.ts";
import {
  addressOf,
  anyNameOf,
  cut,
  kindOf,
  misspell,
  nameOf,
  postcodeOf,
  streetOf,
} from "./question-texts.ts";

export type Question = { operation: string; target: string };
type Query = Readonly<Record<string, string | number | boolean>>;
type Maker = (about: About) => [path: string, query: Query];
type About = { dice: Dice; objects: DrawnObjects; where: Point };

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

const at = ({ lat, lon }: Point): Query => ({ lat: lat.toFixed(6), lon: lon.toFixed(6) });

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
