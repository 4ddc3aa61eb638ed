// The simulated world as an extract: whole, and made of what the other hosts have.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { distance, type Point } from "../../../sandbox/geo.ts";
import { listObjects } from "../../../sandbox/openbase/extract.ts";
import { docksOf, mappedOperators } from "../../../sandbox/openmap/docks.ts";
import { printed } from "../../../sandbox/openmap/element.ts";
import { createSheets } from "../../../sandbox/openmap/elements.ts";
import type { PbfNode, PbfObject, PbfRelation, PbfWay } from "../../../sandbox/pbf/encode.ts";
import { type Gazetteer, listHouses, listSpots } from "../../../sandbox/world/gazetteer.ts";
import { toTown } from "../../../sandbox/world/towns.ts";
import { createWorld, type World } from "../../../sandbox/world/world.ts";

const WORLD = createWorld(1);

type Objects = {
  all: readonly PbfObject[];
  nodes: ReadonlyMap<number, PbfNode>;
  ways: ReadonlyMap<number, PbfWay>;
  relations: ReadonlyMap<number, PbfRelation>;
};

function read(world: World): Objects {
  const all = listObjects(world);
  const of = <T extends PbfObject>(type: T["type"]): Map<number, T> =>
    new Map(all.flatMap((each) => (each.type === type ? [[each.id, each as T]] : [])));
  return { all, nodes: of("node"), ways: of("way"), relations: of("relation") };
}

const toPoint = ({ lat7, lon7 }: PbfNode): Point => ({ lat: lat7 / 1e7, lon: lon7 / 1e7 });
const middle = (values: readonly number[]): number =>
  Math.round((Math.min(...values) + Math.max(...values)) / 2) / 1e7;

/** A node's place, and the middle of the box of all else, as servers print it (`out center`). */
function centreOf({ nodes, ways }: Objects, object: PbfObject): Point {
  if (object.type === "node") return toPoint(object);
  const lines =
    object.type === "way"
      ? [object]
      : object.members.flatMap(({ type, id }) => (type === "way" ? [ways.get(id)!] : []));
  const points = lines.flatMap(({ refs }) => refs.map((id) => nodes.get(id)!));
  return {
    lat: middle(points.map(({ lat7 }) => lat7)),
    lon: middle(points.map(({ lon7 }) => lon7)),
  };
}

const spotsOf = (city: World["cities"][number]): Gazetteer =>
  listSpots(toTown(city), {
    seed: WORLD.seed,
    stations: WORLD.getNetwork(city).stations,
    services: WORLD.listServices(city),
  });

