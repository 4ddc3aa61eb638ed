/**
 * npm run bench -- base-geocoder: the geocoder of a base over copies of recorded extracts, each shifted
 * and with place names of its own, until there are enough addresses. Seeded; prints what making and
 * opening the columns cost, and what questions, beginnings of questions and points take. Each is asked
 * three times and its least time counts, so that what others do on the machine does not.
 */
import { readArguments } from "../trials/arguments.ts";
import {
  type BaseSection,
  createGeocoderSection,
  type GeocodeItem,
  type GeocoderMeta,
  importBase,
  openGeocoder,
} from "#osm/index.ts";
import type {
  GeocoderSection,
  NodeFeature,
  OsmTags,
  RelationFeature,
  WayFeature,
} from "#osm/sections.ts";
import { readPack, writePack } from "#kit/pack.ts";

const options = readArguments(process.argv.slice(2), {
  addresses: 500_000,
  questions: 4000,
  extracts: "queens-village-2016,liechtenstein-alabama-2021",
});

const FORMAT = { magic: 1, version: 1 };
const MB = 1024 * 1024;
/** City of addresses that do not say theirs. */
const NO_CITY = "Queens Village";
const REPEATS = 3;
const DATA = new URL("../../shared/data/osm/", import.meta.url);

type Features = {
  nodes: NodeFeature[];
  ways: WayFeature[];
  relations: RelationFeature[];
  addresses: AddressQuestion[];
};
type AddressQuestion = { street: string; number: string; city: string; lat7: number; lon7: number };

async function main(): Promise<void> {
  const sets: Features[] = [];
  for (const name of options.extracts.split(",")) sets.push(await read(name));
  const section = createGeocoderSection();
  const requests: AddressQuestion[] = [];
  let copies = 0;
  const began = performance.now();
  while (requests.length < options.addresses) {
    copies++;
    for (const set of sets) requests.push(...addCopy(section, set, copies));
  }
  const taken = performance.now();
  const { columns, meta, counts } = drain(section.finish());
  const finished = performance.now();
  const bytes = drain(writePack(FORMAT, meta, prefixed(columns)));
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const packed = performance.now();
  const pack = readPack<GeocoderMeta>(FORMAT, shared)!;
  const read_at = performance.now();
  const geocoder = openGeocoder(pack.columns, pack.meta);
  const opened = performance.now();
  console.log(`${copies} copies: ${JSON.stringify(counts)}`);
  console.log(
    `features ${s(taken - began)}, columns ${s(finished - taken)}, pack ${s(packed - finished)} of ${(bytes.length / MB).toFixed(1)} MB, read ${s(read_at - packed)}, opened in ${(opened - read_at).toFixed(1)} ms, ${(process.memoryUsage().rss / MB).toFixed(0)} MB resident`,
  );
  measure(geocoder, requests);
}

function measure(
  geocoder: ReturnType<typeof openGeocoder>,
  requests: readonly AddressQuestion[],
): void {
  const random = seeded(3);
  const picked = Array.from(
    { length: options.questions },
    () => requests[Math.floor(random() * requests.length)]!,
  );
  const forward = (q: string, prefix = false): GeocodeItem[] =>
    geocoder.geocode({ q, language: "en", country: null, near: null, limit: 5, prefix });
  const right = ({ lat7, lon7 }: AddressQuestion, [item]: GeocodeItem[]): boolean =>
    item !== undefined &&
    Math.hypot(item.location.lat * 1e7 - lat7, item.location.lon * 1e7 - lon7) < 6_000;
  for (const round of ["warm-up", "measured"]) {
    const show = round === "measured";
    time(
      "street no, city",
      picked,
      (each) => right(each, forward(`${each.street} ${each.number}, ${each.city}`)),
      show,
    );
    time(
      "one typo",
      picked,
      (each) => right(each, forward(`${typo(each.street)} ${each.number}, ${each.city}`)),
      show,
    );
    time("street alone", picked, ({ street }) => forward(street).length > 0, show);
    time(
      "beginnings",
      picked,
      ({ street }, i) => forward(street.slice(0, 1 + (i % 12)), true).length > 0,
      show,
    );
    time("nonsense", picked, (_, i) => forward(nonsense(i)).length >= 0, show);
    time(
      "reverse",
      picked,
      ({ lat7, lon7 }) =>
        geocoder.reverse({ lat: lat7 / 1e7 + 1e-4, lon: lon7 / 1e7, language: "en", limit: 5 })
          .length > 0,
      show,
    );
  }
}