describe("the extract of all cities", () => {
  const objects = read(WORLD);
  const { all, nodes, ways, relations } = objects;
  const find = (type: string, id: number): PbfObject | undefined =>
    ({ node: nodes, way: ways, relation: relations })[type]!.get(id);

  test("is in order, refers to nothing that is missing, and stays on the globe", () => {
    const kinds = ["node", "way", "relation"];
    for (const [n, object] of all.entries()) {
      const before = all[n - 1];
      if (before === undefined) continue;
      const order = kinds.indexOf(object.type) - kinds.indexOf(before.type);
      assert.ok(order > 0 || (order === 0 && object.id > before.id), `${n}`);
    }
    for (const { lat7, lon7 } of nodes.values()) {
      assert.ok(Number.isInteger(lat7) && Math.abs(lat7) < 85e7);
      assert.ok(Number.isInteger(lon7) && Math.abs(lon7) <= 180e7);
    }
    for (const { id, refs } of ways.values()) {
      assert.ok(refs.length > 1 && refs.every((ref) => nodes.has(ref)), `way ${id}`);
      const lons = refs.map((ref) => nodes.get(ref)!.lon7);
      assert.ok(Math.max(...lons) - Math.min(...lons) < 2e7, `way ${id} goes round the globe`);
    }
    for (const { id, members } of relations.values())
      assert.ok(
        members.every((each) => find(each.type, each.id)),
        `relation ${id}`,
      );
  });

  test("has every element of the simulated server, by id, with its tags and place", () => {
    const sheets = createSheets(WORLD)();
    const elements = sheets.flatMap((sheet) => sheet.elements);
    assert.ok(elements.length > 4_000);
    const kinds = new Set<string>();
    for (const { type, id, lat, lon, tags } of elements) {
      const object = find(type, id);
      assert.ok(object, `${type}/${id}`);
      kinds.add(type);
      const { type: form, ...own } = object.tags ?? {};
      assert.deepEqual(own, tags);
      assert.equal(form, type === "relation" ? "multipolygon" : undefined);
      const expected = { lat: printed(lat, id % 10), lon: printed(lon, (id + 3) % 10) };
      assert.deepEqual(centreOf(objects, object), expected, `${type}/${id}`);
    }
    assert.equal(kinds.size, 3);
    const docks = mappedOperators(WORLD).flatMap((operator) => docksOf(WORLD, operator));
    assert.ok(docks.length > 100);
    for (const { id, lat, lon, tags } of docks) {
      assert.deepEqual(nodes.get(id)?.tags, tags);
      assert.deepEqual(toPoint(nodes.get(id)!), { lat, lon });
    }
  });

  test("has every address once, where the geocoders have it", () => {
    const drawn = new Map<string, Point[]>();
    const add = (tags: PbfObject["tags"], at: Point): void => {
      const { "addr:housenumber": number, "addr:street": street, "addr:city": city } = tags ?? {};
      if (number === undefined) return;
      const key = `${city} ${street} ${number}`;
      drawn.set(key, [...(drawn.get(key) ?? []), at]);
    };
    for (const object of all) if (isHouse(object)) add(object.tags, centreOf(objects, object));
    for (const { refs, tags } of ways.values()) {
      if (tags?.["addr:interpolation"] === undefined) continue;
      const ends = refs.map((ref) => nodes.get(ref)!);
      const [from, to] = ends.map((end) => Number(end.tags!["addr:housenumber"])) as [
        number,
        number,
      ];
      assert.equal(to - from, 4, JSON.stringify(ends));
      const between = { ...ends[0]!.tags, "addr:housenumber": String(from + 2) };
      const [a, b] = ends.map(toPoint) as [Point, Point];
      add(between, { lat: (a.lat + b.lat) / 2, lon: a.lon + (b.lon - a.lon) / 2 });
    }
    let houses = 0;
    for (const city of WORLD.cities)
      for (const street of spotsOf(city).streets)
        for (const house of listHouses(street)) {
          houses += 1;
          const [at, ...more] =
            drawn.get(`${city.name} ${street.name.local} ${house.number}`) ?? [];
          assert.ok(at, `${street.name.local} ${house.number}, ${city.name}`);
          assert.deepEqual(more, []);
          assert.ok(distance(at, house) < 1, `${street.name.local} ${house.number}, ${city.name}`);
        }
    assert.equal(drawn.size, houses);
  });

  test("has boundaries that close, and districts that hold what is nearest to their middle", () => {
    const levels = new Set<string>();
    for (const relation of relations.values()) {
      if (relation.tags?.["boundary"] === undefined) continue;
      levels.add(relation.tags["admin_level"]!);
      const ends = new Map<number, number>();
      for (const { type, id } of relation.members) {
        if (type !== "way") continue;
        const { refs } = ways.get(id)!;
        for (const end of [refs[0]!, refs.at(-1)!]) ends.set(end, (ends.get(end) ?? 0) + 1);
      }
      assert.ok(
        ends.size > 0 && [...ends.values()].every((count) => count === 2),
        `${relation.id}`,
      );
    }
    assert.deepEqual([...levels].toSorted(), ["11", "2", "4", "8"]);
    for (const city of WORLD.cities.filter(({ id }) => id !== "taveuni")) {
      const { areas, streets } = spotsOf(city);
      const quarters = areas.filter(({ kind }) => kind === "neighbourhood");
      for (const street of streets) {
        const near = quarters.toSorted((a, b) => distance(a, street) - distance(b, street));
        // Within a few metres of a border either is right.
        if (distance(near[1]!, street) - distance(near[0]!, street) < 10) continue;
        const holding = quarters.filter((quarter) =>
          isIn(districtOf(quarter.name.local, city), street),
        );
        assert.deepEqual(holding, [near[0]], `${street.name.local}, ${city.name}`);
      }
    }
  });

  function districtOf(name: string, city: Point): Point[] {
    const matches = [...relations.values()].filter(
      ({ tags, members }) =>
        tags?.["admin_level"] === "11" &&
        tags["name"] === name &&
        distance(toPoint(nodes.get(members.at(-1)!.id)!), city) < 20_000,
    );
    assert.equal(matches.length, 1, name);
    const [other, back] = matches[0]!.members.map(({ id }) => ways.get(id)?.refs ?? []);
    return [...other!, ...back!.toReversed()].map((id) => toPoint(nodes.get(id)!));
  }
});

const isHouse = ({ tags }: PbfObject): boolean =>
  Object.keys(tags ?? {}).every((key) => key.startsWith("addr:") || key === "building");

/** The ray to the north crosses the outline an odd number of times. */
function isIn(outline: readonly Point[], at: Point): boolean {
  let inside = false;
  for (const [n, to] of outline.entries()) {
    const from = outline.at(n - 1)!;
    if (from.lon > at.lon === to.lon > at.lon) continue;
    const lat = from.lat + ((at.lon - from.lon) / (to.lon - from.lon)) * (to.lat - from.lat);
    if (lat > at.lat) inside = !inside;
  }
  return inside;
}