function time(
  name: string,
  list: readonly AddressQuestion[],
  run: (each: AddressQuestion, i: number) => boolean,
  show: boolean,
): void {
  const times = new Float64Array(list.length);
  let right = 0;
  for (const [i, each] of list.entries()) {
    let least = Infinity;
    let good = false;
    for (let n = 0; n < REPEATS; n++) {
      const begun = performance.now();
      good = run(each, i);
      least = Math.min(least, performance.now() - begun);
    }
    if (good) right++;
    times[i] = least;
  }
  times.sort();
  const at = (part: number): string =>
    times[Math.min(list.length - 1, Math.floor(list.length * part))]!.toFixed(3);
  if (show)
    console.log(
      `${name.padEnd(18)} p50 ${at(0.5)} ms  p90 ${at(0.9)}  p99 ${at(0.99)}  max ${at(1)}  answered ${(right / list.length).toFixed(3)}`,
    );
}

async function read(name: string): Promise<Features> {
  const features: Features = { nodes: [], ways: [], relations: [], addresses: [] };
  const keys = createGeocoderSection().keys;
  const take = (tags: OsmTags, lat7: number, lon7: number): void => {
    const [street, number] = [tags.get("addr:street"), tags.get("addr:housenumber")];
    const city = tags.get("addr:city") ?? NO_CITY;
    if (street !== undefined && number !== undefined)
      features.addresses.push({ street, number, city, lat7, lon7 });
  };
  const collector: BaseSection = {
    name: "bench",
    keys,
    node(node) {
      features.nodes.push(node);
      take(node.tags, node.lat7, node.lon7);
    },
    way(way) {
      features.ways.push({ ...way, points: way.points.slice() });
      if (way.points.length > 0) take(way.tags, way.points[0]!, way.points[1]!);
    },
    relation: (relation) => void features.relations.push(relation),
    // oxlint-disable-next-line require-yield -- there is nothing to give way for
    *finish() {
      return { columns: {}, meta: {}, counts: {} };
    },
  };
  const path = new URL(`${name}/${name}.osm.pbf`, DATA).pathname;
  const result = await importBase(path, {
    id: "bench",
    region: null,
    now_ms: 0,
    sections: [collector],
  });
  if (!result.ok) throw new Error(result.problem);
  return features;
}

/** A copy lies north of the one before it, and its places have names that no other has. */
function addCopy(
  section: GeocoderSection,
  { nodes, ways, relations, addresses }: Features,
  copy: number,
): AddressQuestion[] {
  const up = (copy - 1) * 8_000_000;
  const suffix = syllables(copy);
  const id = (input: number): number => input + copy * 1e11;
  const rename = (tags: OsmTags): OsmTags => {
    const byName = new Map(tags);
    const own = tags.has("place") || tags.has("boundary");
    if (own && tags.has("name")) byName.set("name", `${tags.get("name")} ${suffix}`);
    if (tags.has("addr:housenumber"))
      byName.set("addr:city", `${tags.get("addr:city") ?? NO_CITY} ${suffix}`);
    else if (tags.has("addr:city")) byName.set("addr:city", `${tags.get("addr:city")} ${suffix}`);
    return byName;
  };
  const shift = (points: Int32Array): Int32Array =>
    points.map((value, i) => (i % 2 === 0 ? value + up : value));
  for (const node of nodes)
    section.node({ ...node, id: id(node.id), lat7: node.lat7 + up, tags: rename(node.tags) });
  for (const each of relations)
    section.relation({
      ...each,
      id: id(each.id),
      tags: rename(each.tags),
      rings: each.rings.map(({ points, inner }) => ({ points: shift(points), inner })),
      members: each.members.map((member) => ({ ...member, id: id(member.id) })),
      box: each.box && [each.box[0] + up, each.box[1], each.box[2] + up, each.box[3]],
    });
  for (const way of ways)
    section.way({ ...way, id: id(way.id), tags: rename(way.tags), points: shift(way.points) });
  return addresses.map((each) => ({
    ...each,
    city: `${each.city} ${suffix}`,
    lat7: each.lat7 + up,
  }));
}

function syllables(number: number): string {
  const parts = ["ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "xe", "zu"];
  return `Q${String(number * 7919)
    .split("")
    .map((digit) => parts[Number(digit)])
    .join("")}`;
}

function typo(street: string): string {
  const at = Math.floor(street.length / 2);
  return street.slice(0, at) + street.slice(at + 1);
}

function nonsense(seed: number): string {
  const random = seeded(seed + 1);
  return Array.from({ length: 200 }, () => "eastrn ioulhdc"[Math.floor(random() * 14)]!).join("");
}

function prefixed<T>(columns: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [`geocoder.${name}`, column]),
  );
}

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function s(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

await main();
